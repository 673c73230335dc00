// Records JavaScript's own answers for plain keys, lower case and white space:  node record.mjs | gzip -9n > answers.json.gz
// matches: [text, key, substring, whole word], text and key compared as they are; lower: [text, lower-cased]; split: [text, pieces].
const escape = (key) => key.replace(/[/\-\\^$*+?.()|[\]{}]/g, '\\$&');
function wholeWord(text, key) {
    if (key.split(/\s+/).length > 1) return text.includes(key);
    return new RegExp(`(?:^|\\W)(${escape(key)})(?:$|\\W)`).test(text);
}

let state = 20261130;
function random() {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pick = (list) => list[Math.floor(random() * list.length)];
const many = (list, least, most) => Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => pick(list)).join('');

const SMALL = ['a', 'b', 'ab', ' ', '_', '-', '1', 'é', 'к', '京', '\x01', '\n', '.', '\''];
const ODD = [...SMALL, '+', '(', '[', '\\', '$', '^', '/', '\u00a0', '\ufeff', '\x1c', '\x85', '\u3000', '\u200b', 'e\u0301', '😀', '\ud83d', '\ude00', 'ß', 'İ', 'ſ', 'ยา', '한', 'Z', '\0'];
const FIXED = [
    ['Maine is lovely, ain\'t it?', 'ai'], ['the ai woke.', 'ai'], ['post it with #hello today', '#hello'], ['say#hello', '#hello'], ['黒猫がいる', '猫'], ['東京都に住む', '東京'], ['เขาพยายาม', 'ยา'],
    ['the cat, runs', 'cat'], ['앨리스가 왔다', '앨리스'], ['который', 'кот'], ['скотина', 'кот'], ['rené', 'ren'], ['café', 'cafe'], ['viking arthurian', 'king arthur'], ['a_x b', 'x'], ['co-op', 'co'],
    ['naïve', 'na'], ['naïve', 've'], ['don\'t', 'don'], ['i like c++', 'c++'], ['c++11', 'c++'], ['', ''], ['a', ''], ['a ', ''], ['\x01a', ''], ['a b', ' '], ['a b', 'b '], ['aaa', 'aa'], ['xaa aa', 'aa'], ['😀', '\ud83d'], ['\ud83d\ude00', '😀'],
];
const cases = [...FIXED];
while (cases.length < 4000) {
    const letters = pick([SMALL, ODD]);
    const key = many(letters, random() < 0.05 ? 0 : 1, 4);
    const text = random() < 0.5 ? many(letters, 0, 14) : many(letters, 0, 4) + key + many(letters, 0, 4);
    cases.push([text, key]);
}
const LOWER = [
    'ΟΔΥΣΣΕΥΣ', 'ΟΔΥΣΣΕΥΣ ΣΑΣ Σ', 'ΑΣ\'Α', 'ΑΣ.', 'ΑΣ\u0301Α', 'Σ', 'aΣ', 'İstanbul', 'Iı', 'STRASSE ẞ', 'K Å Ω', 'ǅ Ǆ', 'ЁЛКА Їжак', 'ÀÉÎ', 'ＡＢＣ', 'Ⅷ Ⓐ', '𐐀𐐨', 'Ა', 'Ꭰ ᏸ', '\ud83dA\ude00', 'ΑΣ\x01', 'ΑΣ\u00adΑ', 'ᲀ',
];
const SPLIT = ['', ' ', 'a', ' a', 'a ', 'a b', 'a  b', 'a\u00a0b', 'a\ufeffb', 'a\x1cb', 'a\x85b', 'a\u180eb', 'a\u200bb', 'a\u3000\u2028b', 'king arthur'];
const lines = (rows) => rows.map((row) => JSON.stringify(row)).join(',\n');
process.stdout.write(`{"node":${JSON.stringify(process.version)},\n"matches":[\n${lines(cases.map(([text, key]) => [text, key, text.includes(key), wholeWord(text, key)]))}\n],
"lower":[\n${lines(LOWER.map((text) => [text, text.toLowerCase()]))}\n],\n"split":[\n${lines(SPLIT.map((text) => [text, text.split(/\s+/)]))}\n]}\n`);

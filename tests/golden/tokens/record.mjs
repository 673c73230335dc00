// Records token counts of npm's `tiktoken` (the package SillyTavern counts with) for 300 texts.
//   npm install tiktoken && node record.mjs > counts.json     (run where node_modules is; texts come from this file only)
import { get_encoding } from 'tiktoken';

const WORDS = {
    en: 'the bell under the ferry landing rings twice when nobody has cast it and Mira will not speak of tithe lantern guild harrowmere mill-race don\'t it\'s O\'Brien naïve café'.split(' '),
    ru: 'дракон спит под старой мельницей и видит сны о колоколе паромщик Мира молчит фонарная гильдия ёлка московский соляная десятина'.split(' '),
    uk: 'їжак живе під мостом ґанок щось пам\'ятає'.split(' '),
    it: 'la campana annegata suona perché nessuno l\'ha fusa però città è già quell\'ombra più giù'.split(' '),
    de: 'Straße Grüße Fährmann überall Überraschung Donaudampfschifffahrtsgesellschaft größer'.split(' '),
    el: 'Οδυσσέας θάλασσα ΟΔΥΣΣΕΥΣ καμπάνα'.split(' '),
    zh: '黑猫 在 渡口 的 钟 下面 睡觉 灯笼 公会 不 说话 魔法 世界 设定'.split(' '),
    ja: '渡し場 の 下 に 鐘 が 沈んで いる ミラ は 語らない ランタン ギルド'.split(' '),
    ko: '앨리스가 나루터 아래 종을 두 번 울렸다 등불 조합'.split(' '),
    ar: 'الجرس تحت المرفأ يدق مرتين'.split(' '),
    hi: 'घंटी नदी के नीचे बजती है'.split(' '),
    th: 'เขาพยายาม ยา ระฆัง ใต้น้ำ'.split(' '),
    odd: ['😀', '👩‍👩‍👧', '🇮🇹', '\u0000', '\u0001', '\ufeff', '\u00a0', '\u3000', '\u2028', '\t', '\r\n', '\n', '\n\n', '   ', '%%', '--', '***', '```', '{}', '[x]', '</b>',
        '12345', '3.14', '2026-11-30', '#!/', '//', '!/\n/', '...', '…', '—', '«', '»', '“', '”', '’', 'e\u0301', 'й', 'ǅ', 'ʰ', 'ⅷ', '½', '٣', 'İ', 'ſ', 'K', 'ß', 'ẞ', 'AAAA', 'iPhone', 'HTTPServer', '中ABC', '中ABCd'],
};
const FIXED = [
    '', ' ', '\n', '\n\n\n', '  \n  ', 'a', 'Hello world.', 'Hello  world .', 'I\'M, we\'LL, they\'ve; o\'clock', '1234567890', 'x=1;y=22;z=333;w=4444', '\t\tindented\n\t\ttwice\n',
    'trailing spaces   ', '   leading', 'a\u00a0b', '東京都に住む', 'Привет, мир!', '😀😀😀', '\ud83d', 'a\ude00b', 'e\u0301e\u0301', 'ffi ligature ﬁ', 'zero\u200bwidth\u200djoin',
    '<b>bold</b> & "quoted"', 'path/to/file.txt?x=1&y=2#z', '- item\n- item\n\n1. one\n2. two', '{{user}} meets {{char}}', '@@depth 4\n@@role user\ntext', '<|end|>', '<|im_start|>system', '<|endoftext',
    '中ABCDEF', '中ABCDEFg', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'ĀāĂă', '\u0301\u0302', '!!!\n\n\n???', '!/\n/x', 'x \n y', 'x\r\ny\r\n', '\ufeffbom',
];

let state = 20261130;
function random() {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pick = (list) => list[Math.floor(random() * list.length)];

function sentence(language, length) {
    const spaced = !['zh', 'ja', 'th'].includes(language);
    let text = '';
    for (let i = 0; i < length; i++) {
        const word = random() < 0.12 ? pick(WORDS.odd) : pick(WORDS[language]);
        text += (i && spaced && random() < 0.9 ? ' ' : '') + (random() < 0.1 ? word.toUpperCase() : word) + (random() < 0.1 ? pick([',', '.', '!', '?', ';', ' —', '。', '、']) : '');
    }
    return text;
}

const texts = [...FIXED];
const languages = Object.keys(WORDS);
while (texts.length < 300) {
    const lines = 1 + Math.floor(random() * 3);
    const language = pick(languages);
    texts.push(Array.from({ length: lines }, () => sentence(language, 2 + Math.floor(random() * 22))).join(pick(['\n', '\n\n', ' '])));
}
const cl100k = get_encoding('cl100k_base');
const o200k = get_encoding('o200k_base');
const rows = texts.map((text) => JSON.stringify([text, cl100k.encode(text).length, o200k.encode(text).length]));
process.stdout.write(`[\n${rows.join(',\n')}\n]\n`);

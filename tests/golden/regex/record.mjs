// Records what Node's RegExp answers for a table of patterns and texts:  node record.mjs | gzip -9n > agreement.json.gz
// A row is [source, flags, answers]; answers is null if Node rejects the pattern, else one list of [start, end] in UTF-16 units per text
// (the first 12 matches; the flag g is added to find them all).
const TEXTS = [
    '', 'a', 'Hello world.', 'The quick brown fox jumps over 13 lazy dogs, twice in 2026.',
    'Дракон спит. Московский драконий ёж и Ёлка, ёлки', 'дракон', 'кот котёнок скот КОТ', 'Їжак, ґанок і під\'їзд', '東京都に住む黒猫がいる', '黒猫', '앨리스가 왔다. 앨리스는', 'เขาพยายาม ยา',
    '😀', 'a😀b 👩‍👩‍👧 🇮🇹', '\ud83d lone \ude00', 'ſ K k S s ß ẞ SS ss İ ı i I', 'ΟΔΥΣΣΕΥΣ οδυσσευς σ ς Σ Ω Ω ω µ μ',
    'one\ntwo\r\nthree\u2028four\u2029five\n', '\x01Mira: Hello there\n\x01Rowan: hi, bell\n\x01Mira: the bell rings', ' \t\v\f\u00a0\ufeff\u3000\u1680\u180e\u2003\x1c\x85end',
    'foo_bar foo-bar foo.bar foo/bar c++ [x] {y} (z) \\w $5 ^up', 'aaaaaaaaaaaaaaaaaaaaaaaa!', 'abcabcabc abab aa bb abba', 'café cafe\u0301 naïve René Straße straße STRASSE',
    '2026-11-30 12:34 +7 (999) 123-45-67 0x1F 3.14', 'storm; heavy, cold rain / umbrella', 'don\'t don’t l\'ombra', 'ᲀᲁᲂ вдо ВДО', 'x'.repeat(300) + ' king arthur viking arthurian',
];
const PLAIN = String.raw`
hello|world
Hello
^Hello
world\.$
^a$
^$
.
..
^.$
^..$
[^]
[]
\bfox\b
\bдракон\b
\bкот
кот\b
\Bкот
\w+
\W+
\d+
\D\d
\s+
\S+$
[\w-]+
[^\w\s]
\bking\b.*\barthur\b
(?:^|\W)(кот)(?:$|\W)
(?:^|\W)(猫)(?:$|\W)
(?:^|\W)(foo)(?:$|\W)
(?<!\w)c\+\+(?!\w)
(?<=foo)[-_./]bar
(?<!foo.)bar
(?<=(\w)\1)b
(?<=a|bb)c
(?<=^\x01Mira:[^\x01]*)bell
(?=.*fox)(?=.*dog)The
(?!.*fox)T
(\w)\1
(\w)(\w)\2\1
(?<first>\w)\k<first>
(?<y>\d{4})-(?<m>\d\d)
\k<x>
(a)|b\1
(?:(a)|b)*\1
(a*)*
(a*)+
(a|ab)(c|bcd)?
(a+)+!
^(a+)+$
a{3}
a{2,3}
a{2,}?
a{,3}
a{
{y}
x{300}
x{301}
[a-z]+
[А-я]+
[а-яё]+ский
[а-яё]+
[ёЁ]лк[аиу]
[一-龥]+
[가-힣]+
[ก-๙]+
\u0434\u0440
\x41|\x61
\u{61}
\u{1F600}
\cJ
\0
\01Mira
\101
\8
\x01Mira:[^\x01]*?bell
\x01Rowan:[^\x01]*hello
^\x01
^three
five$
two.three
two\s+three
[\s\S]*five
one[^]*four
three.four
^\s+end
\s{11}
foo[\W_]bar
foo[\-_]bar
foo[.-]bar
[\]x]
[x\]]
[[x]
]
}
\$\d
\^up
\\w
\/
foo\/bar
storm|heavy, cold rain
(storm|rain)\b[^a-z]*$
(?:storm|heavy)[;,]
don['’]t
l'(?=o)
colou?r|dogs?
d.g
d[^o]g|d[o]g
lazy(?= dogs)
lazy(?! cats)
(\d+)-(\d+)-(\d+)
\d{1,2}:\d{2}
\+?\d \(\d{3}\)
0[xX][\da-fA-F]+
[+-]?\d*\.\d+
(?:)
|
a||b
(|a)+b
(?:a?)*?b
(?:a*?)*?b
(z)((a+)?(b+)?(c))*
(?=(a+))a*b\1
(?=(a+))
(?!a)b|c
.*?fox
.*fox.*?
(.*)\d+
(.*?)\d+
ß
ẞ
SS
ss
ſ
K
k
İ
ı
i
Σ
σ
ς
Ω
µ
straße
STRASSE
cafe\u0301
café
é
вдо
ᲀ
[б-г]
[Б-Г]
[^в]до
\p{L}
\p{Lu}\p{Ll}+
[\p{L}\d]+
\P{L}+
\p{Script=Cyrillic}+
\p{Script=Han}+
\p{sc=Hangul}+
\p{Emoji_Presentation}
\p{Foo}
(?<!\p{L})дракон(?!\p{L})
(?<!\p{L})кот(?!\p{L})
(?<![\p{L}\p{N}_])猫
😀
😀+
[😀]
[^😀]
a😀b
\ud83d
\ude00
\ud83d\ude00
[\ud83d]
^😀$
👩‍👩‍👧
🇮🇹
(
)
[
[b-a]
a{2,1}
*a
a**
a+++
\
(?<n>a)(?<n>b)
(?<1>a)
(?a)
(?<
\c
[\c]
\p
\u
\u12
\x4
\k
\q
\-
\й
[\d-z]
[a-\d]
{1}
a{1}{2}
(?=a)*
(?<=a)*
^*
\b+
`.split('\n').filter((line) => line !== '');
const rows = [];
for (const source of PLAIN) {
    rows.push([source, ''], [source, 'i'], [source, 'u'], [source, 'iu']);
}
for (const source of ['^Hello', '^two$', '.+', 'o.t', '^\\x01Mira', 'five$', 'a', '\\w+', 'e\\b', '^', '$', '(?<=\\n)^.']) {
    for (const flags of ['m', 's', 'ms', 'g', 'y', 'gy', 'my', 'gimsuy', 'gg', 'iig', 'uv', 'x', 'I', 'sticky']) rows.push([source, flags]);
}
function answers(source, flags) {
    let regex;
    try {
        new RegExp(source, flags);
        regex = (text) => [...text.matchAll(new RegExp(source, flags.includes('g') ? flags : flags + 'g'))];
    } catch {
        return null;
    }
    return TEXTS.map((text) => regex(text).slice(0, 12).map((match) => [match.index, match.index + match[0].length]));
}
const lines = rows.map(([source, flags]) => JSON.stringify([source, flags, answers(source, flags)]));
process.stdout.write(`{"node":${JSON.stringify(process.version)},\n"texts":${JSON.stringify(TEXTS)},\n"rows":[\n${lines.join(',\n')}\n]}\n`);

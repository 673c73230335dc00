"""Words so common that a key of one of them fires in very many messages, whatever they are about, per language."""

from __future__ import annotations

import re
from typing import Final

_ENGLISH = """
a about after again all also always am an and any are as ask at away back bad be because been before
begin being better between big both but by call came can come could day did do does done door down
each end even ever every eye eyes face far feel few find first for found from get give go going gone
good got great had hand hands hard has have he head hear heard help her here him his home hope house
how i if in into is it its just keep knew know last late leave left let life light like little long
look looked lot love made make man many may maybe me mean might mind more most much must my name
near need never new next nice night no not nothing now of off oh ok okay old on once one only open
or other our out over own part people place please put quite rather really right room said same saw
say see seem she should side smile so some something soon still stop such sure take talk tell than
thank that the their them then there these they thing things think this those thought time to today
together too took tried try turn two under until up us use very voice wait walk want was water way
we well went were what when where which while who why will with without woman word words work world
would yes yet you young your
"""
_RUSSIAN = """
а без более больше будет бы был была были было быть в вам вас вдруг весь вечер вещь взгляд во вода
вопрос вот времени время все всегда всего всех всё вы где глаз глаза говорить год голова голову
голос да даже дверь девушка дела дело день для дня до дом друг думаю его ее её ей ему если есть еще
ещё же женщина жизни жизнь за здесь знал знать знаю и из или им ими имя их к как какой когда конец
конечно которая которые который кто куда лет ли лица лицо любовь люди между меньше меня место минута
минуту мир мне много мог могла мое моё может можно мой моя мужчина мы мысли мысль на надо нам нас
начало не него нее ней нет ни нибудь никогда никто ним них ничего но нога ноги ногу ночь ну нужно о
об один он она они оно от ответ очень перед по под пока помощь после потом почти при про просто путь
работа раз рук рука руке руки руку с сам свет свой себя сейчас сердце сила сказал сказала сказать
слов слова слово снова со стал стала сторона сторону так такой там твой твоя тебя тем теперь то
тогда того тоже только тут ты у уже улыбка утро хорошо хотел хочу час часть чего человек чем через
что чтобы эта эти это этот я
"""
_CHINESE = """
的 一 是 了 我 不 人 在 他 有 这 个 上 们 来 到 时 大 地 为 子 中 你 说 生 国 年 着
就 那 和 要 她 出 也 得 里 后 自 以 会 家 可 下 而 过 天 去 能 对 小 多 然 于 心 学
么 之 都 好 看 起 我们 你们 他们 什么 没有 知道 自己 这个 那个 现在
"""
_JAPANESE = """
の は を に が と も で た し て れ さ あ い う する いる ある なる こと もの これ それ
あれ 私 僕 俺 君 あなた 人 今
"""
_KOREAN = """
이 그 저 것 수 나 너 우리 그녀 그는 있다 없다 하다 되다 않다 보다 말 일 때 더 안 잘 좀
왜 뭐 지금 여기 거기 사람
"""
_ITALIAN = """
a al alla anche ancora avere bene casa che chi ci come con cosa così cui da dal dalla dei del della
di dire dopo dove e è ed essere fa fare già gli ha ho i il in io la le lei lo loro lui ma mai me mi
mia mio molto ne nel nella no noi non nulla o occhi ogni ora per però più poi può quando quanto
questa questo qui sa se sempre senza si sì solo sono sta su sua sul sulla suo te ti tra tu tutto un
una uno va vi via voi volta
"""
_FRENCH = """
a à alors au aussi avec avoir bien bon ça ce cela ces cette chez comme dans de des deux dire dit du
elle elles en encore est et être eu faire fait femme homme il ils je jour jusque la là le les leur
lui ma main mais me même mes moi mon ne non nous on ou où par pas peu plus pour qu que qui quoi sa
sans se ses si son sont sur ta te tes toi ton tout très tu un une vous y yeux
"""
_GERMAN = """
aber alle als also am an auch auf aus bei bin bis da das dass dein dem den der des die dir doch du
durch ein eine einen er es etwas euch für ganz gehen gut haben hand hat hatte hier ich ihm ihn ihr
im immer in ist ja jetzt kann kein kommen können machen man mehr mein mich mir mit muss nach nein
nicht nichts noch nun nur oder ohne sagen sagte schon sehen sehr sein seine sich sie sind so über um
und uns unter viel vom von vor war was weil wenn wer werden wie wieder will wir wird wo zeit zu zum
zur
"""
_SPANISH = """
a ahora al algo allí antes aquí así aun aunque bien cada casa como con cosa cuando de del desde
después dice dijo donde dos e él el ella ellos en entonces era es esa ese eso esta está estas este
esto estoy fue ha hace hacer hasta hay la las le les lo los luego mano más me mi mientras mis mismo
mucho muy nada ni no nos o ojos otra otro para pero poco por porque puede que qué quien se ser si sí
sin sobre solo son soy su sus también tan te tener tengo tiene todo tu tú un una uno vez vida y ya
yo
"""
LANGUAGES: Final = {
    "English": frozenset(_ENGLISH.split()),
    "Russian": frozenset(_RUSSIAN.split()),
    "Chinese": frozenset(_CHINESE.split()),
    "Japanese": frozenset(_JAPANESE.split()),
    "Korean": frozenset(_KOREAN.split()),
    "Italian": frozenset(_ITALIAN.split()),
    "French": frozenset(_FRENCH.split()),
    "German": frozenset(_GERMAN.split()),
    "Spanish": frozenset(_SPANISH.split()),
}


_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 3
"""Common words of a language that a text must hold to be in it."""


def language_of(word: str, text: str = "") -> str:
    """The language in which a word (in lower case) is common; "" if in none.

    Args:
        word: a word.
        text: what it belongs to: if that is plainly in some language, only its list counts.
    """
    held = [name for name, words in LANGUAGES.items() if word in words]
    if not held:
        return ""
    counts = dict.fromkeys(LANGUAGES, 0)
    for each in _WORD.findall(text.lower()):
        for name, words in LANGUAGES.items():
            counts[name] += each in words
    best = max(counts, key=lambda name: counts[name])
    if counts[best] >= _ENOUGH:
        return best if best in held else ""
    return held[0]

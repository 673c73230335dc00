"""Words that nearly every chat holds, in a few languages: as keys they fire at almost every turn."""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = """
a about after again all also always am an and any are as ask asked at away back be because been before being both
but by came can come could day did do does done door down each even ever every eye eyes face far feel felt few find
first for from get give go going good got great had hand hands has have he head hear heard her here hers him his
home house how i if in into is it its just keep kind knew know last left let life like little long look looked looks
made make man many maybe me mean men might mind more most much must my name near need never new next night no not
nothing now of off oh ok okay old on once one only open or other our out over own part people place put quite really
right room said same saw say says see seem set she should side small smile smiled so some something soon still such
take talk tell than thank that the their them then there these they thing things think this those though thought
time to today together told too took turn turned two under until up us use very voice wait walk want wants was way
we well went were what when where which while who why will with woman word words work world would yes yet you young
your yours
"""
_RUSSIAN: Final = """
а без более больше будет будто бы был была были было быть в вам вас ведь весь вечер взгляд видеть вместе во возможно
вон вот время все всегда всего всё вы где глаз глаза глазами говорит голос голова да даже два дверь день для до дом
долго друг другой его ее ей ему если есть еще ещё её же жизнь за здесь знать знаю и из или им иногда их к каждый
кажется как какой ко когда конечно кто куда лет ли лицо лучше люди мать место мир мне много можно может мой мы на
над надо наш не него нее ней нет неё ни ничего но ну ночь о об один она они оно опять от отец очень перед по под
пока после потом потому почему почти при про просто пусть раз рука руки руку рядом с сам сама свет свой себе себя
сегодня сейчас сказал сказала сказать скажи слово смотрит снова со стал стала сторона стоит так такой там тебе тебя
теперь то тогда того тоже только том тот три тут ты у уже утро хорошо хотел хочу человек чем через что чтобы это
этого этой этот я
"""
_ROMANCE: Final = """
al alla anche ancora avec aveva bene beaucoup bien casa che chi ci come con cosa cuando da dans del della dentro der
di dice dit donde dopo dove du e ed elle en era es esta este et est fatto già giorno gli ha hai hanno hay il ils in
io je la las le lei les lo los lui ma mai mais mano mein mi mia mio moi molto muy nada ne nel nella no noi non nos
notte nous occhi ojos oui para per perché pero più plus por porque pour quando que quel quella questo qui quien sa
se sei sempre senza ser si sì sin sobre son sono sous su sua suo sur sus también te tempo tiene todo toi tous tout
très tu tutti tutto un una une uno vous vuoi vita voce yeux yo
"""
_GERMAN: Final = """
aber alle als also am an auch auf augen aus bei bin bis da dann das dass dein dem den denn der des dich die dir doch
du ein eine einen einer er es etwas für ganz gegen gehen geht gesagt gut haben hand hat hatte heute hier ich ihm ihn
ihr im immer in ist ja jetzt kann kein komm können mal man mehr mein mich mir mit muss nach nacht nein nicht nichts
noch nun nur ob oder ohne sagt sagte schon sehr sein sich sie sind so tag über um und uns unter viel vom von vor war
warum was weg wenn wer wie wieder will wir wird wo zeit zu zum zur
"""
_CHINESE: Final = """
我 你 他 她 它 们 我们 你们 他们 的 了 是 在 有 和 与 就 也 都 不 没 没有 很 太 吗 呢 吧 啊 这 那 这个 那个 这里
那里 什么 怎么 为什么 哪里 谁 人 一个 一 二 三 上 下 里 中 大 小 好 来 去 说 说道 看 看着 听 想 知道 可以 会 要 能
自己 现在 时候 今天 手 眼睛 脸 声音 微笑 笑 门 家 日 夜 天 地 心
"""
COMMON_WORDS: Final = frozenset(f"{_ENGLISH}{_RUSSIAN}{_ROMANCE}{_GERMAN}{_CHINESE}".split())
"""In lower case."""

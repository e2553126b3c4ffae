"""Find names in scripts without capitals, for languages without a parser or model. Favours precision over recall.

Chinese    a family name with one or two characters that recur together; foreign names joined by a middle dot
any        short quotations («», 《》, 「」, “”); two words that recur together and hardly ever apart
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from filigraph.graph.text.words import IDEOGRAPHS, UNSPACED, tokens

MIN_OCCURRENCES = 2  # min. occurrences of a name that no mark delimits
MAX_QUOTED_WORDS = 4  # max. words of a quoted name; longer quotations are speech
MAX_QUOTED_CHARS = 8  # max. characters, in scripts without spaces

# The hundred most frequent Chinese family names without common words; then those of two characters.
_FAMILY = (
    "李王张刘陈杨赵黄周吴徐孙胡朱林郭罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘袁董余叶杜魏吕丁沈姚卢姜崔谭陆汪范廖贾韦傅邹孟熊秦"
    "邱侯尹薛阎段雷龙黎史陶贺顾龚郝邵钱武戴莫孔汤張劉陳楊趙黃吳孫鄭謝許鄧馮韓蕭葉呂盧薑譚陸範賈韋鄒閻龍賀顧龔錢湯"
)
_FAMILY_OF_TWO = ("欧阳", "司马", "诸葛", "上官", "歐陽", "司馬", "諸葛", "夏侯", "东方", "慕容")
# Characters that transcribe foreign names: they delimit "夏洛克·福尔摩斯".
_SOUNDS = (
    "阿埃艾爱安昂奥巴白柏班贝本比彼别波伯勃博布查达大戴丹道德登迪蒂丁杜顿多厄恩尔法凡菲费芬弗夫福芙盖格戈哥古哈海汉赫亨霍基吉加贾杰洁金卡凯康科克库"
    "拉莱兰劳勒雷蕾里利莉丽列林琳龙卢鲁伦罗洛马玛麦曼梅米密蒙莫摩姆木穆纳娜奈南内尼妮涅诺帕佩皮普齐奇茜乔切丘让热日瑞萨塞桑沙舍什史施斯司思苏索塔泰"
    "坦汤特提托图瓦万威韦维温沃伍西希锡夏谢辛休雪逊雅亚延扬耶伊因英尤约泽扎詹治兹佐黛愛貝爾費蓋漢傑萊蘭勞麗盧魯倫羅馬瑪麥納內諾喬熱薩塞瑪湯圖萬維溫亞揚約澤"
)
_DOTTED = re.compile(rf"[{_SOUNDS}]{{1,6}}(?:[·・‧•][{_SOUNDS}]{{1,6}}){{1,3}}")
_CHINESE = re.compile(rf"(?=((?:{'|'.join(_FAMILY_OF_TWO)}|[{_FAMILY}])[{IDEOGRAPHS}]{{1,2}}))")
_QUOTED = re.compile(r"[«《「『„“\"]\s?([^«»《》「」『』„“”\"\n]{2,40}?)\s?[»》」』”\"]")
_LITTLE = frozenset("的了是在有不他她我你们這这那和与也就都说說道着著之其此为為以而于於去来來到上下中一二三个個")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")


def uncased_names(text: str) -> list[str]:
    """The names of `text`, without duplicates, in order of first occurrence."""
    names = {*_DOTTED.findall(text), *_chinese(text), *_quoted(text), *_word_pairs(text)}
    return sorted(names, key=lambda name: (text.find(name), name))


def _chinese(text: str) -> set[str]:
    """Family names with the one or two characters that follow. The longer form wins if it is at least 0.8 times as
    frequent as the shorter."""
    counts: Counter[str] = Counter()
    for match in _CHINESE.finditer(text):
        whole = match[1]
        for form in {whole, whole[:-1]}:
            if len(form) > 1 and form not in _FAMILY_OF_TWO and not _LITTLE & set(form[1:]):
                counts[form] += 1
    often = {form for form, count in counts.items() if count >= MIN_OCCURRENCES}
    longer = {form[:-1] for form in often if counts[form] >= 0.8 * counts[form[:-1]]}
    return {form for form in often - longer if form[:-1] not in often or form[:-1] in longer}


def _quoted(text: str) -> set[str]:
    """Short quotations without punctuation: titles, nicknames, names of organizations."""
    forms = set()
    for match in _QUOTED.finditer(text):
        form = match[1].strip()
        words = tokens(form)
        short = len(form) <= MAX_QUOTED_CHARS if _IS_UNSPACED.search(form) else len(words) <= MAX_QUOTED_WORDS
        if words and short and not re.search(r"[.!?…。！？،؛؟,，、:：;；]", form):
            forms.add(form)
    return forms


def _word_pairs(text: str) -> set[str]:
    """Two adjacent words of a spaced script that recur together and hardly ever apart: given name and surname."""
    words = [token for token in tokens(text) if not _IS_UNSPACED.match(token.text)]
    single = Counter(word.folded for word in words)
    together: Counter[tuple[str, str]] = Counter()
    forms: dict[tuple[str, str], str] = {}
    for first, second in pairwise(words):
        if text[first.end : second.start] == " " and min(len(first.text), len(second.text)) >= 3:
            together[first.folded, second.folded] += 1
            forms.setdefault((first.folded, second.folded), text[first.start : second.end])
    return {
        forms[pair]
        for pair, count in together.items()
        if count >= MIN_OCCURRENCES and max(single[pair[0]], single[pair[1]]) <= count + count // 2
    }

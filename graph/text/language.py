"""Language detection: by script, then by the function words of each language.

Small tables instead of a model: deterministic and fast, and "" if a text is too short to decide.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from .verbs import english_verbs, french_verbs
from .words import Token, fold, tokens

_SAMPLE_CHARS = 4000  # characters per piece of a long text: a preface may be in another language
_SAMPLE_COUNT = 5  # evenly spaced
_MIN_SCORE = 0.6  # min. score: one word of a single profile, or several shared ones
_LETTER_WEIGHT = 0.3  # a word weighs 1; a letter less, because a foreign name has foreign letters
_WITHOUT_ACCENTS = 0.5  # weight of a word that a profile has with other accents: "Mina" is hardly Finnish "minä"
_FEW_WORDS = 40  # of an undecided text, whose verbs may decide
_MIN_LEAD_RATIO = 1.2  # min. ratio of the best score to the second

# Words in the script of the language; the more profiles share a word, the less it counts.
_PROFILES = {
    "en": "the of and to in is was that he she it with his her for as had not but you at on be by this are from have "
    "they which were who what why where when how does did i my me we him them their there been would could "
    "will if or an has do said your our about into than then some because whose whom born known can may refer "
    "only after before these those its such met went came took gave saw "
    "sold bought wrote says yesterday last two tomorrow today tonight morning evening next",
    "fr": "le la les un une des du de et est en que qui dans pour pas plus sur au aux avec ce cette ces il elle ils "
    "elles on ne se son sa ses leur leurs mais ou où par je j l d qu n s c m t nous vous lui y être été avait "
    "était a ont sont fait dit pourquoi comment quand quel quelle quels quelles quoi donc sans sous tout tous "
    "à cela ça chez moi toi même aussi comme si mon ma mes votre notre cet entre vers depuis contre hier "
    "demain puis deux trois dernier dernière lundi mardi mercredi jeudi vendredi samedi dimanche matin soir",
    "es": "el la los las un una unos unas de del y en que es por para con no se su sus lo al como más pero le ya o "
    "este esta fue ha era muy sin sobre también me hasta hay donde quien desde todo nos durante cuando qué "
    "quién dónde cómo cuándo cuál cuántos porque son está yo usted ser entre había",
    "it": "il lo la i gli le un uno una di del della dei delle dello degli e è in che non per con da dal dalla si "
    "sono come più ma anche al alla nel nella suo sua ha ho era chi cosa perché dove quando quale questo "
    "questa quello l d c io lui lei loro essere aveva su sul se ne ci mi",
    "pt": "o a os as um uma de do da dos das e em no na nos nas que é por para com não se seu sua mais mas como foi "
    "ao ele ela eles ou quando muito já eu também só pelo pela até isso entre era depois sem mesmo aos quem "
    "onde qual porque você são está havia à às",
    "de": "der die das und ist in zu den von mit dem des ein eine einer eines einen nicht sich auf für als auch es "
    "an er sie ich wir ihr war hat wie bei nach aus wer was warum wo wann im am zum zur über so noch nur oder "
    "wird sein seine ihre aber wenn dass daß hatte mich mir uns durch vor um gestern heute",
    "nl": "de het een en van is in dat op te zijn niet voor met die aan er maar om hij ook als bij naar uit dan nog "
    "wat wie waarom waar hoe door over zij ze was heeft had haar hem mijn ik je worden werd geen deze dit tot",
    "sv": "och att det som en på är av för med den till inte har de ett om han hon var jag men sig från vi så kan "
    "när hur vem vad varför hans hennes sin eller nu över ut skulle hade där",
    "da": "og at det som en på er af for med den til ikke har de et om han hun var jeg men sig fra vi så kan når "
    "hvor hvem hvad hvorfor hans hendes sin eller nu over ud skulle havde der blev",
    "no": "og å det som en på er av for med den til ikke har de et om han hun var jeg men seg fra vi så kan når hvor "
    "hvem hva hvorfor hans hennes sin eller nå over ut skulle hadde der ble",
    "fi": "ja on ei se että hän oli mutta kun niin joka mitä kuka miksi missä ovat ole sen hänen myös tai jos vain "
    "nyt minä sinä kuin sitä",
    "pl": "i w nie na się z do to że jest jak o po co ale za od przez był była było jego jej dla są kto dlaczego "
    "gdzie kiedy który która które czy już tylko tak ja on ona pan",
    "cs": "a v na se je že to s z do o i jako ale by pro za jsem jsou byl byla bylo jeho její kdo proč kde kdy co "
    "který která které nebo když už jen také",
    "ro": "și în de la cu pe nu este a că o un din care mai se pentru sau ce cine unde când cum al ale fost era lui "
    "ei dar dacă după sunt sa său",
    "hu": "a az és nem hogy egy is volt meg de ez csak ki mi miért hol mikor van már mint el ha vagy még neki",
    "tr": "ve bir bu da de için ile ne o çok gibi daha ama kim neden nerede değil olarak var mi mı sonra kadar her ben",
    "id": "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada oleh siapa mengapa "
    "adalah",
    "vi": "và của là có không một được cho người trong các này đã với những ở từ khi ai tại sao như",
    "ru": "и в не на что он я с как его она это к но по все из у за то так был а от ее ей было бы же мы они вы ты "
    "для кто где когда почему или если уже только о до мне был была есть этот которая который",
    "uk": "і в не на що він я з як його вона це до але по та у за то так був від її було би ж ми вони ви ти для хто "
    "де коли чому або якщо вже тільки про мені була є цей й який",
    "bg": "и в не на че той аз с как го тя това към но по от за то така беше а са бил ще ли кой къде кога защо или "
    "ако вече само се е да си му",
    "sr": "и у не на што он ја са како га она то ка али по од за тако био а су је да се ли ко где када зашто или ако "
    "већ само му би",
    "ar": "في من على إلى أن هذا التي الذي عن ما لا كان هل لم مع هو هي قد كل بعد قال لماذا كيف أين",
    "fa": "و در به از که این را با است برای آن یک بود شد هم می تا چه چرا کجا او من",
    "ur": "کے میں کی ہے اور سے کا کو اس نے یہ تھا وہ ہیں پر کیا کہ نہیں کون",
    "he": "את של על לא הוא זה אל כי היא עם אני מה גם כל היה אם יש אבל למה מי איפה",
    "yi": "און אין איז די דער אַז ניט פֿון מיט האָט ער זי דאָס צו וואָס",
    "hi": "के में है की और से का को एक यह नहीं ने पर कि था वह हैं क्या कौन क्यों",
    "mr": "आणि आहे हे या तो ती त्या होते नाही च्या मध्ये काय कोण",
    "ne": "र छ को मा यो हो भयो गरेको लाई पनि थियो के हुन्",
}
# Letters that few languages use.
_LETTERS = {
    "fr": "àâçèéêëîïôùûœæ", "es": "áéíóúñ¿¡", "pt": "áâãàçéêíóôõú", "it": "àèéìòù", "de": "äöüß", "nl": "ëï",
    "sv": "åäö", "da": "æøå", "no": "æøå", "fi": "äö", "pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž", "ro": "ăâîșțşţ",
    "hu": "áéíóöőúüű", "tr": "çğıöşü", "vi": "ăâđêôơưạảấầậắệịọốộớợụứừ", "uk": "іїєґ", "sr": "ђјљњћџ",
    "ru": "ыэё", "fa": "پچژگ", "ur": "ٹڈڑںےہ",
}  # fmt: skip
# Script -> its only or by far most frequent language; "" if the profiles decide.
_SCRIPTS = {
    "LATIN": "", "CYRILLIC": "", "ARABIC": "", "HEBREW": "", "DEVANAGARI": "", "GREEK": "el", "HIRAGANA": "ja",
    "KATAKANA": "ja", "CJK": "zh", "HANGUL": "ko", "THAI": "th", "LAO": "lo", "KHMER": "km", "MYANMAR": "my",
    "GEORGIAN": "ka", "ARMENIAN": "hy", "BENGALI": "bn", "TAMIL": "ta", "TELUGU": "te", "KANNADA": "kn",
    "MALAYALAM": "ml", "GUJARATI": "gu", "GURMUKHI": "pa", "SINHALA": "si", "ETHIOPIC": "am", "TIBETAN": "bo",
}  # fmt: skip
_KANA = ("HIRAGANA", "KATAKANA")
_RARE_LETTER = re.compile(r"[^\x00-\x7f]")
_BEGINS = re.compile(r"(?:^|[^\w\s,'’-]\s*|\n\s*)$")  # before the first word of a sentence or line
_WORD_CHARACTER = re.compile(r"[^\W\d_]")
_PAST_EN = re.compile(r"[a-z]{4,}(?<![hi])ed")  # not Danish "nyhed" or German "Gebied"
_HAVE_FR = frozenset(("a", "ont", "ai", "avait", "avaient", "avons", "avez"))
_HALF_OF_DAY = re.compile(r"(?<=\d)\s?[ap]\.?m\b", re.IGNORECASE)  # "9:14 am" is not the German "am"


def detect(text: str) -> str:
    """ISO 639-1 code of the main language of `text`, "" if undecided."""
    sample = _HALF_OF_DAY.sub("", _sample(text))
    scripts = Counter(map(_script, _WORD_CHARACTER.findall(sample)))
    del scripts[""]
    if not scripts:
        return ""
    if sum(scripts[script] for script in _KANA) * 5 > scripts["CJK"] > 0:
        scripts["HIRAGANA"] += scripts.pop("CJK")  # Japanese: Chinese characters among kana
    # An ideograph counts as about three letters, so that names in Latin letters do not outweigh the Chinese text.
    weights = {
        script: count * (3 if script in ("CJK", "HIRAGANA", "HANGUL") else 1) for script, count in scripts.items()
    }
    script = min(weights, key=lambda script: (-weights[script], script))
    return _SCRIPTS[script] or _by_little_words(sample)


def _sample(text: str) -> str:
    if len(text) <= _SAMPLE_CHARS * _SAMPLE_COUNT:
        return text
    step = (len(text) - _SAMPLE_CHARS) // (_SAMPLE_COUNT - 1)
    return " ".join(text[start : start + _SAMPLE_CHARS] for start in islice(range(0, len(text), step), _SAMPLE_COUNT))


@lru_cache(maxsize=1 << 14)
def _script(letter: str) -> str:
    """The first word of the letter's Unicode name ("LATIN SMALL LETTER A"), "" for a script without a profile."""
    name = unicodedata.name(letter, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").split(" ")[0]
    return name if name in _SCRIPTS else ""


def _shares(profiles: Mapping[str, Iterable[str]]) -> dict[str, dict[str, float]]:
    """sign -> language -> 1 / number of languages that have the sign."""
    languages: dict[str, set[str]] = {}
    for language, signs in profiles.items():
        for sign in signs:
            languages.setdefault(sign, set()).add(language)
    return {sign: dict.fromkeys(sorted(having), 1 / len(having)) for sign, having in languages.items()}


_WORD_SHARES = _shares({language: words.split() for language, words in _PROFILES.items()})
_FOLDED_SHARES = _shares({language: [fold(word) for word in words.split()] for language, words in _PROFILES.items()})
_LETTER_SHARES = _shares(_LETTERS)


def _is_name(word: Token, sample: str) -> bool:
    """Whether a word is probably a name and not a word of a language: "Do" in "Maria Do Carmo"."""
    if not word.text[0].isupper() or word.text == "I" or (len(word.text) > 1 and word.text.isupper()):
        return False
    return not _BEGINS.search(sample[max(0, word.start - 4) : word.start])


def _by_little_words(sample: str) -> str:
    scores: defaultdict[str, float] = defaultdict(float)
    words = tokens(sample)
    for token in [word for word in words if not _is_name(word, sample)] or words:
        written = token.text.casefold()
        weight = 1 if written in _WORD_SHARES else _WITHOUT_ACCENTS
        for language, share in (_WORD_SHARES.get(written) or _FOLDED_SHARES.get(token.folded, {})).items():
            scores[language] += weight * share
    for letter in _RARE_LETTER.findall(sample.casefold()):
        for language, share in _LETTER_SHARES.get(letter, {}).items():
            scores[language] += _LETTER_WEIGHT * share
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked or ranked[0][1] < _MIN_SCORE or (len(ranked) > 1 and ranked[0][1] < _MIN_LEAD_RATIO * ranked[1][1]):
        return _by_verbs([word for word in words if not _is_name(word, sample)], scores)
    return ranked[0][0]


def _by_verbs(words: Iterable[Token], scores: Mapping[str, float]) -> str:
    """English or French, for a short text, if a verb is in a past form of only one of them ("I married Ann", "a sauvé")
    and no other language fits better.
    """
    best = max(scores.values(), default=0.0)
    written = [word.text.casefold() for word in islice(words, _FEW_WORDS)]
    found = {
        language
        for language, are_past in (("en", _are_english_pasts), ("fr", _are_french_pasts))
        if scores.get(language, 0.0) * _MIN_LEAD_RATIO >= best and are_past(written)
    }
    return found.pop() if len(found) == 1 else ""


def _are_english_pasts(words: Iterable[str]) -> bool:
    return any(_PAST_EN.fullmatch(word) or english_verbs.in_present(word) != word for word in words)


def _are_french_pasts(words: Sequence[str]) -> bool:
    """Whether one of the words is an imperfect, or a perfect with its auxiliary."""
    pairs = (f"{first} {second}" for first, second in pairwise(words) if first in _HAVE_FR)
    forms = (*(word for word in words if word.endswith(("ait", "aient", "èrent"))), *pairs)
    return any(french_verbs.in_present(form) != form for form in forms)

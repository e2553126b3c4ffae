"""French sentences, read by their dependencies (spaCy's French models: Universal Dependencies).

Facts are written as the sentence says them: "a été volée par" stays passive, tense and auxiliaries stay; adverbs go. What
is negated, asked, supposed, wished, future or conditional is no fact. Subjects and objects that are pronouns are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.patterns.phrases import (
    Phrase,
    Reading,
    abstract,
    capitalised,
    conjuncts,
    name_runs,
    opens_sentence,
    quoted_apart,
    run_around,
    spell,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

TITLES = frozenset(
    "m mm mr mme mmes mlle mlles monsieur messieurs madame mesdames mademoiselle dr docteur pr professeur me maître père mère sœur "
    "soeur frère oncle tante cousin cousine abbé curé évêque cardinal pape commissaire inspecteur inspectrice brigadier "
    "gendarme sergent lieutenant capitaine commandant colonel général maréchal amiral juge président ministre préfet roi reine "
    "prince princesse duc duchesse comte comtesse vicomte vicomtesse marquis marquise baron baronne chevalier sir lord lady "
    "saint sainte st ste veuve mister miss mrs".split()
)
_RANKS = frozenset(
    "duc duchesse comte comtesse vicomte vicomtesse marquis marquise baron baronne prince princesse roi reine chevalier".split()
)
_PLACES = frozenset(
    "rue route gare place quai pont ville boulevard faubourg avenue barrière hôtel église porte port château village square cour "
    "passage impasse chemin café hospice prison tour".split()
)
_LINKS = frozenset("de du des d' d’ la le les l' l’ & von van".split())
_NO_NAME = frozenset(
    "chose choses rien tout tous autre autres fois moment moments instant instants temps heure heures jour jours nuit soir matin "
    "matinée soirée semaine semaines mois an ans année années minute minutes seconde façon manière sorte espèce part côté bout "
    "fin milieu fond cas point peu plupart reste moitié main mains œil oeil yeux tête visage bras pied pieds voix cœur coeur "
    "lèvre lèvres épaule épaules doigt doigts cheveux mot mots fait lieu compte besoin peine raison question réponse tour "
    "attention envie idée air ceci cela ça celui celle ceux celles oui non hier demain aujourd'hui monsieur madame "
    "mademoiselle messieurs mesdames".split()
)
_CALENDAR = frozenset(
    "lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre "
    "novembre décembre noël pâques".split()
)
_NEGATIONS = frozenset("ne n' n’ pas jamais point guère plus rien aucun aucune nul nulle personne ni sans non".split())
_IF = frozenset("si s' s’ quoique avant afin pourvu".split())
_DOUBT = frozenset(
    "croire penser supposer imaginer douter espérer souhaiter craindre soupçonner présumer prétendre sembler paraître rêver "
    "vouloir falloir demander nier jurer ignorer figurer".split()
)
_MODALS = frozenset("pouvoir devoir falloir vouloir sembler paraître savoir aller faillir souhaiter espérer désirer compter".split())
_BECOME = frozenset("devenir rester demeurer".split())
_PREPOSITION = {"d'": "de", "d’": "de", "du": "de", "des": "de", "au": "à", "aux": "à", "jusqu'": "jusqu'à", "jusqu’": "jusqu'à"}
_OPENERS = frozenset(
    "pardon soit impossible aussitôt parbleu tonnerre silence halte bigre hein bah cristi vrai sitôt assis rouge prodigieux "
    "hélas merci adieu bonjour bonsoir peste diable diantre dame donc ainsi tiens tenez quoi malheur allons venez "
    "bientôt jamais toujours enfin soudain puis alors inutile force sais savez rends objet dressé cherche".split()
)
_EVENTS = frozenset(  # "la mort de Salvat" is nothing that Salvat has
    "nom noms emblème mort décès naissance mariage arrestation départ retour arrivée visite vie présence absence disparition "
    "nom opinion idée esprit haine langue jeu efforts effort proposition hypothèse succès vanité confession direction piste "
    "perte colère crainte volonté désir espoir joie surprise stupeur étonnement parole paroles récit ordre ordres avis conseil "
    "compagnie honneur égard sujet service faveur place moyen suite aide côté".split()
)
_ARTICLES = frozenset({"La", "Le", "Les", "L'", "L’", "The"})
_KIN = frozenset("fils fille frère sœur père mère mari femme veuve fiancé fiancée ami amie oncle tante".split())
_NOUNS = {"NOUN", "PROPN"}


def read(sentence: Span) -> Reading:
    """The facts, alias statements and names of one parsed sentence."""
    reading = Reading()
    asked = sentence.text.rstrip(" \"'”’»)").endswith("?")
    _aliases(sentence, reading)
    for token in sentence:
        if token.pos_ in _NOUNS:
            _possessive(token, reading)
            _apposition(token, reading)
        if not asked:
            _clause(token, reading)
    reading.names = name_runs(sentence, is_name, _LINKS, TITLES, _ARTICLES)
    return reading


# --------------------------------------------------------------------------------------------------------------------
# Names


def is_name(token: Token) -> bool:
    """Whether a token is (part of) a proper name, by its capital and its tag."""
    lower = token.lower_
    if not capitalised(token) or lower in _NO_NAME or lower in _CALENDAR or token.is_stop or lower.rstrip(".") in {"m", "mm"}:
        return False
    if opens_sentence(token) and (lower in _OPENERS or lower.endswith(("ez", "ons", "ment", "ant"))):
        return False  # "Décidément, ...", "Voyons, ...": the tagger takes them for names
    if token.pos_ == "PROPN":
        return True
    if opens_sentence(token):  # the tagger takes "Sophie" for a noun, but what follows a noun with no article is a verb
        return token.pos_ == "NOUN" and token.dep_ in {"nsubj", "nsubj:pass"} and lower.rstrip(".") not in TITLES and not token.n_lefts
    return token.pos_ in {"NOUN", "ADJ", "X", "VERB"}


def phrase(head: Token) -> Phrase | None:
    """The noun phrase around `head`, None where it names nothing that could be told again."""
    titled = _title_with_name(head)
    if head.pos_ not in {"NOUN", "PROPN", "X"} and not is_name(head):
        return None
    if head.lower_.rstrip(".") in _NO_NAME and not is_name(head) and not titled:
        return None
    named = is_name(head) or titled
    included, owner = {head.i}, None
    possessive = False
    for child in head.children:
        if child.dep_ == "det":
            if child.lower_ in {"aucun", "aucune", "nul", "nulle", "chaque", "quel", "quelle", "quels", "quelles", "tout", "toute"}:
                return None
            possessive = possessive or child.lower_ in _POSSESSIVES
        elif child.dep_ == "nmod" and not named and _is_owner(child):
            owner = child
            included.update(_inside(child))
        elif _belongs(child, named=named):
            included.update(_inside(child))
    before = head.nbor(-1) if head.i > 0 else None
    if named and before is not None and before.text in _ARTICLES and is_name(head):
        included.add(before.i)  # "La Griffe": the article may be a part of the name
    first, last = run_around(head, included)
    if owner is not None:
        case = owner.left_edge.i
        if case > last:
            owner = None
        elif _words(head, range(first, case)) >= 2:
            last = case - 1  # "la chevalière d'argent de Jules": the owner is a fact of its own
    text = spell(head.doc[first : last + 1])
    if not text or (possessive and head.lower_ in _KIN):
        return None  # "son frère": whose?
    words = _words(head, range(first, last + 1))
    return Phrase(text=text, named=named, words=words, first=first, last=last)


_POSSESSIVES = {"son", "sa", "ses", "mon", "ma", "mes", "ton", "ta", "tes", "notre", "nos", "votre", "vos", "leur", "leurs"}


def _title_with_name(head: Token) -> bool:
    """"commissaire Roux", "M. Armand Delmas", "duc de Sairmeuse": a title and the name it goes with."""
    if head.lower_.rstrip(".") not in TITLES and head.lower_ not in _RANKS:
        return False
    for child in head.children:
        if child.i > head.i and capitalised(child) and child.dep_ in {"flat:name", "nmod", "appos", "flat:foreign"}:
            if not _cases(child) and child.left_edge.i == head.i + 1:
                return True
            if head.lower_ in _RANKS and _cases(child) and _cases(child)[0].lower_ in {"de", "d'", "d’", "du"}:
                return True
    return False


def _cases(noun: Token) -> list[Token]:
    return [child for child in noun.children if child.dep_ == "case"]


def _is_owner(child: Token) -> bool:
    """"de Jules", "de La Griffe": whose it is."""
    cases = _cases(child)
    return bool(cases) and cases[0].lower_ in {"de", "d'", "d’", "du"} and (is_name(child) or _title_with_name(child))


def _belongs(child: Token, *, named: bool) -> bool:
    """Whether a dependent of a noun is a part of its name."""
    if child.dep_ in {"flat:name", "flat:foreign", "compound", "fixed", "nummod"}:
        return True
    if child.dep_ == "amod":
        return child.lower_ not in {"autre", "autres", "même", "mêmes", "seul", "seule", "dernier", "dernière", "prochain"}
    if child.dep_ in {"nmod", "appos"}:
        cases = _cases(child)
        if not cases:  # "commissaire Roux"
            return child.left_edge.i == child.head.i + 1 and capitalised(child)
        case, determined = cases[0].lower_, any(t.dep_ == "det" for t in child.children)
        if case in {"de", "d'", "d’", "du", "des"}:
            return child.pos_ in _NOUNS or child.pos_ in {"ADJ", "X"}
        if case in {"à", "en"}:  # "à tête de loup", "en or"; "à Sophie", "à la gare" are the verb's
            return not determined and not is_name(child) and not named
    return False


def _inside(token: Token) -> Iterator[int]:
    """Indexes of a dependent that belongs to a name, with what belongs to it in turn."""
    yield token.i
    for child in token.children:
        if child.dep_ in {"case", "det"} or _belongs(child, named=False):
            yield from _inside(child)


def _words(head: Token, span: range) -> int:
    """Content words in a span."""
    return sum(head.doc[i].pos_ in {"NOUN", "PROPN", "ADJ", "NUM"} and not head.doc[i].is_stop for i in span)


# --------------------------------------------------------------------------------------------------------------------
# Clauses


def _clause(verb: Token, reading: Reading) -> None:
    """Facts of the clause whose predicate is `verb` (with a copula: a noun or an adjective)."""
    copula = next((child for child in verb.children if child.dep_ == "cop"), None)
    if copula is None and verb.pos_ not in {"VERB", "AUX"} and not any(child.dep_ == "aux:pass" for child in verb.children):
        return
    if not _stated(verb, copula):
        return
    subjects = _subjects(verb)
    if not subjects:
        return
    if copula is not None and verb.pos_ in _NOUNS | {"X"}:
        words = _verb_group(verb, copula)
        cases = _cases(verb)
        for subject in subjects[:3]:
            for member in conjuncts(verb):
                if cases and not _idiom(member):
                    reading.add(subject, f"{words} {_prepositions(cases)}", phrase(member))
                elif cases:
                    continue
                else:
                    _attribute(subject, words, member, reading)
        return
    if copula is not None or verb.pos_ == "ADJ":
        words = f"{_verb_group(verb, copula)}" + ("" if copula is None else f" {verb.lower_}")
        objects: list[Token] = []
    else:
        words = _verb_group(verb, None)
        if any(c.dep_ in {"xcomp", "ccomp"} and c.pos_ == "VERB" and "Inf" in c.morph.get("VerbForm") for c in verb.children):
            return  # "voulait voler", "achevait de remplir": what was done is not said
        objects = [t for t in verb.children if t.dep_ in {"obj", "xcomp"} and t.pos_ in _NOUNS | {"X"} and not _cases(t)]
        if any(_idiom(t) for t in objects):
            return
    relative = verb.dep_ == "acl:relcl" and any(
        t.lower_ in {"que", "qu'", "qu’"} and t.dep_ in {"obj", "mark"} and t.i < verb.i for t in verb.children
    )
    direct = objects[0] if objects else None
    for subject in subjects[:3]:
        for obj in objects:
            for member in conjuncts(obj):
                if verb.lemma_ in _BECOME or obj.dep_ == "xcomp":
                    _attribute(subject, words, member, reading)
                else:
                    reading.add(subject, words, phrase(member))
        if relative and not objects:
            reading.add(subject, words, phrase(verb.head))
        for preposition, noun in _complements(verb):
            predicate = f"{words} {preposition}"
            if direct is not None:
                thing = phrase(direct)
                if thing is None or thing.named or thing.last - thing.first > 3:
                    continue
                article = next((t.text_with_ws.lower() for t in direct.children if t.dep_ == "det"), "")
                predicate = f"{words} {article}{thing.text} {preposition}"
            for member in conjuncts(noun):
                target = phrase(member)
                if target is not None and (target.named or (direct is None and target.words >= 2)):
                    reading.add(subject, predicate, target)


def _stated(verb: Token, copula: Token | None) -> bool:
    """Whether the clause is stated as a fact: finite, indicative, affirmed, neither modal nor supposed."""
    near = [c for c in verb.children if c.dep_ in {"advmod", "mark", "det", "cc", "obj", "nsubj", "case"} or c.dep_.startswith("aux")]
    words = {child.lower_ for child in near if not (child.lower_ == "plus" and child.i > verb.i)}
    if words & _NEGATIONS or words & _IF:
        return False
    if any(t.lower_ in {"aucun", "aucune", "nul", "nulle"} for c in verb.children if c.dep_ in {"obj", "nsubj"} for t in c.children):
        return False
    finite = copula if copula is not None else next((c for c in verb.children if c.dep_.startswith("aux")), verb)
    if any(c.lemma_ in _MODALS and c.dep_.startswith("aux") for c in verb.children) or verb.lemma_ in {"pouvoir", "falloir"}:
        return False
    mood, tense, form = finite.morph.get("Mood"), finite.morph.get("Tense"), finite.morph.get("VerbForm")
    if any(item in {"Cnd", "Sub", "Imp"} for item in mood) or "Fut" in tense or "Inf" in form:
        return False
    if finite is verb and "Part" in form:
        if verb.dep_ == "acl":
            return any(child.dep_ == "obl:agent" for child in verb.children)
        return verb.dep_ == "conj" and _stated(verb.head, None)
    if verb.dep_ in {"xcomp", "ccomp"} and (verb.head.lemma_ in _DOUBT | _MODALS):
        return False
    if verb.dep_ == "conj" and not any(c.dep_.startswith("nsubj") for c in verb.children):
        return verb.head.pos_ not in {"VERB", "AUX"} or _stated(verb.head, None)
    return True


def _subjects(verb: Token) -> list[Phrase]:
    """The subjects of a clause; "qui" stands for its antecedent, a joined verb shares its head's."""
    own = [child for child in verb.children if child.dep_ in {"nsubj", "nsubj:pass"}]
    if own and quoted_apart(own[0], verb):
        return []
    if own:
        if own[0].lower_ in {"qui", "lequel", "laquelle"} and verb.dep_ == "acl:relcl":
            found = [phrase(verb.head)]
        else:
            found = [phrase(member) for member in conjuncts(own[0])]
        return [item for item in found if item is not None]
    if any(child.dep_.startswith("expl:subj") or child.dep_ == "csubj" for child in verb.children):
        return []
    if verb.dep_ == "acl":
        found = [phrase(verb.head)]
        return [item for item in found if item is not None]
    if verb.dep_ == "conj" and verb.head.pos_ in {"VERB", "AUX", "ADJ"} and verb.morph.get("Person") in ([], verb.head.morph.get("Person")):
        return _subjects(verb.head)
    return []


def _verb_group(verb: Token, copula: Token | None) -> str:
    """The verb as written with its auxiliaries and reflexive, without adverbs: "a été volée", "se trouve", "est"."""
    parts = [c for c in verb.children if c.dep_.startswith("aux") or c.dep_ in {"expl:comp", "expl:pass"} or c.lower_ in {"y", "en"} and c.pos_ == "PRON"]
    if not parts and copula is None and verb.dep_ == "conj" and "Part" in verb.morph.get("VerbForm"):
        parts = [c for c in verb.head.children if c.dep_.startswith("aux")]
    parts = sorted([*parts, copula if copula is not None else verb], key=lambda token: token.i)
    return "".join(t.lower_ if t.text[-1] in "'’" else t.lower_ + " " for t in parts).strip()


def _complements(verb: Token) -> Iterator[tuple[str, Token]]:
    """The verb's prepositions with their nouns; "habite à Lyon avec Sophie" gives two."""
    for child in verb.children:
        if child.dep_ in {"obl:arg", "obl:mod", "obl:agent", "obl"} and (child.pos_ in _NOUNS or is_name(child)):
            cases = _cases(child)
            if cases and cases[0].lower_ not in {"sans", "comme", "depuis", "sauf", "malgré", "selon", "pendant", "durant", "après"}:
                if not (cases[0].lower_ == "avec" and abstract(child)) and not (_idiom(child) and cases[0].lower_ != "de"):
                    yield _prepositions(cases), child


def _idiom(noun: Token) -> bool:
    """Whether a noun belongs to its verb: "prit place", "était à terre"."""
    return noun.pos_ == "NOUN" and not is_name(noun) and not any(
        c.dep_ in {"det", "nummod"} or c.lower_ in {"du", "au", "des", "aux"} for c in noun.children
    ) and not _title_with_name(noun)


def _prepositions(cases: list[Token]) -> str:
    """"de chez" and the like, in one."""
    return " ".join(_preposition(case) for case in cases)


def _preposition(case: Token) -> str:
    """"du" -> "de", "aux" -> "à", "au fond de" -> "au fond de"."""
    fixed = [child.lower_ for child in case.children if child.dep_ == "fixed"]
    if fixed:
        return " ".join([case.lower_, *fixed[:-1], _PREPOSITION.get(fixed[-1], fixed[-1])])
    return _PREPOSITION.get(case.lower_, case.lower_)


def _attribute(subject: Phrase, verb: str, noun: Token, reading: Reading) -> None:
    """"est une société de voleurs" -> (est, société de voleurs); "est l'emblème de La Griffe" -> (est l'emblème de, La Griffe)."""
    for child in noun.children:
        if noun.pos_ != "NOUN" or child.dep_ != "nmod" or child.left_edge.i > noun.i + 3:
            continue
        cases = _cases(child)
        certain = is_name(child) or _title_with_name(child)
        certain = certain or any(t.lower_ in {"le", "la", "l'", "l’", "les", "cette", "ce"} for t in child.children)
        certain = certain or (bool(cases) and cases[0].lower_ in {"du", "au"})
        if not cases or not certain or phrase(child) is None:
            continue
        own = [c.i for c in noun.children if c.dep_ in {"det", "amod"} and c.i < noun.i]
        head = noun.doc[min([noun.i, *own]) : child.left_edge.i].text.strip().lower()
        for member in conjuncts(child):
            reading.add(subject, f"{verb} {head} {_preposition(cases[0])}", phrase(member))
        return
    reading.add(subject, verb, phrase(noun))


# --------------------------------------------------------------------------------------------------------------------
# Possessives, appositions, aliases


def _possessive(noun: Token, reading: Reading) -> None:
    """"la bague de Jules" -> (Jules, a, bague de Jules); described well enough, the ring goes by its description."""
    if noun.lower_ in _NO_NAME | _PLACES or noun.lower_.rstrip(".") in TITLES or noun.pos_ != "NOUN":
        return
    if is_name(noun) or abstract(noun):
        return
    if noun.lower_ in _EVENTS or any(child.dep_ == "cop" for child in noun.children) or noun.head.lemma_ in _BECOME:
        return
    owner = next((child for child in noun.children if child.dep_ == "nmod" and _is_owner(child)), None)
    certain = any(c.dep_ == "det" and c.lower_ in {"le", "la", "l'", "l’", "les", "cette", "ce", "cet"} for c in noun.children)
    if owner is not None and certain:
        reading.add(phrase(owner), "a", phrase(noun))


def _apposition(noun: Token, reading: Reading) -> None:
    """"Jules Delmas, bijoutier à Lyon, ..." -> (Jules Delmas, est, bijoutier)."""
    found = [c for c in noun.children if c.dep_ in {"appos", "acl"} and c.pos_ in {"NOUN", "PROPN"} and c.i > noun.i]
    if len(found) != 1 or any(child.dep_ == "conj" for child in noun.children):
        return
    other = found[0]
    if other.left_edge.nbor(-1).text != "," or any(child.dep_ == "conj" for child in other.children):
        return
    after = other.right_edge
    if after.i + 1 < len(noun.doc) and after.nbor().text not in {",", ".", ";", "—", "--", ")", "!", ":"}:
        return
    if opens_sentence(noun) and capitalised(noun) and not is_name(noun) and not noun.n_lefts:
        return  # "Comptez sur moi, dit Fritz"
    if quoted_apart(noun, other):
        return
    first, second = is_name(noun) or _title_with_name(noun), is_name(other) or _title_with_name(other)
    name, role = (noun, other) if first else (other, noun)
    if first != second and role.pos_ == "NOUN" and not any(c.lower_ in _POSSESSIVES for c in role.children):
        subject = phrase(name)
        if subject is not None:
            _attribute(subject, "est", role, reading)


_SAID = frozenset("dit dite dits dites alias surnommé surnommée surnommés surnommées appelé appelée nommé nommée baptisé baptisée".split())


def _aliases(sentence: Span, reading: Reading) -> None:
    """"The Claw, dite La Griffe" says that two names are one; "une société dite La Griffe" says what one is."""
    tokens = [token for token in sentence if not token.is_space]
    for position, token in enumerate(tokens):
        right = position + 1
        if token.lower_ in {"connu", "connue", "connus", "connues"}:
            window = [t.lower_ for t in tokens[right : right + 8]]
            if "nom" not in window or "sous" not in window:
                continue
            right += window.index("nom") + 2
        elif token.lower_ not in _SAID or (token.lower_ == "dit" and _speaks(token, sentence)):
            continue
        second = _name_from(tokens, right)
        left = position - 1
        while left >= 0 and tokens[left].lower_ in {",", "(", "aussi", "plus", "mieux", "souvent", "et"}:
            left -= 1
        if second is None or left < 0:
            continue
        first = _name_until(tokens, left)
        if first is not None:
            reading.same(first, second[0])
            continue
        noun = tokens[left]
        while noun.dep_ == "nmod" and noun.head.i < noun.i and [c.lower_ for c in noun.children if c.dep_ in {"case", "det"}] in (
            ["de"], ["d'"], ["d’"]
        ):
            noun = noun.head  # "une société de voleurs": the society, not the thieves
        described = phrase(noun) if noun.pos_ == "NOUN" else None
        if described is not None and not described.named:
            reading.add(Phrase(text=second[0], named=True, words=1, first=second[1], last=second[1]), "est", described)


def _speaks(token: Token, sentence: Span) -> bool:
    """Whether "dit" is the verb of a speaker ("Soit, dit Lecoq"), not a participle ("Martin, dit le Loup")."""
    if any(t.is_quote or t.text in {"«", "»"} for t in sentence) or sentence[0].text in {"—", "–", "-"}:
        return True
    return token.dep_ not in {"acl", "amod"} or any(child.dep_ == "nsubj" for child in token.children)


def _name_from(tokens: list[Token], position: int) -> tuple[str, int] | None:
    """The name that begins at `position` (after quotes and an article), with the index of its first token."""
    while position < len(tokens) and (tokens[position].is_quote or tokens[position].text in {"«", "(", ","}):
        position += 1
    end = position
    while end < len(tokens) and (capitalised(tokens[end]) or (end == position and tokens[end].lower_ in {"le", "la", "l'", "l’"})):
        end += 1
    begin = position if position < end and capitalised(tokens[position]) else position + 1
    text = spell(tokens[begin:end]) if begin < end else ""
    if not text or text in _ARTICLES or text.casefold() in _NO_NAME:
        return None
    return text, tokens[begin].i


def _name_until(tokens: list[Token], position: int) -> str | None:
    """The name that ends at `position`, its title included."""
    if position > 0 and (tokens[position].is_quote or tokens[position].text == "»"):
        position -= 1
    begin = position
    while begin >= 0 and capitalised(tokens[begin]):
        begin -= 1
    if begin == position:
        return None
    if tokens[begin].lower_.rstrip(".") in TITLES:
        begin -= 1
    text = spell(tokens[begin + 1 : position + 1])
    return text if text not in _ARTICLES else None

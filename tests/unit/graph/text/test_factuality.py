"""A clause that is denied, doubted or attributed is not asserted; one that is known, proved or not denied is."""

from __future__ import annotations

from time import process_time

import pytest

from filigraph.graph.text.factuality.idioms import blank_idioms
from filigraph.graph.text.factuality.phrases import taken_back, unasserted_scopes
from filigraph.graph.text.factuality.scopes import scopes
from filigraph.graph.text.negation import is_stated, speaker_of


def _open(sentence: str, language: str) -> list[str]:
    text = blank_idioms(sentence, language)
    return [sentence[scope.start : scope.end] for scope in unasserted_scopes(text, language) if scope.status != "said"]


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Ann sold the boat: that is a lie.", "en"),
        ("Ann sold the boat: that, at least, is the version of the clerk.", "en"),
        ("Ann sold the boat, a tale without any foundation.", "en"),
        ("Ann sold the boat, an accusation that nobody ever proved.", "en"),
        ("Ann sold the boat, a charge that was never proved.", "en"),
        ("Anne a vendu le bateau, une accusation que personne ne crut.", "fr"),
        ("Ann sold the boat, or such was the talk of the town.", "en"),
        ("Ann sold the boat; so, at any rate, her aunt maintained.", "en"),
        ("Ann sold the boat, but the ledger proves the contrary.", "en"),
        ("Anne a vendu le bateau, mais les registres prouvent le contraire.", "fr"),
        ("Anne a vendu le bateau, accusation qu'on ne prouva jamais.", "fr"),
        ("Anne a vendu le bateau, le bruit en courut du moins.", "fr"),
        ("Es stimmt nicht, dass Ann das Boot verkaufte.", "de"),
        ("Als hätte Ann je das Boot verkauft!", "de"),
        ("Nunca se demostró que Ana vendiera el barco.", "es"),
        ("Ann sold the boat, which is what the clerk disputes.", "en"),
        ("Ann sold the boat, if the clerk is to be believed.", "en"),
        ("In the event that Ann sold the boat, burn this.", "en"),
        ("The clerk let it be understood that Ann sold the boat.", "en"),
        ("Anne a vendu le bateau, voilà du moins ce que prétend Paul.", "fr"),
        ("Anne a vendu le bateau : pure calomnie.", "fr"),
        ("Anne a vendu le bateau, s'il faut en croire Paul.", "fr"),
        ("Pour peu qu'Anne ait vendu le bateau, elle est riche.", "fr"),
        ("Au cas où Anne aurait vendu le bateau, écrivez.", "fr"),
        ("Paul laissait entendre qu'Anne avait vendu le bateau.", "fr"),
        ("Nous nous figurions qu'Anne avait vendu le bateau.", "fr"),
        ("Qu'Anne vende le bateau, et nous partirons.", "fr"),
        ("Qu'Anne vende le bateau, et tu verras Paul.", "fr"),
        ("Qu'Anne vende le bateau, la vente finit et adieu nos preuves.", "fr"),
        ("« Anne a vendu le bateau », disait à tort la gazette.", "fr"),
        ("Dass Ann das Boot verkaufte, ist frei erfunden.", "de"),
        ("Man wirft Ann vor, das Boot verkauft zu haben.", "de"),
        ("Es falso que Ana vendiera el barco.", "es"),
        ("Nadie cree que Ana vendiera el barco.", "es"),
        ("È falso che Anna abbia venduto la barca.", "it"),
        ("É falso que Ana vendesse o barco.", "pt"),
        ("Говорят, будто Анна продала лодку.", "ru"),
        ("Not proven: that Ann sold the boat.", "en"),
        ("Ann a vendu le bateau : cela est faux.", "fr"),
        ("I would sooner believe in ghosts than that Ann sold the boat.", "en"),
        ("Counsel put it to the witness that Ann sold the boat.", "en"),
        ("Bo passed himself off as the man who sold the boat.", "en"),
        ("Legend credits Ann with having sold the boat.", "en"),
        ("The alleged sale by Ann of the boat he sold was a hoax.", "en"),
        ("By no stretch of the imagination had Ann sold the boat.", "en"),
        ("Ann sold the boat, they say, but the records say otherwise.", "en"),
        ("Ann s'est bien gardée d'avoir vendu le bateau.", "fr"),
        ("Niemand glaubt ernstlich, dass Ann das Boot verkaufte.", "de"),
        ("Es ist keineswegs erwiesen, dass Ann das Boot verkaufte.", "de"),
        ("Beinahe hätte Ann das Boot verkauft.", "de"),
        ("Bo will das Boot verkauft haben.", "de"),
        ("Das Gerücht, Ann habe das Boot verkauft, war falsch.", "de"),
        ("It is quite untrue that Ann sold the boat.", "en"),
        ("She pictured to herself how Ann sold the boat.", "en"),
        ("They jested that Ann sold the boat.", "en"),
        ("He told them, in jest, that Ann sold the boat.", "en"),
        ("Ann will have sold the boat by May.", "en"),
        ("“Ann sold the boat,” he wrote, but none of it was true.", "en"),
        ("Elle pria pour que Paul dise qu'Ann a vendu le bateau.", "fr"),
        ("Ann s'est défendue d'avoir vendu le bateau.", "fr"),
        ("Il était prévu qu'Ann ait vendu le bateau.", "fr"),
        ("Par plaisanterie, il disait qu'Ann a vendu le bateau.", "fr"),
        ("« Ann a vendu le bateau », écrivit-il, et rien de tout cela n'était vrai.", "fr"),
        ("Nobody could ever prove that Ann sold the boat.", "en"),
        ("The clerk declined to confirm that Ann sold the boat.", "en"),
        ("The belief that Ann sold the boat is mistaken.", "en"),
        ("Ann is rumoured to have sold the boat.", "en"),
        ("Ann denies having sold the boat.", "en"),
        ("Ann was accused by the clerk of having sold the boat.", "en"),
        ("The clerk wondered whether Ann sold the boat.", "en"),
        ("If Ann sold the boat, she is rich.", "en"),
        ("Had Ann sold the boat, she would be rich.", "en"),
        ("I think Ann sold the boat.", "en"),
        ("Ann, they say, sold the boat.", "en"),
        ("In his dream Ann sold the boat.", "en"),
        ("Ann sold the boat, which was a lie.", "en"),
        ("The words “Ann sold the boat” are false.", "en"),
        ("It was not Ann who sold the boat.", "en"),
        ("That Ann sold the boat was never shown.", "en"),
        ("Ann had half a mind to have sold the boat.", "en"),
        ("Ann came within an inch of having sold the boat.", "en"),
        ("Nothing could induce Ann to believe that Paul sold the boat.", "en"),
        ("They talked Ann out of having sold the boat.", "en"),
        ("Ann was wrongly convicted of having sold the boat.", "en"),
        ("Word went round the village that Ann had sold the boat.", "en"),
        ("Rumour had it that Ann sold the boat.", "en"),
        ("For all we know, Ann sold the boat.", "en"),
        ("Never once did Ann have sold the boat.", "en"),
        ("Ann had every intention of having sold the boat.", "en"),
        ("Not one of the clerks, Ann included, sold the boat.", "en"),
        ("Ann was on trial for having sold the boat.", "en"),
        ("Ann passe pour avoir vendu le bateau.", "fr"),
        ("Ann songeait à vendre le bateau.", "fr"),
        ("Ann fut condamnée à tort pour avoir vendu le bateau.", "fr"),
        ("Ann interdit au clerc de vendre le bateau.", "fr"),
        ("Ann serait la femme qui vendit le bateau.", "fr"),
        ("Ann eût-elle vendu le bateau, elle serait riche.", "fr"),
        ("La nouvelle qu'Ann avait vendu le bateau était un canular.", "fr"),
        ("Ann est mise en examen pour avoir vendu le bateau.", "fr"),
        ("Personne ne se rappelle qu'Ann ait vendu le bateau.", "fr"),
        ("The letter in which she confessed that Ann sold the boat was a forgery.", "en"),
        ("Some would have it that Ann sold the boat.", "en"),
        ("I dreamed that Ann sold the boat.", "en"),
        ("At no time had Ann sold the boat.", "en"),
        ("Nothing in the file indicates that Ann sold the boat.", "en"),
        ("The court did not accept that Ann sold the boat.", "en"),
        ("The clerk withdrew his evidence that Ann sold the boat.", "en"),
        ("A forged letter says that Ann sold the boat.", "en"),
        ("Paul was told, falsely, that Ann sold the boat.", "en"),
        ("“Ann sold the boat”, he said, which nobody believed.", "en"),
        ("It may well be that Ann sold the boat.", "en"),
        ("Ann all but sold the boat.", "en"),
        ("Ann (allegedly) sold the boat.", "en"),
        ("In all likelihood Ann sold the boat.", "en"),
        ("Paul boasted that Ann sold the boat.", "en"),
        ("Le témoin a retiré sa déposition selon laquelle Anne a vendu le bateau.", "fr"),
        ("Une fausse lettre dit qu'Anne a vendu le bateau.", "fr"),
        ("Anne a vendu le bateau, prétend Paul.", "fr"),
        ("Je voudrais qu'Anne vende le bateau.", "fr"),
        ("Paul croit, à tort, qu'Anne a vendu le bateau.", "fr"),
        ("Anne n'alla pas jusqu'à vendre le bateau.", "fr"),
        ("Anne fut à deux doigts de vendre le bateau.", "fr"),
        ("Paul dissuada Anne de vendre le bateau.", "fr"),
        ("Anne s'apprêtait à vendre le bateau.", "fr"),
        ("Anne vendra le bateau mardi.", "fr"),
        ("Demain Anne et Paul vendront le bateau.", "fr"),
        ("Dieu veuille qu'Anne ait vendu le bateau.", "fr"),
        ("Anne eût vendu le bateau.", "fr"),
        ("La lettre où Paul avoue avoir vendu le bateau est un faux.", "fr"),
        ("Il est inexact qu'Anne a vendu le bateau.", "fr"),
        ("Rien ne montre qu'Anne a vendu le bateau.", "fr"),
        ("Le clerc conteste qu'Anne a vendu le bateau.", "fr"),
        ("On prétend à tort qu'Anne a vendu le bateau.", "fr"),
        ("La rumeur selon laquelle Anne a vendu le bateau court encore.", "fr"),
        ("On ne sait pas si Anne a vendu le bateau.", "fr"),
        ("Anne, dit-on, a vendu le bateau.", "fr"),
        ("Loin d'avoir vendu le bateau, Anne le répare.", "fr"),
        ("Die Zeugin bestreitet, dass Anna das Boot verkauft hat.", "de"),
        ("J'ai rêvé cette nuit qu'Anne a vendu le bateau.", "fr"),
        ("I dreamt the other night that Ann sold the boat.", "en"),
        ("Sous prétexte qu'Anne avait vendu le bateau, on la chassa.", "fr"),
        ("They left on the pretext that Ann had sold the boat.", "en"),
        ("As the police believed, Ann sold the boat.", "en"),
        ("The paper claimed, without proof, that Ann sold the boat.", "en"),
        ("Sans l'arrivée du facteur, Anne aurait vendu le bateau.", "fr"),
        ("Sans l'arrivée du facteur, Anne vendrait le bateau.", "fr"),
        ("The theory, that Ann sold the boat, collapsed.", "en"),
        ("There is no record of Ann having sold the boat.", "en"),
        ("Il n'y a aucune trace de ce qu'Anne ait vendu le bateau.", "fr"),
        ("Anne a été relaxée du chef d'avoir vendu le bateau.", "fr"),
        ("Anne passe, auprès de tous, pour avoir vendu le bateau.", "fr"),
        ("Man munkelte, dass Anna das Boot verkauft hat.", "de"),
        ("El juez absolvió a Ana de haber vendido el barco.", "es"),
        ("Otto failed to persuade the court that Ann sold the boat.", "en"),
        ("Otto convinced the clerk that Ann sold the boat.", "en"),
        ("Le contrat prévoyait qu'Anne vendrait le bateau.", "fr"),
        ("Paul savait qu'Anne vendrait le bateau.", "fr"),
        ("Nadie ha podido probar que Ana vendió el barco.", "es"),
        ("Si Ana hubiera vendido el barco, sería rica.", "es"),
        ("Al parecer, Ana vendió el barco.", "es"),
        ("El juez preguntó si Ana vendió el barco.", "es"),
        ("Ana intentó vender el barco.", "es"),
        ("Nessuno ha potuto provare che Anna vendette la barca.", "it"),
        ("Se Anna avesse venduto la barca, sarebbe ricca.", "it"),
        ("Forse Anna vendette la barca.", "it"),
        ("Anna voleva vendere la barca.", "it"),
        ("O juiz não conseguiu provar que Ana vendeu o barco.", "pt"),
        ("Talvez Ana vendesse o barco.", "pt"),
        ("Ana tentou vender o barco.", "pt"),
        ("Следствие не доказало, что Анна продала лодку.", "ru"),
        ("Если бы Анна продала лодку, она бы уехала.", "ru"),
        ("Анна хотела продать лодку.", "ru"),
        ("Отто спросил, продала ли Анна лодку.", "ru"),
    ],
)
def test_what_is_not_asserted(sentence: str, language: str) -> None:
    verb = {"en": "sold", "de": "verkauft", "ru": "прода"}.get(language, "vend")
    assert any(verb in part for part in _open(sentence, language))


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("The clerk did not know that Ann sold the boat.", "en"),
        ("The court accepted that Ann sold the boat.", "en"),
        ("The letter indicates that Ann sold the boat.", "en"),
        ("Paul took back the boat that Ann sold.", "en"),
        ("Ann sold the boat without a word.", "en"),
        ("Anne vendit le bateau sans un mot.", "fr"),
        ("Paul tira la barque, et Anne vendit le bateau.", "fr"),
        ("Elvira vendit le bateau à Vera.", "fr"),
        ("Nobody denies that Ann sold the boat.", "en"),
        ("Ann sold the boat, as the police had suspected.", "en"),
        ("It cannot be disputed that Ann sold the boat.", "en"),
        ("The letter proves that Ann sold the boat.", "en"),
        ("The rumour that Ann sold the boat was true.", "en"),
        ("Ann sold the boat, but she denied that she was rich.", "en"),
        ("Ann, who denied everything, sold the boat.", "en"),
        ("Even if it was old, Ann sold the boat.", "en"),
        ("Ann sold the boat because she hoped to travel.", "en"),
        ("Le clerc ignorait qu'Anne a vendu le bateau.", "fr"),
        ("Nul ne nie qu'Anne a vendu le bateau.", "fr"),
        ("La lettre prouve qu'Anne a vendu le bateau.", "fr"),
        ("Anne a vendu le bateau, mais elle nie qu'elle soit riche.", "fr"),
        ("Même s'il était vieux, Anne a vendu le bateau.", "fr"),
        ("Sans la regarder, Anne vendait le bateau.", "fr"),
        ("Sans son chapeau, Anne vendait le bateau.", "fr"),
        ("Sans la clé, Anne ouvrait la porte et vendait le bateau.", "fr"),
        ("Sans la clé, Anne retirait le coffre et vendait le bateau.", "fr"),
        ("The court proved, beyond doubt, that Ann sold the boat.", "en"),
        ("Anne n'a pas hésité à vendre le bateau.", "fr"),
        ("He would have known that Ann sold the boat.", "en"),
        ("Es steht außer Zweifel, dass Anna das Boot verkaufte.", "de"),
        ("Nul ne conteste qu'Anne ait vendu le bateau.", "fr"),
        ("No cabe duda de que Ana vendió el barco.", "es"),
        ("Nadie niega que Ana vendió el barco.", "es"),
        ("Pedro inventó la máquina que Ana vendió.", "es"),
        ("Nessuno dubita che Anna vendette la barca.", "it"),
        ("Ninguém duvida que Ana vendeu o barco.", "pt"),
        ("Никто не сомневается, что Анна продала лодку.", "ru"),
    ],
)
def test_what_is_asserted(sentence: str, language: str) -> None:
    verb = {"en": "sold", "de": "verkauf", "ru": "прода"}.get(language, "vend")
    assert not any(verb in part for part in _open(sentence, language))


@pytest.mark.parametrize(
    ("sentence", "who"),
    [
        ("Inspector Hale told the clerk that Ann sold the boat.", "Inspector Hale"),
        ("The old clerk wrote that Ann sold the boat.", "The old clerk"),
        ("According to Otto Reiss, Ann sold the boat.", "Otto Reiss"),
        ("Ann sold the boat.", ""),
        ("The clerk saw that Ann sold the boat.", ""),
    ],
)
def test_who_says_it(sentence: str, who: str) -> None:
    assert speaker_of(sentence, "sold", "en") == who


@pytest.mark.parametrize("subject", ["People say", "He said", "It is said", "Nobody said", "The clerk may say"])
def test_what_nobody_in_particular_says_is_not_stated(subject: str) -> None:
    assert not is_stated(f"{subject} that Ann sold the boat.", "sold", "en")


def test_a_denial_by_the_clause_around_it_supports_a_denied_predicate() -> None:
    assert is_stated("The clerk denied that Ann had sold the boat.", "did not sell", "en")
    assert not is_stated("It is not true that Ann did not sell the boat.", "did not sell", "en")


def test_other_words_for_what_is_denied_are_not_stated() -> None:
    sentence = "The clerk denied that Ann had taken the boat."
    assert not is_stated(sentence, "stole", "en", "", [sentence.index("Ann"), sentence.index("boat")])
    assert is_stated(sentence, "works for", "en", "", [4, sentence.index("Ann")])


@pytest.mark.parametrize(
    ("after", "language", "expected"),
    [
        ("That was a lie. Ann left.", "en", True),
        ("This is not true.", "en", True),
        ("Nothing of the sort happened.", "en", True),
        ("It is untrue that Otto left.", "en", False),
        ("That was true.", "en", False),
        ("That was a long day.", "en", False),
        ("C'est faux.", "fr", True),
        ("Il n'en est rien.", "fr", True),
        ("C'est un beau bateau.", "fr", False),
    ],
)
def test_a_sentence_that_takes_back_the_one_before(after: str, language: str, expected: bool) -> None:
    assert taken_back(after, language) is expected


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_a_long_run_of_signs_is_looked_at_at_once(language: str) -> None:
    assert not unasserted_scopes("=" * 300_000, language)


def test_a_long_speech_in_single_quotation_marks_is_looked_at_at_once() -> None:
    sentence = "'Well, I never " + "heard of such a thing " * 200 + "said Ann."
    unasserted_scopes(sentence, "en")


@pytest.mark.parametrize(
    ("sentence", "language", "open_"),
    [
        ("On paper, Ann owns the boat.", "en", True),
        ("Officially Ann owns the boat.", "en", True),
        ("Paul says that officially Ann owns the boat.", "en", True),
        ("Ann owns the boat in name only.", "en", True),
        ("The boat is officially owned by Ann.", "en", True),
        ("Officiellement, Ann possède le bateau.", "fr", True),
        ("Sur le papier, Ann possède le bateau.", "fr", True),
        ("Ann ne possède le bateau que sur le papier.", "fr", True),
        ("The mayor officially opened the bridge.", "en", False),
        ("On paper of the finest quality Ann wrote the letter.", "en", False),
        ("Sur le papier bleu Ann a peint un bateau.", "fr", False),
        ("Ann a vendu le bateau, ce que personne ne conteste.", "fr", False),
    ],
)
def test_what_is_so_by_name_alone_is_not_asserted(sentence: str, language: str, open_: bool) -> None:
    assert bool(_open(sentence, language)) == open_


def test_what_contrasts_with_the_name_alone_is_asserted() -> None:
    (scope,) = _open("On paper Ann owns the boat, but Paul sails it.", "en")
    assert "owns" in scope and "Paul" not in scope


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("The storm kept Ann from selling the boat.", "selling", "en"),
        ("Ann avoided selling the boat.", "selling", "en"),
        ("Her refusal to sell the boat cost Ann a fortune.", "sell", "en"),
        ("Ann was too proud to sell the boat.", "sell", "en"),
        ("Ann would be the last woman in town to sell the boat.", "sell", "en"),
        ("Never in all her years there did Ann sell the boat.", "sell", "en"),
        ("Ann no more sold the boat than she sold the harbour.", "sold", "en"),
        ("Either Ann or her sister sold the boat.", "sold", "en"),
        ("In his fever Bo saw Ann sell the boat.", "sell", "en"),
        ("In the second act of the play Ann sells the boat.", "sells", "en"),
        ("The clerk contends that Mrs. Cole sold the boat.", "sold", "en"),
        ("Under torture Bo swore Ann sold the boat.", "sold", "en"),
        ("Bo declared that Ann sold the boat, but he was lying.", "sold", "en"),
        ("I dreamt last night that Ann sold the boat.", "sold", "en"),
        ("“Go and sell the boat, Ann,” he cried.", "sell", "en"),
        ("“I promise, I will sell the boat,” said Ann.", "sell", "en"),
        ("The jury cleared Ann of selling the boat.", "selling", "en"),
        ("Ann, the suspected thief of the boat, left.", "thief of", "en"),
        ("Ann s'abstint prudemment de vendre la barque.", "vendre", "fr"),
        ("Le refus obstiné d'Ann de vendre la barque étonna la ville.", "vendre", "fr"),
        ("Ann était trop fière pour vendre la barque.", "vendre", "fr"),
        ("Il s'en fallut de peu qu'Ann vendît la barque.", "vend", "fr"),
        ("Puisse Ann vendre la barque avant l'hiver.", "vendre", "fr"),
        ("Ann n'a nullement vendu la barque.", "vendre", "fr"),
        ("Bo s'était mis en tête qu'Ann vendait la barque.", "vend", "fr"),
        ("Le juge a autorisé Ann à vendre la barque.", "vendre", "fr"),
        ("« Vendez donc la barque, ma chère Ann ! » dit-il.", "vendre", "fr"),
        ("Ann feignit de vendre la barque.", "vendre", "fr"),
        ("Ann nie farouchement avoir vendu la barque.", "vendu", "fr"),
        ("Ann a peut-être vendu la barque.", "a vendu", "fr"),
        ("Ann, voleuse présumée de la barque, partit.", "voleuse de", "fr"),
    ],
)
def test_what_was_not_done_is_no_fact(sentence: str, predicate: str, language: str) -> None:
    assert not is_stated(sentence, predicate, language)


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("The storm failed to keep Ann from selling the boat.", "selling", "en"),
        ("Ann could not avoid selling the boat.", "selling", "en"),
        ("Hardly had Ann sold the boat when it sank.", "sold", "en"),
        ("Ann never regretted having sold the boat.", "sold", "en"),
        ("Little did Bo suspect that Ann had sold the boat.", "sold", "en"),
        ("Ann did not hesitate to sell the boat.", "sell", "en"),
        ("It would be wrong to deny that Ann sold the boat.", "sold", "en"),
        ("It is not in dispute that Ann sold the boat.", "sold", "en"),
        ("Do you know that Ann sold the boat?", "sold", "en"),
        ("As she had dreamt, Ann sold the boat.", "sold", "en"),
        ("Ann sold the boat, which the clerk never disputed.", "sold", "en"),
        ("Ann brought the clerk a boat, gossip and wine.", "brought", "en"),
        ("Ann sold the boat, an old story of his.", "sold", "en"),
        ("Ann a vendu la barque, voilà ce que je sais.", "vendu", "fr"),
        ("Il n'est pas contesté qu'Ann a vendu la barque.", "vendu", "fr"),
        ("Savez-vous qu'Ann a vendu la barque ?", "vendu", "fr"),
        ("Ann n'oublia pas de vendre la barque.", "vendre", "fr"),
        ("Ann sold the boat, so the captain said nothing.", "sold", "en"),
        ("Ann sold the boat, a story that won her friends.", "sold", "en"),
        ("Ann sold the boat, a story that never failed to please.", "sold", "en"),
        ("Ann sold the boat, a report that did not surprise Bo.", "sold", "en"),
        ("Ann sold the boat, a charge that nobody disputed.", "sold", "en"),
        ("Ann sold the boat, a claim that no one ever denied.", "sold", "en"),
        ("Ann vendit la barque, accusation que personne ne contesta.", "vend", "fr"),
        ("Ann vendit la barque, une accusation que nul ne songeait à nier.", "vend", "fr"),
        ("Ann vendit la barque, une histoire qu'on ne se lassait jamais d'entendre.", "vend", "fr"),
        ("Es lässt sich nicht leugnen, dass Ann das Boot verkaufte.", "verkaufte", "de"),
        ("Ann verkaufte das Boot nicht aus Not, sondern aus Trotz.", "verkaufte", "de"),
        ("Ann traf Eva und Karl kannte Otto nicht.", "traf", "de"),
        ("Ann traf Eva und ging nicht.", "traf", "de"),
        ("Ana vendió el barco porque no lo quería.", "vendió", "es"),
        ("Ann didn't hesitate to sell the boat.", "sell", "en"),
        ("Ann doesn’t regret having sold the boat.", "sold", "en"),
        ("Perhaps out of spite, Ann sold the boat.", "sold", "en"),
        ("The last woman on the quay sold the boat.", "sold", "en"),
        ("Ann ne manqua pas de vendre la barque.", "vendre", "fr"),
        ("Ann ne put s'empêcher de vendre la barque.", "vendre", "fr"),
        ("Ann n'hésita pas à vendre la barque.", "vendre", "fr"),
        ("Peut-être par dépit, Ann vendit la barque.", "vend", "fr"),
        ("Ce ne fut pas sans peine qu'Ann vendit la barque.", "vend", "fr"),
        ("Gomez vendit la barque.", "vend", "fr"),
        ("Miss Harding sold the house.", "sold", "en"),
        ("Anna was engaged to Paul Renard.", "was engaged to", "en"),
        ("The Forbidden City gave its name to the film.", "gave", "en"),
        ("The Banned Book belongs to Paul.", "belongs to", "en"),
        ("L'avocat défend le droit de vendre la ferme.", "défend", "fr"),
    ],
)
def test_what_was_done_all_the_same_is_a_fact(sentence: str, predicate: str, language: str) -> None:
    assert is_stated(sentence, predicate, language)


def test_a_title_with_a_full_stop_ends_no_clause() -> None:
    assert speaker_of("According to Ann, Mr. Cole sold the boat.", "sold", "en") == "Ann"
    assert speaker_of("À en croire la concierge, M. Colin vendait la barque.", "vend", "fr") == "la concierge"


def test_who_is_contrasted_or_excepted_is_in_no_fact() -> None:
    for sentence, name in (
        ("Ann sailed for Nantes, not for Brest.", "Brest"),
        ("Ann légua la barque non pas à Hector, mais à son neveu.", "Hector"),
        ("All signed the deed except Bo.", "Bo"),
        ("Tous signèrent l'acte, sauf Bo.", "Bo"),
    ):
        verb = next(word for word in ("sailed", "légua", "signed", "signèrent") if word in sentence)
        language = "en" if verb in ("sailed", "signed") else "fr"
        assert is_stated(sentence, verb, language)
        assert not is_stated(sentence, verb, language, names=[sentence.index(name)])
    assert is_stated("Nobody knew it except Bo.", "knew", "en", names=[23]) is is_stated(
        "Nobody knew it except Bo.", "knew", "en"
    )


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("In the event Ann sold the boat to Jules.", "sold", "en"),
        ("In the case of the wreck Ann sold the boat to Jules.", "sold", "en"),
        ("The mayor made it known that Ann sold the boat.", "sold", "en"),
        ("Ann sold the boat to Jules, which no court ever questioned.", "sold", "en"),
        ("Ann sold the boat to Jules, which he doesn't dispute.", "sold", "en"),
        ("Ann sold the boat to Jules, which settled the question.", "sold", "en"),
        ("Ann sold the boat to Jules, which can hardly be disputed.", "sold", "en"),
        ("Ann married Jules; rumours of war came next.", "married", "en"),
        ("Ann married Jules; the gossip spread in the town.", "married", "en"),
        ("Anne a vendu le bateau à Jules, c'est ce que montre le registre.", "a vendu", "fr"),
        ("Anne vendit le bateau à Jules ; voilà ce qu'il acheta.", "vendit", "fr"),
        ("Que Paul aime Anne, chacun le sait.", "aime", "fr"),
        ("Pedro supo que Ana vendió el barco.", "vendió", "es"),
        ("La pensión que Ana pagó a Carlos era alta.", "pagó", "es"),
        ("El tema que Ana eligió era la mar.", "eligió", "es"),
        ("Nadie sabía que la vieja Ana vendió el barco.", "vendió", "es"),
        ("Nessuno sapeva che la vecchia zia Anna vendette la barca.", "vendette", "it"),
        ("Ninguém sabia que a velha Ana vendeu o barco.", "vendeu", "pt"),
        ("Никто не знал, что старая тётя Анна продала лодку.", "продала", "ru"),
        ("Il negozio che Anna vendette a Carlo bruciò.", "vendette", "it"),
        ("Il creditore che Anna pagò era Carlo.", "pagò", "it"),
        ("Ao mesmo tempo que Ana vendeu o barco, choveu.", "vendeu", "pt"),
        ("O negócio que Ana vendeu a Carlos era velho.", "vendeu", "pt"),
    ],
)
def test_what_is_told_of_something_else_is_no_doubt(sentence: str, predicate: str, language: str) -> None:
    assert is_stated(sentence, predicate, language)


@pytest.mark.parametrize(
    ("sentence", "predicate", "language"),
    [
        ("In the event of fire Ann sells the boat.", "sells", "en"),
        ("Ann sold the boat to Jules, which the family disputes.", "sold", "en"),
        ("Ann stole the ring; a rumour spread by Jules.", "stole", "en"),
        ("Anne a vendu le bateau, c'est ce que Jules raconte.", "a vendu", "fr"),
        ("Pedro creyó que Ana vendió el barco.", "vendió", "es"),
        ("Nadie cree que la vieja Ana vendió el barco.", "vendió", "es"),
        ("Pedro suponía que Ana vendió el barco.", "vendió", "es"),
        ("Carlo sperava che Anna vendesse la barca.", "vendesse", "it"),
        ("Carlo negò di aver venduto la barca.", "venduto", "it"),
        ("Pedro acreditava que Ana vendeu o barco.", "vendeu", "pt"),
    ],
)
def test_what_is_doubted_in_the_same_words(sentence: str, predicate: str, language: str) -> None:
    assert not is_stated(sentence, predicate, language)


@pytest.mark.parametrize(("name", "stated"), [("Jules", False), ("Karl", True)])
def test_nicht_sondern_leaves_out_a_described_name(name: str, stated: bool) -> None:
    sentence = "Anna verkaufte das Boot nicht an den alten Jules, sondern an Karl."
    assert is_stated(sentence, "verkaufte", "de", names=[0, sentence.index(name)]) is stated
    need = "Anna verkaufte das Boot nicht aus Not an Karl, sondern aus Gier."
    assert is_stated(need, "verkaufte", "de", names=[0, need.index("Karl")])


def test_a_long_word_after_an_accusation_is_read_in_linear_time() -> None:
    assert is_stated("Er wirft ihm vor, " + "a" * 500_000, "traf", "de")


@pytest.mark.parametrize("end", [", ", "; ", " "])
def test_a_sentence_of_many_clauses_is_read_in_linear_time(end: str) -> None:
    rows = 4_000
    start = process_time()
    found = scopes(f"Ana Roe said that Otto hoped to sell the boat{end}" * rows, "en")
    assert len(found) >= rows and process_time() - start < 4


@pytest.mark.parametrize(
    ("part", "language"),
    [
        ("rumours that ", "en"),
        ("in a dream ", "en"),
        ("the letter of the ", "en"),
        ("officially, ", "en"),
        ("so far from ", "en"),
        ("la lettre de ", "fr"),
        ("en rêve ", "fr"),
        ("Anne vendrait ", "fr"),
        ("ich und habe ", "de"),
        ("si no cree que ", "es"),
        ("se non crede che ", "it"),
        ("se não crê que ", "pt"),
        ("если не доказано, что ", "ru"),
        ("nobody saw ", "en"),
        ('"lied ', "en"),
        ("denied, ", "en"),
        ("personne n'a vu ", "fr"),
        ("weder nie wenn hätte ", "de"),
        ("bestreitet, ", "de"),
        ("ni nadie vio ", "es"),
        ("ни стал-бы мог ", "ru"),
    ],
)
def test_a_long_run_of_phrases_is_read_in_linear_time(part: str, language: str) -> None:
    unasserted_scopes(part * (100_000 // len(part)), language)  # a quadratic search takes minutes


@pytest.mark.parametrize(
    ("after", "language", "expected"),
    [
        ("Era mentira.", "es", True),
        ("No era verdad.", "es", True),
        ("Era una bugia.", "it", True),
        ("Não era verdade.", "pt", True),
        ("Это была ложь.", "ru", True),
        ("Era tarde.", "es", False),
        ("At least, that is what he wants us to think.", "en", True),
        ("He had made it all up.", "en", True),
        ("She made it to the harbour.", "en", False),
        ("There is nothing to show it.", "en", True),
        ("That is what the receipt says.", "en", False),
        ("C'est du moins ce qu'il voudrait nous faire croire.", "fr", True),
        ("Il avait tout inventé.", "fr", True),
    ],
)
def test_a_sentence_behind_may_say_that_it_was_made_up(after: str, language: str, expected: bool) -> None:
    assert taken_back(after, language) is expected

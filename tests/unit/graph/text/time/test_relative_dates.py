"""Phrases that give a date relative to the day of writing, here Thursday, 12 March 1891."""

from __future__ import annotations

import pytest

from filigraph.graph.text.time.relative_dates import dates_in, names_relative, weekday_names

WRITTEN = "1891-03-12"
NAMED_LAST = "1890-11-30"  # a Sunday


@pytest.mark.parametrize(
    ("language", "text", "date"),
    [
        ("en", "He sold it the Friday before last.", "1891-02-27"),
        ("en", "He came on Wednesday of last week.", "1891-03-04"),
        ("fr", "Il partit l'avant-veille au soir.", "1890-11-28"),
        ("fr", "Il partit la veille au soir.", "1890-11-29"),
        ("fr", "Il vint à la fin du mois dernier.", "1891-02"),
        ("fr", "Il y a une quinzaine, il vint.", "1891-02-26"),
        ("fr", "Il y a tout juste un mois, il vint.", "1891-02"),
        ("fr", "Le mercredi de la semaine dernière, il vint.", "1891-03-04"),
        ("de", "Vor acht Tagen kam er.", "1891-03-05"),
        ("de", "Vor vierzehn Tagen kam er.", "1891-02-26"),
        ("de", "Vorgestern Abend kam er.", "1891-03-10"),
        ("de", "Am Abend zuvor kam er.", "1890-11-29"),
        ("de", "Am Mittwoch voriger Woche kam er.", "1891-03-04"),
        ("de", "In der Nacht auf Dienstag brannte es.", "1891-03-10"),
        ("de", "Ende vergangenen Monats kam er.", "1891-02"),
        ("de", "Mittwochabend kam er.", "1891-03-11"),
        ("en", "It was the month before last.", "1891-01"),
        ("en", "A week ago today he paid.", "1891-03-05"),
        ("en", "He came on the 1st of this month.", "1891-03-01"),
        ("en", "They met last Christmas.", "1890-12-25"),
        ("en", "They met last summer.", "1890"),
        ("en", "I met her last summer.", "1890"),
        ("en", "They sail next spring.", "1892"),
        ("en", "It was the last summer of her life.", None),
        ("en", "His last fall from a horse killed him.", None),
        ("fr", "Il mourut au début de l'année 1880.", None),
        ("fr", "Au milieu du mois de mars, il vint.", None),
        ("en", "The fall was bad.", None),
        ("fr", "Il vint au début du mois.", "1891-03"),
        ("fr", "L'été dernier, il partit.", "1890"),
        ("fr", "Il l'a vue cette nuit.", "1891-03-12"),
        ("de", "Letzten Sommer kaufte er das Haus.", "1890"),
        ("en", "Yesterday Captain Rourke sold the Petrel.", "1891-03-11"),
        ("en", "Next Tuesday Lena Voss sails for Cadiz.", "1891-03-17"),
        ("en", "Last Tuesday he paid.", "1891-03-10"),
        ("en", "He paid on Tuesday last.", "1891-03-10"),
        ("en", "He came on Thursday.", "1891-03-05"),
        ("en", "She will come on Friday.", "1891-03-13"),
        ("en", "I saw him the day before yesterday.", "1891-03-10"),
        ("en", "They marry the day after tomorrow.", "1891-03-14"),
        ("en", "We met last night.", "1891-03-11"),
        ("en", "Three days ago the ship sank.", "1891-03-09"),
        ("en", "A fortnight ago she left.", "1891-02-26"),
        ("en", "Two months ago he was alive.", "1891-01"),
        ("en", "Ten years ago they married.", "1881"),
        ("en", "We shall sail in five days.", "1891-03-17"),
        ("en", "He will meet Ann a week from today.", "1891-03-19"),
        ("de", "Heute vor acht Tagen traf Karl den Müller.", "1891-03-05"),
        ("en", "He crossed the desert in five days.", None),
        ("en", "Your letter of the 5th inst. reached me.", "1891-03-05"),
        ("en", "I wrote on the 20th ult. to him.", "1891-02-20"),
        ("en", "It happened last month.", "1891-02"),
        ("en", "Last year he died.", "1890"),
        ("en", "Last week she paid.", "1891-03"),
        ("en", "He died on 20 December.", "1890-12-20"),
        ("en", "He was born in May.", "1890-05"),
        ("en", "It was sold last March.", "1890-03"),
        ("en", "The next day he sold the ring.", "1890-12-01"),
        ("en", "She had left the day before.", "1890-11-29"),
        ("en", "The day before the trial he fled.", None),
        ("en", "Two days later they found him.", "1890-12-02"),
        ("en", "The following Friday he came back.", "1890-12-05"),
        ("en", "That evening Ann burned the will.", "1890-11-30"),
        ("en", "On 3 May 1889 Ann left.", "1889-05-03"),
        ("en", "Every Tuesday she sings.", None),
        ("en", "Friday was a good man.", None),
        ("en", "This morning the cook found it.", "1891-03-12"),
        ("en", "She sings on Tuesdays.", None),
        ("fr", "Hier, Rourke a vendu le Pétrel.", "1891-03-11"),
        ("fr", "Avant-hier, il pleuvait.", "1891-03-10"),
        ("fr", "Elle part demain matin.", "1891-03-13"),
        ("fr", "Mardi dernier, il a payé.", "1891-03-10"),
        ("fr", "Mardi prochain, elle embarque.", "1891-03-17"),
        ("fr", "Il est venu jeudi.", "1891-03-05"),
        ("fr", "Elle viendra vendredi.", "1891-03-13"),
        ("fr", "Vendredi apprit vite.", None),
        ("fr", "Il y a trois jours, le navire a coulé.", "1891-03-09"),
        ("fr", "Il y a huit jours, elle est partie.", "1891-03-05"),
        ("fr", "Il y a dix ans, ils se marièrent.", "1881"),
        ("fr", "Nous partirons dans cinq jours.", "1891-03-17"),
        ("fr", "Le lendemain, il vendit la bague.", "1890-12-01"),
        ("fr", "Le surlendemain, on le trouva.", "1890-12-02"),
        ("fr", "Elle était partie la veille.", "1890-11-29"),
        ("fr", "La veille de Noël, il neigea.", None),
        ("fr", "Le lendemain du procès, il fuit.", None),
        ("fr", "Deux jours plus tard, il revint.", "1890-12-02"),
        ("fr", "Ce soir-là, Anne brûla le testament.", "1890-11-30"),
        ("fr", "Votre lettre du 5 courant m'est parvenue.", "1891-03-05"),
        ("fr", "Le mois dernier, il mourut.", "1891-02"),
        ("fr", "L'année dernière, il mourut.", "1890"),
        ("fr", "Il mourut le 20 décembre.", "1890-12-20"),
        ("fr", "Il l'a vendu en mars dernier.", "1890-03"),
        ("fr", "Le mardi, elle chante.", None),
        ("fr", "L'année suivante, elle mourut.", "1891"),
        ("de", "Gestern verkaufte Rourke das Schiff.", "1891-03-11"),
        ("de", "Am Freitag kam er.", "1891-03-06"),
        ("de", "Am Freitag wird sie kommen.", "1891-03-13"),
        ("de", "Letzten Dienstag zahlte er.", "1891-03-10"),
        ("de", "Nächsten Dienstag fährt sie.", "1891-03-17"),
        ("de", "Vor drei Tagen sank das Schiff.", "1891-03-09"),
        ("de", "Am nächsten Tag verkaufte er den Ring.", "1890-12-01"),
        ("de", "Tags zuvor war sie gegangen.", "1890-11-29"),
        ("de", "Morgen reist sie ab.", "1891-03-13"),
        ("de", "Am Morgen regnete es.", None),
        ("de", "Zwei Tage später fand man ihn.", "1890-12-02"),
        ("de", "Im letzten Monat starb er.", "1891-02"),
        ("es", "Ayer vendió el barco.", "1891-03-11"),
        ("it", "Ieri vendette la nave.", "1891-03-11"),
    ],
)
def test_a_phrase_has_the_date_that_a_reader_gives_it(language: str, text: str, date: str | None) -> None:
    found = dates_in(text, language, WRITTEN, NAMED_LAST)
    assert [one.date for one in found] == ([] if date is None else [date])


@pytest.mark.parametrize(
    ("language", "text", "date"),
    [
        ("en", "We arrived here the night before last.", "1891-03-10"),
        ("en", "A week ago I saw her in Bath.", "1891-03-05"),
        ("en", "He wrote to me a month ago.", "1891-02"),
        ("en", "Captain Rourke died on Monday.", "1891-03-09"),
        ("en", "I shall be in Cadiz on Monday.", "1891-03-16"),
        ("en", "The wedding is next month.", "1891-04"),
        ("en", "He was arrested in November.", "1890-11"),
        ("en", "He was hanged the following week.", "1890-12"),
        ("en", "Three weeks later the ship was found.", "1890-12-21"),
        ("en", "I received your letter of the 28th ult.", "1891-02-28"),
        ("en", "On Saturday evening Ben came.", "1891-03-07"),
        ("en", "The will was signed on 1 April.", "1891-04-01"),
        ("en", "The previous evening Ann had burned it.", "1890-11-29"),
        ("en", "Some days later she wept.", None),
        ("en", "A year later he was dead.", "1891"),
        ("en", "He comes every day.", None),
        ("en", "Tomorrow Ann leaves.", "1891-03-13"),
        ("en", "This year the harvest failed.", "1891"),
        ("en", "It was raining that night.", "1890-11-30"),
        ("en", "She lived there for ten years.", None),
        ("fr", "Je l'ai vu avant-hier soir.", "1891-03-10"),
        ("fr", "Nous l'avons vu la semaine dernière.", "1891-03"),
        ("fr", "Il y a un mois, il m'écrivait.", "1891-02"),
        ("fr", "Lundi, le capitaine est mort.", "1891-03-09"),
        ("fr", "Le mariage aura lieu le mois prochain.", "1891-04"),
        ("fr", "Il fut arrêté en novembre.", "1890-11"),
        ("fr", "Trois semaines plus tard, on retrouva le navire.", "1890-12-21"),
        ("fr", "J'ai reçu votre lettre du 28 du mois dernier.", "1891-02-28"),
        ("fr", "Samedi soir, Benoît est venu.", "1891-03-07"),
        ("fr", "Le testament fut signé le 1er avril.", "1891-04-01"),
        ("fr", "La veille au soir, elle l'avait brûlé.", "1890-11-29"),
        ("fr", "Quelques jours plus tard, elle pleura.", None),
        ("fr", "Un an après, il était mort.", "1891"),
        ("fr", "Le jour même, il avoua.", "1890-11-30"),
        ("fr", "Elle y vécut dix ans.", None),
        ("fr", "Aujourd'hui, Anne est partie.", "1891-03-12"),
        ("fr", "Le dimanche suivant, il revint.", "1890-12-07"),
        ("fr", "Chaque vendredi, elle chante.", None),
        ("fr", "Cette année, la récolte a manqué.", "1891"),
        ("fr", "Il partira lundi.", "1891-03-16"),
        ("de", "Ich sah ihn vorgestern.", "1891-03-10"),
        ("de", "Vor einer Woche sah ich sie.", "1891-03-05"),
        ("de", "Am Montag starb der Kapitän.", "1891-03-09"),
        ("de", "Die Hochzeit ist nächsten Monat.", "1891-04"),
        ("de", "Er wurde im November verhaftet.", "1890-11"),
        ("de", "Drei Wochen später fand man das Schiff.", "1890-12-21"),
        ("de", "Am Samstagabend kam Benno.", "1891-03-07"),
        ("de", "Am Vorabend hatte sie es verbrannt.", "1890-11-29"),
        ("de", "Ein Jahr später war er tot.", "1891"),
        ("de", "Heute ist Anna abgereist.", "1891-03-12"),
        ("de", "Er wird am Montag abreisen.", "1891-03-16"),
        ("de", "In diesem Jahr fiel die Ernte aus.", "1891"),
        ("de", "Jeden Freitag singt sie.", None),
        ("de", "Am folgenden Morgen kam er zurück.", "1890-12-01"),
        ("de", "Sie lebte dort zehn Jahre.", None),
    ],
)
def test_phrases_written_after_the_rules(language: str, text: str, date: str | None) -> None:
    """52 of these 55 had their date when they were first tried."""
    found = dates_in(text, language, WRITTEN, NAMED_LAST)
    assert [one.date for one in found] == ([] if date is None else [date])


def test_where_nothing_says_when_a_text_was_written_a_phrase_has_no_date() -> None:
    assert [one.date for one in dates_in("Yesterday he came; on 3 May he left.", "en")] == ["", "--05-03"]
    assert [one.date for one in dates_in("Yesterday he came; on 3 May he left.", "en", "1891")] == ["", "1891-05-03"]
    assert [one.date for one in dates_in("In 10000 years, 9999 years ago.", "en", WRITTEN)] in ([""], ["", ""])


def test_a_phrase_stands_where_it_stands() -> None:
    text = "Voilà : hier soir, il vint."
    (one,) = dates_in(text, "fr", WRITTEN)
    assert text[one.start : one.end] == "hier soir"


def test_whether_a_text_needs_to_know_when_it_was_written() -> None:
    assert names_relative("Il est parti hier.", "fr")
    assert names_relative("He left on 3 May.", "en")
    assert not names_relative("He left on 3 May 1889.", "en")


@pytest.mark.parametrize(
    ("language", "text", "date"),
    [
        ("fr", "La semaine d'avant Noël, elle partit.", None),
        ("fr", "L'année d'après la guerre, elle partit.", None),
        ("fr", "L'année d'avant, elle partit.", "1889"),
        ("de", "Am vorletzten Tag der Reise traf sie ihn.", None),
        ("de", "Im letzten Jahr des Krieges traf sie ihn.", None),
        ("de", "Im letzten Jahr traf sie ihn.", "1903"),
        ("de", "Ende des Jahres traf sie ihn.", "1890"),
        ("de", "Ende dieses Jahres traf sie ihn.", "1904"),
        ("de", "Am Ende des Tages traf sie ihn.", None),
    ],
)
def test_days_of_something_else_have_no_date(language: str, text: str, date: str | None) -> None:
    found = dates_in(text, language, "1904-05-11", "1890-01-02")
    assert [one.date for one in found] == ([date] if date else [])


@pytest.mark.parametrize(
    ("language", "text", "dated"),
    [
        ("de", "Freitag traf Robinson.", False),
        ("de", "Robinson rief laut. Freitag folgte ihm zu Freitags Hütte.", False),
        ("de", "Freitag traf er Robinson.", True),
        ("de", "Freitag traf Anna den Müller.", True),
        ("de", "Freitag traf Robinson. Am Freitag regnete es.", True),
        ("de", "Freitag traf Robinson. Samstag kam Anna.", True),
        ("de", "Freitag Abend traf Robinson ein.", True),
        ("en", "Friday met Robinson.", False),
        ("fr", "Vendredi rencontra Robinson.", False),
    ],
)
def test_a_weekday_may_be_the_name_of_a_person(language: str, text: str, dated: bool) -> None:
    assert any(one.date for one in dates_in(text, language, WRITTEN)) is dated


def test_a_weekday_is_a_name_in_a_whole_text() -> None:
    text = "Freitag traf Robinson.\nFreitag traf er nicht."
    assert weekday_names(text, "de") == frozenset()
    assert weekday_names("Freitag traf Robinson.\n" + "Freitag folgt " * 30_000, "de") == {"freitag"}


@pytest.mark.parametrize(
    ("language", "text", "dates"),
    [
        ("en", "On 3 May 2023 he left, and two days later he wrote.", ["2023-05-03", "2023-05-05"]),
        ("en", "He left in May. Two days later he wrote.", ["2023-05", ""]),
        ("en", "He came last Tuesday and left the next day.", ["2024-03-05", "2024-03-06"]),
        ("fr", "Il partit en mai et deux jours plus tard il écrivit.", ["2023-05", ""]),
        ("fr", "Il vint il y a vingt et un jours.", ["2024-02-14"]),
        ("de", "Er kam am 3. Mai 2023 und ging zwei Tage später.", ["2023-05-03", "2023-05-05"]),
    ],
)
def test_a_phrase_counts_from_the_date_before_it(language: str, text: str, dates: list[str]) -> None:
    assert [one.date for one in dates_in(text, language, "2024-03-06")] == dates


@pytest.mark.parametrize(
    ("language", "text", "date"),
    [
        ("es", "Lo vi el martes pasado.", "2024-03-05"),
        ("es", "Se fue hace tres días.", "2024-03-03"),
        ("es", "Se fue hace una semana.", "2024-02-28"),
        ("es", "Llegó el lunes.", "2024-03-04"),
        ("es", "Viene el próximo viernes.", "2024-03-08"),
        ("es", "Murió el mes pasado.", "2024-02"),
        ("es", "Todos los lunes viene; hace calor.", None),
        ("ru", "Я видел его вчера.", "2024-03-05"),
        ("ru", "Я видел его позавчера.", "2024-03-04"),
        ("ru", "Он пришёл в прошлый вторник.", "2024-03-05"),
        ("ru", "Он пришёл во вторник.", "2024-03-05"),
        ("ru", "Он пришёл три дня назад.", "2024-03-03"),
        ("ru", "Две недели назад он ушёл.", "2024-02-21"),
        ("ru", "В прошлом месяце он ушёл.", "2024-02"),
        ("ru", "Каждый понедельник он смотрел назад.", None),
    ],
)
def test_relative_dates_in_spanish_and_russian(language: str, text: str, date: str | None) -> None:
    assert [one.date for one in dates_in(text, language, "2024-03-06")] == ([date] if date else [])

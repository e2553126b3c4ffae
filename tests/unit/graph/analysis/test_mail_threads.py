"""Mails that answer each other form a thread."""

from __future__ import annotations

from filigraph.graph.analysis.mail_threads import mail_threads
from filigraph.graph.records.documents import DocumentName


def mail(source: str, thread: str, date: str, sender: str = "Ada <a@x.y>", to: str = "Bo <b@x.y>") -> DocumentName:
    metadata = {"thread": thread, "from": sender, "to": to, "date": date}
    return DocumentName(id=source, source=source, metadata=metadata)


def threads(*mails: DocumentName) -> list[list[str]]:
    return [[mail.source for mail in thread] for thread in mail_threads(mails)]


def test_a_thread_is_in_the_order_of_its_mails_and_a_mail_alone_is_none() -> None:
    ring = mail("r.eml", "<ring@x>", "2022-05-01")
    assert threads(mail("9.eml", "<b@x>", "2022-05-02"), ring, mail("1.eml", "<b@x>", "2022-05-03")) == [
        ["9.eml", "1.eml"]
    ]


def test_mails_of_one_subject_are_a_thread_where_persons_join_them() -> None:
    first, answer = mail("a", "offers", "1"), mail("b", "offers", "2", "b@x.y", "Cy <c@x.y>")
    third = mail("c", "offers", "3", "Cy <c@x.y>", "Dee <d@x.y>")
    others = mail("d", "offers", "4", "Eve <e@x.y>", "Fay <f@x.y>")
    assert threads(first, answer, third, others) == [["a", "b", "c"]]


def test_a_document_that_only_has_a_field_of_that_name_is_not_a_mail() -> None:
    note = DocumentName(id="n", source="n", metadata={"thread": "<b@x>"})
    assert not threads(note, mail("9.eml", "<b@x>", "2022-05-02"))

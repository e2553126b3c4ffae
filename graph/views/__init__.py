"""Views: the graph as it would be if only a part had been read.

open.py        a view from what is kept, or derived again (what a view is: graph/view.py)
visible.py     the chunks, documents and decisions that a view leaves
places.py      where "chapter 12", "chapter 1-10" or "40 %" begins and ends in a document
outline.py     its chapters and pages, in their parts
names.py       the visible part as derive's steps need it, in memory
derived.py     the entities and facts of a view
lines.py       the same as the lines of an export: views and workspaces have one hash
words.py       BM25 over the visible chunks
headings.py    what a heading counts: "Part II", "Second Period"
rows.py        the entities and facts for other programs
tables.py      what of a view is laid out once
reader.py      what a question reads of a view
nested.py      what a view shows as what was read, for views within it
browse.py      what people look at: entities and facts
texts.py       what people look at: documents, passages, phrases
detail.py      an entity in full, and how two are connected
summaries.py   the summaries of what is visible as a whole
forms.py       the values of forms that rest on nothing hidden
difference.py  what differs between two answers
compare.py     what differs between two views
"""

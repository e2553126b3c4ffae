"""Views: the graph that would result if only a part had been read.

open.py        opens a view, cached or derived (what a view is: graph/view.py)
visible.py     the visible chunks, documents and decisions
places.py      start and end of "chapter 12", "chapter 1-10" or "40 %" in a document
outline.py     chapters and pages of a document, in their parts
names.py       the visible part in the form that derivation needs, in memory
derived.py     the entities and facts of a view
lines.py       the same as the lines of an export: views and workspaces have one hash
words.py       BM25 over the visible chunks
headings.py    numbers in headings: "Part II", "Second Period"
rows.py        the entities and facts for other programs
tables.py      arrays and look-up tables of a view
reader.py      the reads of a question
nested.py      a view as the read part of views within it
browse.py      reads for people: entities and facts
texts.py       reads for people: documents, passages, phrases
detail.py      details of an entity, and connections of two
summaries.py   the summaries of completely visible texts
forms.py       the values of forms with visible evidence
difference.py  the differences between two answers
compare.py     the differences between two views
"""

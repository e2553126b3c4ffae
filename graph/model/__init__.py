"""The data that flows through Filigraph: frozen, keyword-only, plain. Read this, then `pipeline.py` or `answer.py`.

    Source -> LoadedDocument -> Chunk -> Extraction (Triplets) -> Mention -> Entity, Fact        (ingest)
    question -> Seeds -> Path (Hops) -> Evidence -> Answer, with a Trace of every step           (ask)

Ids are hashes of content, so the same input always gives the same graph (see `ids.py`). Offsets are Unicode code
points: `text[start:end]`. Scores called `cosine` are true cosines in -1..1, whatever the store calls a score.
"""

"""Reading on more than one machine: a Ray cluster takes over loading, splitting, extraction and embedding.

    server ── link.py ══ pipe ══ driver.py ── Ray ── worker.py, on every machine of the cluster

`spread.py` stands where the pipeline takes its parts: an Extractor, an LLM, an embedding, and how sources are loaded.
Only driver.py and worker.py ever import Ray, each in a process of its own.
"""

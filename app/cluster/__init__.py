"""Reading on more than one machine: a Ray cluster takes over loading, splitting, extraction and embedding.

    server ── link.py ══ pipe ══ driver.py ── Ray ── worker.py, on every machine of the cluster

`cluster_run.py` replaces parts of the pipeline: the extractor, the LLM, the embedding and the loading of sources.
Only driver.py and worker.py ever import Ray, each in a process of its own.
"""

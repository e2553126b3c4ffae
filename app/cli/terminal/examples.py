"""Examples that end the help of each command."""

from __future__ import annotations

import typer

EXAMPLES = {
    "ingest": "filigraph ingest letters/ novel.epub --metadata case=1912",
    "ask": 'filigraph ask "Who led the gang that stole the pearls?" --explain',
    "report": "filigraph report -o answer.docx",
    "receipt": "filigraph receipt -o answer.json",
    "verify": "filigraph verify answer.json --workspace copy",
    "retrieve": 'filigraph retrieve "Who knows the notary?" --json',
    "estimate": "filigraph estimate novel.epub",
    "retry": "filigraph retry --extractor llm",
    "gaps": "filigraph gaps --count 20",
    "stats": "filigraph stats --json",
    "find": "filigraph find 'in the billiard room'",
    "entities": "filigraph entities Delmas --workspace demo",
    "path": 'filigraph path "Jules Delmas" "La Griffe" --workspace demo',
    "compare": 'filigraph compare "Jules Delmas" "Sophie"',
    "contradictions": 'filigraph contradictions --entity "Jules Delmas"',
    "list": 'filigraph list "payments over 100 pounds" --order amount -o payments.csv',
    "cast": 'filigraph cast moonstone.txt --in "moonstone.txt:First Period" --csv',
    "workspaces list": "filigraph workspaces list",
    "workspaces delete": "filigraph workspaces delete demo --yes",
    "views create": "filigraph views create before-the-fire --as-of 1911-02-01",
    "views list": "filigraph views list --workspace estate",
    "views diff": "filigraph views diff before-the-fire after-the-fire",
    "views delete": "filigraph views delete before-the-fire",
    "notes add": 'filigraph notes add "Check the date." --entity "Jules Delmas" --tag dates',
    "notes list": "filigraph notes list --tag dates",
    "notes edit": "filigraph notes edit 3f2a --star",
    "notes delete": "filigraph notes delete 3f2a",
    "summarize": "filigraph summarize --writer quotes",
    "outline": "filigraph outline novel.epub",
    "export": "filigraph export --output case.jsonl",
    "import": "filigraph import case.jsonl --workspace copy",
    "move": "filigraph move east --workspace case",
    "reembed": "filigraph reembed --workspace case",
    "eval": "filigraph eval -w case --questions questions.jsonl",
    "audit": "filigraph audit --workspace case --count 20",
    "doctor": "filigraph doctor",
    "open": "filigraph open --workspace demo",
    "serve": "filigraph serve",
    "up": "filigraph up",
    "down": "filigraph down",
    "demo": "filigraph demo",
    "mcp": "filigraph mcp",
    "bundle": "filigraph bundle /media/stick/filigraph",
    "documents list": "filigraph documents list --source letters/",
    "documents show": "filigraph documents show letters/1.txt",
    "documents update": "filigraph documents update letters/1.txt corrected.txt",
    "documents delete": "filigraph documents delete letters/ --yes",
    "jobs list": "filigraph jobs list --state running",
    "jobs show": "filigraph jobs show 3f2a",
    "jobs watch": "filigraph jobs watch 3f2a",
    "jobs cancel": "filigraph jobs cancel 3f2a",
    "jobs retry": "filigraph jobs retry 3f2a",
    "jobs remove": "filigraph jobs remove 3f2a",
    "schema set": "filigraph schema set novel",
    "schema show": "filigraph schema show",
    "schema remove": "filigraph schema remove",
    "corrections list": "filigraph corrections list --by person",
    "corrections review": "filigraph corrections review --count 20",
    "corrections who": "filigraph corrections who --count 10",
    "corrections names": 'filigraph corrections names "Jules Delmas"',
    "corrections apply": 'filigraph corrections apply "J. Delmas" "Jules Delmas" --same',
    "corrections undo": "filigraph corrections undo 3f2a",
    "corrections split": "filigraph corrections split 91c0 --name 7b1e",
    "corrections places": "filigraph corrections places 91c0",
    "corrections rename": 'filigraph corrections rename 91c0 "Jules Delmas"',
    "predicates list": "filigraph predicates list --count 20",
    "predicates suggest": "filigraph predicates suggest",
    "predicates fold": 'filigraph predicates fold "is wed to" "is married to"',
    "predicates unfold": 'filigraph predicates unfold "is wed to"',
    "config set": "filigraph config set FILIGRAPH_LLM=mistral",
    "config show": "filigraph config show",
    "config unset": "filigraph config unset FILIGRAPH_LLM",
    "keys create": "filigraph keys create anna --scope write",
    "keys list": "filigraph keys list",
    "keys rotate": "filigraph keys rotate anna",
    "keys revoke": "filigraph keys revoke anna",
    "form set": "filigraph form set theft theft.yaml",
    "form list": "filigraph form list",
    "form show": "filigraph form show case-sheet",
    "form fill": 'filigraph form fill character-sheet --about "Jules Delmas"',
    "form correct": "filigraph form correct case-sheet place Lyon",
    "form remove": "filigraph form remove theft",
    "form export": "filigraph form export case-sheet --format docx --output sheet.docx",
    "corrections type": "filigraph corrections type 91c0 Person",
    "facts list": 'filigraph facts list --predicate "works for"',
    "facts restate": 'filigraph facts restate 5d20 "is married to"',
    "facts keep": "filigraph facts keep 7c1e 2",
    "facts reject": 'filigraph facts reject 5d20 --note "said in jest"',
    "facts restore": "filigraph facts restore 3f2a",
    "shares": "filigraph shares synthesis overview=0.5 windows=0.2",
    "neo4j start": "filigraph neo4j start --heap 1g",
    "neo4j stop": "filigraph neo4j stop",
    "neo4j status": "filigraph neo4j status",
    "neo4j logs": "filigraph neo4j logs --lines 20",
    "neo4j browser": 'filigraph neo4j browser --query "MATCH (p:Person) RETURN p"',
}


def add_examples(app: typer.Typer) -> None:
    """Append an example to the help of each command."""
    for group in app.registered_groups:
        if group.typer_instance:
            _add(group.typer_instance, f"{group.name or group.typer_instance.info.name} ")
    _add(app)


def _add(app: typer.Typer, before: str = "") -> None:
    for command in app.registered_commands:
        name = command.name or getattr(command.callback, "__name__", "").rstrip("_").replace("_", "-")
        if example := EXAMPLES.get(before + name):
            command.epilog = f"Example: {example}"

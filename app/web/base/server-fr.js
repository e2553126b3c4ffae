// What the server says in English of its checks and settings, in French. What is not here stays as it is.

const SAID = new Map(
  Object.entries({
    "The sentence is not in its document any more.": "La phrase n’est plus dans son document.",
    "The document was deleted.": "Le document a été supprimé.",
    "No document names it any more.": "Aucun document ne le nomme plus.",
    "The fact is not in the graph any more.": "Le fait n’est plus dans le graphe.",
    "The fact is not in the graph any more; its sentence is there.": "Le fait n’est plus dans le graphe ; sa phrase y est.",
    "The answer is not kept any more.": "La réponse n’est plus conservée.",
    Embedder: "Vectorisation",
    Reranker: "Reclassement",
    LLM: "Modèle de langue",
    "Local extractor": "Extracteur local",
    Disk: "Disque",
    Memory: "Mémoire",
    "none; the graph's ranking is final": "aucun ; l’ordre du graphe est définitif",
    "none; the graph's ranking is final; a slim installation runs no cross-encoder, and no embedder but the default one":
      "aucun ; l’ordre du graphe est définitif. Une installation légère n’a que le modèle de vectorisation par défaut, et pas de cross-encoder",
    "Set FILIGRAPH_RERANKER to a cross-encoder's folder or name, such as cross-encoder/mmarco-mMiniLMv2-L12-H384-v1, to have one.":
      "Pour en avoir un, indiquez le dossier ou le nom d’un cross-encoder dans FILIGRAPH_RERANKER, par exemple cross-encoder/mmarco-mMiniLMv2-L12-H384-v1.",
    "Run `make install` without SLIM, then set FILIGRAPH_RERANKER to a cross-encoder's folder.":
      "Lancez `make install` sans SLIM, puis indiquez le dossier d’un cross-encoder dans FILIGRAPH_RERANKER.",
    "Set FILIGRAPH_EMBEDDER to a multilingual model's folder, or to its name where the hub can be reached.":
      "Indiquez dans FILIGRAPH_EMBEDDER le dossier d’un modèle multilingue, ou son nom si le hub est joignable.",
    "none: scanned pages are reported, not read": "aucune : les pages numérisées sont signalées, pas lues",
    "Install the program tesseract to have them read.": "Installez le programme tesseract pour qu’elles soient lues.",
    "Install tesseract's data for it, or name other languages in FILIGRAPH_OCR_LANGUAGES.":
      "Installez les données de tesseract pour cette langue, ou nommez-en d’autres dans FILIGRAPH_OCR_LANGUAGES.",
    "Free some space, or set FILIGRAPH_HOME to a folder on another disk.":
      "Libérez de la place, ou indiquez dans FILIGRAPH_HOME un dossier d’un autre disque.",
    "The address the server listens on. One that other machines reach takes a key.":
      "L’adresse d’écoute du serveur. Une adresse joignable par d’autres machines exige une clé.",
    "The names under which others reach the server, with commas between them. Takes a key.":
      "Les noms sous lesquels d’autres joignent le serveur, séparés par des virgules. Exige une clé.",
    "The path under which a proxy shows the server, such as /filigraph.": "Le chemin sous lequel un proxy présente le serveur, par exemple /filigraph.",
    "The port the server listens on. 0: the one used last, else a free one.": "Le port d’écoute du serveur. 0 : le dernier utilisé, sinon un port libre.",
    "The largest upload in one request, in megabytes.": "La taille maximale d’un envoi, en mégaoctets.",
    "The largest export that can be imported, in megabytes.": "La taille maximale d’un export à importer, en mégaoctets.",
    "How many days an answer and its trace are kept. 0: until deleted.":
      "Combien de jours une réponse et sa trace sont conservées. 0 : jusqu’à leur suppression.",
    "How many jobs run at once.": "Combien de tâches s’exécutent en même temps.",
    "How many megabytes of files are kept for jobs, in Neo4j.": "Combien de mégaoctets de fichiers sont gardés pour les tâches, dans Neo4j.",
    "The file of an Ed25519 private key (PEM) that signs receipts of answers.":
      "Le fichier d’une clé privée Ed25519 (PEM) qui signe les reçus des réponses.",
    "How many days the audit log is kept.": "Combien de jours le journal d’audit est conservé.",
    "How many requests a key, or an address without one, has a minute.": "Combien de requêtes par minute a une clé, ou une adresse sans clé.",
    "How many seconds the search for a question's evidence may take once it has begun.":
      "Combien de secondes peut durer la recherche des pièces, une fois commencée.",
    "How often an LLM reads for an answer at most: between two readings it looks for more. 1: it reads once.":
      "Combien de fois au plus le modèle de langue lit pour une réponse : entre deux lectures, il cherche encore. 1 : il lit une fois.",
    "How many tokens an LLM may read and write for an answer; when they are spent it must answer.":
      "Combien de jetons le modèle de langue peut lire et écrire pour une réponse ; une fois épuisés, il doit répondre.",
    "After how many seconds an LLM that looks for more must answer.": "Après combien de secondes un modèle de langue qui cherche encore doit répondre.",
    "How many processes search, the server among them; the others start when questions are asked at once. 0: half of the processor's cores.":
      "Combien de processus cherchent, serveur compris ; les autres démarrent quand plusieurs questions arrivent à la fois. 0 : la moitié des cœurs du processeur.",
    "Workspaces of up to so many chunks are read into memory before questions come: 40 kB a chunk in every process that searches. Of those of up to ten times as many only what links the chunks: 6 kB a chunk. 0: none.":
      "Les espaces ayant jusqu’à ce nombre de passages sont lus en mémoire avant les questions : 40 ko par passage dans chaque processus qui cherche. Jusqu’à dix fois plus, seuls les liens entre passages : 6 ko par passage. 0 : aucun.",
    "How much memory the server may use, about, for what saves time: the names of workspaces that were changed last, and views. What was used least recently goes first.":
      "Combien de mémoire le serveur peut employer, environ, pour gagner du temps : les noms des espaces modifiés en dernier, et les vues. Ce qui a servi le moins récemment part d’abord.",
    "How the server logs: text for people, json for programs.": "Le format du journal du serveur : text pour les personnes, json pour les programmes.",
    "A Neo4j of your own, 5.26 to 2026.x. Unset: Filigraph brings and runs one.": "Votre propre Neo4j, de 5.26 à 2026.x. Non défini : Filigraph apporte et lance le sien.",
    "The user name for a Neo4j of your own.": "Le nom d’utilisateur de votre propre Neo4j.",
    "The password for a Neo4j of your own.": "Le mot de passe de votre propre Neo4j.",
    "More Neo4j servers that hold workspaces: NAME=ADDRESS, with commas between them. NEO4J_USERNAME and NEO4J_PASSWORD are for them, too. `filigraph move` moves a workspace to one.":
      "D’autres serveurs Neo4j qui portent des espaces : NOM=ADRESSE, séparés par des virgules. NEO4J_USERNAME et NEO4J_PASSWORD valent aussi pour eux. `filigraph move` y déplace un espace.",
    "Where Neo4j Browser opens on a Neo4j of your own, for the page's links to it.":
      "Où s’ouvre Neo4j Browser sur votre propre Neo4j, pour les liens de la page.",
    "The embedding model: e5 (many languages) or minilm (English), which come with Filigraph; a folder; a model's name on the hub; or a class of LlamaIndex's with its arguments in JSON. Unset: e5.":
      "Le modèle de vectorisation : e5 (nombreuses langues) ou minilm (anglais), fournis avec Filigraph ; un dossier ; le nom d’un modèle sur le hub ; ou une classe de LlamaIndex avec ses arguments en JSON. Non défini : e5.",
    "The cross-encoder that reranks: a folder, or a name on the hub. Unset: none, the graph's order is final.":
      "Le cross-encoder qui reclasse : un dossier, ou un nom sur le hub. Non défini : aucun, l’ordre du graphe est définitif.",
    "The LLM's name. Unset: mistral, or the only model that Ollama has.": "Le nom du modèle de langue. Non défini : mistral, ou le seul modèle d’Ollama.",
    "An OpenAI-compatible server, up to and with /v1. Unset: Ollama, if it answers.":
      "Un serveur compatible avec OpenAI, jusqu’à /v1 compris. Non défini : Ollama, s’il répond.",
    "The key for the OpenAI-compatible server.": "La clé du serveur compatible avec OpenAI.",
    "How many chunks an LLM is asked for at once.": "Combien de passages sont soumis à la fois au modèle de langue.",
    "How much an LLM is asked for of a chunk: thorough (20 facts and 4 implied ones) or thrifty (8 and 2).":
      "Ce qui est demandé au modèle de langue pour un passage : thorough (20 faits et 4 implicites) ou thrifty (8 et 2).",
    "How many seconds an LLM has for one chunk.": "Combien de secondes le modèle de langue a pour un passage.",
    "How many tokens a workspace may have the LLM read and write in a day. 0: as many as it likes.":
      "Combien de jetons un espace peut faire lire et écrire au modèle de langue par jour. 0 : sans limite.",
    "What a million tokens sent to the LLM cost, in any currency.": "Le prix d’un million de jetons envoyés au modèle de langue, dans la monnaie de votre choix.",
    "What a million tokens that the LLM writes cost.": "Le prix d’un million de jetons écrits par le modèle de langue.",
    "What a call in a provider's batch costs, as a share of the usual price.": "Le prix d’un appel dans le lot d’un fournisseur, en part du prix habituel.",
    "How many calls a provider's batch holds at most.": "Combien d’appels contient au plus le lot d’un fournisseur.",
    "The languages in which scanned pages are read, as tesseract names them, with + between them.":
      "Les langues dans lesquelles les pages numérisées sont lues, comme tesseract les nomme, séparées par +.",
    "A Ray cluster that reads documents: auto (Ray runs on this machine), HOST:PORT of its head, or ray://HOST:PORT. Unset: this machine reads alone.":
      "Une grappe Ray qui lit les documents : auto (Ray tourne sur cette machine), HOST:PORT de sa tête, ou ray://HOST:PORT. Non défini : cette machine lit seule.",
    "Where Ollama answers.": "Où Ollama répond.",
  }),
);

/** What holds a name or a number, in the order in which it is tried. */
const PATTERNS = [
  [/^your own, version (\S+), (\d+) workspaces?$/, "le vôtre, version $1 ; espaces : $2"],
  [/^Filigraph's own, version (\S+), (\d+) workspaces?$/, "celui de Filigraph, version $1 ; espaces : $2"],
  [/^none: no Ollama answers at (\S+)\. Answers are passages then\.$/, "aucun : Ollama ne répond pas à $1. Les réponses sont alors des passages."],
  [/^none: Ollama at (\S+) has no (\S+) \(it has no model\)\. Answers are passages then\.$/, "aucun : Ollama, à $1, n’a pas $2, ni aucun modèle. Les réponses sont alors des passages."],
  [/^none: Ollama at (\S+) has no (\S+) \(it has (.+)\)\. Answers are passages then\.$/, "aucun : Ollama, à $1, n’a pas $2, mais $3. Les réponses sont alors des passages."],
  [/^Install Ollama, start it, and run (`[^`]+`)\.$/, "Installez Ollama, lancez-le, puis exécutez $1."],
  [/^Run (`[^`]+`)\.$/, "Exécutez $1."],
  [/^(.+), (\d+) dimensions; English; weak outside English$/, "$1, $2 dimensions ; anglais ; faible dans les autres langues"],
  [/^spaCy for (.+); documents in other languages need an LLM or ready triples$/, "spaCy pour $1 ; les documents dans d’autres langues demandent un modèle de langue ou des triplets tout faits"],
  [/^(\S+) and (\S+) cannot be found$/, "$1 et $2 sont introuvables"],
  [/^(\S+) cannot be found$/, "$1 est introuvable"],
  [/^tesseract, (.+); not (.+), which FILIGRAPH_OCR_LANGUAGES names$/, "tesseract, $1 ; pas $2, que nomme FILIGRAPH_OCR_LANGUAGES"],
  [/^tesseract, ([\w, ]+)$/, "tesseract : $1"],
  [/^(\d+)\.(\d) GB free at (.+)$/, "$1,$2 Go libres dans $3"],
  [/^([\d,]+) of at most ([\d,]+) MB kept of names and views$/, "$1 Mo sur $2 au plus gardés pour les noms et les vues"],
  [/^(\d+) machines at (\S+): (\d+) cores, (\d+) calls of an LLM at once$/, "$1 machines à $2 : $3 cœurs, $4 appels simultanés au modèle de langue"],
  [/^(\S+) at (http\S+)$/, "$1, à $2"],
  [/^(\S+) at (http\S+), which answers$/, "$1, à $2, qui répond"],
];

/** A sentence of the server in French; as it is where there is none. */
export function inFrench(text) {
  const known = SAID.get(text);
  if (known !== undefined) return known;
  for (const [pattern, french] of PATTERNS) {
    if (text.match(pattern)) return text.replace(pattern, /** @type {string} */ (french));
  }
  return text;
}

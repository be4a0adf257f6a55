"""The recorded command lines, by name.

A call is a sequence of commands that run in one scratch folder, in which ``examples`` and ``data``
(the corpora of ``COREFBENCH_DATA``) are links. The output of every command is recorded, and every
file that the call leaves in the folder.
"""

import shlex

EXAMPLES = "examples/cautious.response.conll examples/eager.response.conll"
EXAMPLES += " examples/steady.response.conll"
KEY = "examples/key.conll"
STEADY = "examples/steady.response.conll"
SCORE = f"score {KEY} {STEADY}"
TEXT = "'John told Mary that he had seen her brother. He was riding his bicycle, and it was new.'"

OUTPUTS = "data/ecbplus-outputs"
LEMMA = f"{OUTPUTS}/ecbp_lemma_baselines/lemma/cross_doc"
DELTA = f"{OUTPUTS}/ecbp_lemma_baselines/lemma-delta/cross_doc"
CRAFT = "data/craft"
GUM = "data/gum/dep/GUM_voyage_phoenix.conllu"
CROSS = "examples/cross-document"
RUN = f"score {KEY} {EXAMPLES} --run x.corefrun --format json -q"
BENCH = "bench bundled --mode annotated --resolvers kb,mitkov,sieve,most-recent"
PLAY = "--preprocess en-words --mode annotated"

_FORMATS = ("markdown", "latex", "csv", "html", "json")

_CALLS: dict[str, str] = {
    # The command line itself.
    "help": "--help",
    "version": "--version",
    "unknown-command": "scores",
    "missing-file": f"score {KEY} missing.conll",
    "unknown-profile": f"{SCORE} --profile conll-2013",
    "unknown-format": f"{SCORE} --format pdf",
    "twice-standard-input": "score - -",
    "unknown-measure": f"{SCORE} --measures mucc",
    # Scoring.
    "score.table": f"score {KEY} {EXAMPLES}",
    "score.one": SCORE,
    **{f"score.{name}": f"score {KEY} {EXAMPLES} --format {name}" for name in _FORMATS},
    "score.document": f"{SCORE} --by document --format json",
    "score.document.latex": f"{SCORE} --by document --format latex",
    "score.output": f"{SCORE} --format html --output pages/score.html",
    "score.jobs": f"score {LEMMA}/gold.conll {LEMMA}/system.conll --jobs 2 --format json",
    "score.lenient": "score data/meantime/en.conll data/meantime/en.conll --lenient --format json",
    "score.choices": f"score {GUM} {GUM} --match partial --singletons strip --repeats keep "
    "--twinless cai-strube --average macro --measures muc,b_cubed,lea,blanc(edge=both) "
    "--format json",
    "score.run": f"{RUN} ; show x.corefrun ; show x.corefrun --format json ; show x.corefrun "
    "--document bicycle_0 --response steady.response.conll ; show x.corefrun --document bicycle_0 "
    "--format json ; show x.corefrun --document library_0 --format markdown ; show x.corefrun "
    "--document cats_0 --format html ; show x.corefrun --document cats_0 --svg cats.svg ; "
    "verify x.corefrun",
    "bundle": f"{RUN} ; bundle x.corefrun pages",
    "score.corefud": f"score {GUM} {GUM} --profile corefud --format json",
    "score.ua": f"score {GUM} {GUM} --profile ua --format json",
    **{
        f"score.reference.{case}": f"score data/reference-scorer/{case}/key.conll "
        f"data/reference-scorer/{case}/response.conll --format json --lenient"
        for case in ("A1", "A10", "B1", "C1", "M1", "N5")
    },
    **{
        f"score.profile.{name}": f"{SCORE} --profile {name} --format json"
        for name in (
            "conll-v9",
            "conll-v7",
            "conll-v5",
            "conll-2011",
            "semeval-2010",
            "cai-strube",
            "rahman-ng",
            "stoyanov-all",
            "stoyanov-0",
            "coval-keep",
            "coval-remove",
            "cattan-2021",
            "ua",
            "corefud",
            "e2e-python",
        )
    },
    "verify.wrong": "verify conll-2012|x examples/key.conll examples/key.conll",
    "profiles": "profiles ; profiles --format json ; profiles conll-2012",
    # Comparison and analysis.
    "compare.table": f"compare {KEY} {EXAMPLES} --samples 500",
    **{f"compare.{name}": f"compare {KEY} {EXAMPLES} --samples 500 --by document --format {name}" for name in _FORMATS},
    "compare.bootstrap": f"compare {KEY} {EXAMPLES} --test bootstrap --samples 300 --correction bh"
    " --family all --format json --chart chart.svg --bibtex cite.bib",
    "compare.corpus": f"compare {LEMMA}/gold.conll {LEMMA}/system.conll {DELTA}/system.conll "
    "--samples 200 --measures muc,b_cubed,lea --format json",
    "compare.runs": f"score {KEY} {STEADY} --run a.corefrun -q ; score {KEY} "
    "examples/eager.response.conll --run b.corefrun -q ; compare a.corefrun b.corefrun "
    "--samples 200 --format json ; compare a.corefrun missing.conll",
    "compare.benches": f"{BENCH} --brief --run a.corefrun --format json ; bench bundled --mode "
    "annotated --resolvers hobbs,mars --brief --run b.corefrun --format json ; compare a.corefrun "
    "b.corefrun --samples 200 --format json",
    "errors.table": f"errors {KEY} {STEADY} --by type --examples 2",
    **{f"errors.{name}": f"errors {KEY} {STEADY} --by pronoun --examples 1 --format {name}" for name in _FORMATS},
    "errors.operations": f"errors {KEY} {STEADY} --taxonomy operations --format json",
    "errors.only": f"errors {KEY} {STEADY} --class false-link --only type=pronoun --examples 3",
    "errors.train": f"errors {KEY} {STEADY} --train examples/key.conll --low-frequency 2 "
    "--antecedents type --by distance --chart chart.svg --format json",
    "errors.corpus": f"errors {LEMMA}/gold.conll {LEMMA}/system.conll --by size --format json",
    **{
        f"singletons.{name}": f"singletons {KEY} examples/singletons/overgenerating.conll --details --format {name}"
        for name in ("table", "json", "latex", "html")
    },
    "singletons.chart": f"singletons {KEY} {STEADY} --key-singletons keep --chart chart.svg",
    **{
        f"levels.{name}": f"levels {CROSS}/key.conll {CROSS}/inside.conll {CROSS}/lexical.conll --format {name}"
        for name in ("table", "json", "markdown", "html")
    },
    "levels.chart": f"levels {CROSS}/key.conll {CROSS}/lexical.conll --levels document,corpus "
    "--clustering-scope topic --chart chart.svg --format csv",
    **{
        f"agreement.{name}": f"agreement {EXAMPLES} --key {KEY} --by document --format {name}"
        for name in ("table", "json", "latex", "html")
    },
    "agreement.absent": f"agreement {EXAMPLES} --missing absent --format json --chart chart.svg",
    **{
        f"merge.{name}": f"merge {EXAMPLES} -o merged.conll --conflicts conflicts.txt --format {name}"
        for name in ("table", "json", "html")
    },
    "merge.union": f"merge {KEY} {STEADY} --rule union --ties join -o - --output-format jsonlines",
    "merge.intersection": f"merge {EXAMPLES} --rule intersection --format json --chart c.svg",
    "oracle": "oracle examples/oracle.conllu --mode annotated --format json ; oracle "
    "examples/oracle.conllu --mode annotated --resolvers same-head --chart chart.svg",
    **{
        f"deduplicate.{name}": f"deduplicate {KEY} --between {STEADY} --format {name} -o kept.conll"
        for name in ("table", "json", "html")
    },
    "deduplicate.corpus": "deduplicate data/ecbplus/ECB+/1 --threshold 0.5 --bag set --ignore-case"
    " --format json --chart chart.svg",
    **{
        f"stats.{name}": f"stats {KEY} --train {STEADY} --by document --format {name}"
        for name in ("table", "json", "markdown", "latex", "csv")
    },
    "stats.litbank": "stats data/litbank/conll --format json --chart chart.svg",
    "stats.gum": "stats 'data/gum/dep/GUM_v*.conllu' --by genre --format json",
    "stats.ecbplus": "stats data/ecbplus/ECB+/1 --scope topic --only kind=event --format json",
    "stats.jobs": "stats data/gum/gum-conll --jobs 2 --format json",
    # Formats.
    "check.examples": f"check {KEY} {EXAMPLES} ; check {KEY} --format json",
    "check.wrong": "check examples/README.md ; check missing.conll ; check data/meantime/en.conll "
    "--format json --limit 3",
    **{
        f"check.{name}": f"check {where} --format json --limit 5"
        for name, where in {
            "litbank": "data/litbank/conll",
            "litbank-brat": "data/litbank/brat",
            "gum": "'data/gum/dep/GUM_n*.conllu'",
            "gum-conll": "'data/gum/gum-conll/GUM_n*.conll'",
            "ecbplus": "data/ecbplus/ECB+/1",
            "np4e": "data/np4e/peru",
            "emailcoref": "data/emailcoref/test",
            "gap": "data/pronouns/gap/gap-validation.tsv",
            "winobias": "data/pronouns/winobias/data/anti_stereotyped_type1.txt.test",
            "winogender": "data/pronouns/winogender/data/all_sentences.tsv",
            "preco": "data/preco-sample/preco.jsonl",
            "narc": "'data/multilingual/no-narc/annotation_bokmaal/ap_2009*.ann' --jobs 2",
            "openboek": "data/multilingual/nl-openboek/coref/Multatuli_MaxHavelaar.conll",
            "scriptorium": "data/multilingual/cop-scriptorium/cop_scriptorium-ud-train.conllu",
            "gerdracor": "data/multilingual/de-gerdracor-parallel",
        }.items()
    },
    **{
        f"read.{name}": f"convert {where} - --output-format jsonlines"
        for name, where in {
            "ecbplus": "data/ecbplus/ECB+/1",
            "np4e": "data/np4e/bukavu",
            "litbank-brat": "data/litbank/brat/209_the_turn_of_the_screw_brat.ann",
            "gap": "data/pronouns/gap/gap-validation.tsv",
            "winobias": "data/pronouns/winobias/data/anti_stereotyped_type1.txt.test",
            "winogender": "data/pronouns/winogender/data/all_sentences.tsv",
            "preco": "data/preco-sample/preco.jsonl",
            "gum": GUM,
            "emailcoref": "data/emailcoref/test --lenient",
            "text": "data/howto/Access-HOWTO.sgml --input-format text",
        }.items()
    },
    **{
        f"convert.{name}": f"convert {GUM} out/ --output-format {name} --format json"
        for name in [
            "semeval",
            "conll",
            "corefud",
            "ua",
            "jsonlines",
            "preco",
            "ecbplus",
            "mmax",
            "mate",
            "webanno",
            "gap",
            "brat",
            "litbank",
            "muc",
            "ontonotes",
            "workbench",
            "are-1",
            "are-2",
            "are-3",
            "are-4",
            "inline",
            "text",
        ]
    },
    **{
        f"round-trip.{name}": f"convert {KEY} out/ --output-format {name} ; "
        f"check out --input-format {name} --format json ; "
        f"convert out back.conll --input-format {name} --format json"
        for name in [
            "semeval",
            "corefud",
            "ua",
            "jsonlines",
            "preco",
            "mmax",
            "mate",
            "webanno",
            "brat",
            "muc",
            "ontonotes",
            "workbench",
            "inline",
            "parquet",
        ]
    },
    "convert.loss": f"convert {GUM} out.conll --fail-on-loss",
    "convert.shards": "convert data/gum/gum-conll out/ --output-format jsonlines --shard-size 100 --jobs 2",
    "convert.text": f"convert {KEY} out.conllu",
    "datasets": "datasets ; datasets --format json ; datasets gum ; datasets --here",
    # Resolvers.
    "resolve.list": "resolve --list",
    **{
        f"resolve.{name}": f"resolve --text {TEXT} --resolver {name} --explain"
        for name in [
            "kb",
            "rap",
            "cogniac",
            "cogniac-robust",
            "cogniac-muc6",
            "mitkov",
            "mars",
            "hobbs",
            "sieve",
            "most-recent",
            "most-recent-subject",
            "same-head",
            "random(seed=1)",
        ]
    },
    "resolve.words": f"resolve --text {TEXT} --resolver mitkov --preprocess en-words --explain",
    "resolve.small": f"resolve --text {TEXT} --preprocess en --to conll",
    "resolve.mentions": "resolve examples/oracle.conllu --given mentions --preprocess conllu --to jsonlines",
    "resolve.jobs": "resolve examples/key.conll --resolver kb --given tokens --jobs 2 --to conll -o out.conll",
    "resolve.unknown": f"resolve --text {TEXT} --resolver hobs",
    **{f"bench.{name}": f"{BENCH} --format {name}" for name in ("table", "json", "latex", "html")},
    "bench.automatic": "bench bundled --resolvers kb,cogniac,hobbs --preprocess en --format json --report report.html",
    "bench.words": "bench examples/oracle.conllu --resolvers mitkov,random(seed=1) --preprocess "
    "en-words --brief --cataphora --match exact --format json --no-cache",
    "bench.run": f"{BENCH} --run x.corefrun --brief --jobs 2 --format csv ; show x.corefrun "
    "--format json ; verify x.corefrun ; show x.corefrun --document news-wolf",
    "train": "train examples/training/ubiu-tiny.toml --output model -q ; predict model "
    "examples/oracle.conllu -o answer.conll ; predict model examples/oracle.conllu --mentions gold",
    # The Anaphora Resolution Exercise.
    "are.make": "are make examples/oracle.conllu exercise --format json",
    "are.score": "are make examples/oracle.conllu exercise ; "
    + " ; ".join(
        f"are score {task} exercise/keys/task-{task}.xml exercise/keys/task-{task}.xml --by document --format json"
        for task in (1, 2, 3, 4)
    )
    + " ; are score 1 exercise/keys/task-1.xml exercise/keys/task-1.xml",
    "are.run": "are run 1 bundled --resolver kb,mars,sieve --format json ; are run 2 bundled "
    "--resolver sieve --format json --answers answers ; are run 3 examples/oracle.conllu "
    "--preprocess en-words --resolver kb,random(seed=1)",
    "are.np4e": "are run 1 np4e/peru --resolver kb,mitkov --preprocess en-words --format json",
    # Papers, language models, the installation.
    "reproduce.list": "reproduce --list",
    "reproduce.000": "reproduce kuebler-zhekova-2011 --table 2 --format json",
    "reproduce.001": "reproduce cattan-2021 --table 2 --format json --chart chart.svg",
    "reproduce.002": "reproduce chen-2018 --table 2 --brief",
    "reproduce.004": "reproduce orasan-2008 --table 1 --format markdown",
    "prompts": f"prompts --list ; prompts {KEY} prompts.jsonl --window 60 --examples 1 --train "
    f"bundled --ceiling ceiling.jsonl ; prompts {KEY} --template answer-pronoun --shape "
    "openai-batch --model m ; answers examples/key.conll ceiling.jsonl out.conll --prompts "
    "prompts.jsonl --score --format json --by answer",
    "answers": "answers examples/language-model/key.conllu examples/language-model/answers.jsonl "
    "response.conll --prompts examples/language-model/prompts.jsonl --score ; answers "
    "examples/language-model/key.conllu examples/language-model/answers.jsonl - --by answer "
    "--output-format conll --format json",
    "doctor": "doctor ; doctor --format json",
    # Campaigns.
    "campaign.help": "campaign --help",
    "campaign.init": "campaign init exercise --title Exercise --contact a@example.org ; campaign "
    "validate exercise ; campaign validate exercise --format json ; campaign init exercise",
    "campaign.dry-run": "campaign init exercise --corpus examples/key.conll --task conll-2012 ; "
    "campaign dry-run exercise --resolvers kb,same-head --format json",
    "campaign.dry-run.table": "campaign init exercise --corpus examples/oracle.conllu ; campaign "
    "dry-run exercise --resolvers most-recent",
    "campaign.empty": "campaign validate examples ; campaign status ; campaign export examples",
}

_HELP = [
    "score",
    "resolve",
    "train",
    "predict",
    "bench",
    "compare",
    "errors",
    "singletons",
    "levels",
    "prompts",
    "answers",
    "reproduce",
    "oracle",
    "merge",
    "agreement",
    "deduplicate",
    "profiles",
    "stats",
    "show",
    "verify",
    "check",
    "convert",
    "datasets",
    "doctor",
    "ui",
    "bundle",
]


def calls() -> dict[str, list[list[str]]]:
    """The commands of every call, split into words."""
    found = {f"cli.{name}": _split(text) for name, text in _CALLS.items()}
    found |= {f"cli.help.{name}": [[name, "--help"]] for name in _HELP}
    return found


def _split(text: str) -> list[list[str]]:
    # Brackets and bars are words to us, as they are inside quotes in a shell.
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";")
    lexer.wordchars += "()|*+=,@-~/.:"
    commands: list[list[str]] = [[]]
    for word in lexer:
        if word == ";":
            commands.append([])
        else:
            commands[-1].append(word)
    return commands

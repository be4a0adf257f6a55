"""The public corpora of the field: where to get them and how to read them."""

from collections.abc import Mapping
from types import MappingProxyType

from corefbench.records import Record


class Dataset(Record, frozen=True):
    """What a corpus is, where to get it, and how to read it."""

    name: str
    title: str
    what: str
    where: str
    """The page of the project or of the publisher."""
    licence: str
    reference: str
    """The publication to cite."""
    languages: tuple[str, ...] = ("en",)
    size: str = ""
    format: str = ""
    """The format of its files; empty if it is detected."""
    files: str = ""
    """The folder or pattern of its files in COREFBENCH_DATA; empty if there is no loader."""
    parts: Mapping[str, str] = {}
    """Parts that are files of their own, each as a folder or a pattern …"""
    split: str = ""
    """… and the rule that splits the files if they are not; see ``load.SPLITS``."""
    how: str = ""
    """How to point corefbench at it."""


_LDC = "https://catalog.ldc.upenn.edu"
_LDC_LICENCE = "LDC user agreement"

_ALL = (
    Dataset(
        name="ontonotes",
        title="OntoNotes 5.0 (CoNLL-2012)",
        what="News, conversations, web text and the Bible; no singletons; the standard benchmark.",
        where=f"{_LDC}/LDC2013T19",
        licence=f"{_LDC_LICENCE}, free of charge",
        reference="Pradhan et al. 2012, CoNLL-2012 Shared Task",
        languages=("en", "zh", "ar"),
        size="English: 2,802 / 343 / 348 documents for training, development and test",
        format="conll",
        how="corefbench stats FOLDER reads its *_gold_conll files; .coref files are read too",
    ),
    Dataset(
        name="litbank",
        title="LitBank",
        what="Openings of English novels of 1719 to 1922, with singletons; six entity types.",
        where="https://github.com/dbamman/litbank",
        licence="CC BY 4.0",
        reference="Bamman, Lewke & Mansoor 2020, LREC",
        size="100 documents, 210,532 tokens, 29,103 mentions, 7,927 entities",
        format="conll",
        files="litbank/conll",
        split="folds",
        how="its coref folder as litbank; parts 0/train, 0/dev, 0/test to 9/test",
    ),
    Dataset(
        name="litbank-brat",
        title="LitBank, brat",
        what="The same annotation in stand-off.",
        where="https://github.com/dbamman/litbank",
        licence="CC BY 4.0",
        reference="Bamman, Lewke & Mansoor 2020, LREC",
        size="100 documents, 210,532 tokens",
        format="brat",
        files="litbank/brat",
        split="folds",
        how="its coref folder as litbank",
    ),
    Dataset(
        name="gum",
        title="GUM and GENTLE",
        what="Many genres, with singletons, bridging and split antecedents, on gold trees.",
        where="https://github.com/amir-zeldes/gum",
        licence="annotation CC BY 4.0; texts by genre, some of them non-commercial",
        reference="Zeldes 2017, Language Resources and Evaluation",
        size="v11 without Reddit: 177 / 30 / 30 documents and 26 of GENTLE",
        format="corefud",
        files="gum/dep",
        split="listed",
        how="its dep folder and splits.md as gum; parts train, dev, test, test2",
    ),
    Dataset(
        name="gum-conll",
        title="GUM and GENTLE, bracket columns",
        what="The same chains in three columns.",
        where="https://github.com/amir-zeldes/gum",
        licence="annotation CC BY 4.0; texts by genre, some of them non-commercial",
        reference="Zeldes 2017, Language Resources and Evaluation",
        size="v11 without Reddit: 177 / 30 / 30 documents and 26 of GENTLE",
        format="conll",
        files="gum/gum-conll",
        split="listed",
        how="its coref/gum/conll folder as gum/gum-conll; parts train, dev, test, test2",
    ),
    Dataset(
        name="ontogum",
        title="OntoGUM",
        what="GUM by the scheme of OntoNotes: a test of how well OntoNotes models generalise.",
        where="https://github.com/amir-zeldes/gum",
        licence="annotation CC BY 4.0; texts by genre, some of them non-commercial",
        reference="Zhu, Pradhan & Zeldes 2021, ACL",
        size="v11 without Reddit: 177 / 30 / 30 documents and 26 of GENTLE",
        format="conll",
        files="gum/ontogum-conll",
        split="listed",
        how="its coref/ontogum/conll folder as gum/ontogum-conll; parts train, dev, test, test2",
    ),
    Dataset(
        name="ecbplus",
        title="ECB+",
        what="Cross-document events and entities in news, by topic and subtopic.",
        where="https://github.com/cltl/ecbPlus",
        licence="CC BY 3.0",
        reference="Cybulska & Vossen 2014, LREC",
        size="982 documents, 43 topics; curated sentences: 574 / 196 / 206 documents",
        format="ecbplus",
        files="ecbplus/ECB+",
        split="by topic",
        how="the unpacked ECB+ folder and ECBplus_coreference_sentences.csv as ecbplus; parts train, dev, test",
    ),
    Dataset(
        name="np4e",
        title="NP4E",
        what="Newswire on five events, noun phrases in MMAX2; the Anaphora Resolution Exercise.",
        where="http://clg.wlv.ac.uk/projects/NP4E/",
        licence="none stated",
        reference="Hasler, Orăsan & Naumann 2006, LREC",
        size="75 documents in the four clusters that are at hand",
        format="mmax",
        files="np4e",
        parts={"bukavu": "np4e/bukavu", "israel": "np4e/israel", "peru": "np4e/peru", "tajikistan": "np4e/tajikistan"},
        how="the folders of its clusters as np4e; parts bukavu, israel, peru, tajikistan",
    ),
    Dataset(
        name="gap",
        title="GAP",
        what="Ambiguous pronouns and two names each, from Wikipedia, balanced by gender.",
        where="https://github.com/google-research-datasets/gap-coreference",
        licence="Apache-2.0",
        reference="Webster et al. 2018, TACL",
        size="2,000 / 454 / 2,000 pronouns for development, validation and test",
        format="gap",
        files="pronouns/gap/gap-*.tsv",
        parts={
            "development": "pronouns/gap/gap-development.tsv",
            "validation": "pronouns/gap/gap-validation.tsv",
            "test": "pronouns/gap/gap-test.tsv",
        },
        how="its tsv files as pronouns/gap; parts development, validation, test",
    ),
    Dataset(
        name="winobias",
        title="WinoBias",
        what="Pairs of sentences that differ in whether an occupation fits the stereotype.",
        where="https://github.com/uclanlp/corefBias",
        licence="MIT",
        reference="Zhao et al. 2018, NAACL",
        size="3,160 sentences",
        format="winobias",
        files="pronouns/winobias/data/*_stereotyped_type*.txt.*",
        parts={
            "dev": "pronouns/winobias/data/*_stereotyped_type*.txt.dev",
            "test": "pronouns/winobias/data/*_stereotyped_type*.txt.test",
        },
        how="its data folder as pronouns/winobias/data; parts dev, test",
    ),
    Dataset(
        name="winogender",
        title="Winogender schemas",
        what="Sentences that differ in the gender of one pronoun.",
        where="https://github.com/rudinger/winogender-schemas",
        licence="MIT",
        reference="Rudinger et al. 2018, NAACL",
        size="720 sentences",
        format="winogender",
        files="pronouns/winogender/data/all_sentences.tsv",
        how="its data folder as pronouns/winogender/data",
    ),
    Dataset(
        name="preco",
        title="PreCo",
        what="Simple English for pre-school children, large, with singletons.",
        where="https://preschool-lab.github.io/PreCo/",
        licence="the project's own; see its page",
        reference="Chen et al. 2018, EMNLP",
        size="about 38,000 documents, 12.5 million words",
        format="preco",
        how="corefbench stats train.jsonl",
    ),
    Dataset(
        name="preco-sample",
        title="PreCo, three documents",
        what="Enough to try the reader.",
        where="https://preschool-lab.github.io/PreCo/",
        licence="Apache-2.0",
        reference="Chen et al. 2018, EMNLP",
        size="3 documents",
        format="preco",
        files="preco-sample/preco.jsonl",
        how="as preco-sample/preco.jsonl",
    ),
    Dataset(
        name="corefud",
        title="CorefUD",
        what="Corpora of many languages in one scheme, with zeros, on Universal Dependencies.",
        where="https://ufal.mff.cuni.cz/corefud",
        licence="by corpus; the public edition allows research",
        reference="Nedoluzhko et al. 2022, LREC",
        languages=("mul",),
        size="more than ten languages",
        format="corefud",
        how="corefbench stats en_gum-corefud-dev.conllu",
    ),
    Dataset(
        name="arrau",
        title="ARRAU",
        what="News, dialogue, narratives: bridging, discourse deixis, non-referring, ambiguity.",
        where=f"{_LDC}/LDC2013T22",
        licence=_LDC_LICENCE,
        reference="Uryupina et al. 2020, Natural Language Engineering",
        size="about 350,000 tokens",
        format="mmax",
        how="corefbench stats FOLDER with the .mmax files; or its CONLL-UA edition as ua",
    ),
    Dataset(
        name="semeval-2010",
        title="SemEval-2010 task 1",
        what="Coreference in six languages with gold and automatic annotation side by side.",
        where=f"{_LDC}/LDC2011T01",
        licence=f"{_LDC_LICENCE} for English; by corpus for the others",
        reference="Recasens et al. 2010, SemEval",
        languages=("ca", "nl", "en", "de", "it", "es"),
        format="semeval",
        how="corefbench stats en.devel.txt --input-format semeval",
    ),
    Dataset(
        name="muc-6",
        title="MUC-6",
        what="Wall Street Journal articles with COREF tags; where evaluation began.",
        where=f"{_LDC}/LDC2003T13",
        licence=_LDC_LICENCE,
        reference="Grishman & Sundheim 1996, COLING",
        size="30 articles for the dry run, 30 for the formal test",
        format="muc",
        how="corefbench stats FILE --input-format muc",
    ),
    Dataset(
        name="muc-7",
        title="MUC-7",
        what="New York Times articles with COREF tags.",
        where=f"{_LDC}/LDC2001T02",
        licence=_LDC_LICENCE,
        reference="Hirschman & Chinchor 1998, MUC-7",
        size="30 articles for the dry run, 20 for the formal test",
        format="muc",
        how="corefbench stats FILE --input-format muc",
    ),
    Dataset(
        name="craft",
        title="CRAFT",
        what="Biomedical articles in full, with discontinuous mentions.",
        where="https://github.com/UCDenver-ccp/CRAFT",
        licence="CC BY 3.0",
        reference="Cohen et al. 2017, BMC Bioinformatics",
        size="97 articles",
        format="conll",
        how="build its CoNLL edition as its documentation says, then corefbench stats FOLDER",
    ),
    Dataset(
        name="gvc",
        title="Gun Violence Corpus",
        what="Cross-document events of gun violence, told apart by participants and places.",
        where="https://github.com/cltl/GunViolenceCorpus",
        licence="see the project",
        reference="Vossen et al. 2018, LREC",
        size="510 documents",
        format="conll",
        how="corefbench stats gold.conll --input-format conll",
    ),
)

CATALOGUE: Mapping[str, Dataset] = MappingProxyType({entry.name: entry for entry in _ALL})

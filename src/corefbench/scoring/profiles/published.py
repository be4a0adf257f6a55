"""The published scorers, each as one record. ``corefbench profiles`` prints this file."""

from corefbench.scoring.profiles.profile import Choices, Profile

_CHAINS = ("muc", "b_cubed", "ceaf_m", "ceaf_e")
_PERL = {"mentions": "mentions", **{name: name for name in _CHAINS}}
_PAIRS = {**_PERL, "blanc": "blanc(links=response)"}
_COVAL = {name: name for name in ("mentions", "muc", "b_cubed", "ceaf_e", "lea")}

PROFILES: tuple[Profile, ...] = (
    Profile(
        name="conll-2012",
        title="CoNLL-2012 reference scorer, v8.01",
        description="The scorer of most papers since 2014, with LEA and mention detection added. "
        "Exact spans, singletons as given, twinless mentions cost what they cost.",
        measures={**_PERL, "blanc": "blanc", "lea": "lea"},
        rounding="truncate",
        cites=("pradhan2012", "pradhan2014", "luo2014", "moosavi2016"),
        remarks=(
            "v8.01 has no LEA; all its own figures are unchanged by it.",
            "The program refuses more than ten repeated mentions: --repeat-limit per-run does too.",
        ),
    ),
    Profile(
        name="conll-v9",
        title="Reference scorer, LEA branch (9.0-alpha)",
        description="v8.01 with LEA.",
        measures={**_PERL, "blanc": "blanc", "lea": "lea"},
        rounding="truncate",
        cites=("pradhan2014", "moosavi2016"),
    ),
    Profile(
        name="conll-v7",
        title="Reference scorer, v7",
        description="v8.01 without BLANC.",
        measures=_PERL,
        rounding="truncate",
        cites=("pradhan2012",),
    ),
    Profile(
        name="conll-v5",
        title="Reference scorer, v5 (1.07)",
        description="Twinless mentions handled after Cai & Strube 2010: missing key mentions "
        "become response singletons, spurious ones key singletons for precision only.",
        measures=_PAIRS,
        choices=Choices(twinless="cai-strube"),
        rounding="truncate",
        cites=("cai2010", "pradhan2011"),
    ),
    Profile(
        name="conll-2011",
        title="CoNLL-2011 official scorer, v4 (1.05)",
        description="Missing key mentions become response singletons and spurious mentions key "
        "singletons, for recall and precision alike: more spurious mentions, higher recall.",
        measures=_PAIRS,
        choices=Choices(twinless="conll-2011", repeats="keep"),
        rounding="truncate",
        cites=("pradhan2011",),
        remarks=("Where mentions are repeated, the program's own figures may differ.",),
    ),
    Profile(
        name="semeval-2010",
        title="SemEval-2010 task 1 scorer, 1.04",
        description="Exact spans first, then response spans inside a key span that hold its head: "
        "worth ½ as a detection, a full match elsewhere. Singletons count.",
        measures=_PAIRS,
        choices=Choices(match="semeval", repeats="keep"),
        rounding="truncate",
        cites=("recasens2010semeval",),
        remarks=(
            "Response singletons can change MUC: they may take the key mention of another.",
            "Where mentions are repeated, the program's own BLANC may differ.",
        ),
    ),
    Profile(
        name="cai-strube",
        title="B³sys and CEAFsys of Cai & Strube 2010",
        description="Twinless mentions are deleted for recall and become key singletons for "
        "precision; missing key mentions become response singletons.",
        measures={"mentions": "mentions", "b_cubed": "b_cubed", "ceaf_m": "ceaf_m", "ceaf_e": "ceaf_e"},
        choices=Choices(twinless="cai-strube", repeats="last-opened"),
        conll=(),
        cites=("cai2010",),
    ),
    Profile(
        name="rahman-ng",
        title="B³ and CEAF of Rahman & Ng 2009",
        description="Twinless response singletons are deleted; other twinless mentions earn 1/|their chain| in B³.",
        measures={
            "mentions": "mentions",
            "b_cubed": "b_cubed(twinless=credit)",
            "ceaf_m": "ceaf_m",
            "ceaf_e": "ceaf_e",
        },
        choices=Choices(twinless="drop-singletons", repeats="last-opened"),
        conll=(),
        cites=("rahman2009",),
    ),
    Profile(
        name="stoyanov-all",
        title="B³all of Stoyanov et al. 2009",
        description="A twinless mention earns 1/|its chain|.",
        measures={"mentions": "mentions", "b_cubed": "b_cubed(twinless=credit)"},
        conll=(),
        cites=("stoyanov2009",),
    ),
    Profile(
        name="stoyanov-0",
        title="B³0 of Stoyanov et al. 2009",
        description="A twinless key mention earns nothing, a twinless response mention is deleted.",
        measures={"mentions": "mentions", "b_cubed": "b_cubed(twinless=skip)"},
        conll=(),
        cites=("stoyanov2009",),
    ),
    Profile(
        name="coval-keep",
        title="coval, keep_singletons",
        description="The Python scorer that brought LEA: exact spans, singletons count.",
        measures=_COVAL,
        choices=Choices(repeats="last"),
        cites=("moosavi2016", "moosavi2019"),
    ),
    Profile(
        name="coval-remove",
        title="coval, remove_singletons",
        description="As coval-keep, singletons stripped from both sides first.",
        measures=_COVAL,
        choices=Choices(repeats="last", singletons="strip"),
        cites=("moosavi2016", "moosavi2019"),
    ),
    Profile(
        name="cattan-2021",
        title="Cattan et al. 2021, realistic cross-document evaluation",
        description="Chains are scored without singletons, mention detection with all mentions; "
        "the corpus is scored as one document.",
        measures=_COVAL,
        choices=Choices(repeats="last", singletons="strip"),
        exceptions={"mentions": {"singletons": "keep"}},
        scope="corpus",
        cites=("cattan2021",),
    ),
    Profile(
        name="ua",
        title="Universal Anaphora scorer",
        description="Exact spans (or --match minimum, partial, craft), split antecedents scored in part, "
        "bridging and non-referring markables apart.",
        measures={
            "mentions": "mentions",
            **{name: f"split_antecedents(metric={name})" for name in (*_CHAINS, "lea", "blanc")},
            "bridging_anaphor": "bridging(level=anaphor)",
            "bridging_mention": "bridging(level=mention)",
            "bridging_entity": "bridging(level=entity)",
            "non_referring": "non_referring",
        },
        choices=Choices(repeats="last-opened"),
        exceptions={
            **{f"bridging_{level}": {"repeats": "keep"} for level in ("anaphor", "mention", "entity")},
            "non_referring": {"referring": "all", "repeats": "keep"},
        },
        cites=("paun2022", "yu2021"),
    ),
    Profile(
        name="corefud",
        title="CorefUD scorer (CRAC shared tasks), 1.2",
        description="Mentions match by their heads (or --match partial, exact), zeros by their "
        "dependencies (or, with --match head-linear and the like, by their position); singletons "
        "are stripped.",
        measures={
            "muc": "muc",
            "b_cubed": "b_cubed",
            "ceaf_m": "ceaf_m",
            "ceaf_e": "ceaf_e",
            "blanc": "blanc(edge=both)",
            "lea": "lea",
            "mor": "mor",
            "zero": "zero",
        },
        choices=Choices(match="head", repeats="last-opened", singletons="strip"),
        cites=("zabokrtsky2022", "novak2024"),
    ),
    Profile(
        name="e2e-python",
        title="The evaluator in many Python resolvers",
        description="Copied from resolver to resolver since 2016: B³ strips singletons on both "
        "sides, CEAFe from the response only. On keys with singletons its recall collapses.",
        measures={"muc": "muc", "b_cubed": "b_cubed", "ceaf_e": "ceaf_e"},
        exceptions={"b_cubed": {"singletons": "strip"}, "ceaf_e": {"singletons": "strip-response"}},
        cites=("clark2016",),
        remarks=("Do not report it on data with singletons; it is here to explain such numbers.",),
    ),
)

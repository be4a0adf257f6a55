"""English word lists for number and for pleonastic *it*.

Lappin & Leass 1994 (modal adjectives, cognitive verbs), Paice & Husk 1987 (status, state,
prepositions), Boyd et al. 2005 (weather, time and place; idioms), with a few more nouns and verbs
of the same kinds.
"""


def word_set(text: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(word_set("two  one"))
    ['one', 'two']
    """
    return frozenset(text.split())


COLLECTIVES = word_set("""
    administration agency army association audience band board brigade bureau business cabinet cast
    choir church clan class club college commission committee community company congress coalition
    corporation council couple court crew crowd delegation department division electorate enemy
    establishment faculty family federation firm fleet force gang generation government group herd
    household industry institution jury leadership majority management media military ministry
    minority mob nation navy office opposition orchestra organisation organization pack pair panel
    parliament party people personnel police population press public regime school senate society
    squad staff store team tribe trio troop troupe union university village workforce youth
    """)

PLURAL_FORMS = word_set("""
    data media criteria phenomena bacteria agenda news politics economics mathematics math maths
    physics statistics ethics linguistics athletics gymnastics aerobics acoustics electronics
    genetics mechanics logistics series species headquarters means works barracks crossroads
    gallows thanks remains surroundings premises savings outskirts states netherlands philippines
    bahamas maldives seychelles emirates nations games olympics
    """)
"""Plural in form, singular in use, or either."""

INVARIANT = word_set("""
    sheep deer fish salmon trout shrimp squid bison moose swine elk buffalo aircraft spacecraft
    hovercraft watercraft offspring cattle livestock poultry vermin folk dozen hundred thousand
    million billion percent percentage rest remainder half third quarter lot number variety range
    handful bunch set kind type sort
    """)
"""One form for both numbers, or quantities whose number is that of what they count."""

PLURAL_QUANTIFIERS = word_set("both many few several")

OPEN_DETERMINERS = word_set("a an any each every another no some whichever whatever either neither")
"""Determiners of persons that are not known, whom *they* takes up: *every user … they*."""

EPICENE = word_set("person individual user reader listener viewer player customer client counsel")
"""Persons to whom *they* may refer even if they are definite."""


MODAL_ADJECTIVES = word_set("""
    necessary possible certain likely important good useful advisable convenient sufficient
    economical easy desirable difficult legal
    unnecessary impossible uncertain unlikely unimportant bad useless inadvisable inconvenient
    insufficient uneconomical uneasy undesirable illegal better best easier easiest
""")
COGNITIVE_VERBS = word_set("recommend think believe know anticipate assume expect")

STATUS = word_set("""
    abnormal advantageous advisable appropriate bad beneficial best better common correct customary
    dangerous decided difficult easier easiest easy essential faster feasible fitting foolish good
    hard harder hardest helpful importance important impossibility impossible impracticable
    inadvisable inappropriate incorrect incumbent infeasible intended interest interesting
    irrelevant job justified necessary normal obligatory policy possible practicable practice
    preferred rare rarer rarest reasonable relevant remains right safe safer safest sensible shock
    simple simpler simplest sufficient tempting traditional trivial uncommon unhelpful unnecessary
    unreasonable unsafe unscientific unusual unwise useful useless usual wise wiser wisest
    worthwhile wrong
""")
STATE = word_set("""
    certain clear debatable doubted doubtful dubious known questionable questioned uncertain unclear
    understood unknown wondered
""")
PREPOSITIONS = word_set("""
    among at before below beneath beside between by despite during from in inside into near of off
    on onto outside over through to under until via with within without
""")

EXTRAPOSING_NOUNS = word_set("""
    shame pity pleasure honor honour privilege fact wonder mistake duty custom job policy practice
    tradition matter question mystery secret surprise coincidence relief crime sin fun hell use idea
    opinion view belief hope goal intention responsibility case truth law habit luck blessing joy
    exaggeration position accident certainty likelihood possibility miracle disgrace tragedy
    advantage requirement
""")
"""Nouns with a content clause: *it is a pity that …*"""

RAISING_VERBS = word_set("seem appear mean follow happen transpire emerge chance")
"""Lappin & Leass have the first four."""
CLAUSE_VERBS = word_set("""
    matter occur strike hurt help surprise bother amaze shock worry please annoy pain suit behoove
    suck suffice pay remain dawn take cost give please need
    come
""")
"""Verbs that take an extraposed clause: *it struck me that …*, *it takes years to …*"""
OBJECT_VERBS = word_set("""
    make find think consider deem believe feel take keep call render judge hold see regard leave
    declare
""")
"""Verbs that have *it* as object before an adjective and a clause."""

WEATHER_VERBS = word_set("rain snow hail drizzle pour thunder sleet freeze thaw")
WEATHER = word_set("""
    hot cold warm chilly freezing sunny cloudy rainy windy foggy humid stormy snowy dark
    overcast gloomy dusk dawn raining snowing pouring drizzling
""")
TIMES = word_set("""
    late early o'clock midnight noon midday morning afternoon evening night nighttime daytime spring
    summer autumn fall winter monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december christmas easter
    am pm a.m. p.m. century weekend
""")
MEASURES = word_set("""
    second minute hour day week month year decade century mile kilometer kilometre meter metre foot
    yard block while time
""")

_IDIOM_LIST = """
    when it come to; if it come to; pull it off; as it happen; call it a day; call it a night; call it
    quits; ask for it; on the face of it; be it not for; have it not be for; if it be not for; like it or
    not; believe it or not; so =be it; worth it; half of it; play it safe; lose it .; make it through; make
    it to; make it !; make it in time; hit it off; cut it out; take it easy; take it for granted; rumor have
    it; rumour have it; legend have it; word have it; tradition have it; as luck would have it; damn it !;
    screw it !; go for it; hold it !; it turn out; it go without say; it stand to reason; it be no use; it
    be no good; it be your turn; it be my turn; it be his turn; it be her turn; it be their turn; it be our
    turn; it be a girl; it be a boy; it be high time; it be about time
"""
IDIOMS = tuple(tuple(idiom.split()) for idiom in _IDIOM_LIST.split(";"))
"""Idioms as sequences of lemmas."""

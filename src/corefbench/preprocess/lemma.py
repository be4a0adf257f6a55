"""Lemmas by rule, where a source has none: endings by tag, and the commonest irregular forms."""

_IRREGULAR = {
    form: lemma
    for line in """
    be am is are was were been being 's 're 'm ’s ’re ’m
    have has had having 've ’ve
    do does did done doing
    say said; go goes went gone; get got gotten; make made; know knew known; think thought
    take took taken; see saw seen; come came; give gave given; find found; tell told; feel felt
    become became; leave left; put put; mean meant; keep kept; let let; begin began begun
    show shown; hear heard; run ran; hold held; bring brought; write wrote written; sit sat
    stand stood; lose lost; pay paid; meet met; lead led; speak spoke spoken; read read
    spend spent; grow grew grown; win won; buy bought; send sent; build built; fall fell fallen
    cut cut; sell sold; break broke broken; eat ate eaten; drive drove driven; understand understood
    draw drew drawn; choose chose chosen; wear wore worn; catch caught; teach taught; die dying
    lie lay lain lying; rise rose risen; fly flew flown; throw threw thrown; sing sang sung
    will 'll wo ’ll; can ca; not n't n’t; a an
    man men; woman women; child children; person people; foot feet; tooth teeth; mouse mice
    wife wives; life lives; leaf leaves; knife knives; half halves; self selves; wolf wolves
    good better best; bad worse worst
    """.replace("\n", ";").split(";")
    for lemma, *forms in [line.split() or [""]]
    for form in forms
}
_SIBILANT = ("ses", "xes", "zes", "ches", "shes")
_VOWELS = frozenset("aeiou")


def lemma_of(word: str, tag: str) -> str:
    """The lemma of a word with that Penn tag; names stay as they are.

    >>> [lemma_of(*pair) for pair in [("parties", "NNS"), ("stopped", "VBD"), ("making", "VBG")]]
    ['party', 'stop', 'make']
    """
    if tag.startswith("NNP"):
        return word
    word = word.lower()
    if word in _IRREGULAR and tag[:1] in ("V", "N", "M", "R", "D", "J") and tag != "NN":
        return _IRREGULAR[word]
    if tag in ("NNS", "VBZ"):
        return _without_s(word)
    if tag in ("VBD", "VBN") and word.endswith("ed") and len(word) > 4:
        return word[:-3] + "y" if word.endswith("ied") else _stem(word[:-2])
    if tag == "VBG" and word.endswith("ing") and len(word) > 5:
        return _stem(word[:-3])
    return word


def _without_s(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_SIBILANT):
        return word[:-2] if not word.endswith(("uses", "ases", "oses", "izes")) else word[:-1]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _stem(word: str) -> str:
    """The base of what is left before -ed and -ing: *stopp* stop, *mak* make, *look* look."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    if word[-1] in "vuc" or word.endswith(("at", "iz", "ls", "rg", "dg")):
        return word + "e"
    short = len(word) > 2 and word[-1] not in "wxyaeiou" and word[-2] in _VOWELS
    if short and word[-3] not in _VOWELS and sum(c in _VOWELS for c in word) == 1:
        return word + "e"
    return word

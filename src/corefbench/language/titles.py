"""Titles before names, with the gender they tell."""

from corefbench.language.agreement import ANIMATE, FEMININE, MASCULINE

_FORMS = {
    MASCULINE: """
        mr mister messrs sir lord duke count earl baron viscount marquis marquess prince king
        emperor tsar czar kaiser sultan sheikh shah caliph pharaoh father fr brother friar abbot
        pope uncle grandpa grandfather herr monsieur señor senor signor don master esq
    """,
    FEMININE: """
        mrs ms miss mistress madam madame ma'am mme mlle mademoiselle lady dame duchess countess
        baroness viscountess marchioness princess queen empress tsarina sister mother abbess aunt
        auntie grandma grandmother frau fräulein señora señorita senora signora signorina doña dona
    """,
    ANIMATE: """
        dr doctor prof professor president vice-president senator sen judge justice captain capt
        general gen colonel col major maj lieutenant lt sergeant sgt corporal private pvt admiral
        commander cmdr commodore officer marshal sheriff constable inspector detective agent
        governor gov mayor minister premier chancellor secretary ambassador representative rep
        congressman congresswoman councillor councilman chairman chairwoman chair chief ceo
        director attorney rev reverend pastor rabbi imam bishop archbishop cardinal canon deacon
        vicar saint st nurse coach comrade citizen cousin boss chef
    """,
}

_GENDERS = {form: gender for gender, forms in _FORMS.items() for form in forms.split()}
_GENDERS |= {"congressman": MASCULINE, "congresswoman": FEMININE, "councilman": MASCULINE}
_GENDERS |= {"chairwoman": FEMININE}


def gender_of_title(word: str) -> int:
    """The genders that a title leaves open; 0 for words that are no title.

    >>> gender_of_title("Mrs.") == FEMININE, gender_of_title("Dr") == ANIMATE
    (True, True)
    """
    return _GENDERS.get(word.lower().rstrip("."), 0)

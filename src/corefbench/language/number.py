"""Nouns whose number does not tell which pronoun takes them up.

*they* takes up collectives and *it* plural forms such as *data* [Mitkov 1998].
"""

from corefbench.language.words import words

COLLECTIVES = words("""
    administration agency army association audience band board brigade bureau business cabinet cast
    choir church clan class club college commission committee community company congress coalition
    corporation council couple court crew crowd delegation department division electorate enemy
    establishment faculty family federation firm fleet force gang generation government group herd
    household industry institution jury leadership majority management media military ministry
    minority mob nation navy office opposition orchestra organisation organization pack pair panel
    parliament party people personnel police population press public regime school senate society
    squad staff store team tribe trio troop troupe union university village workforce youth
    """)

PLURAL_FORMS = words("""
    data media criteria phenomena bacteria agenda news politics economics mathematics math maths
    physics statistics ethics linguistics athletics gymnastics aerobics acoustics electronics
    genetics mechanics logistics series species headquarters means works barracks crossroads
    gallows thanks remains surroundings premises savings outskirts states netherlands philippines
    bahamas maldives seychelles emirates nations games olympics
    """)
"""Plural in form, singular in use, or either."""

INVARIANT = words("""
    sheep deer fish salmon trout shrimp squid bison moose swine elk buffalo aircraft spacecraft
    hovercraft watercraft offspring cattle livestock poultry vermin folk dozen hundred thousand
    million billion percent percentage rest remainder half third quarter lot number variety range
    handful bunch set kind type sort
    """)
"""One form for both numbers, or quantities whose number is that of what they count."""

PLURAL_QUANTIFIERS = words("both many few several")

OPEN_DETERMINERS = words("a an any each every another no some whichever whatever either neither")
"""Determiners of persons that are not known, whom *they* takes up: *every user … they*."""

EPICENE = words("person individual user reader listener viewer player customer client counsel")
"""Persons whom *they* takes up even where they are definite."""

"""Every published pattern with sentences that it takes, and with their referring neighbours."""

import pytest

from corefbench.preprocess.pleonastic import PATTERNS, pleonastic_pattern
from tests.tagged import tagged
from tests.trees import analysis

BE = "is/VBZ/be"
CLAUSE = "that/IN the/DT file/NN exists/VBZ/exist"
INFINITIVE = "to/TO print/VB the/DT file/NN"

PLEONASTIC = [
    # Lappin & Leass 1994
    ("modal-adjective", f"It/PRP {BE} necessary/JJ {CLAUSE} ./."),
    ("modal-adjective", f"It/PRP {BE} not/RB very/RB easy/JJ {INFINITIVE} ./."),
    ("modal-adjective", f"It/PRP {BE} easier/JJR for/IN users/NNS/user {INFINITIVE} ./."),
    ("modal-adjective", f"It/PRP may/MD be/VB impossible/JJ {INFINITIVE} ./."),
    ("modal-adjective", f"Would/MD n't/RB it/PRP be/VB good/JJ {INFINITIVE} ?/."),
    ("modal-adjective", f"{BE} it/PRP possible/JJ {INFINITIVE} ?/."),
    ("cognitive-verb", f"It/PRP {BE} believed/VBN/believe {CLAUSE} ./."),
    ("cognitive-verb", f"It/PRP should/MD be/VB known/VBN/know {CLAUSE} ./."),
    ("raising-verb", f"It/PRP seems/VBZ/seem {CLAUSE} ./."),
    ("raising-verb", f"It/PRP does/VBZ/do not/RB appear/VB {CLAUSE} ./."),
    ("raising-verb", f"It/PRP means/VBZ/mean {CLAUSE} ./."),
    ("raising-verb", f"It/PRP follows/VBZ/follow {CLAUSE} ./."),
    ("raising-verb", "It/PRP seems/VBZ/seem they/PRP left/VBD/leave ./."),
    ("object", f"Jobs/NNS makes/VBZ/make it/PRP easy/JJ {INFINITIVE} ./."),
    ("object", f"They/PRP find/VBP it/PRP hard/JJ for/IN us/PRP {INFINITIVE} ./."),
    ("time-to", f"It/PRP {BE} time/NN to/TO go/VB ./."),
    ("thanks-to", f"It/PRP {BE} thanks/NNS to/IN Ann/NNP {CLAUSE} ./."),
    # Baldwin et al. 1995
    ("conditional-object", "I/PRP would/MD appreciate/VB it/PRP if/IN you/PRP came/VBD/come ./."),
    ("object", f"She/PRP made/VBD/make it/PRP clear/JJ {CLAUSE} ./."),
    ("adjective", f"It/PRP {BE} most/RBS remarkable/JJ {CLAUSE} ./."),
    ("adjective", f"It/PRP {BE} reported/VBN/report {CLAUSE} ./."),
    # Paice & Husk 1987
    ("bracket", f"It/PRP {BE} our/PRP$ usual/JJ way/NN in/IN winter/NN {INFINITIVE} ./."),
    ("bracket", f"It/PRP {BE} still/RB ,/, they/PRP say/VBP ,/, unclear/JJ if/IN he/PRP left/VBD"),
    ("parenthesis", "The/DT file/NN ,/, it/PRP seems/VBZ/seem ,/, is/VBZ/be lost/JJ ./."),
    # Boyd et al. 2005
    ("cleft", f"It/PRP {BE} Ann/NNP who/WP left/VBD/leave ./."),
    ("cleft", f"It/PRP {BE} in/IN London/NNP that/IN she/PRP lives/VBZ/live ./."),
    ("cleft", f"It/PRP {BE} only/RB the/DT noise/NN that/WDT disturbs/VBZ/disturb me/PRP ./."),
    ("weather", "It/PRP rained/VBD/rain all/DT day/NN ./."),
    ("weather", "It/PRP was/VBD/be dark/JJ ./."),
    ("weather", "It/PRP has/VBZ/have been/VBN/be snowing/VBG/snow ./."),
    ("time-and-place", f"It/PRP {BE} Monday/NNP ./."),
    ("time-and-place", f"It/PRP {BE} five/CD o'clock/RB ./."),
    ("time-and-place", f"It/PRP {BE} two/CD years/NNS/year since/IN he/PRP left/VBD/leave ./."),
    ("time-and-place", f"It/PRP {BE} ten/CD miles/NNS/mile to/IN Dover/NNP ./."),
    ("idiom", "When/WRB it/PRP comes/VBZ/come to/IN files/NNS/file ,/, ask/VB ./."),
    ("idiom", "They/PRP pulled/VBD/pull it/PRP off/RP ./."),
    ("idiom", "Let/VB us/PRP call/VB it/PRP a/DT day/NN ./."),
    ("idiom", "Were/VBD/be it/PRP not/RB for/IN you/PRP ,/, I/PRP would/MD go/VB ./."),
    ("idiom", "Like/VB it/PRP or/CC not/RB ,/, they/PRP left/VBD/leave ./."),
    ("idiom", "That/DT is/VBZ/be on/IN the/DT face/NN of/IN it/PRP wrong/JJ ./."),
    # Of the same kinds
    ("noun", f"It/PRP {BE} a/DT great/JJ pity/NN {CLAUSE} ./."),
    ("clause-verb", f"It/PRP takes/VBZ/take years/NNS/year {INFINITIVE} ./."),
    ("clause-verb", f"It/PRP struck/VBD/strike me/PRP {CLAUSE} ./."),
    ("fronted", f"I/PRP know/VBP how/WRB hard/JJ it/PRP {BE} {INFINITIVE} ./."),
]

REFERRING = [
    f"It/PRP {BE} necessary/JJ ./.",
    f"It/PRP {BE} a/DT useful/JJ tool/NN ./.",
    "It/PRP seems/VBZ/seem broken/JJ ./.",
    "It/PRP appears/VBZ/appear on/IN the/DT screen/NN ./.",
    "They/PRP made/VBD/make it/PRP ready/JJ ./.",
    "They/PRP made/VBD/make it/PRP in/IN China/NNP ./.",
    f"It/PRP {BE} so/RB heavy/JJ that/IN we/PRP left/VBD/leave it/PRP ./.",
    f"It/PRP {BE} ready/JJ {INFINITIVE} ./.",
    f"It/PRP {BE} likely/JJ to/TO fail/VB ./.",
    f"It/PRP {BE} expected/VBN/expect to/TO fail/VB ./.",
    f"It/PRP {BE} the/DT same/JJ file/NN that/WDT we/PRP printed/VBD/print ./.",
    f"It/PRP {BE} a/DT number/NN that/WDT separates/VBZ/separate them/PRP ./.",
    "He/PRP saw/VBD/see it/PRP and/CC left/VBD/leave ./.",
    "He/PRP saw/VBD/see it/PRP in/IN a/DT way/NN that/WDT helped/VBD/help ./.",
    "It/PRP was/VBD/be that/RB bad/JJ ./.",
    f"It/PRP {BE} much/RB bigger/JJR than/IN that/DT ./.",
    "It/PRP printed/VBD/print the/DT file/NN ./.",
    "Take/VB it/PRP off/RP ./.",
    "They/PRP appreciate/VBP it/PRP ./.",
]


def _it(sentence):
    return next(n for n, word in enumerate(sentence.words) if word.lower() == "it")


@pytest.mark.parametrize(("pattern", "text"), PLEONASTIC)
def test_a_pattern_takes_its_sentences(pattern, text):
    sentence = tagged(text)
    assert pleonastic_pattern(sentence, _it(sentence)) == pattern


@pytest.mark.parametrize("text", REFERRING)
def test_an_it_that_refers_is_left_alone(text):
    sentence = tagged(text)
    assert pleonastic_pattern(sentence, _it(sentence)) == ""


def test_every_pattern_is_tried_here():
    assert {pattern for pattern, _ in PLEONASTIC} == set(PATTERNS)


def test_only_it_can_be_pleonastic():
    sentence = tagged("That/DT is/VBZ/be necessary/JJ that/IN we/PRP go/VBP ./.")
    assert not any(pleonastic_pattern(sentence, token) for token in range(len(sentence.words)))


def test_a_closer_of_the_next_sentence_does_not_count():
    sentence = analysis(
        """
        It it PRON PRP 3 nsubj
        is be AUX VBZ 3 cop
        possible possible ADJ JJ 0 root

        That that SCONJ IN 2 mark
        helps help VERB VBZ 0 root
        """
    )
    assert not pleonastic_pattern(sentence, 0)


def test_the_tree_says_so_by_expl():
    sentence = analysis(
        """
        It it PRON PRP 2 expl
        hurts hurt VERB VBZ 0 root
        """
    )
    assert pleonastic_pattern(sentence, 0) == "expl"


def test_a_clause_as_subject_of_the_same_verb_says_so():
    sentence = analysis(
        """
        It it PRON PRP 2 nsubj
        amuses amuse VERB VBZ 0 root
        me I PRON PRP 2 obj
        seeing see VERB VBG 2 csubj
        you you PRON PRP 4 obj
        """
    )
    assert pleonastic_pattern(sentence, 0) == "csubj"


def test_an_it_alone_refers():
    assert not pleonastic_pattern(tagged("it/PRP"), 0)

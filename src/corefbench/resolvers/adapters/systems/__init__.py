"""The side of the adapters that runs where the other system is installed.

These files import nothing but the standard library, each other and the system's own package, and
run on Python 3.8 and later: ``serve.py`` is started by another Python than the one that runs
corefbench. A system is a module with ``load``, which takes the options and gives a callable from
documents to answers, and the ``version`` that answered. What goes in and out is plain JSON:

document  {"name", "text", "words", "offsets", "sentences", "speakers", "mentions"}
answer    {"unit": "tokens" | "characters", "chains": [[[start, end], …], …],
           "links": [[mention, antecedent, confidence], …], "lost": {reason: how many},
           "heads": whether mentions are only the heads of their phrases}

Spans are half-open. Whatever a system has but cannot place is counted in ``lost``.
"""

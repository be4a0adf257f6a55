"""The prose of ``docs/results/preprocessing.md``."""

PAGE = """\
# Pre-processing

What the built-in English pipelines make of raw text. Written by
`python -m recipes.english.evaluate`, which reads the weights that are shipped.

The text is rebuilt from the treebanks with a blank line between paragraphs. All figures but the
last two are percentages: F1 over words aligned by their characters, as in the CoNLL 2018 shared
task (LAS without subtypes); *sentences*, *NP* (base noun phrases) and *entities* are F1 over
spans. *GF*: of the words that are `nsubj`, `nsubj:pass`, `obj`, `iobj`, `obl` or `nmod:poss` in the
treebank, how many are found with the same grammatical function as the resolvers see it (subject,
object, indirect object, oblique, possessive; an `nmod` with a preposition is oblique too);
*GF+gov*: and with the right governor. Words that the tokeniser missed are wrong throughout.
Entities are GUM's types on heads and names (`recipes/english/entities.py`); EWT has none. Words
per second of processor time on one core, and as a fraction of the speed of splitting the same texts
at white space in the same run.

Both were trained on EWT train and the part of GUM train that may be shipped: no essays, fiction,
letters, podcasts, how-to guides, conversations or Reddit. *GUM, all genres* and GENTLE therefore
contain genres that the weights have never seen.

"""

NOTES = {
    "en": """\
Training ends after 2,800 steps, about an hour. Scores on the development sets were still rising
then (UAS 85.0 after 2,000 steps, 85.4 after 2,400, 85.7 after 2,800, by spaCy's own count), so
what is missed by some tenths is mostly a matter of time; one run was made, with one seed. Base noun
phrases of EWT are the widest miss: e-mail and reviews with odd capitals and little punctuation.
""",
    "en-accurate": """\
One run, one seed: 1,804 steps, 3.6 passes over the training texts. It was laid out for five passes
and shortened on the way, so that the learning rate fell faster from step 1,130 on; 450 steps more
changed no figure on the development sets by more than 0.4. Words come from rules
(`preprocess/english_words.py`), sentences from the network. Weights and activations have 8 bits,
which costs nothing: with 32 the figures on the development sets differ by at most 0.2, in both
directions, and it takes half as long again.
""",
}

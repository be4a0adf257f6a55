"""What is said about rights beside the shipped weights."""

LICENCE = """\
The files in this folder are licensed under the Creative Commons Attribution-ShareAlike 4.0
International licence (CC BY-SA 4.0): https://creativecommons.org/licenses/by-sa/4.0/legalcode

They are weights derived from the annotated texts that NOTICE names. The program that reads them is
licensed separately, under the Apache License 2.0.
"""

NOTICE = """\
The weights of the resolver `neural` of corefbench were trained on parts of these corpora:

LitBank, fold 0, train
  Licence: CC BY 4.0, https://creativecommons.org/licenses/by/4.0/; the novels are in the public
  domain in the United States.
  David Bamman, Olivia Lewke and Anya Mansoor (2020): An Annotated Dataset of Coreference in English
  Literature. LREC 2020. https://github.com/dbamman/litbank

Georgetown University Multilayer corpus (GUM) and OntoGUM, train, the genres academic, bio, court,
interview, news, speech, textbook, vlog and voyage
  Annotation: CC BY 4.0, https://creativecommons.org/licenses/by/4.0/
  Texts: CC BY 4.0 (academic, court), CC BY 2.5 (news, interviews), CC BY-SA 3.0 (biographies,
  travel guides); textbooks, vlogs and speeches: from the sources in the documents' metadata, not
  named in the corpus's licence file.
  Amir Zeldes (2017): The GUM Corpus: Creating Multilayer Resources in the Classroom. Language
  Resources and Evaluation 51(3), 581-612. Annotators: https://gucorpling.org/gum/
  Yilun Zhu, Sameer Pradhan and Amir Zeldes (2021): OntoGUM: Evaluating Contextualized SOTA
  Coreference Resolution on 12 More Genres. ACL-IJCNLP 2021.

No text of the genres under a non-commercial licence (essay, fiction, letter, podcast, whow), none
of the conversations (from the Santa Barbara Corpus) and none from Reddit was learned from. The
development parts of both corpora, with all genres of GUM, chose the epoch and the thresholds.
Changes: the annotation was turned into statistical weights; no sentence of the corpora is included.

The weights of the encoder, and its tokeniser, are made from all-mpnet-base-v2 (Apache License 2.0):
  https://huggingface.co/sentence-transformers/all-mpnet-base-v2, itself made from Microsoft's MPNet
  (MIT): Kaitao Song, Xu Tan, Tao Qin, Jianfeng Lu and Tie-Yan Liu (2020): MPNet: Masked and
  Permuted Pre-training for Language Understanding. NeurIPS 2020.
  Licence: http://www.apache.org/licenses/LICENSE-2.0
  Changes: the upper six of its twelve layers are left out, the third to the sixth were trained
  further, and the weights are rounded.
"""

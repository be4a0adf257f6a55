"""What is said about rights beside the shipped weights."""

LICENCE = """\
The files in this folder are licensed under the Creative Commons Attribution-ShareAlike 4.0
International licence (CC BY-SA 4.0): https://creativecommons.org/licenses/by-sa/4.0/legalcode

They are weights and tables derived from the annotated texts that NOTICE names. The program that
reads them is licensed separately, under the Apache License 2.0.
"""

NOTICE = """\
The pipeline `en` of corefbench was trained on parts of these corpora:

Universal Dependencies English Web Treebank (EWT), train
  Licence: CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/
  Natalia Silveira, Timothy Dozat, Marie-Catherine de Marneffe, Samuel Bowman, Miriam Connor,
  John Bauer and Christopher D. Manning (2014): A Gold Standard Dependency Corpus for English.
  LREC 2014. https://github.com/UniversalDependencies/UD_English-EWT

Georgetown University Multilayer corpus (GUM), train, the genres academic, bio, court, interview,
news, speech, textbook, vlog and voyage
  Annotation: CC BY 4.0, https://creativecommons.org/licenses/by/4.0/
  Texts: CC BY 4.0 (academic, court), CC BY 2.5 (news, interviews), CC BY-SA 3.0 (biographies,
  travel guides); textbooks, vlogs and speeches: from the sources in the documents' metadata, not
  named in the corpus's licence file.
  Amir Zeldes (2017): The GUM Corpus: Creating Multilayer Resources in the Classroom. Language
  Resources and Evaluation 51(3), 581-612. Annotators: https://gucorpling.org/gum/

No text of the genres under a non-commercial licence (essay, fiction, letter, podcast, whow), none
of the conversations (from the Santa Barbara Corpus) and none from Reddit was used.
Changes: the annotation was turned into statistical weights; no sentence of the corpora is included.
"""

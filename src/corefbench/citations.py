"""Works cited by measures, profiles and formats, as records and as BibTeX."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from corefbench.errors import UnknownName
from corefbench.records import Record


class Reference(Record, frozen=True):
    """A published work."""

    author: str
    """As in BibTeX: family name first, joined by "and", in the order of the title page."""
    title: str
    year: int
    venue: str
    url: str = ""
    article: bool = False
    """Whether the venue is a journal; else it is a volume of proceedings."""

    @property
    def short(self) -> str:
        """Author and year, as a text cites it.

        >>> BIBLIOGRAPHY["cai2010"].short, BIBLIOGRAPHY["luo2014"].short
        ('Cai & Strube 2010', 'Luo et al. 2014')
        """
        names = [name.partition(",")[0] for name in self.author.split(" and ")]
        who = " & ".join(names) if len(names) < 3 else f"{names[0]} et al."
        return f"{who} {self.year}"

    def __str__(self) -> str:
        """Author, year, title and venue on one line."""
        return f"{self.short}. {self.title}. {self.venue}."

    def bibtex(self, key: str) -> str:
        """The entry under the given key.

        >>> print(BIBLIOGRAPHY["luo2005"].bibtex("luo2005"))
        @inproceedings{luo2005,
          author = {Luo, Xiaoqiang},
          title = {{On Coreference Resolution Performance Metrics}},
          year = {2005},
          booktitle = {Proceedings of HLT-EMNLP},
          url = {https://aclanthology.org/H05-1004/},
        }
        """
        fields = {
            "author": self.author,
            "title": f"{{{self.title}}}",
            "year": str(self.year),
            "journal" if self.article else "booktitle": self.venue.replace("&", r"\&"),
            "url": self.url,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        kind = "article" if self.article else "inproceedings"
        return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def bibtex(keys: Iterable[str]) -> str:
    """The entries of the keys, each once, sorted, with an empty line between.

    >>> bibtex(["luo2014", "luo2005", "luo2014"]).count("@inproceedings")
    2
    """
    chosen = sorted(set(keys))
    for key in chosen:
        if key not in BIBLIOGRAPHY:
            raise UnknownName("reference", key, sorted(BIBLIOGRAPHY))
    return "\n\n".join(BIBLIOGRAPHY[key].bibtex(key) for key in chosen)


_ANTHOLOGY = "https://aclanthology.org"

BIBLIOGRAPHY: Mapping[str, Reference] = MappingProxyType(
    {
        "aone1995": Reference(
            author="Aone, Chinatsu and Bennett, Scott William",
            title="Evaluating Automated and Manual Acquisition of Anaphora Resolution Strategies",
            year=1995,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/P95-1017/",
        ),
        "artstein2008": Reference(
            author="Artstein, Ron and Poesio, Massimo",
            title="Inter-Coder Agreement for Computational Linguistics",
            year=2008,
            venue="Computational Linguistics 34(4)",
            url=f"{_ANTHOLOGY}/J08-4004/",
            article=True,
        ),
        "bagga1998": Reference(
            author="Bagga, Amit and Baldwin, Breck",
            title="Algorithms for Scoring Coreference Chains",
            year=1998,
            venue="LREC Workshop on Linguistic Coreference",
        ),
        "baldwin1995": Reference(
            author="Baldwin, Breck and Reynar, Jeff and Collins, Mike and Eisner, Jason and Ratnaparkhi, Adwait and Rosenzweig, Joseph and Sarkar, Anoop and Srinivas, B.",
            title="University of Pennsylvania: Description of the University of Pennsylvania System Used for MUC-6",
            year=1995,
            venue="Proceedings of MUC-6",
            url=f"{_ANTHOLOGY}/M95-1015/",
        ),
        "baldwin1997": Reference(
            author="Baldwin, Breck",
            title="CogNIAC: High Precision Coreference with Limited Knowledge and Linguistic Resources",
            year=1997,
            venue="Operational Factors in Practical, Robust Anaphora Resolution for Unrestricted Texts",
            url=f"{_ANTHOLOGY}/W97-1306/",
        ),
        "bamman2020": Reference(
            author="Bamman, David and Lewke, Olivia and Mansoor, Anya",
            title="An Annotated Dataset of Coreference in English Literature",
            year=2020,
            venue="Proceedings of LREC",
            url=f"{_ANTHOLOGY}/2020.lrec-1.6/",
        ),
        "barbu2001": Reference(
            author="Barbu, Catalina and Mitkov, Ruslan",
            title="Evaluation Tool for Rule-based Anaphora Resolution Methods",
            year=2001,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/P01-1006/",
        ),
        "benjamini1995": Reference(
            author="Benjamini, Yoav and Hochberg, Yosef",
            title="Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
            year=1995,
            venue="Journal of the Royal Statistical Society: Series B",
            article=True,
        ),
        "berg-kirkpatrick2012": Reference(
            author="Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
            title="An Empirical Investigation of Statistical Significance in NLP",
            year=2012,
            venue="Proceedings of EMNLP-CoNLL",
            url=f"{_ANTHOLOGY}/D12-1091/",
        ),
        "byron2001": Reference(
            author="Byron, Donna K.",
            title="The Uncommon Denominator: A Proposal for Consistent Reporting of Pronoun Resolution Results",
            year=2001,
            venue="Computational Linguistics",
            url=f"{_ANTHOLOGY}/J01-4006/",
            article=True,
        ),
        "cai2010": Reference(
            author="Cai, Jie and Strube, Michael",
            title="Evaluation Metrics For End-to-End Coreference Resolution Systems",
            year=2010,
            venue="Proceedings of SIGDIAL",
            url=f"{_ANTHOLOGY}/W10-4305/",
        ),
        "cattan2021": Reference(
            author="Cattan, Arie and Eirew, Alon and Stanovsky, Gabriel and Joshi, Mandar and Dagan, Ido",
            title="Realistic Evaluation Principles for Cross-document Coreference Resolution",
            year=2021,
            venue="Proceedings of *SEM",
            url=f"{_ANTHOLOGY}/2021.starsem-1.13/",
        ),
        "chaudhuri2006": Reference(
            author="Chaudhuri, Surajit and Ganti, Venkatesh and Kaushik, Raghav",
            title="A Primitive Operator for Similarity Joins in Data Cleaning",
            year=2006,
            venue="Proceedings of ICDE",
        ),
        "chen2018": Reference(
            author="Chen, Hong and Fan, Zhenhua and Lu, Hao and Yuille, Alan and Rong, Shu",
            title="PreCo: A Large-scale Dataset in Preschool Vocabulary for Coreference Resolution",
            year=2018,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/D18-1016/",
        ),
        "clark2016": Reference(
            author="Clark, Kevin and Manning, Christopher D.",
            title="Improving Coreference Resolution by Learning Entity-Level Distributed Representations",
            year=2016,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/P16-1061/",
        ),
        "cybulska2014": Reference(
            author="Cybulska, Agata and Vossen, Piek",
            title="Using a Sledgehammer to Crack a Nut? Lexical Diversity and Event Coreference Resolution",
            year=2014,
            venue="Proceedings of LREC",
        ),
        "daelemans2010": Reference(
            author="Daelemans, Walter and Zavrel, Jakub and van der Sloot, Ko and van den Bosch, Antal",
            title="TiMBL: Tilburg Memory-Based Learner, Version 6.3, Reference Guide",
            year=2010,
            venue="ILK Technical Report",
            article=True,
        ),
        "dobrovolskii2021": Reference(
            author="Dobrovolskii, Vladimir",
            title="Word-Level Coreference Resolution",
            year=2021,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/2021.emnlp-main.605/",
        ),
        "durrett2013": Reference(
            author="Durrett, Greg and Klein, Dan",
            title="Easy Victories and Uphill Battles in Coreference Resolution",
            year=2013,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/D13-1203/",
        ),
        "efron1979": Reference(
            author="Efron, Bradley",
            title="Bootstrap Methods: Another Look at the Jackknife",
            year=1979,
            venue="The Annals of Statistics",
            article=True,
        ),
        "hobbs1978": Reference(
            author="Hobbs, Jerry R.", title="Resolving Pronoun References", year=1978, venue="Lingua", article=True
        ),
        "holm1979": Reference(
            author="Holm, Sture",
            title="A Simple Sequentially Rejective Multiple Test Procedure",
            year=1979,
            venue="Scandinavian Journal of Statistics",
            article=True,
        ),
        "honnibal2020": Reference(
            author="Honnibal, Matthew and Montani, Ines and Van Landeghem, Sofie and Boyd, Adriane",
            title="spaCy: Industrial-strength Natural Language Processing in Python",
            year=2020,
            venue="Zenodo",
            url="https://doi.org/10.5281/zenodo.1212303",
            article=True,
        ),
        "hou2018": Reference(
            author="Hou, Yufang and Markert, Katja and Strube, Michael",
            title="Unrestricted Bridging Resolution",
            year=2018,
            venue="Computational Linguistics",
            url=f"{_ANTHOLOGY}/J18-2002/",
            article=True,
        ),
        "kennedy1996": Reference(
            author="Kennedy, Christopher and Boguraev, Branimir",
            title="Anaphora for Everyone: Pronominal Anaphora Resolution without a Parser",
            year=1996,
            venue="Proceedings of COLING",
            url=f"{_ANTHOLOGY}/C96-1021/",
        ),
        "kirstain2021": Reference(
            author="Kirstain, Yuval and Ram, Ori and Levy, Omer",
            title="Coreference Resolution without Span Representations",
            year=2021,
            venue="Proceedings of ACL-IJCNLP",
            url=f"{_ANTHOLOGY}/2021.acl-short.3/",
        ),
        "koehn2004": Reference(
            author="Koehn, Philipp",
            title="Statistical Significance Tests for Machine Translation Evaluation",
            year=2004,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/W04-3250/",
        ),
        "krippendorff2011": Reference(
            author="Krippendorff, Klaus",
            title="Computing Krippendorff's Alpha-Reliability",
            year=2011,
            venue="University of Pennsylvania, Departmental Papers",
            article=True,
        ),
        "kuebler2011": Reference(
            author="Kübler, Sandra and Zhekova, Desislava",
            title="Singletons and Coreference Resolution Evaluation",
            year=2011,
            venue="Proceedings of RANLP",
        ),
        "kummerfeld2013": Reference(
            author="Kummerfeld, Jonathan K. and Klein, Dan",
            title="Error-Driven Analysis of Challenges in Coreference Resolution",
            year=2013,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/D13-1027/",
        ),
        "lappin1994": Reference(
            author="Lappin, Shalom and Leass, Herbert J.",
            title="An Algorithm for Pronominal Anaphora Resolution",
            year=1994,
            venue="Computational Linguistics",
            url=f"{_ANTHOLOGY}/J94-4002/",
            article=True,
        ),
        "lee2013": Reference(
            author="Lee, Heeyoung and Chang, Angel and Peirsman, Yves and Chambers, Nathanael and Surdeanu, Mihai and Jurafsky, Dan",
            title="Deterministic Coreference Resolution Based on Entity-Centric, Precision-Ranked Rules",
            year=2013,
            venue="Computational Linguistics",
            url=f"{_ANTHOLOGY}/J13-4004/",
            article=True,
        ),
        "lee2017": Reference(
            author="Lee, Kenton and He, Luheng and Lewis, Mike and Zettlemoyer, Luke",
            title="End-to-end Neural Coreference Resolution",
            year=2017,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/D17-1018/",
        ),
        "lee2018": Reference(
            author="Lee, Kenton and He, Luheng and Zettlemoyer, Luke",
            title="Higher-Order Coreference Resolution with Coarse-to-Fine Inference",
            year=2018,
            venue="Proceedings of NAACL-HLT",
            url=f"{_ANTHOLOGY}/N18-2108/",
        ),
        "luo2005": Reference(
            author="Luo, Xiaoqiang",
            title="On Coreference Resolution Performance Metrics",
            year=2005,
            venue="Proceedings of HLT-EMNLP",
            url=f"{_ANTHOLOGY}/H05-1004/",
        ),
        "luo2014": Reference(
            author="Luo, Xiaoqiang and Pradhan, Sameer and Recasens, Marta and Hovy, Eduard",
            title="An Extension of BLANC to System Mentions",
            year=2014,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/P14-2005/",
        ),
        "martinelli2024": Reference(
            author="Martinelli, Giuliano and Barba, Edoardo and Navigli, Roberto",
            title="Maverick: Efficient and Accurate Coreference Resolution Defying Recent Trends",
            year=2024,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/2024.acl-long.722/",
        ),
        "martschat2014": Reference(
            author="Martschat, Sebastian and Strube, Michael",
            title="Recall Error Analysis for Coreference Resolution",
            year=2014,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/D14-1221/",
        ),
        "mcnemar1947": Reference(
            author="McNemar, Quinn",
            title="Note on the Sampling Error of the Difference between Correlated Proportions or Percentages",
            year=1947,
            venue="Psychometrika",
            article=True,
        ),
        "mitkov1998": Reference(
            author="Mitkov, Ruslan",
            title="Robust Pronoun Resolution with Limited Knowledge",
            year=1998,
            venue="Proceedings of ACL-COLING",
            url=f"{_ANTHOLOGY}/P98-2143/",
        ),
        "mitkov2002": Reference(
            author="Mitkov, Ruslan and Evans, Richard and Orăsan, Constantin",
            title="A New, Fully Automatic Version of Mitkov's Knowledge-Poor Pronoun Resolution Method",
            year=2002,
            venue="Computational Linguistics and Intelligent Text Processing (CICLing)",
        ),
        "moosavi2016": Reference(
            author="Moosavi, Nafise Sadat and Strube, Michael",
            title="Which Coreference Evaluation Metric Do You Trust? A Proposal for a Link-based Entity Aware Metric",
            year=2016,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/P16-1060/",
        ),
        "moosavi2019": Reference(
            author="Moosavi, Nafise Sadat and Born, Leo and Poesio, Massimo and Strube, Michael",
            title="Using Automatically Extracted Minimum Spans to Disentangle Coreference "
            "Evaluation from Boundary Detection",
            year=2019,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/P19-1408/",
        ),
        "mueller2006": Reference(
            author="Müller, Christoph and Strube, Michael",
            title="Multi-level Annotation of Linguistic Data with MMAX2",
            year=2006,
            venue="Corpus Technology and Language Pedagogy",
        ),
        "nedoluzhko2022": Reference(
            author="Nedoluzhko, Anna and Novák, Michal and Popel, Martin and "
            "Žabokrtský, Zdeněk and Zeldes, Amir and Zeman, Daniel",
            title="CorefUD 1.0: Coreference Meets Universal Dependencies",
            year=2022,
            venue="Proceedings of LREC",
            url=f"{_ANTHOLOGY}/2022.lrec-1.520/",
        ),
        "nivre2020": Reference(
            author="Nivre, Joakim and de Marneffe, Marie-Catherine and Ginter, Filip and Hajič, Jan and Manning, Christopher D. and Pyysalo, Sampo and Schuster, Sebastian and Tyers, Francis and Zeman, Daniel",
            title="Universal Dependencies v2: An Evergrowing Multilingual Treebank Collection",
            year=2020,
            venue="Proceedings of LREC",
            url=f"{_ANTHOLOGY}/2020.lrec-1.497/",
        ),
        "novak2024": Reference(
            author="Novák, Michal and Dohnalová, Barbora and Konopík, Miloslav and "
            "Nedoluzhko, Anna and Popel, Martin and Pražák, Ondřej and Sido, Jakub and "
            "Straka, Milan and Žabokrtský, Zdeněk and Zeman, Daniel",
            title="Findings of the Third Shared Task on Multilingual Coreference Resolution",
            year=2024,
            venue="Proceedings of CRAC",
            url=f"{_ANTHOLOGY}/2024.crac-1.8/",
        ),
        "orasan2008": Reference(
            author="Orăsan, Constantin and Cristea, Dan and Mitkov, Ruslan and Branco, António",
            title="Anaphora Resolution Exercise: an Overview",
            year=2008,
            venue="Proceedings of LREC",
        ),
        "otmazgin2022": Reference(
            author="Otmazgin, Shon and Cattan, Arie and Goldberg, Yoav",
            title="F-coref: Fast, Accurate and Easy to Use Coreference Resolution",
            year=2022,
            venue="Proceedings of AACL-IJCNLP: System Demonstrations",
            url=f"{_ANTHOLOGY}/2022.aacl-demo.6/",
        ),
        "otmazgin2023": Reference(
            author="Otmazgin, Shon and Cattan, Arie and Goldberg, Yoav",
            title="LingMess: Linguistically Informed Multi Expert Scorers for Coreference Resolution",
            year=2023,
            venue="Proceedings of EACL",
        ),
        "passonneau2004": Reference(
            author="Passonneau, Rebecca J.",
            title="Computing Reliability for Coreference Annotation",
            year=2004,
            venue="Proceedings of LREC",
        ),
        "passonneau2006": Reference(
            author="Passonneau, Rebecca",
            title="Measuring Agreement on Set-valued Items (MASI) for Semantic and Pragmatic Annotation",
            year=2006,
            venue="Proceedings of LREC",
        ),
        "paun2022": Reference(
            author="Paun, Silviu and Yu, Juntao and Moosavi, Nafise Sadat and Poesio, Massimo",
            title="Scoring Coreference Chains with Split-Antecedent Anaphors",
            year=2022,
            venue="Dialogue & Discourse",
            url="https://arxiv.org/abs/2205.12323",
            article=True,
        ),
        "poesio2004": Reference(
            author="Poesio, Massimo",
            title="The MATE/GNOME Proposals for Anaphoric Annotation, Revisited",
            year=2004,
            venue="Proceedings of SIGDIAL",
            url=f"{_ANTHOLOGY}/W04-2327/",
        ),
        "poesio2018": Reference(
            author="Poesio, Massimo and Grishina, Yulia and Kolhatkar, Varada and "
            "Moosavi, Nafise Sadat and Roesiger, Ina and Roussel, Adam and "
            "Simonjetz, Fabian and Uma, Alexandra and Uryupina, Olga and Yu, Juntao and "
            "Zinsmeister, Heike",
            title="Anaphora Resolution with the ARRAU Corpus",
            year=2018,
            venue="Proceedings of CRAC",
            url=f"{_ANTHOLOGY}/W18-0702/",
        ),
        "pradhan2011": Reference(
            author="Pradhan, Sameer and Ramshaw, Lance and Marcus, Mitchell and "
            "Palmer, Martha and Weischedel, Ralph and Xue, Nianwen",
            title="CoNLL-2011 Shared Task: Modeling Unrestricted Coreference in OntoNotes",
            year=2011,
            venue="Proceedings of CoNLL: Shared Task",
            url=f"{_ANTHOLOGY}/W11-1901/",
        ),
        "pradhan2012": Reference(
            author="Pradhan, Sameer and Moschitti, Alessandro and Xue, Nianwen and Uryupina, Olga and Zhang, Yuchen",
            title="CoNLL-2012 Shared Task: Modeling Multilingual Unrestricted Coreference in OntoNotes",
            year=2012,
            venue="Joint Conference on EMNLP and CoNLL: Shared Task",
            url=f"{_ANTHOLOGY}/W12-4501/",
        ),
        "pradhan2014": Reference(
            author="Pradhan, Sameer and Luo, Xiaoqiang and Recasens, Marta and Hovy, Eduard and "
            "Ng, Vincent and Strube, Michael",
            title="Scoring Coreference Partitions of Predicted Mentions: A Reference Implementation",
            year=2014,
            venue="Proceedings of ACL",
            url=f"{_ANTHOLOGY}/P14-2006/",
        ),
        "qi2020": Reference(
            author="Qi, Peng and Zhang, Yuhao and Zhang, Yuhui and Bolton, Jason and Manning, Christopher D.",
            title="Stanza: A Python Natural Language Processing Toolkit for Many Human Languages",
            year=2020,
            venue="Proceedings of ACL: System Demonstrations",
            url=f"{_ANTHOLOGY}/2020.acl-demos.14/",
        ),
        "rahman2009": Reference(
            author="Rahman, Altaf and Ng, Vincent",
            title="Supervised Models for Coreference Resolution",
            year=2009,
            venue="Proceedings of EMNLP",
            url=f"{_ANTHOLOGY}/D09-1101/",
        ),
        "recasens2010semeval": Reference(
            author="Recasens, Marta and Màrquez, Lluís and Sapena, Emili and "
            "Martí, M. Antònia and Taulé, Mariona and Hoste, Véronique and "
            "Poesio, Massimo and Versley, Yannick",
            title="SemEval-2010 Task 1: Coreference Resolution in Multiple Languages",
            year=2010,
            venue="Proceedings of SemEval",
            url=f"{_ANTHOLOGY}/S10-1001/",
        ),
        "recasens2011": Reference(
            author="Recasens, Marta and Hovy, Eduard",
            title="BLANC: Implementing the Rand Index for Coreference Evaluation",
            year=2011,
            venue="Natural Language Engineering",
            article=True,
        ),
        "rudinger2018": Reference(
            author="Rudinger, Rachel and Naradowsky, Jason and Leonard, Brian and Van Durme, Benjamin",
            title="Gender Bias in Coreference Resolution",
            year=2018,
            venue="Proceedings of NAACL-HLT",
            url=f"{_ANTHOLOGY}/N18-2002/",
        ),
        "silveira2014": Reference(
            author="Silveira, Natalia and Dozat, Timothy and de Marneffe, Marie-Catherine and Bowman, Samuel and Connor, Miriam and Bauer, John and Manning, Chris",
            title="A Gold Standard Dependency Corpus for English",
            year=2014,
            venue="Proceedings of LREC",
            url=f"{_ANTHOLOGY}/L14-1067/",
        ),
        "soon2001": Reference(
            author="Soon, Wee Meng and Ng, Hwee Tou and Lim, Daniel Chung Yong",
            title="A Machine Learning Approach to Coreference Resolution of Noun Phrases",
            year=2001,
            venue="Computational Linguistics",
            url=f"{_ANTHOLOGY}/J01-4004/",
            article=True,
        ),
        "stenetorp2012": Reference(
            author="Stenetorp, Pontus and Pyysalo, Sampo and Topić, Goran and Ohta, Tomoko and "
            "Ananiadou, Sophia and Tsujii, Jun'ichi",
            title="brat: a Web-based Tool for NLP-Assisted Text Annotation",
            year=2012,
            venue="Proceedings of EACL, Demonstrations",
            url=f"{_ANTHOLOGY}/E12-2021/",
        ),
        "stoyanov2009": Reference(
            author="Stoyanov, Veselin and Gilbert, Nathan and Cardie, Claire and Riloff, Ellen",
            title="Conundrums in Noun Phrase Coreference Resolution: Making Sense of the State-of-the-Art",
            year=2009,
            venue="Proceedings of ACL-IJCNLP",
            url=f"{_ANTHOLOGY}/P09-1074/",
        ),
        "stuckardt2001": Reference(
            author="Stuckardt, Roland",
            title="Design and Enhanced Evaluation of a Robust Anaphor Resolution Algorithm",
            year=2001,
            venue="Computational Linguistics",
            url=f"{_ANTHOLOGY}/J01-4002/",
            article=True,
        ),
        "tanev2002": Reference(
            author="Tanev, Hristo and Mitkov, Ruslan",
            title="Shallow Language Processing Architecture for Bulgarian",
            year=2002,
            venue="Proceedings of COLING",
            url=f"{_ANTHOLOGY}/C02-1027/",
        ),
        "tetreault2001": Reference(
            author="Tetreault, Joel R.",
            title="A Corpus-Based Evaluation of Centering and Pronoun Resolution",
            year=2001,
            venue="Computational Linguistics",
            url=f"{_ANTHOLOGY}/J01-4003/",
            article=True,
        ),
        "vilain1995": Reference(
            author="Vilain, Marc and Burger, John and Aberdeen, John and Connolly, Dennis and Hirschman, Lynette",
            title="A Model-Theoretic Coreference Scoring Scheme",
            year=1995,
            venue="Proceedings of MUC-6",
            url=f"{_ANTHOLOGY}/M95-1005/",
        ),
        "song2020": Reference(
            author="Song, Kaitao and Tan, Xu and Qin, Tao and Lu, Jianfeng and Liu, Tie-Yan",
            title="MPNet: Masked and Permuted Pre-training for Language Understanding",
            year=2020,
            venue="Advances in Neural Information Processing Systems",
            url="https://arxiv.org/abs/2004.09297",
        ),
        "wang2012": Reference(
            author="Wang, Jiannan and Li, Guoliang and Feng, Jianhua",
            title="Can We Beat the Prefix Filtering? An Adaptive Framework for Similarity Join and Search",
            year=2012,
            venue="Proceedings of SIGMOD",
        ),
        "wang2020": Reference(
            author="Wang, Wenhui and Wei, Furu and Dong, Li and Bao, Hangbo and Yang, Nan and Zhou, Ming",
            title="MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained Transformers",
            year=2020,
            venue="Advances in Neural Information Processing Systems",
            url="https://arxiv.org/abs/2002.10957",
        ),
        "webster2018": Reference(
            author="Webster, Kellie and Recasens, Marta and Axelrod, Vera and Baldridge, Jason",
            title="Mind the GAP: A Balanced Corpus of Gendered Ambiguous Pronouns",
            year=2018,
            venue="Transactions of the Association for Computational Linguistics",
            url=f"{_ANTHOLOGY}/Q18-1042/",
            article=True,
        ),
        "yeh2000": Reference(
            author="Yeh, Alexander",
            title="More Accurate Tests for the Statistical Significance of Result Differences",
            year=2000,
            venue="Proceedings of COLING",
            url=f"{_ANTHOLOGY}/C00-2137/",
        ),
        "yimam2013": Reference(
            author="Yimam, Seid Muhie and Gurevych, Iryna and Eckart de Castilho, Richard and Biemann, Chris",
            title="WebAnno: A Flexible, Web-based and Visually Supported System for Distributed Annotations",
            year=2013,
            venue="Proceedings of ACL, System Demonstrations",
            url=f"{_ANTHOLOGY}/P13-4001/",
        ),
        "yu2021": Reference(
            author="Yu, Juntao and Moosavi, Nafise Sadat and Paun, Silviu and Poesio, Massimo",
            title="Stay Together: A System for Single and Split-antecedent Anaphora Resolution",
            year=2021,
            venue="Proceedings of NAACL-HLT",
            url=f"{_ANTHOLOGY}/2021.naacl-main.329/",
        ),
        "yu2023": Reference(
            author="Yu, Juntao and Novák, Michal and Aloraini, Abdulrahman and "
            "Moosavi, Nafise Sadat and Paun, Silviu and Pradhan, Sameer and Poesio, Massimo",
            title="The Universal Anaphora Scorer 2.0",
            year=2023,
            venue="Proceedings of IWCS",
            url=f"{_ANTHOLOGY}/2023.iwcs-1.19/",
        ),
        "zabokrtsky2022": Reference(
            author="Žabokrtský, Zdeněk and Konopík, Miloslav and Nedoluzhko, Anna and "
            "Novák, Michal and Ogrodniczuk, Maciej and Popel, Martin and "
            "Pražák, Ondřej and Sido, Jakub and Zeman, Daniel and Zhu, Yilun",
            title="Findings of the Shared Task on Multilingual Coreference Resolution",
            year=2022,
            venue="Proceedings of the CRAC Shared Task",
            url=f"{_ANTHOLOGY}/2022.crac-mcr.1/",
        ),
        "zeldes2017": Reference(
            author="Zeldes, Amir",
            title="The GUM Corpus: Creating Multilayer Resources in the Classroom",
            year=2017,
            venue="Language Resources and Evaluation",
            article=True,
        ),
        "zhao2018": Reference(
            author="Zhao, Jieyu and Wang, Tianlu and Yatskar, Mark and Ordonez, Vicente and Chang, Kai-Wei",
            title="Gender Bias in Coreference Resolution: Evaluation and Debiasing Methods",
            year=2018,
            venue="Proceedings of NAACL-HLT",
            url=f"{_ANTHOLOGY}/N18-2003/",
        ),
        "zhekova2010": Reference(
            author="Zhekova, Desislava and Kübler, Sandra",
            title="UBIU: A Language-Independent System for Coreference Resolution",
            year=2010,
            venue="Proceedings of SemEval",
            url=f"{_ANTHOLOGY}/S10-1019/",
        ),
        "zhekova2011": Reference(
            author="Zhekova, Desislava and Kübler, Sandra",
            title="UBIU: A Robust System for Resolving Unrestricted Coreference",
            year=2011,
            venue="Proceedings of the CoNLL Shared Task",
            url=f"{_ANTHOLOGY}/W11-1913/",
        ),
    }
)

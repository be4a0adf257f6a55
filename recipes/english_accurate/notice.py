"""What is said about rights beside the shipped weights."""

from recipes.english.notice import NOTICE as CORPORA

ENCODER = """
The weights started from all-MiniLM-L6-v2 (Apache License 2.0):
  https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2, itself made from
  nreimers/MiniLM-L6-H384-uncased and Microsoft's MiniLM (MIT): Wenhui Wang, Furu Wei, Li Dong,
  Hangbo Bao, Nan Yang and Ming Zhou (2020): MiniLM: Deep Self-Attention Distillation for
  Task-Agnostic Compression of Pre-Trained Transformers. NeurIPS 2020.
  Its table of word pieces (tokenizer.json) is included. Licence: http://www.apache.org/licenses/LICENSE-2.0
  Changes: trained further, rounded to 8 bits.
"""

NOTICE = CORPORA.replace("`en`", "`en-accurate`") + ENCODER

"""Evaluate language models: make prompts from a corpus, read the answers back as a response.

Nothing here speaks to a model or to the network: users run the model.
"""

from corefbench.llm.answers import AnswerReport, Reply
from corefbench.llm.prompting import Message, Prompt, Template, Window, encode_prompts, load_template, prompts
from corefbench.llm.response import Response, read_answers

__all__ = [
    "AnswerReport",
    "Message",
    "Prompt",
    "Reply",
    "Response",
    "Template",
    "Window",
    "encode_prompts",
    "load_template",
    "prompts",
    "read_answers",
]

"""Evaluate language models: make prompts from a corpus, read the answers back as a response.

Nothing here speaks to a model or to the network: users run the model.
"""

from corefbench.llm.answers import AnswerReport, Reply
from corefbench.llm.prompting import Message, Prompt, Window, encode_prompts, prompts
from corefbench.llm.response import Response, read_answers
from corefbench.llm.templates import Template, load_template

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

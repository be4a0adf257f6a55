"""Evaluating language models: prompts from a corpus, and their answers read back as a response.

Nothing here speaks to a model or to the network: users run the model.
"""

from corefbench.language_models.account import Account, Reply
from corefbench.language_models.prompt import Message, Prompt, Window, lines
from corefbench.language_models.prompting import prompts
from corefbench.language_models.response import Response, read_answers
from corefbench.language_models.templates import Template, template

__all__ = [
    "Account",
    "Message",
    "Prompt",
    "Reply",
    "Response",
    "Template",
    "Window",
    "lines",
    "prompts",
    "read_answers",
    "template",
]

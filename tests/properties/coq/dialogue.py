"""Texts that are put to one Coq, in which some proofs may fail."""

from __future__ import annotations

import re
import subprocess

from bufalu.properties.coq.asking import conversing, sentences

ATTEMPT, GIVEN_UP = "(* attempt *)", "Abort All."
"""Around a proof that may fail: what follows its first error is not said, for Coq would try it on a goal that is none."""

ATTEMPTS = re.compile(rf"{re.escape(ATTEMPT)}(.*?){re.escape(GIVEN_UP)}", flags=re.DOTALL)
"""Splits a text: every second part is what stands inside an attempt."""


def dialogue(compiler: str, text: str) -> str:
    """What Coq says to the text, in its order; goals are not shown, and the prompt names the theorem that is being proved."""
    with conversing(compiler, complaints=subprocess.STDOUT) as coq:
        said = [coq.ask("Set Silent.")]
        for place, part in enumerate(ATTEMPTS.split(text)):
            if place % 2 == 0:
                said.append(coq.ask(part))
                continue
            for sentence in sentences(part):
                said.append(coq.ask(sentence))
                if "Error:" in said[-1]:
                    break
            said.append(coq.ask(GIVEN_UP))
    return "\n".join(said)

"""What was declared for a decision, in the workspace file and back from it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

import streamlit as st

from overlapkit.corpus import Corpus
from overlapkit.cost import COSTS, Prices
from overlapkit.errors import InputError, OverlapkitError
from overlapkit.gates import lock_fields, lock_from, parse_gate
from overlapkit.ui.decide.declared import SCOPES, Declared, key_of
from overlapkit.ui.memory import tell
from overlapkit.ui.session import Workspace
from overlapkit.workspace import SavedWorkspace

FIELD = "declared"


def fields_of(work: Workspace) -> dict[str, str]:
    """Return the field of a workspace file, its JSON by its name; none where nothing is declared.

    A table of results from outside is not in it: it is to be uploaded again.
    """
    held: dict[tuple[str, str], Declared] = st.session_state.get("declared", {})
    now = held.get(key_of(work.engine.corpus, work.whole.digest))
    if now is None:
        return {}
    content = {
        "gates": [gate.text for gate in now.gates],
        "own": now.own,
        "cost": now.cost,
        "scope": now.scope,
        "prices": asdict(now.prices),
        "lock": None if now.lock is None else lock_fields(now.lock),
    }
    return {FIELD: json.dumps(content, ensure_ascii=False)}


def take_up(saved: SavedWorkspace, corpus: Corpus) -> None:
    """Declare what a workspace file holds; what cannot be read is told and left out."""
    text = dict(saved.other).get(FIELD)
    if text is None:
        return
    try:
        found = _declared(json.loads(text))
    except OverlapkitError as error:
        tell(f"The gates of the file were left out: {error}.")
        return
    lock = found.lock
    if lock is not None and (lock.corpus_digest, lock.query_digest) != (
        corpus.digest, saved.query_digest,
    ):  # fmt: skip
        tell("The lock of the file was left out: it is of other documents or questions.")
        found = replace(found, lock=None)
    held: dict[tuple[str, str], Declared] = st.session_state.setdefault("declared", {})
    held[key_of(corpus, saved.query_digest)] = found


def _declared(content: object) -> Declared:
    """Return what a field declares; raises OverlapkitError where it breaks a rule."""
    if not isinstance(content, Mapping) or not isinstance(content.get("gates"), list):
        raise InputError("declared must be an object with a list of gates; got another")
    lock, prices = content.get("lock"), content.get("prices")
    found = Declared(
        tuple(parse_gate(str(one)) for one in content["gates"]), own=bool(content.get("own"))
    )
    cost, scope = content.get("cost"), content.get("scope")
    if isinstance(cost, str) and cost in COSTS:
        found = replace(found, cost=cost)
    if isinstance(scope, str) and scope in SCOPES:
        found = replace(found, scope=scope)
    if isinstance(lock, Mapping):
        found = replace(found, lock=lock_from(lock))
        if found.lock is not None and (found.gates, found.cost) != (
            found.lock.gates, found.lock.cost,
        ):  # fmt: skip
            raise InputError(
                "the gates and the cost must be those of the lock; got others: record a change in "
                "the lock"
            )
    if isinstance(prices, Mapping):
        found = replace(found, prices=_prices(prices))
    return found


def _prices(content: Mapping[str, object]) -> Prices:
    found: dict[str, Any] = {}
    for field in fields(Prices):
        value, usual = content.get(field.name), getattr(Prices(), field.name)
        if isinstance(usual, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not type(usual):
            raise InputError(
                f"the price field {field.name} must be like {usual!r}; got {value!r}: write the "
                "file as it was downloaded"
            )
        found[field.name] = value
    return Prices(**found)

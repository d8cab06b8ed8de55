"""The server: what it prepares before the first visitor comes, and the page it opens with."""

from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

from overlapkit.ui.head import Head
from overlapkit.ui.opening import opening_words
from overlapkit.ui.sweeps import open_early

_PATIENCE = 3.0  # seconds


@asynccontextmanager
async def prepared(_: st.App) -> AsyncIterator[None]:
    """Evaluate the opening setting first, but let nobody wait long for the server."""
    await to_thread(open_early().join, _PATIENCE)
    yield


app = st.App("tune.py", lifespan=prepared, middleware=[Middleware(Head, words=opening_words)])

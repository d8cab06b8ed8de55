"""The style is in every page, the first words in the opening one; all else is untouched."""

from collections.abc import Coroutine
from typing import Any

import pytest

from overlapkit.ui.head import STYLE, FirstWords, Head

PAGE = b"<!DOCTYPE html><html><head><title>x</title></head><body>&amp;</body></html>"
Headers = list[tuple[bytes, bytes]]


def answer(
    parts: list[bytes], asked: Headers, given: Headers, path: str = "/corpus", query: bytes = b""
) -> tuple[dict[bytes, bytes], bytes, dict[bytes, bytes]]:
    """Return the headers and the body that pass, and the headers that the app was asked with."""
    seen: dict[bytes, bytes] = {}
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": list(given)})
        for number, part in enumerate(parts, 1):
            more = number < len(parts)
            await send({"type": "http.response.body", "body": part, "more_body": more})

    async def receive() -> Any:
        raise AssertionError("nothing is read from the browser")

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": path, "query_string": query, "headers": list(asked)}
    head = Head(app, lambda: FirstWords("Title", "a < b & c", "<svg></svg>"))
    finish(head(scope, receive, send))
    body = b"".join(message.get("body", b"") for message in sent)
    return dict(sent[0]["headers"]), body, seen


def finish(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run what waits for nothing; a loop of its own would not start beside another's."""
    with pytest.raises(StopIteration):
        coroutine.send(None)


HTML = (b"accept", b"text/html,*/*")


@pytest.mark.parametrize("cut", [len(PAGE), 20, 41])
def test_a_page_gets_the_style_at_the_end_of_its_head(cut: int):
    """However the page is cut into parts, its length is told rightly."""
    parts = [part for part in (PAGE[:cut], PAGE[cut:]) if part]
    length = str(len(PAGE)).encode()
    headers, body, _ = answer(parts, [HTML], [(b"content-length", length), (b"etag", b"1")])
    styled = PAGE.replace(b"</head>", f"<style>{STYLE}</style></head>".encode())
    assert body == styled
    assert headers[b"content-length"] == str(len(styled)).encode()
    assert b"etag" not in headers


def test_a_page_is_asked_for_whole_and_legible():
    """Neither compressed nor "not modified": both would leave nothing to add to."""
    asked = [HTML, (b"accept-encoding", b"gzip"), (b"if-none-match", b"1"), (b"cookie", b"c")]
    _, _, seen = answer([PAGE], asked, [])
    assert seen == {b"accept": HTML[1], b"cookie": b"c"}


def test_whatever_is_no_page_passes_as_it_is():
    """Scripts and pictures keep their bytes, their compression and their name in the cache."""
    asked, given = [(b"accept", b"*/*"), (b"accept-encoding", b"gzip")], [(b"etag", b"1")]
    headers, body, seen = answer([PAGE], asked, given)
    assert (headers, body, seen) == (dict(given), PAGE, dict(asked))


def test_the_opening_page_brings_its_answer():
    """As plain text with its picture, and only where no link asks for something else."""
    words = b"<p>Title</p><p>a &lt; b &amp; c</p></div><div><svg></svg></div>"
    headers, body, _ = answer([PAGE], [HTML], [], "/")
    assert words in body
    assert headers[b"content-length"] == str(len(body)).encode()
    assert words not in answer([PAGE], [HTML], [], "/", b"corpus=clauses")[1]
    assert words not in answer([PAGE], [HTML], [], "/corpus")[1]

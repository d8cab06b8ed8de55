"""What a page brings before any script has run: its style, and the answer it opens with.

Given out with the first byte, the style is there for the first word; an element of the page
would bring it after the first words were drawn, and they would jump. A browser that has
nothing of Streamlit yet needs a second or more for its scripts; the answer need not wait.
"""

from collections.abc import Callable
from html import escape
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Streamlit's own rules come later, so those that replace one must be more specific.
STYLE = """
/* The first sentence should be on screen without scrolling, also on a phone. */
.stMain .block-container { padding-top: 3.6rem; padding-bottom: 3rem; max-width: 1500px; }
.stMain [data-testid="stMetricValue"] { font-size: 1.7rem; }
/* The stock grey of small text is too faint to read: its size sets it apart. */
[data-testid="stCaptionContainer"] { color: inherit !important; opacity: 1 !important; }
.stApp [data-testid="stCaptionContainer"] p, .stApp [data-testid="stMetricLabel"] {
  color: inherit; opacity: 1;
}
h1 { padding: 0 0 0.35rem 0 !important; }
h2 { padding: 0.5rem 0 0.1rem 0 !important; }
.stMain .st-key-verdict .stMarkdown p { font-size: 1.18rem; line-height: 1.5; }
/* What only carries data to what draws it takes no room, also before its script is there. */
[class*="st-key-carry_"] { display: none; }
/* Room for what arrives later, so that nothing jumps; it is what all of it takes at least. */
.st-key-pages .stElementContainer { height: 2rem; margin: -0.375rem 0; overflow: clip; }
.st-key-answer { min-height: 12rem; }
.st-key-setting_tiles { min-height: 470px; }
.st-key-setting { min-height: 345px; }
.st-key-tune_text { min-height: 610px; }
.st-key-charts { min-height: 1240px; }
@media (max-width: 1375px) {
  .st-key-setting_tiles { min-height: 550px; }
}
@media (max-width: 1100px) {
  .st-key-answer { min-height: 14rem; }
  .st-key-setting_tiles { min-height: 655px; }
}
@media (max-width: 640px) {
  .st-key-answer { min-height: 29rem; }
  .st-key-setting_tiles { min-height: 900px; }
}
@media (min-width: 769px) {
  .stMain .block-container { padding-left: 5rem; padding-right: 5rem; }
  /* The sidebar, once there, stands between the two. A selector with :has costs frames. */
  .stAppViewContainer > a + div { margin-left: 18.75rem; }
}
"""
_FIRST = """
<style>
#first-words { position: fixed; inset: 0; z-index: 1; padding: 54px 15px;
  font: 15px/1.5 "Source Sans", sans-serif; color: #1a2233; background: #ffffff; }
#first-words p { margin: 0 0 6px; font-size: 17.7px; }
#first-words p:first-child { font-size: 19.5px; font-weight: 700; }
@media (min-width: 769px) {
  #first-words { padding-left: 356px; padding-right: 75px; display: grid;
    grid-template-columns: 7fr 3fr; gap: 30px; align-content: start; }
}
@media (prefers-color-scheme: dark) { #first-words { color: #e8ecf3; background: #10151f; } }
</style>
<div id="first-words">%s</div>
<script>
(() => {
  const words = document.getElementById("first-words");
  const until = performance.now() + 20000;
  const look = (now) => {
    const own = document.querySelector(".st-key-verdict p, [role=alert], [role=dialog]");
    if (own || now > until) words.remove();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
</script>
"""


class FirstWords(NamedTuple):
    """What the opening page says at once: plain text, and a picture as SVG."""

    title: str
    sentence: str
    picture: str = ""


class Head:
    """ASGI middleware that adds ``STYLE`` to every page, and words to the opening one.

    ``words`` is asked for them anew each time; they go when the page has its own.
    """

    def __init__(self, app: ASGIApp, words: Callable[[], FirstWords]) -> None:
        self.app = app
        self.words = words

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        opening = scope["path"] == "/" and not scope["query_string"]
        first = _first(self.words()) if opening else ""
        asked = MutableHeaders(scope=scope)
        for name in ("accept-encoding", "if-none-match", "if-modified-since"):
            del asked[name]  # the answer must come whole and legible
        start: Message = {}
        body = bytearray()

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body", False):
                page = bytes(body).replace(b"</head>", f"<style>{STYLE}</style></head>".encode(), 1)
                page = page.replace(b"</body>", f"{first}</body>".encode(), 1)
                headers = MutableHeaders(scope=start)
                del headers["etag"], headers["last-modified"]  # those of the page without it
                headers["content-length"] = str(len(page))
                await send(start)
                await send({"type": "http.response.body", "body": page})

        await self.app(scope, receive, add)


def _first(words: FirstWords) -> str:
    told = f"<div><p>{escape(words.title)}</p><p>{escape(words.sentence)}</p></div>"
    return _FIRST.replace("%s", f"{told}<div>{words.picture}</div>")

"""LlamaIndex: plain windows as a transformation, which its pipelines take."""

from overlapkit.chunkers import ChunkSpec
from overlapkit.recipes.kinds import Code, described
from overlapkit.recipes.plain import with_windows

PACKAGE = ("llama-index-core", "0.14.25")


def by_any(spec: ChunkSpec) -> Code:
    """Return plain windows as a transformation to text nodes."""
    imports = """\
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.schema import BaseNode, TransformComponent"""
    form = _WINDOWS.replace("{what}", described(spec))
    return Code(with_windows(spec, PACKAGE, imports, form), _NOTES[spec.unit])


_WINDOWS = '''\
class Windows(TransformComponent):
    """For IngestionPipeline(transformations=[Windows(), ...]), or Windows()(documents)."""

    # A pipeline's cache tells settings apart by it.
    what: str = "{what}"

    def __call__(self, nodes: list[BaseNode], **kwargs: object) -> list[BaseNode]:
        found = []
        for node in nodes:
            cut = chunks(node.get_content())
            parts = build_nodes_from_splits([piece for _, _, piece in cut], node)
            for part, (start, end, _) in zip(parts, cut, strict=True):
                part.start_char_idx, part.end_char_idx = start, end
                part.metadata = dict(node.metadata)
            found += parts
        return found
'''

_NOTES = {
    unit: (
        f"LlamaIndex's own splitters {why}, keep room free for metadata and find positions by "
        "search, which goes wrong where text repeats; this cuts in plain Python, as a "
        "transformation."
    )
    for unit, why in {
        "char": "cut at separators first",
        "word": "keep words together that only a line break parts",
        "token": "cut between words first",
    }.items()
}

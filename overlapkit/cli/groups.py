"""``--groups`` and ``--as``: who may see which document, and a run as one of them."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from overlapkit.cli.command import Notes
from overlapkit.cli.files import bytes_of
from overlapkit.corpus import Corpus
from overlapkit.errors import InputError, SettingsError
from overlapkit.groups import (
    Labelled,
    label_by_folder,
    label_by_front_matter,
    label_by_manifest,
    labels_notes,
    labels_of,
    visible_sentence,
    visible_to,
)
from overlapkit.words import counted

# In place of an error that may name what a member does not see.
UNTOLD = (
    "a corpus needs at least one readable document, and every file that is named itself must be "
    "readable: run it without --as to see which is not"
)

_FOLDER = re.compile(r"folder(?::([0-9]{1,3}))?")


def visible_part(corpus: Corpus, args: argparse.Namespace, notes: Notes) -> tuple[Corpus, Corpus]:
    """Return the documents that the asker may see, and all of them, labelled.

    Where a member asks, nothing is said of the labels but the names of groups.
    """
    if args.groups is None:
        if args.members:
            raise SettingsError(
                "--as asks what members of a group may see, and no document has a group: give "
                "--groups folder, --groups front-matter or --groups FILE as well"
            )
        return corpus, corpus
    labelled = _label(corpus, args.groups)
    if not args.members:
        notes += (f"note: {text}" for text in labels_notes(labelled))
        return labelled.corpus, labelled.corpus
    there = labels_of(labelled.corpus)
    if not there:
        raise InputError(
            f"--as needs a document with a group, and --groups {args.groups} gives none: label "
            "them in another way, or leave --as out"
        )
    visible = visible_to(labelled.corpus, _names(args.members, there))
    notes.append(f"note: {visible_sentence(visible, labelled.corpus)}")
    return visible, labelled.corpus


def untold(told: Sequence[str]) -> Notes:
    """Return what a member is told in place of notes on reading, which name any document."""
    if not told:
        return []
    one = len(told) == 1
    return [
        f"note: {counted(len(told), 'note')} on reading {'is' if one else 'are'} left out, which "
        f"may name what members do not see: {'it is' if one else 'they are'} shown without --as"
    ]


def _label(corpus: Corpus, how: str) -> Labelled:
    folder = _FOLDER.fullmatch(how)
    if folder is not None:
        return label_by_folder(corpus, int(folder[1] or 1))
    if how == "front-matter":
        return label_by_front_matter(corpus)
    return label_by_manifest(corpus, bytes_of(how), Path(how).name)


def _names(given: Sequence[str], there: Sequence[str]) -> list[str]:
    """Return the groups asked for; a name that holds a comma is known by being a group's."""
    parts = (part for text in given for part in ([text] if text in there else text.split(",")))
    return [part.strip() for part in parts]

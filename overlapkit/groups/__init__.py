"""Access groups: labels of documents, and what a member of some groups is asked and shown.

A run as a member is the run on a corpus that holds only the documents the member may see:
everything, from the choice of terms to the cache key, is prepared from ``visible_to``'s corpus.
"""

from overlapkit.groups.folders import label_by_folder
from overlapkit.groups.front_matter import label_by_front_matter
from overlapkit.groups.labels import Group, Labelled, Refused, group_table, labels_of
from overlapkit.groups.manifest import label_by_manifest
from overlapkit.groups.members import member_queries, prepare_for, queries_for, visible_to
from overlapkit.groups.sentences import groups_sentence, labels_notes, visible_sentence

__all__ = [
    "Group",
    "Labelled",
    "Refused",
    "group_table",
    "groups_sentence",
    "label_by_folder",
    "label_by_front_matter",
    "label_by_manifest",
    "labels_notes",
    "labels_of",
    "member_queries",
    "prepare_for",
    "queries_for",
    "visible_sentence",
    "visible_to",
]

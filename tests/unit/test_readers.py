"""Readers: encodings, archives, limits, names and folders."""

import base64
import io
import os
import random
import struct
import tempfile
import tracemalloc
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from overlapkit.corpus import Document
from overlapkit.errors import InputError, SettingsError
from overlapkit.readers import (
    ARCHIVES,
    READERS,
    SUPPORTED,
    Limits,
    Reading,
    corpus_of_reading,
    decode,
    load_corpus,
    read_files,
    read_paths,
)

MB = 1024 * 1024
FRENCH = "L'été dernier, nous avons mangé à la crêperie près de l’hôtel – 5 € la crêpe."
JAPANESE = "営業時間は九時から十七時までです。日曜日は休みます。"
RUSSIAN = "Отчет за прошлый год. Все работы выполнены в срок."
POLISH = "Zażółć gęślą jaźń. Proszę przesłać dokumenty do urzędu w środę."

# Two names in local code pages (Shift-JIS and cp437), neither marked as UTF-8.
NAMES_ZIP = base64.b64decode(
    "UEsDBBQAAAAIAAAAIVgqkEqrBgAAAAQAAAAIAAAAg4GDgi50eHTLTc3NBwBQSwMEFAAAAAgAAAAhWBB/vU8GAAAA"
    "BAAAAAgAAABjYWaCLnR4dEtOTEsFAFBLAQIUAxQAAAAIAAAAIVgqkEqrBgAAAAQAAAAIAAAAAAAAAAAAAACAAQAA"
    "AACDgYOCLnR4dFBLAQIUAxQAAAAIAAAAIVgQf71PBgAAAAQAAAAIAAAAAAAAAAAAAACAASwAAABjYWaCLnR4dFBL"
    "BQYAAAAAAgACAGwAAABYAAAAAAA="
)


def zip_of(*members: tuple[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of (name, data) members; a name may occur twice."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


def zip_with_raw_names(*members: tuple[bytes, bytes]) -> bytes:
    """Return a zip archive whose names are stored as given, unmarked."""
    marked = [(chr(65 + index) * len(raw), data) for index, (raw, data) in enumerate(members)]
    archive = zip_of(*marked)
    for (placeholder, _), (raw, _) in zip(marked, members, strict=True):
        archive = archive.replace(placeholder.encode(), raw)
    return archive


def texts(reading: Reading) -> dict[str, str]:
    """Return the texts of a reading by name."""
    return {document.name: document.text for document in reading.documents}


# --- decode -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-32-be", "utf-16-le"]
)
def test_every_unicode_encoding_gives_the_same_text(codec: str):
    """UTF-8, UTF-16 and UTF-32 with a mark, and UTF-16 without one, decode to the same text."""
    text = "hi ✓\r\nсчёт 日本\n"
    data = text.encode(codec)
    if codec == "utf-32-be":
        data = b"\0\0\xfe\xff" + data
    assert decode(data).text == text


@pytest.mark.parametrize(
    "data", [b"\xff\xfeh\0i\0 \0\x13'\n\0", b"h\0i\0 \0\x13'\n\0", b"\0h\0i\0 '\x13\0\n"]
)
def test_utf_16_from_windows_tools_is_not_padded_with_nuls(data: bytes):
    """UTF-16 text is five characters with its mark and without, in either byte order."""
    assert decode(data).text == "hi ✓\n"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", [RUSSIAN, JAPANESE + "\n", "שלום עולם", "नमस्ते दुनिया, यह एक पाठ है", FRENCH, "ab 1"]
)
def test_utf_16_without_a_mark_is_recognised_in_any_script(text: str, codec: str):
    """Unmarked UTF-16 is recognised where it holds an ASCII character, and said to be a guess."""
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding, decoded.guessed) == (text, codec, True)


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_one_leading_mark_is_removed_and_no_other(mark: bytes):
    """Of two byte-order marks the second is text, and so is one further on."""
    codec = {3: "utf-8", 2: "utf-16-le" if mark[0] == 0xFF else "utf-16-be"}[len(mark)]
    assert decode(mark + "\ufeffa\ufeffb".encode(codec)).text == "\ufeffa\ufeffb"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_named_encoding_removes_one_mark_too(codec: str):
    """One mark goes, whether or not the codec removes it by itself."""
    data = ("\ufeff\ufeffa" if codec in ("utf-8", "utf-16-le") else "\ufeffa").encode(codec)
    assert decode(data, codec).text == "\ufeffa"


def test_newlines_stay_as_they_are():
    """No newline is translated."""
    assert decode(b"a\r\nb\rc\n\x0b\x0cd").text == "a\r\nb\rc\n\x0b\x0cd"


def test_leading_and_repeated_blank_lines_stay_as_they_are():
    """The stored text keeps every blank line, so offsets are those of the file."""
    text = "\n\nalpha\n\n\n\nbeta\n"
    stored = texts(read_files([("a.txt", text.encode())]))["a.txt"]
    assert (stored, stored[2:7], stored[11:15]) == (text, "alpha", "beta")


def test_an_accent_after_thousands_of_ascii_bytes_is_utf_8():
    """The encoding is told from all of the file, not from its beginning."""
    text = decode(b"a" * 4096 + "é".encode()).text
    assert (len(text), text[-1]) == (4097, "\u00e9")


@pytest.mark.parametrize("prefix", [b"a" * 5000, b"plain line\n" * 20_000])
def test_a_late_accent_of_a_code_page_is_found_too(prefix: bytes):
    """A single cp1252 accent after a long ASCII beginning does not fail the file."""
    assert decode(prefix + "café".encode("cp1252")).text.endswith("café")


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Café – 5 € per night. The façade tour costs 7 €.", "cp1252"),
        (FRENCH, "cp1252"),
        ("un café", "cp1252"),
        ("Über die Straße läuft ein großer Bär.", "cp1252"),
        ("El niño comió una piña. ¿Qué más?", "cp1252"),
        (POLISH, "cp1250"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        ("营业时间从九点到十七点。星期日休息。", "gb18030"),
        ("營業時間從九點到十七點。星期日休息。", "big5"),
        ("영업시간은 아홉시부터 다섯시까지입니다.", "cp949"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp866"),
        ("Καλημέρα σας, η έκθεση είναι έτοιμη για το επόμενο έτος.", "cp1253"),
    ],
)
@pytest.mark.parametrize("times", [1, 30])
def test_code_pages_are_guessed_and_said_to_be(text: str, codec: str, times: int):
    """A text in a common code page is decoded, marked as a guess and noted."""
    decoded = decode((text + "\n").encode(codec) * times)
    assert decoded.text == (text + "\n") * times
    assert decoded.guessed
    assert decoded.notes == (
        f"read as {decoded.encoding}, a guess: name its encoding if letters look wrong",
    )


def test_french_is_read_as_cp1252():
    """Among Latin pages that would do, cp1252 is the one taken."""
    assert decode(FRENCH.encode("cp1252")).encoding == "cp1252"


def test_bytes_that_cp1252_lacks_are_read_with_another_page():
    """A Latin text with bytes undefined in cp1252 keeps the other guess."""
    text = "Příliš žluťoučký kůň úpěl ďábelské ódy."
    assert decode(text.encode("cp1250")).text == text


def test_a_named_encoding_overrides_the_guess():
    """The named encoding is used even where the bytes are valid UTF-8."""
    decoded = decode("é".encode(), "cp1252")
    assert (decoded.text, decoded.encoding, decoded.guessed) == ("Ã©", "cp1252", False)


@pytest.mark.parametrize("encoding", ["no-such", "hex", "zlib", "rot13", "a\0b", ""])
def test_an_encoding_that_is_none_is_refused(encoding: str):
    """A name that is no text encoding is refused with examples, not executed."""
    with pytest.raises(InputError, match="encoding must be one that Python knows, such as utf-8"):
        decode(b"abc", encoding)


def test_bytes_that_the_named_encoding_lacks_are_refused():
    """A named encoding is applied strictly, and the message says at which byte it failed."""
    with pytest.raises(InputError, match=r"cannot be read as utf-8 \(byte 3: .*another encoding"):
        decode(b"caf\xe9", "utf-8")


@pytest.mark.parametrize(
    ("data", "text"), [(b"ab\0cd", "ab\0cd"), (b"ab\0cde", "ab\0cde"), (b"caf\xe9\0ab", "café\0ab")]
)
def test_a_nul_is_kept_and_noted(data: bytes, text: str):
    """A stray NUL stays in the text, so that offsets are those of the file, and is noted."""
    decoded = decode(data)
    assert decoded.text == text
    assert decoded.notes[-1] == "holds 1 NUL character, kept"


def test_a_nul_in_a_long_code_page_text_does_not_make_it_utf_16():
    """French in cp1252 with a stray NUL stays French, at odd and even lengths."""
    for end in ("", "x"):
        text = FRENCH * 5 + "\0" + end
        assert decode(text.encode("cp1252")).text == text


@pytest.mark.parametrize(
    "data",
    [
        FRENCH.encode() + b"\xff",
        "été ".encode() * 50 + b"\xe9t\xe9",
        b"\xef\xbb\xbfcaf\xe9 noir",
        b"\xff\xfea\0b\0c",
        "ü".encode() * 10 + "ü".encode()[:1],
    ],
)
def test_no_replacement_character_is_silent(data: bytes):
    """Where a Unicode text is damaged, each U+FFFD is counted and the first byte named."""
    decoded = decode(data)
    count = decoded.text.count("\ufffd")
    assert count
    assert decoded.guessed
    assert f"{count} U+FFFD mark what could not be read, first at byte" in decoded.notes[0]


def test_a_replacement_character_of_the_source_is_noted():
    """A U+FFFD that the file itself holds is kept and said to come from before."""
    assert decode("a\ufffdb".encode()).notes == ("holds 1 U+FFFD from an earlier conversion, kept",)


@pytest.mark.parametrize(
    "data",
    [
        b"MZ\x90\0",
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0",
        b"\x7fELF\x02\x01\x01" + bytes(9),
        b"%PDF-1.7\n1 0 obj\n",
        b"\x89PNG\r\n\x1a\n" + bytes(20),
        zip_of(("a.txt", "a")),
        bytes(100),
        bytes(range(256)) * 4,
        random.Random(1).randbytes(5000),
        random.Random(2).randbytes(5001),
        struct.pack("<50i", *range(0, 5000, 100)),
    ],
)
def test_binary_data_is_refused_by_name(data: bytes):
    """Binary data with a text extension is refused, and the sentence names the file."""
    reading = read_files([("fake.txt", data), ("ok.txt", b"ok")])
    assert texts(reading) == {"ok.txt": "ok"}
    assert len(reading.refused) == 1
    assert reading.refused[0].startswith("fake.txt: holds ")
    assert "not text: save it as text first" in reading.refused[0]


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe" + random.Random(3).randbytes(5000),
        b"\xef\xbb\xbf" + "garçon où été\n".encode("cp1252") * 9,
        "garçon où été\n".encode() * 9 + "garçon où été\n".encode("cp1252") * 3,
    ],
)
def test_a_unicode_text_that_is_mostly_damage_is_refused(data: bytes):
    """A false mark or a mixture of encodings is refused with the first byte, not replaced."""
    with pytest.raises(InputError, match=r"characters cannot be read, the first at byte"):
        decode(data)


def test_decoding_never_fails_but_with_an_input_error():
    """Random bytes of any mixture give a text without surrogates or an InputError."""
    rng = random.Random(7)
    seen = 0
    for _ in range(400):
        alphabet = rng.choice(
            [b"ab \n", b"ab\0", bytes(range(128)), bytes(range(256)), b"e\xe9\x82"]
        )
        data = bytes(rng.choices(alphabet, k=rng.randrange(40)))
        try:
            text = decode(data).text
        except InputError:
            continue
        seen += 1
        assert text.encode("utf-8").decode("utf-8") == text
    assert seen > 50


# --- files --------------------------------------------------------------------------------


def test_extensions_compare_without_case():
    """REPORT.TXT and Notes.Md load; a type without a reader is refused and the run goes on."""
    reading = read_files(
        [
            ("x.exe", b"MZ\x90\0"),
            ("REPORT.TXT", b"ok one"),
            ("Notes.Md", b"# Hi\n"),
            ("archive.tar.gz", b""),
            ("README", b"text"),
        ]
    )
    assert texts(reading) == {"REPORT.TXT": "ok one", "Notes.Md": "# Hi\n"}
    assert reading.refused == (
        f"x.exe: unsupported type .exe; supported are {', '.join(SUPPORTED)}: "
        "convert it to one of them",
        f"archive.tar.gz: unsupported type .gz; supported are {', '.join(SUPPORTED)}: "
        "convert it to one of them",
        f"README: unsupported type without an extension; supported are {', '.join(SUPPORTED)}: "
        "convert it to one of them",
    )


def test_the_tables_hold_lower_case_extensions():
    """Every extension begins with a dot, is lower case and stands in one table only."""
    assert all(extension == extension.lower() and extension[0] == "." for extension in SUPPORTED)
    assert len(set(SUPPORTED)) == len(READERS) + len(ARCHIVES)


@pytest.mark.parametrize("extension", READERS)
def test_every_reader_stores_text_as_it_is(extension: str):
    """A text format stores its source: mark-up, spaces and newlines included."""
    source = "\n# Tïtle  \r\n\n- *a*\n\n\n```\n x\n"
    reading = read_files([(f"a{extension}", source.encode())])
    assert reading == Reading(documents=(Document(f"a{extension}", source),))


def test_one_stream_read_twice_gives_the_same():
    """An upload keeps its read position, so it is read from its beginning each time."""
    upload = io.BytesIO(b"abcdefghij")
    first, second = (read_files([("a.txt", upload)]) for _ in range(2))
    upload.read()
    assert first == second == read_files([("a.txt", upload)])
    assert texts(first) == {"a.txt": "abcdefghij"}


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, io.BytesIO])
def test_contents_may_be_bytes_or_streams(kind: type):
    """Bytes, their relatives and binary streams give the same document."""
    assert texts(read_files([("a.txt", kind(b"abc"))])) == {"a.txt": "abc"}


def test_a_closed_stream_stops_no_other_file():
    """A stream that cannot be read is refused by name."""
    closed = io.BytesIO(b"x")
    closed.close()
    reading = read_files([("a.txt", closed), ("b.txt", b"b")])
    assert texts(reading) == {"b.txt": "b"}
    assert reading.refused[0].startswith("a.txt: cannot be read")


def test_an_encoding_can_be_named_for_one_document():
    """``encodings`` overrides the guess of the document it names and of no other."""
    data = "Käse".encode("cp850")
    reading = read_files([("a.txt", data), ("b.txt", "Käse".encode("cp1252"))])
    assert [name for name, _ in reading.guesses] == ["a.txt", "b.txt"]
    named = read_files(
        [("a.txt", data), ("b.txt", "Käse".encode("cp1252"))], encodings={"a.txt": "cp850"}
    )
    assert texts(named) == {"a.txt": "Käse", "b.txt": "Käse"}
    assert named.guesses == (("b.txt", "cp1252"),)


def test_a_wrong_named_encoding_refuses_that_file_only():
    """A bad override is one sentence on its file."""
    reading = read_files([("a.txt", b"a"), ("b.txt", b"b")], encodings={"a.txt": "klingon"})
    assert texts(reading) == {"b.txt": "b"}
    assert reading.refused[0].startswith("a.txt: encoding must be one")


def test_a_guess_is_noted_with_the_name():
    """Legacy files load beside others, and the note says how each was read."""
    reading = read_files(
        [
            ("w.txt", "Café – 5 € per night. The façade tour costs 7 €.".encode("cp1252")),
            ("j.txt", JAPANESE.encode("cp932")),
            ("u.txt", "é".encode()),
        ]
    )
    assert [len(text) for text in texts(reading).values()] == [48, 26, 1]
    assert reading.guesses == (("w.txt", "cp1252"), ("j.txt", "cp932"))
    assert [note.split(",")[0] for note in reading.notes] == [
        "w.txt: read as cp1252",
        "j.txt: read as cp932",
    ]


@pytest.mark.parametrize(
    ("data", "note"),
    [(b"", "is empty"), (b"\xef\xbb\xbf", "is empty"), (b" \n\t", "holds only white space")],
)
def test_an_empty_file_is_a_document_with_a_note(data: bytes, note: str):
    """A file without words is kept and said to be so."""
    reading = read_files([("e.txt", data)])
    assert len(reading.documents) == 1
    assert reading.notes == (f"e.txt: {note}",)


def test_of_two_files_with_one_name_the_later_is_numbered():
    """No document is lost to another of the same name; the numbered one can be overridden."""
    files = [
        ("n.txt", b"1"),
        ("n.txt", "2é".encode("cp850")),
        ("n (2).txt", b"3"),
        ("c.zip", zip_of(("n.txt", "4"))),
    ]
    reading = read_files(files, encodings={"n (2).txt": "cp850"})
    assert texts(reading) == {
        "n.txt": "1",
        "n (2).txt": "2é",
        "n (2) (2).txt": "3",
        "n (3).txt": "4",
    }
    assert reading.notes[0] == (
        "n.txt: another file has this name, so this one is called n (2).txt"
    )
    assert len(reading.notes) == 3


def test_a_name_can_always_be_printed():
    """Control characters and undecoded bytes in names become legible, without a clash."""
    names = ["a\nb.txt", "a\x1bb.txt", "caf\udc82.txt", "x\ud800.txt"]
    reading = read_files([(name, b"x") for name in names])
    assert list(texts(reading)) == ["a_b.txt", "a_b (2).txt", "café.txt", "x_.txt"]


def test_a_reading_becomes_a_corpus():
    """The corpus of a reading holds its documents in order of name."""
    corpus = corpus_of_reading(read_files([("b.txt", b"2"), ("a.txt", b"1")]))
    assert [document.name for document in corpus.documents] == ["a.txt", "b.txt"]


def test_a_reading_without_documents_is_no_corpus():
    """The error repeats why the files were refused."""
    with pytest.raises(InputError, match=r"at least one readable document.*x\.exe: unsupported"):
        corpus_of_reading(read_files([("x.exe", b"")]))
    with pytest.raises(InputError, match="no file was given"):
        corpus_of_reading(Reading())


def test_readings_in_parallel_do_not_meet():
    """Two sessions with one file name never see each other's text, nor leave a file behind."""
    before = set(Path(tempfile.gettempdir()).iterdir())

    def session(text: bytes) -> set[tuple[str, str]]:
        files = [("data.txt", io.BytesIO(text)), ("z.zip", zip_of(("z/data.txt", text)))]
        return {item for _ in range(200) for item in texts(read_files(files)).items()}

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(session, [b"AAAA", b"BBBBBBBB"])
    assert first == {("data.txt", "AAAA"), ("z/data.txt", "AAAA")}
    assert second == {("data.txt", "BBBBBBBB"), ("z/data.txt", "BBBBBBBB")}
    left = set(Path(tempfile.gettempdir()).iterdir()) - before
    assert not [path for path in left if "data" in path.name or path.suffix in (".txt", ".zip")]


# --- limits -------------------------------------------------------------------------------


def test_a_file_above_the_limit_is_refused_with_its_size():
    """The sentence names the file, its size and the limit; earlier and later files load."""
    limits = Limits(max_file_bytes=2 * MB, max_total_bytes=4 * MB)
    big = io.BytesIO(b"x" * 3_000_000)
    reading = read_files([("a.txt", b"a"), ("big.txt", big), ("c.txt", b"c")], limits=limits)
    assert texts(reading) == {"a.txt": "a", "c.txt": "c"}
    assert reading.refused == (
        "big.txt: a file may have at most 2.0 MB (2,097,152 bytes); this one has "
        "2.9 MB (3,000,000 bytes): split it or raise max_file_bytes",
    )


def test_the_total_of_all_files_is_limited():
    """The file that takes the total above the limit is refused, those before it stay."""
    limits = Limits(max_file_bytes=2 * MB, max_total_bytes=4 * MB)
    data = b"x" * 1_900_000
    reading = read_files([(f"{n}.txt", data) for n in range(3)] + [("s.txt", b"s")], limits=limits)
    assert list(texts(reading)) == ["0.txt", "1.txt", "s.txt"]
    assert reading.refused == (
        "2.txt: all files together may have at most 4.0 MB (4,194,304 bytes); this one's "
        "1.8 MB (1,900,000 bytes) would exceed that: leave files out or raise max_total_bytes",
    )


def test_files_at_the_limits_load():
    """A limit is the largest size that is accepted."""
    limits = Limits(max_file_bytes=3, max_total_bytes=6)
    reading = read_files([("a.txt", b"abc"), ("b.txt", b"abc")], limits=limits)
    assert (len(reading.documents), reading.refused) == (2, ())


def test_unpacked_bytes_count_towards_the_total():
    """Many archives cannot unpack to more than the total limit together."""
    limits = Limits(max_total_bytes=250_000)
    archive = zip_of(("a.txt", "x" * 100_000))
    reading = read_files([(f"{n}.zip", archive) for n in range(3)], limits=limits)
    assert len(reading.documents) == 2
    assert reading.refused[0].startswith("2.zip: all files together may have at most 250,000 bytes")


@pytest.mark.parametrize("name", Limits.__dataclass_fields__)
def test_limits_are_positive(name: str):
    """A limit below 1 is an error that names it."""
    with pytest.raises(SettingsError, match=f"{name} must be at least 1; got 0"):
        Limits(**{name: 0})


# --- archives -----------------------------------------------------------------------------


def test_members_become_documents_by_their_path():
    """The supported members of an archive are documents, in any case of the extension."""
    archive = zip_of(("a.txt", "1"), ("sub/b.MD", "2"), ("sub\\win.txt", "3"), ("./x//y.txt", "4"))
    assert texts(read_files([("C.ZIP", archive)])) == {
        "a.txt": "1",
        "sub/b.MD": "2",
        "sub/win.txt": "3",
        "x/y.txt": "4",
    }


@pytest.mark.parametrize("forged", [False, True])
def test_a_bomb_is_refused_while_it_is_unpacked(forged: bool):
    """Neither honest nor forged sizes let an archive unpack above the limit or use memory."""
    archive = zip_of(("ok.txt", "ok"), ("big.txt", b"\0" * 8_000_000))
    if forged:
        archive = archive.replace(struct.pack("<L", 8_000_000), struct.pack("<L", 0xFFFFFFF0))
    tracemalloc.start()
    try:
        reading = read_files([("bomb.zip", archive)], limits=Limits(max_unpacked_bytes=MB))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reading == Reading(
        refused=(
            "bomb.zip: an archive may unpack to at most 1.0 MB (1,048,576 bytes); this one "
            "unpacks to more: split it or raise max_unpacked_bytes",
        )
    )
    assert peak < 32 * MB


def test_a_forged_small_size_gives_no_text():
    """A member that declares less than it holds is refused, not cut short."""
    archive = zip_of(("a.txt", "abcdefgh" * 100)).replace(
        struct.pack("<L", 800), struct.pack("<L", 8)
    )
    assert read_files([("a.zip", archive)]) == Reading(
        refused=("a.zip: a.txt is damaged: make the archive anew",)
    )


def test_a_member_above_the_ratio_refuses_the_archive():
    """A member that grows too much is named with the limit."""
    archive = zip_of(("big.txt", b"a" * 2 * MB))
    reading = read_files([("b.zip", archive)])
    assert reading.refused == (
        "b.zip: a member may unpack to at most 200 times its packed size; big.txt unpacks to "
        "more: leave it out or raise max_ratio",
    )
    assert len(read_files([("b.zip", archive)], limits=Limits(max_ratio=2000)).documents) == 1


def test_many_small_bombs_count_together():
    """Members that are each within their limits are stopped by the sum."""
    archive = zip_of(*((f"{n}.txt", b"a" * 900_000) for n in range(20)))
    reading = read_files([("b.zip", archive)], limits=Limits(max_unpacked_bytes=5 * MB))
    assert not reading.documents
    assert "may unpack to at most 5.0 MB" in reading.refused[0]


def test_a_member_above_the_file_limit_is_refused_alone():
    """The limit of a single file holds inside an archive and leaves the other members."""
    archive = zip_of(("big.txt", "x" * 200), ("ok.txt", "ok"))
    reading = read_files([("c.zip", archive)], limits=Limits(max_file_bytes=199))
    assert not reading.documents  # the archive itself is larger than 199 bytes
    reading = read_files([("c.zip", archive)], limits=Limits(max_file_bytes=len(archive)))
    assert len(reading.documents) == 2
    archive = zip_of(("big.txt", "x" * 2000), ("ok.txt", "ok"))
    reading = read_files([("c.zip", archive)], limits=Limits(max_file_bytes=1999))
    assert texts(reading) == {"ok.txt": "ok"}
    assert reading.refused == (
        "c.zip: a file may have at most 1,999 bytes; big.txt unpacks to more: split it or raise "
        "max_file_bytes",
    )


@pytest.mark.parametrize("entries", [4, 100])
def test_too_many_entries_refuse_the_archive(entries: int):
    """The number of entries is limited, and named."""
    archive = zip_of(*((f"{n}.txt", "x") for n in range(entries)))
    reading = read_files([("m.zip", archive)], limits=Limits(max_members=3))
    assert reading == Reading(
        refused=(
            f"m.zip: an archive may have at most 3 entries; this one has {entries}: split it or "
            "raise max_members",
        )
    )


def test_an_archive_in_an_archive_is_skipped_by_name():
    """Archives are not followed into archives."""
    archive = zip_of(("inner.zip", zip_of(("deep.txt", "hello"))), ("a.txt", "a"))
    reading = read_files([("nest.zip", archive)])
    assert texts(reading) == {"a.txt": "a"}
    assert reading.notes == ("nest.zip: skipped, unsupported type (1): inner.zip",)


def test_an_archive_without_documents_is_refused():
    """An archive that gives nothing says so."""
    reading = read_files([("n.zip", zip_of(("inner.zip", zip_of(("deep.txt", "hello")))))])
    assert not reading.documents
    assert reading.refused == (
        "n.zip: holds no document; give one with .txt, .md, .markdown files",
    )


def test_side_files_of_macos_are_no_documents():
    """Resource forks, folder settings and folders are skipped without a word."""
    archive = zip_of(
        ("a.txt", "alpha"),
        ("__MACOSX/._a.txt", b"\0\5\x16\7"),
        ("sub/._b.txt", b"\0"),
        (".DS_Store", b"Bud1"),
        ("sub/", b""),
    )
    reading = read_files([("c.zip", archive)])
    assert reading == Reading(documents=(Document("a.txt", "alpha"),))


def test_hidden_members_are_skipped_with_a_note():
    """A hidden document is not lost silently."""
    archive = zip_of((".git/notes.md", "x"), (".x.txt", "x"), ("a.txt", "a"))
    reading = read_files([("c.zip", archive)])
    assert texts(reading) == {"a.txt": "a"}
    assert reading.notes == ("c.zip: skipped, hidden (2): .git/notes.md, .x.txt",)


@pytest.mark.parametrize(
    "name",
    ["/etc/a.txt", "../a.txt", "x/../../a.txt", "..\\a.txt", "C:\\a.txt", "c:a.txt", "\\a.txt"],
)
def test_names_that_lead_out_of_the_archive_are_refused(name: str):
    """Absolute names and those with .. are refused by name, the other members load."""
    reading = read_files([("c.zip", zip_of((name, "evil"), ("a..b.txt", "ok")))])
    assert texts(reading) == {"a..b.txt": "ok"}
    shown = name.replace("\\", "/")
    assert reading.refused == (
        f"c.zip: {shown} leads out of the archive and was left out: rename it",
    )


def test_encrypted_members_are_refused_by_name():
    """An encrypted member is named, the others load."""
    archive = bytearray(zip_of(("secret.txt", "s"), ("a.txt", "a")))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        archive[archive.index(signature) + offset] |= 1
    reading = read_files([("c.zip", bytes(archive))])
    assert texts(reading) == {"a.txt": "a"}
    assert reading.refused == (
        "c.zip: secret.txt is encrypted and was left out: pack it without a password",
    )


def test_a_link_in_an_archive_is_no_document():
    """The target of a symbolic link is not taken for a text."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        link = zipfile.ZipInfo("l.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    reading = read_files([("c.zip", buffer)])
    assert reading == Reading(
        refused=("c.zip: l.txt is a symbolic link and was left out: pack the file itself",)
    )


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_bound_are_refused(method: int):
    """A method whose output cannot be counted as it grows is refused by name."""
    reading = read_files([("c.zip", zip_of(("a.txt", "a"), method=method))])
    assert reading.refused == (
        f"c.zip: a.txt is packed with method {method} and was left out: pack it with deflate",
    )


def test_stored_members_are_read():
    """An archive may hold members without compression."""
    archive = zip_of(("a.txt", "a"), method=zipfile.ZIP_STORED)
    assert texts(read_files([("c.zip", archive)])) == {"a.txt": "a"}


def test_a_damaged_archive_is_one_sentence():
    """What is no zip archive is refused by name, and the other files load."""
    cut = zip_of(("a.txt", "a" * 500))[:-30]
    reading = read_files([("cut.zip", cut), ("no.zip", b"text"), ("e.zip", b""), ("a.txt", b"a")])
    assert texts(reading) == {"a.txt": "a"}
    assert reading.refused == tuple(
        f"{name}: damaged, or not a zip archive: make it anew or give its files one by one"
        for name in ("cut.zip", "no.zip", "e.zip")
    )


def test_a_damaged_member_is_refused_alone():
    """A member with a wrong checksum gives no text and leaves the others."""
    archive = zip_of(("a.txt", "alpha"), ("b.txt", "beta"), method=zipfile.ZIP_STORED)
    reading = read_files([("c.zip", archive.replace(b"alpha", b"alphA"))])
    assert texts(reading) == {"b.txt": "beta"}
    assert reading.refused == ("c.zip: a.txt is damaged: make the archive anew",)


def test_no_damage_ends_in_another_error():
    """Whatever bytes of an archive change, there are documents or sentences."""
    rng = random.Random(5)
    original = zip_of(("a.txt", "alpha " * 50), ("sub/é.md", "beta"), ("b.txt", b"\xe9"))
    for _ in range(1500):
        data = bytearray(original)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        reading = read_files(
            [("c.zip", bytes(data[: rng.choice([None, rng.randrange(len(data))])]))]
        )
        assert reading.documents or reading.refused


def test_names_in_local_code_pages_are_guessed():
    """Names in Shift-JIS and cp437 come out right and are said to be guessed."""
    reading = read_files([("c.zip", NAMES_ZIP)])
    assert texts(reading) == {"メモ.txt": "memo", "café.txt": "cafe"}
    assert reading.notes == ("c.zip: names guessed, not marked UTF-8 (2): メモ.txt, café.txt",)


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("日本語", "cp932"),
        ("会議メモ（１）", "cp932"),
        ("表示", "cp932"),  # its first letter ends in the byte of a backslash
        ("Müller", "cp437"),
        ("Köln", "cp437"),
        ("über", "cp437"),
        ("ñandú", "cp850"),
        ("naïve résumé", "cp1252"),
        ("Отчет за год", "cp866"),
        ("ОТЧЕТ", "cp866"),
        ("报告", "gbk"),
        ("會議記錄", "big5"),
        ("ü", "utf-8"),
    ],
)
def test_unmarked_names_are_read_in_the_page_that_looks_written(name: str, codec: str):
    """An unmarked name is UTF-8 where it can be, else in the least strange code page."""
    archive = zip_with_raw_names((f"{name}.txt".encode(codec), b"x"))
    assert texts(read_files([("c.zip", archive)])) == {f"{name}.txt": "x"}


def test_no_two_members_collapse_into_one():
    """Whatever their names decode to, all members are documents under distinct names."""
    raw = [b"a.txt", b"a.txt", b"\x81\x8d.txt", b"\xc3\xa9.txt", b"\x82.txt", b"\xe9.txt"]
    archive = zip_with_raw_names(*((name, str(n).encode()) for n, name in enumerate(raw)))
    assert sorted(texts(read_files([("c.zip", archive)])).values()) == list("012345")


def test_a_nul_does_not_hide_an_extension():
    """A name is not cut at a NUL, so a.txt before one does not pass for a text."""
    archive = zip_with_raw_names((b"a.txt\0.exe", b"x"), (b"b.txt", b"b"))
    reading = read_files([("c.zip", archive)])
    assert texts(reading) == {"b.txt": "b"}
    assert reading.notes == ("c.zip: skipped, unsupported type (1): a.txt_.exe",)


def test_the_unicode_name_beside_a_local_one_is_taken():
    """The Info-ZIP field that gives the name in UTF-8 needs no guess."""
    raw = b"caf\x82.txt"
    info = zipfile.ZipInfo("0000.txt")
    body = b"\1" + struct.pack("<L", zipfile.crc32(raw)) + "naïve.txt".encode()
    info.extra = struct.pack("<HH", 0x7075, len(body)) + body
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, "x")
    data = buffer.getvalue().replace(b"0000.txt", raw)
    assert read_files([("c.zip", data)]) == Reading(documents=(Document("naïve.txt", "x"),))


def test_a_bad_document_in_an_archive_names_both():
    """A sentence on a member names the archive and the member."""
    reading = read_files([("c.zip", zip_of(("b.txt", bytes(50)), ("a.txt", "a")))])
    assert texts(reading) == {"a.txt": "a"}
    assert reading.refused[0].startswith("c.zip: b.txt: holds binary data")


# --- paths --------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of three documents and some files that are none."""
    root = tmp_path / "docs"
    for name, text in {
        "b.txt": "b",
        "sub/a.md": "a",
        "sub/deep/C.TXT": "c",
        "image.png": "p",
        ".hidden.txt": "h",
        ".git/config.txt": "g",
        "__MACOSX/x.txt": "m",
        "._b.txt": "r",
        ".DS_Store": "d",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_a_folder_is_read_recursively_by_posix_paths(folder: Path):
    """Documents are named by their path below the folder; the rest is noted once per kind."""
    reading = read_paths(folder)
    assert texts(reading) == {"b.txt": "b", "sub/a.md": "a", "sub/deep/C.TXT": "c"}
    assert set(reading.notes) == {
        f"{folder}: skipped, hidden (2): .git, .hidden.txt",
        f"{folder}: skipped, unsupported type (1): image.png",
    }
    assert reading.refused == ()


def test_a_note_on_many_files_names_only_some(tmp_path: Path):
    """One note covers all unsupported files of a folder."""
    for number in range(8):
        (tmp_path / f"{number}.png").touch()
    assert read_paths([tmp_path]).notes == (
        f"{tmp_path}: skipped, unsupported type (8): 0.png, 1.png, 2.png, 3.png, 4.png and 3 more",
    )


def test_a_single_file_is_named_by_its_name(folder: Path):
    """A file given by itself loses its folders, hidden or not."""
    reading = read_paths([str(folder / "sub" / "a.md"), folder / ".hidden.txt"])
    assert texts(reading) == {"a.md": "a", ".hidden.txt": "h"}


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path):
    """A path that leads nowhere raises, since a misspelt corpus must not pass for a small one."""
    with pytest.raises(InputError, match=r"must be a file or a folder; .*none.* is neither"):
        read_paths([tmp_path, tmp_path / "none"])


def test_an_unsupported_file_named_itself_is_refused(folder: Path):
    """What a folder passes over is refused when it was asked for."""
    reading = read_paths([folder / "image.png", folder / "b.txt"])
    assert texts(reading) == {"b.txt": "b"}
    assert reading.refused[0].startswith("image.png: unsupported type .png; supported are .txt")


def test_links_that_lead_outside_are_not_followed(folder: Path, tmp_path: Path):
    """A link to a file or folder outside gives no document; a note names it."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path / "outside", target_is_directory=True)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "self.txt").symlink_to(folder / "self.txt")
    reading = read_paths(folder)
    assert "secret" not in texts(reading).values()
    assert len(reading.documents) == 3
    assert f"{folder}: skipped, link (3): link.txt, loop, up" in reading.notes


def test_a_link_inside_the_folder_is_read_once(folder: Path):
    """A link to a file that is not read anyway is read, one to a document is not a second."""
    (folder / "again.txt").symlink_to(folder / "b.txt")
    (folder / "kept.txt").symlink_to(folder / ".git" / "config.txt")
    reading = read_paths(folder)
    assert sorted(texts(reading)) == ["b.txt", "kept.txt", "sub/a.md", "sub/deep/C.TXT"]


def test_a_file_given_twice_is_read_once(folder: Path):
    """A file that two paths lead to is one document, and a note says so."""
    reading = read_paths([folder / "b.txt", folder])
    assert len(reading.documents) == 3
    assert reading.notes[0] == "b.txt: given more than once, read once"


def test_two_folders_with_one_name_lose_nothing(tmp_path: Path):
    """Files of two folders with the same path below them are both documents."""
    for name in "uv":
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.txt").write_text(name)
    reading = read_paths([tmp_path / "u", tmp_path / "v"])
    assert texts(reading) == {"data.txt": "u", "data (2).txt": "v"}


def test_an_archive_in_a_folder_is_unpacked(tmp_path: Path):
    """Archives in folders are read like those given directly."""
    (tmp_path / "c.zip").write_bytes(zip_of(("in/a.txt", "a")))
    assert texts(read_paths(tmp_path)) == {"in/a.txt": "a"}


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path):
    """The limit is held against the size on disk, so that memory is not filled first."""
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(10**12)
    reading = read_paths(tmp_path)
    assert reading.refused[0].startswith("huge.txt: a file may have at most 200.0 MB")


def test_a_file_name_that_is_no_utf_8_is_legible(tmp_path: Path):
    """A name in raw bytes is guessed, so that it can be shown and exported."""
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\x82.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert texts(read_paths(tmp_path)) == {"café.txt": "x"}


def test_load_corpus_reads_a_folder(folder: Path):
    """A folder becomes a corpus in order of name, the same each time."""
    corpus = load_corpus(folder)
    assert [document.name for document in corpus.documents] == [
        "b.txt",
        "sub/a.md",
        "sub/deep/C.TXT",
    ]
    assert corpus.digest == load_corpus([str(folder)]).digest


def test_load_corpus_raises_for_a_named_file_that_is_refused(folder: Path):
    """A file that was asked for and cannot be read is an error, not a smaller corpus."""
    (folder / "bin.txt").write_bytes(bytes(50))
    assert len(load_corpus(folder).documents) == 3
    with pytest.raises(InputError, match=r"bin\.txt: holds binary data"):
        load_corpus([folder, folder / "bin.txt"])
    with pytest.raises(InputError, match=r"image\.png: unsupported type"):
        load_corpus([folder, folder / "image.png"])


def test_load_corpus_raises_when_nothing_can_be_read(tmp_path: Path):
    """An empty folder is no corpus."""
    with pytest.raises(InputError, match="at least one readable document"):
        load_corpus(tmp_path)


def test_load_corpus_takes_limits_and_encodings(tmp_path: Path):
    """Limits and named encodings reach the files of a folder."""
    (tmp_path / "a.txt").write_bytes("Käse".encode("cp850"))
    corpus = load_corpus(tmp_path, encodings={"a.txt": "cp850"})
    assert corpus.documents[0].text == "Käse"
    with pytest.raises(InputError, match="at most 3 bytes; this one has 4 bytes"):
        load_corpus(tmp_path / "a.txt", limits=Limits(max_file_bytes=3))

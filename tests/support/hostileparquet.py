# SPDX-License-Identifier: GPL-3.0-or-later
"""Parquet files of one row group with texts only, written here byte by byte, so that they can say what is not so. The format is
apache/parquet-format:src/main/thrift/parquet.thrift in Thrift's compact protocol."""
import zlib

I32, I64, TEXT, LIST, STRUCT = 5, 6, 8, 9, 12
PLAIN, RLE = 0, 3
CODECS = {"none": 0, "gzip": 2}


def varint(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def content_of(kind, value):
    if kind in (I32, I64):
        return varint((value << 1) ^ (value >> 63))
    if kind == TEXT:
        return varint(len(value)) + value
    if kind == LIST:
        of, items, *count = value  # a third member: the number of items that it says
        count = count[0] if count else len(items)
        return (bytes([count << 4 | of]) if count < 15 else bytes([0xF0 | of]) + varint(count)) + b"".join(content_of(of, item) for item in items)
    return struct(*value)


def struct(*fields):
    """Of (number, kind, value), in ascending order."""
    out, last = bytearray(), 0
    for number, kind, value in fields:
        out += bytes([number - last << 4 | kind]) + content_of(kind, value)
        last = number
    return bytes(out) + b"\0"


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def file(columns, codec="none", unpacked=None, packed=None, values=None, chunk_values=None, rows=None, groups=None, chunk_size=None, offset=None, columns_said=None, footer_size=None,
         body=None, children=None):
    """`columns` maps names to lists of texts. The options replace what is true: of the page and the chunk of the first column, or of the file. `body` is the content of
    that page, `children` the number of columns in the schema."""
    count = len(next(iter(columns.values())))
    out, chunks = bytearray(b"PAR1"), []
    for at, (name, texts) in enumerate(columns.items()):
        first = at == 0
        plain = body if first and body is not None else b"".join(len(text.encode()).to_bytes(4, "little") + text.encode() for text in texts)
        data = deflated(plain) if codec == "gzip" else plain
        told = lambda option, truth, first=first: truth if option is None or not first else option  # noqa: E731
        header = struct((1, I32, 0), (2, I32, told(unpacked, len(plain))), (3, I32, told(packed, len(data))), (5, STRUCT, ((1, I32, told(values, count)), (2, I32, PLAIN), (3, I32, RLE), (4, I32, RLE))))
        begin = len(out)
        out += header + data
        size = told(chunk_size, len(out) - begin)
        meta = ((1, I32, 6), (2, LIST, (I32, (PLAIN, RLE))), (3, LIST, (TEXT, (name.encode(),))), (4, I32, CODECS[codec]), (5, I64, told(chunk_values, count)),
                (6, I64, len(header) + told(unpacked, len(plain))), (7, I64, size), (9, I64, told(offset, begin)))
        chunks.append(((2, I64, begin), (3, STRUCT, meta)))
    rows = count if rows is None else rows
    schema = [((4, TEXT, b"schema"), (5, I32, len(columns) if children is None else children)), *(((1, I32, 6), (3, I32, 0), (4, TEXT, name.encode()), (6, I32, 0)) for name in columns)]
    group = ((1, LIST, (STRUCT, chunks, *([] if columns_said is None else [columns_said]))), (2, I64, len(out)), (3, I64, rows))
    footer = struct((1, I32, 1), (2, LIST, (STRUCT, schema)), (3, I64, rows), (4, LIST, (STRUCT, [group], *([] if groups is None else [groups]))))
    return bytes(out + footer + (len(footer) if footer_size is None else footer_size).to_bytes(4, "little") + b"PAR1")

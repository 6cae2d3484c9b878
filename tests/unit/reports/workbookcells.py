# SPDX-License-Identifier: GPL-3.0-or-later
"""workbookcells.py FILE: the cells of the first sheet, one a line: place, kind, format and value (as Python writes it), separated by tabs."""
import sys
import xml.etree.ElementTree as xml
import zipfile

n = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
book = zipfile.ZipFile(sys.argv[1])
texts = ["".join(t.text or "" for t in s.iter(n + "t")) for s in xml.fromstring(book.read("xl/sharedStrings.xml"))]
styles = xml.fromstring(book.read("xl/styles.xml"))
codes = {f.get("numFmtId"): f.get("formatCode") for f in styles.iter(n + "numFmt")}
looks = [codes.get(x.get("numFmtId"), "") for x in styles.find(n + "cellXfs")]
for cell in xml.fromstring(book.read("xl/worksheets/sheet1.xml")).iter(n + "c"):
    value = cell.find(n + "v")
    kind = "formula" if cell.find(n + "f") is not None else "text" if cell.get("t") == "s" else "number"
    shown = texts[int(value.text)] if kind == "text" else value.text
    print(cell.get("r"), kind, looks[int(cell.get("s") or 0)], ascii(shown), sep="\t")
print("links", "link", "", sum(b"hyperlink" in book.read(p) for p in book.namelist()), sep="\t")

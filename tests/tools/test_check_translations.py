# SPDX-License-Identifier: GPL-3.0-or-later
import pathlib
import unittest

import check_translations
from tree import TreeCase

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
CLASS = """class Page {
    Q_DECLARE_TR_FUNCTIONS(Page)
};
"""
CODE = CLASS + """QString Page::text(int n)
{
    return tr("Save %1 as…") + tr("%n devices", nullptr, n);
}
"""


def message(source, translation, attributes=""):
    return f"<message><source>{source}</source><translation{attributes}>{translation}</translation></message>"


def plural(source, *forms):
    inner = "".join(f"<numerusform>{form}</numerusform>" for form in forms)
    return f'<message numerus="yes"><source>{source}</source><translation>{inner}</translation></message>'


GOOD = message("Save %1 as…", "%1 speichern als…")
COUNT = plural("%n devices", "%n Gerät", "%n Geräte")


@unittest.skipUnless(check_translations.lupdate(), "skipped: no lupdate")
class Translations(TreeCase):
    def see(self, *entries, code=CODE, language="de"):
        self.write("ui/pages/page.cpp", code)
        name = f"translations/x_{language}.ts"
        self.write(name, f'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TS><TS version="2.1" language="{language}" sourcelanguage="en">'
                         f'<context><name>Page</name>{"".join(entries)}</context></TS>')
        return [sentence for where, _, sentence in check_translations.check(self.root) if where == name]

    def test_accepts_a_complete_file(self):
        self.assertEqual(self.see(GOOD, COUNT), [])

    def test_finds_a_text_that_is_missing(self):
        self.assertIn("lacks", self.see(COUNT)[0])
        self.assertIn("lacks", self.see(GOOD)[0])

    def test_finds_a_text_that_nobody_says_any_more(self):
        self.assertIn("which the code does not have", self.see(GOOD, COUNT, message("Old", "Alt"))[0])

    def test_finds_unfinished_and_empty_translations(self):
        self.assertIn("is unfinished", self.see(message("Save %1 as…", "", ' type="unfinished"'), COUNT)[0])
        self.assertIn("empty", self.see(message("Save %1 as…", ""), COUNT)[0])

    def test_finds_wrong_plurals_and_placeholders(self):
        self.assertIn("1 plural forms instead of 2", self.see(GOOD, plural("%n devices", "%n Geräte"))[0])
        self.assertIn("placeholders", self.see(message("Save %1 as…", "Speichern als…"), COUNT)[0])
        self.assertIn("placeholders", self.see(GOOD, plural("%n devices", "ein Gerät", "%n Geräte"))[0])

    def test_finds_a_lost_mark(self):
        self.assertIn("ends with", self.see(message("Save %1 as…", "%1 speichern als"), COUNT)[0])

    def test_finds_a_text_whose_class_is_not_known(self):
        code = 'namespace a {\nQString tr(const char *);\nQString f()\n{\n    return tr("Lost");\n}\n}\n'
        self.assertTrue(any("lupdate: " in sentence for sentence in self.see(code=code)))

    def test_english_needs_its_plurals_only(self):
        self.assertEqual(self.see(plural("%n devices", "%n device", "%n devices"), language="en"), [])
        self.assertIn("lacks", self.see(language="en")[0])

    def test_finds_a_fixed_hint_outside_of_the_list_of_remedies(self):
        self.write("translations/x_de.ts", '<?xml version="1.0"?><TS version="2.1" language="de" sourcelanguage="en"></TS>')
        for code, wrong in (('return base::fail(Code::A, "x (" + f(1, 2) + ")", base::Remedy::TryAgain);', False),
                            ('return base::fail(Code::A, text, "add " + name);', False),
                            ('return base::fail(Code::A, "never mind");', False),
                            ('return base::fail(Code::A, text, "wait, and "\n  "see");', True),
                            ('return base::fail(Code::A, text, full ? "make room" : "try again");', True),
                            ('auto e = base::Error::make(Code::A, text, "pray");', True),
                            ('Error refused(int a, base::Hint hint = {});\nauto e = refused(1, "pray");', True),
                            ('auto refused = [&](int a, base::Hint hint) {};\nauto e = refused(f(1, 2), base::Remedy::A);', False)):
            found = self.found(check_translations.check, "app/store/s.cpp", code)
            self.assertEqual(bool(found), wrong, code)

    def test_finds_remedies_that_are_not_translated_not_used_or_twice(self):
        self.write("app/base/remedies.def", 'GPULEDGER_REMEDY(Wait, "wait, then \\"retry\\"")\nGPULEDGER_REMEDY(Pray, "pray")\n')
        self.write("app/a.cpp", "auto e = base::fail(Code::A, text, full ? base::Remedy::Wait : base::Remedy::Pray);\n")
        self.write("translations/x_de.ts", '<?xml version="1.0"?><TS version="2.1" language="de" sourcelanguage="en"><context>'
                   f'<name>gpuledger::ui::Remedy</name>{message("pray", "beten")}</context></TS>')
        found = [sentence for _, _, sentence in check_translations.check(self.root)]
        self.assertEqual(len(found), 1, found)
        self.assertIn('lacks "wait, then "retry""', found[0])
        self.write("app/base/remedies.def", 'GPULEDGER_REMEDY(Wait, "pray")\nGPULEDGER_REMEDY(Pray, "pray")\n')
        self.assertEqual(sum("is there twice" in s for _, _, s in check_translations.check(self.root)), 2)
        self.write("app/base/remedies.def", 'GPULEDGER_REMEDY(Pray, "pray")\nGPULEDGER_REMEDY(Other, "other")\n')
        self.assertTrue(any("Remedy::Other is not used" in s for _, _, s in check_translations.check(self.root)))

    def test_finds_remarks_that_are_not_translated_not_used_or_twice(self):
        self.write("app/savings/proposals/remarks.def", 'GPULEDGER_REMARK(Young, "too young: %1")\nGPULEDGER_REMARK(Old, "old")\n')
        self.write("app/savings/a.cpp", "Remark a{young ? RemarkText::Young : RemarkText::Old, {}};\n")
        self.write("translations/x_de.ts", '<?xml version="1.0"?><TS version="2.1" language="de" sourcelanguage="en"><context>'
                   f'<name>gpuledger::ui::Remark</name>{message("too young: %1", "zu jung")}</context></TS>')
        found = sorted(sentence for _, _, sentence in check_translations.check(self.root))
        self.assertEqual(len(found), 2, found)
        self.assertIn("has other placeholders than its source", found[0])
        self.assertIn('lacks "old"', found[1])
        self.write("app/savings/proposals/remarks.def", 'GPULEDGER_REMARK(Young, "old")\nGPULEDGER_REMARK(Old, "old")\nGPULEDGER_REMARK(New, "new")\n')
        found = [sentence for _, _, sentence in check_translations.check(self.root)]
        self.assertEqual(sum("is there twice" in s for s in found), 2)
        self.assertIn("RemarkText::New is not used", found)

    def test_update_adds_what_is_new(self):
        self.see(COUNT)
        self.assertEqual(check_translations.update(self.root), 0)
        sentences = [s for _, _, s in check_translations.check(self.root)]
        self.assertEqual(len(sentences), 1)
        self.assertIn("is unfinished", sentences[0])

    def test_the_project_is_clean(self):
        self.assertEqual(check_translations.check(REPOSITORY), [])


if __name__ == "__main__":
    unittest.main()

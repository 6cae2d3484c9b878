# SPDX-License-Identifier: GPL-3.0-or-later
"""`sources add`: the new source is in the file, and every other byte is unchanged."""
import json
import os
import stat
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "faults"))

from product import ProductTest  # noqa: E402

URL = "http://127.0.0.1:9"
ITEM = "  - name: new\n    kind: prometheus\n    url: " + URL + "\n"
FLOW = "{ name: new, kind: prometheus, url: " + URL + " }"
# Text before -> expected text; "@" marks the place where the new source appears.
FORMS = {
    "nothing": ("@", "version: 1\nsources:\n" + ITEM),
    "only a comment": ("# mine\n@", "version: 1\nsources:\n" + ITEM),
    "a comment without a line end": ("# mine@", "\nversion: 1\nsources:\n" + ITEM),
    "no sources": ("version: 1\ncurrency: EUR # why\n@", "sources:\n" + ITEM),
    "an empty list": ("version: 1\nsources: # none yet\n@currency: EUR\n", ITEM),
    "empty brackets": ("sources: []\ncurrency: EUR\n".replace("[", "[@"), " " + FLOW),
    "last in the file": ("sources:\n  - name: a\n    kind: demo\n@", ITEM),
    "no line end": ("sources:\n  - name: a\n    kind: demo@", "\n" + ITEM),
    "something after": ("sources:\n  - name: a # one\n    kind: demo   # two\n@\n# about money\ncurrency: EUR\n", ITEM),
    "comments of the last one": ("sources:\n  - name: a\n    kind: demo\n    # days: 3\n@  # b is gone\ncurrency: EUR\n", ITEM),
    "dashes at the edge": ("sources:\n- name: a\n  kind: demo\n@currency: EUR\n", ITEM.replace("\n  ", "\n")[2:]),
    "deep dashes": ("sources:\n      - name: a\n        kind: demo\n@currency: EUR\n", ITEM.replace("  - ", "      - ").replace("    k", "        k").replace("    u", "        u")),
    "brackets inside": ("sources:\n  - { name: a, kind: demo }\n@", ITEM),
    "all in brackets": ("sources: [ { name: a, kind: demo }@ ] # one\ncurrency: EUR\n", ", " + FLOW),
    "a comma at the end": ("sources: [\n  { name: a, kind: demo },@ # one\n]\n", " " + FLOW),
    "brackets in quotes": ("sources: [ { name: \"a]'\", kind: demo, cluster: 'it''s ]' }@ ]\n", ", " + FLOW),
    "windows line ends": ("version: 1\r\nsources:\r\n  - name: a\r\n    kind: demo\r\n@# end\r\n", ITEM.replace("\n", "\r\n")),
    "a byte order mark": ("\ufeffsources:\n  - name: a\n    kind: demo\n@currency: EUR\n", ITEM),
    "other letters": ("# für später: 日本\nsources:\n  - { name: straße, kind: demo } # 日本\n@currency: EUR\n", ITEM),
    "anchors": ("sources:\n  - &one\n    name: a\n    kind: demo\n@currency: EUR\n", ITEM),
}
# Files to which nothing can be added without changing the rest, or with a different meaning.
STRANGE = {
    "all in braces": "{ sources: [ { name: a, kind: demo } ] }\n",
    "an end of document": "currency: EUR\n...\n",
    "a text": "sources: demo\n",
    "tilde": "sources: ~\n",
}


class Add(ProductTest):
    def setUp(self):
        super().setUp()
        self.home = self.program()

    def write(self, text):
        with open(self.home.config, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def read(self):
        with open(self.home.config, encoding="utf-8", newline="") as file:
            return file.read()

    def add(self, *arguments):
        return self.home.run("sources", "add", *arguments)

    def names(self):
        rows = json.loads(self.home.healthy("sources", "list", "--json").stdout)["sources"]
        return [row["name"] for row in rows]

    def test_every_form(self):
        for name, (text, added) in FORMS.items():
            with self.subTest(name):
                self.write(text.replace("@", ""))
                done = self.add("new", "--url", URL)
                self.assertEqual(done.returncode, 0, done.text)
                self.assertEqual(self.read(), text.replace("@", added))
                self.assertEqual(self.names()[-1], "new")

    def test_strange_forms_are_not_touched(self):
        for name, text in STRANGE.items():
            with self.subTest(name):
                self.write(text)
                done = self.add("new", "--url", URL)
                self.assertEqual(done.returncode, 3, done.text)
                self.assertSentence(done, "config.yaml")
                self.assertEqual(self.read(), text)

    def test_the_sample(self):
        os.unlink(self.home.config)
        self.home.healthy("sources", "add", "--sample")
        before = self.read()
        self.assertEqual(self.home.run("sources", "add", "--sample").returncode, 5, "it overwrote an existing file")
        done = self.add("new", "--kind", "demo", "--set", "gpus=8", "--set", "days=1")
        self.assertEqual(done.returncode, 0, done.text)
        after = self.read()
        place = after.index("  - name: new\n")
        item = "  - name: new\n    kind: demo\n    gpus: 8\n    days: 1\n"
        self.assertEqual(after, before[:place] + item + before[place:])
        self.assertEqual(self.names(), ["prod", "new"])

    def test_every_option(self):
        self.write("sources: [ { name: a, kind: demo } ]\n")
        os.chdir(self.folder)
        done = self.add("prod: \"1\"", "--url", "https://p.example.org:9090/x", "--cluster-name", "no # 7", "--token", "file:token", "--ca", "ca.pem",
                        "--header", "X-Scope-OrgID=a=b", "--header", "X-Two=zwei, \u00fc", "--timeout", "20s", "--first-sync", "7d", "--every", "10m",
                        "--right", "read", "--right", "stop")
        self.assertEqual(done.returncode, 0, done.text)
        self.assertIn(f"file:{self.folder}/token", self.read())
        self.assertIn(f"file:{self.folder}/ca.pem", self.read())
        self.assertIn('"X-Scope-OrgID": "a=b"'.replace('"X-Scope-OrgID"', "X-Scope-OrgID"), self.read())
        source = json.loads(self.home.healthy("sources", "list", "--json").stdout)["sources"][1]
        self.assertEqual((source["name"], source["url"], source["rights"]), ('prod: "1"', "https://p.example.org:9090/x", ["read", "stop"]))

    def test_platforms(self):
        self.write("sources: [ { name: a, kind: demo } ]\n")
        os.chdir(self.folder)
        done = self.add("prod", "--kubeconfig", "kube.yaml", "--context", "eu", "--right", "read", "--right", "stop")
        self.assertEqual(done.returncode, 0, done.text)
        self.assertIn(f"kubeconfig: {self.folder}/kube.yaml", self.read())
        self.assertIn("context: eu", self.read())
        done = self.add("cloud", "--region", "eu-central-1", "--profile", "gpu", "--right", "read", "--right", "stop")
        self.assertEqual(done.returncode, 0, done.text)
        sources = json.loads(self.home.healthy("sources", "list", "--json").stdout)["sources"]
        self.assertEqual([(s["name"], s["kind"], s["rights"]) for s in sources[1:]], [("prod", "kubernetes", ["read", "stop"]), ("cloud", "aws", ["read", "stop"])])
        # The connection test reports an unreachable address.
        done = self.home.run("sources", "test", "prod")
        self.assertEqual(done.returncode, 2, done.text)
        self.assertSentence(done, "kube.yaml")

    def test_answers_in_json(self):
        done = self.add("new", "--kind", "demo", "--json")
        self.assertEqual(json.loads(done.stdout), {"added": {"name": "new", "kind": "demo"}, "file": self.home.config})

    def test_refusals(self):
        self.write("sources:\n  - { name: a, kind: demo }\n")
        before = self.read()
        for status, words, part in ((2, (), "name"), (2, ("new",), "kind"), (2, ("new", "--kind", "prometheus"), "url"), (5, ("a", "--kind", "demo"), "already"),
                                    (2, ("new", "--kind", "promethius", "--url", URL), "did you mean prometheus"),
                                    (2, ("new", "--url", "p.example.org"), "https://"), (2, ("new", "--url", URL, "--timeout", "1s"), "2s"),
                                    (2, ("new", "--url", URL, "--user", "u"), "password"), (2, ("new", "--url", URL, "--header", "x"), "NAME=VALUE"),
                                    (2, ("new", "--url", URL, "--header", "Authorization=x"), "contains a credential"),
                                    (2, ("new", "--kind", "demo", "--set", "gups=8"), "did you mean gpus"),
                                    (2, ("new", "--kind", "mlflow", "--url", URL), "\"mlflow\" is unknown; it is one of demo")):
            with self.subTest(words):
                done = self.add(*words)
                self.assertEqual(done.returncode, status, done.text)
                self.assertSentence(done, part)
                self.assertEqual(self.read(), before)

    def test_never_takes_a_credential(self):
        self.write("sources:\n  - { name: a, kind: demo }\n")
        before = self.read()
        for words in (("--token", "canary-1f9b"), ("--user", "u", "--password", "canary-1f9b"), ("--user", "u", "--password", "sh:canary-1f9b"),
                      ("--header", "X-Api-Key=canary-1f9b")):
            with self.subTest(words):
                done = self.add("new", "--url", URL, *words)
                self.assertEqual(done.returncode, 2, done.text)
                self.assertNotIn("canary", done.text)
                self.assertEqual(self.read(), before)
        done = self.add("new", "--url", "https://u:canary-1f9b@p.example.org")
        self.assertEqual(done.returncode, 2, done.text)
        self.assertNotIn("canary", done.text)
        self.assertEqual(self.read(), before)

    def test_a_wrong_file_stays(self):
        self.write("sources:\n  - { name: a, kind: demo }\nzones: 1\n")
        done = self.add("new", "--kind", "demo")
        self.assertEqual(done.returncode, 3, done.text)
        self.assertSentence(done, "config.yaml:3:1: zones:")
        self.assertNotIn("new", self.read())

    def test_rights_and_links_stay(self):
        real = os.path.join(self.folder, "dotfiles.yaml")
        os.rename(self.home.config, real)
        os.chmod(real, 0o640)
        os.symlink(real, self.home.config)
        self.assertEqual(self.add("new", "--kind", "demo").returncode, 0)
        self.assertTrue(os.path.islink(self.home.config))
        self.assertEqual(stat.S_IMODE(os.stat(real).st_mode), 0o640)
        self.assertEqual({n for n in os.listdir(self.home.folder) if n.startswith("config.yaml")}, {"config.yaml"})

    def test_a_missing_file_is_made_for_us_alone(self):
        self.home.config = os.path.join(self.folder, "fresh", "deep", "config.yaml")
        self.assertEqual(self.add("new", "--kind", "demo").returncode, 0)
        self.assertEqual(stat.S_IMODE(os.stat(self.home.config).st_mode), 0o600)
        self.assertEqual(self.read(), "version: 1\nsources:\n  - name: new\n    kind: demo\n")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_the_disk_is_full(self):
        """The file is unchanged, and no other file is left next to it."""
        before, beside = self.read(), sorted(os.listdir(self.home.folder))
        for call in ("write", "sync"):
            with self.subTest(call):
                done = self.home.faulty(f"{call}:1:28:config.yaml", "sources", "add", "new", "--kind", "demo")
                self.assertEqual(done.returncode, 3, done.text)
                self.assertSentence(done, "config.yaml", "space")
                self.assertEqual(self.read(), before)
                self.assertEqual([n for n in sorted(os.listdir(self.home.folder)) if n not in ("state",)], [n for n in beside if n != "state"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

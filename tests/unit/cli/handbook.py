# SPDX-License-Identifier: GPL-3.0-or-later
"""The handbook compared with the program: keys of the configuration, error codes and exit statuses, examples, installed files."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/dev"))
import clireference  # noqa: E402

CLI = os.environ["GPULEDGER_CLI"]
BUILD = os.environ["GPULEDGER_BUILD"]
DOCS = ROOT / "docs"
CHAPTERS = sorted(path.relative_to(DOCS) for path in [*DOCS.glob("*.md"), *DOCS.glob("pages/*.md")])

# An unknown key, in every map of the configuration: the program answers with the known ones.
STRANGE = "zzzzzzzz: 1"
AUTHS = ["type: basic, user: u, password: env:P", "type: bearer, token: env:T", "type: mtls, certificate: file:c, key: file:k",
         "type: sigv4, region: us-east-1"]
SOURCES = ["prometheus, url: 'http://127.0.0.1:1'", "opencost, url: 'http://127.0.0.1:1'", "kubernetes", "focus, path: b",
           "aws, auth: { type: sigv4, region: us-east-1 }", "aws-costs, auth: { type: sigv4, region: us-east-1 }",
           "aws-export, bucket: bills, auth: { type: sigv4, region: us-east-1 }",
           "azure, subscription: 00000000-0000-0000-0000-000000000000", "azure-costs, scope: 00000000-0000-0000-0000-000000000000",
           "azure-export, account: bills, container: exports",
           "gcp, project: lab, auth: { type: bearer, token: env:T }", "gcp-billing, project: lab, dataset: d, table: t", "runpod, auth: { type: bearer, token: env:T }",
           "vastai, auth: { type: bearer, token: env:T }", "lambda, auth: { type: bearer, token: env:T }",
           "coreweave, url: 'http://127.0.0.1:1', path: b, auth: { type: bearer, token: env:T }",
           "nebius, project: lab, auth: { type: bearer, token: env:T }", "infracost, path: b", "claims, path: b", "demo", "demo-cloud, cloud: azure"]
TARGETS = ["slack, url: env:A", "pagerduty, key: env:A", "webhook, url: env:A", "email, url: 'smtp://a', from: a, to: [ b ]",
           "alertmanager, url: 'http://a'", "desktop"]
ASKED = f"""
{STRANGE}
sources:
""" + "".join(f"  - {{ name: k{n}, kind: {kind}, {STRANGE} }}\n" for n, kind in enumerate(SOURCES)) + "".join(
    f"  - {{ name: a{n}, kind: aws, auth: {{ {auth}, {STRANGE} }} }}\n" for n, auth in enumerate(AUTHS)) + f"""
  - {{ name: c, kind: prometheus, url: "http://127.0.0.1:1", cluster: {{ label: x, {STRANGE} }}, tls: {{ {STRANGE} }} }}
owners: [ {{ default: x, {STRANGE} }} ]
workloads: [ {{ namespace: x, kind: batch, {STRANGE} }} ]
environments: {{ label: env, {STRANGE} }}
idle: {{ {STRANGE}, grace: {{ {STRANGE} }}, protect: [ {{ namespace: x, {STRANGE} }} ] }}
prices:
  {STRANGE}
  exchange_rates: [ {{ from: EUR, to: USD, rate: "1", date: 2026-11-01, {STRANGE} }} ]
  overrides: [ {{ cluster: x, per_hour: "1", {STRANGE} }} ]
  owned: [ {{ node_label: {{ a: b }}, price: "1", {STRANGE} }} ]
  lists: [ {{ file: a_vms.csv, {STRANGE} }}, {{ url: "http://127.0.0.1:1", format: azure-retail, regions: [ eastus ], {STRANGE} }} ]
  own: [ {{ file: own.csv, {STRANGE} }} ]
shared_costs: {{ {STRANGE}, shared: {{ fixed: {{ a: 1 }}, {STRANGE} }} }}
budgets: [ {{ team: a, period: month, amount: "1", {STRANGE} }} ]
targets:
""" + "".join(f"  - {{ name: t{n}, kind: {kind}, {STRANGE} }}\n" for n, kind in enumerate(TARGETS)) + f"""
routes: [ {{ team: a, send: [ t0 ], {STRANGE} }} ]
alerts: [ {{ name: a, when: {{ metric: idle-cost, per: team, above: 1 USD/day, {STRANGE} }}, mark: {{ after: 1h, {STRANGE} }}, send: [ t0 ], escalate: {{ after: 1h, send: [ t1 ], {STRANGE} }}, {STRANGE} }} ]
events: [ {{ name: a, from: 2026-11-01, to: 2026-11-01, {STRANGE} }} ]
actions: {{ {STRANGE} }}
chargeback: {{ clearing_account: "1", {STRANGE}, accounts: {{ a: {{ account: "1", {STRANGE} }} }}, by_category: {{ {STRANGE} }} }}
savings: {{ {STRANGE}, spot_history: [ {{ path: x.csv, began: 2026-11-01, {STRANGE} }} ], teams: [ {{ team: a, time_zone: UTC, {STRANGE} }} ], pools: [ {{ name: a, min_nodes: 1, {STRANGE} }} ], assumptions: {{ {STRANGE}, training: {{ {STRANGE} }} }} }}
links: {{ {STRANGE} }}
"""
# Heading of docs/configuration.md -> where the program is queried. In tls only `ca` is a known key: the others are answered with "does not
# exist".
SECTIONS = {
    "Top-level keys": [""], "sources": [f"sources[{n}]" for n in range(len(SOURCES))],
    "auth": [f"sources[{len(SOURCES) + n}].auth" for n in range(len(AUTHS))],
    "tls": [f"sources[{len(SOURCES) + len(AUTHS)}].tls"], "owners": ["owners[0]"], "workloads": ["workloads[0]"],
    "environments": ["environments"], "idle": ["idle"], "grace": ["idle.grace"], "prices": ["prices"],
    "Exchange rates": ["prices.exchange_rates[0]"], "Overrides": ["prices.overrides[0]"], "Owned machines": ["prices.owned[0]"],
    "Price lists": ["prices.lists[0]", "prices.lists[1]", "prices.own[0]"],
    "shared_costs": ["shared_costs", "shared_costs.shared"], "budgets": ["budgets[0]"], "targets": [f"targets[{n}]" for n in range(len(TARGETS))],
    "routes": ["routes[0]"], "alerts": ["alerts[0]"], "when": ["alerts[0].when"], "escalate": ["alerts[0].escalate"], "events": ["events[0]"], "actions": ["actions"],
    "chargeback": ["chargeback", "chargeback.accounts.a"], "by_category": ["chargeback.by_category"], "savings": ["savings"],
    "Spot histories": ["savings.spot_history[0]"], "Teams": ["savings.teams[0]"], "Pools": ["savings.pools[0]"],
    "Assumptions": ["savings.assumptions", "savings.assumptions.training"], "links": ["links"],
}
NO_KEYS = {"insecure", "insecure_skip_verify", "verify", "skip_verify"}
# Maps that the text describes in addition to a table.
IN_TEXT = {f"sources[{len(SOURCES) + len(AUTHS)}].cluster": "{ label: NAME }", "idle.protect[0]": "{ namespace: NAME }",
           "alerts[0].mark": "{ after: 24h }"}


def known_keys():
    """Place in the configuration -> the keys that the program knows there."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "config.yaml")
        file.write_text(ASKED, "utf-8")
        done = subprocess.run([CLI, "--config", file, "--data", folder, "sources", "list"], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    found = {}
    for place, keys in re.findall(r":\d+:\d+: (\S*?)\.?zzzzzzzz: is unknown; known keys: (.*)", done.stderr):
        found[place] = set(keys.split(", ")) - NO_KEYS
    others = [line for line in done.stderr.splitlines() if "config.yaml:" in line and "zzzzzzzz" not in line]
    assert not others, others
    return found


def sections(text):
    """Heading -> the text below it, up to the next heading."""
    parts = re.split(r"^#{1,6} +(.+?)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def first_cells(text):
    return [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]


def keys_of(text):
    cells = " ".join(first_cells(text))
    return set(re.findall(r"`([\w-]+)`", cells or text))


class Configuration(unittest.TestCase):
    def setUp(self):
        self.known = known_keys()
        self.told = sections((DOCS / "configuration.md").read_text("utf-8"))

    def test_every_key_is_told_and_no_other(self):
        for heading, places in SECTIONS.items():
            with self.subTest(heading):
                want = set().union(*(self.known[place] for place in places))
                self.assertEqual(keys_of(self.told[heading]), want)

    def test_every_place_is_told(self):
        told = {place for places in SECTIONS.values() for place in places} | set(IN_TEXT)
        self.assertEqual(set(self.known), told)
        for example in IN_TEXT.values():
            self.assertIn(example, "".join(self.told.values()))

    def test_the_sample_has_every_key_at_the_top(self):
        sample = (ROOT / "resources/config/sample.yaml").read_text("utf-8")
        self.assertEqual({key for key in self.known[""] if not re.search(rf"^(?:#- )?{key}:", sample, re.MULTILINE)}, set())


class Troubleshooting(unittest.TestCase):
    def setUp(self):
        self.told = sections((DOCS / "troubleshooting.md").read_text("utf-8"))

    def rows(self, heading):
        return [[cell.strip() for cell in row.strip("|").split("|")] for row in self.told[heading].splitlines() if row.startswith("| ")][2:]

    def test_every_error_code_has_its_remedy_and_its_status(self):
        names = dict(re.findall(r'case ErrorCode::(\w+):\s+return "([\w-]+)";', (ROOT / "app/base/error.cpp").read_text("utf-8")))
        self.assertGreater(len(names), 20)
        values = {name: value for name, value in re.findall(r"int (k\w+) = (\d+);", (ROOT / "ui/cli/program/globaloptions.h").read_text("utf-8"))}
        body = (ROOT / "ui/cli/program/output.cpp").read_text("utf-8").partition("int exitStatus(")[2]
        want, waiting = {}, []
        for code, status in re.findall(r"case ErrorCode::(\w+):|(?:return (k\w+);)", body):
            if code:
                waiting.append(code)
            else:
                want.update((names[one], values[status]) for one in waiting)
                waiting = []
        self.assertEqual(set(want), set(names.values()))
        rows = self.rows("Error codes")
        self.assertEqual({row[0].strip("`"): row[3] for row in rows}, want)
        self.assertEqual(len(rows), len(want))
        for row in rows:
            self.assertTrue(row[1] and row[2], row)

    def test_every_exit_status_is_told(self):
        values = re.findall(r"int k\w+ = (\d+);", (ROOT / "ui/cli/program/globaloptions.h").read_text("utf-8"))
        rows = self.rows("Exit statuses")
        self.assertEqual([row[0] for row in rows], values)
        self.assertTrue(all(row[1] and row[2] for row in rows))


class Examples(unittest.TestCase):
    def test_every_command_and_option_of_the_examples_exists(self):
        helps = {words: text for words, text in clireference.commands(CLI)}
        seen = 0
        for chapter in [DOCS / chapter for chapter in CHAPTERS] + [ROOT / "README.md"]:
            if chapter.name == "commands.md":
                continue
            text = chapter.read_text("utf-8").replace("\\\n", " ")
            for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
                if kind not in ("", "sh"):
                    continue
                for line in re.findall(r"^(?:gpuledger-cli|\./dev cli)( .*)$", block, re.MULTILINE):
                    seen += 1
                    with self.subTest(f"{chapter.name}: {line}"):
                        self.look_at(shlex.split(line, comments=True), helps)
        self.assertGreater(seen, 50)

    def look_at(self, arguments, helps):
        words, path = (), helps[()]
        if ">" in arguments:
            arguments = arguments[:arguments.index(">")]
        for argument in arguments:
            if argument.startswith("--"):
                self.assertRegex(path + helps[()], rf"(?m)^ +{argument}[ \n]")
            elif (*words, argument) in helps:
                words, path = (*words, argument), helps[(*words, argument)]
        self.assertTrue(words, "names no command")
        if "[SUBCOMMAND]" in path:  # a command that can be run without one of its own commands
            return
        self.assertFalse([one for one in helps if one[:-1] == words], "names no command below " + " ".join(words))


class Installed(unittest.TestCase):
    def test_every_chapter_is_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "--install", BUILD, "--component", "handbook", "--prefix", folder], check=True, capture_output=True)
            found = {path.relative_to(folder) for path in pathlib.Path(folder).rglob("*") if path.is_file()}
            self.assertEqual(found, {pathlib.Path("share/doc/gpuledger/handbook") / chapter for chapter in CHAPTERS})
            for path in found:
                self.assertEqual(pathlib.Path(folder, path).read_bytes(), (DOCS / path.relative_to("share/doc/gpuledger/handbook")).read_bytes())


if __name__ == "__main__":
    unittest.main()

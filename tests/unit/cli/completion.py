# SPDX-License-Identifier: GPL-3.0-or-later
"""The completion scripts in real shells: bash and fish print their suggestions, zsh completes in a terminal of its own."""
import os
import shutil
import subprocess
import tempfile
import unittest

CLI = os.environ["GPULEDGER_CLI"]
# Typed text -> words that must be offered, and words that must not.
CASES = {
    "gpuledger-cli su": ({"summary"}, {"sync"}),
    "gpuledger-cli ex": ({"explain"}, {"sync"}),
    "gpuledger-cli s": ({"summary", "sync", "sources", "savings"}, {"heatmap"}),
    "gpuledger-cli --data x he": ({"heatmap"}, {"summary"}),
    "gpuledger-cli sources te": ({"test"}, {"list"}),
    "gpuledger-cli sources ": ({"list", "test", "add"}, {"sync"}),
    "gpuledger-cli sources test --agr": ({"--agree-command"}, {"--sample"}),
    "gpuledger-cli sources test prod --agr": ({"--agree-command"}, {"--sample"}),
    "gpuledger-cli sources add --to": ({"--token"}, {"--agree-command"}),
    "gpuledger-cli sources add --kind kub": ({"kubernetes"}, {"prometheus"}),
    "gpuledger-cli heatmap --metric idle": ({"idle-cost"}, {"power"}),
    "gpuledger-cli heatmap --bins ": ({"hour-of-week", "hour-of-day", "day", "hour"}, {"team"}),
    "gpuledger-cli summary --by g": ({"gpu-model"}, {"team"}),
    "gpuledger-cli sync --so": ({"--source"}, {"--metric"}),
    "gpuledger-cli idle --gpu": ({"--gpu-model"}, {"--team"}),
    "gpuledger-cli --workload-type n": ({"notebook"}, {"training"}),
    "gpuledger-cli com": ({"compare", "completion"}, {"savings"}),
    "gpuledger-cli compare --pur": ({"--purchase"}, {"--prices"}),
    "gpuledger-cli savings sch": ({"schedule"}, {"capacity"}),
    "gpuledger-cli savings ": ({"capacity", "schedule", "right-size", "commitments"}, {"summary"}),
    "gpuledger-cli completion fi": ({"fish"}, {"bash"}),
    "gpuledger-cli --config sam": ({"sample.yaml"}, {"summary"}),
}
BASH = """source "$1"; COMP_LINE=$2; read -ra COMP_WORDS <<<"$2"; [[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); $(complete -p gpuledger-cli | sed 's/.*-F \\([^ ]*\\).*/\\1/') gpuledger-cli "${COMP_WORDS[COMP_CWORD]}" \
"${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "${COMPREPLY[@]}" """
# A second zsh in a terminal of its own: completion exists only in an interactive shell. `compadd` reports its arguments and matches.
ZSH = r"""zmodload zsh/zpty
typed=$2 offers=$3
zpty -b inner zsh -f -i
zpty -w inner "PROMPT=; autoload -Uz compinit; compinit -u -D; source ${(q)1}
compadd() { local -a taken; builtin compadd -O taken \"\$@\"; print -rl -- \$taken >> ${(q)offers}; builtin compadd \"\$@\" }
told() { print done > ${(q)offers}.done }
comppostfuncs=(told); bindkey '^T' complete-word; print ready > ${(q)offers}.ready"
integer i
until [[ -e $offers.ready ]] || ((++i > 1200)); do sleep 0.05; done
print -n > $offers
zpty -n -w inner "$typed"$'\x14'
until [[ -e $offers.done ]] || ((++i > 1200)); do sleep 0.05; done
zpty -d inner
cat -- $offers
"""
FISH = """source $argv[1]; complete --do-complete $argv[2] | string replace -r '\\t.*' ''; true"""


class Completion(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="gpuledgercomplete")
        self.addCleanup(shutil.rmtree, self.folder, True)
        with open(os.path.join(self.folder, "sample.yaml"), "w", encoding="ascii"):
            pass
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
        self.environment.update(HOME=self.folder, ZDOTDIR=self.folder, TERM="xterm", LC_ALL="C.UTF-8")

    def script(self, shell):
        path = os.path.join(self.folder, "completion." + shell)
        with open(path, "wb") as file:
            subprocess.run([CLI, "completion", shell], env=self.environment, stdout=file, check=True, timeout=120)
        return path

    def offered(self, command, index):
        done = subprocess.run(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "", command[-index:])
        return {line.strip() for line in done.stdout.splitlines()} - {""}

    def check(self, shell, ask):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed; ./dev deps test installs it")
        script = self.script(shell)
        for typed, (there, absent) in CASES.items():
            with self.subTest(typed):
                words = ask(script, typed)
                self.assertLessEqual(there, words)
                self.assertEqual(absent & words, set())

    def test_bash(self):
        self.check("bash", lambda script, typed: self.offered(["bash", "--norc", "-c", BASH, "bash", script, typed], 1))

    def test_fish(self):
        self.check("fish", lambda script, typed: self.offered(["fish", "--no-config", "-c", FISH, script, typed], 1))

    def test_zsh(self):
        self.check("zsh", self.zsh)

    def zsh(self, script, typed):
        offers = tempfile.mktemp(dir=self.folder, prefix="offers")
        return self.offered(["zsh", "-f", "-c", ZSH, "zsh", script, typed, offers], 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)

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
# Each shell gets the script and then all typed texts, and prints the offers for each after a line with MARK.
MARK = "== offered =="
BASH = """source "$1"; shift
complete=$(complete -p gpuledger-cli | sed 's/.*-F \\([^ ]*\\).*/\\1/')
for COMP_LINE; do
  echo "$MARK"; read -ra COMP_WORDS <<<"$COMP_LINE"; [[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
  $complete gpuledger-cli "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "${COMPREPLY[@]}"
done"""
# A second zsh in a terminal of its own: completion exists only in an interactive shell. `compadd` reports its arguments and matches.
ZSH = r"""zmodload zsh/zpty
script=$1 offers=$OFFERS; shift
zpty -b inner zsh -f -i
zpty -w inner "PROMPT=; autoload -Uz compinit; compinit -u -D; source ${(q)script}
compadd() { local -a taken; builtin compadd -O taken \"\$@\"; print -rl -- \$taken >> ${(q)offers}; builtin compadd \"\$@\" }
told() { print done > ${(q)offers}.done; comppostfuncs=(told) }
comppostfuncs=(told); bindkey '^T' complete-word; bindkey '^U' kill-whole-line; unsetopt menucomplete automenu; print ready > ${(q)offers}.ready"
integer i
wait_for() { until [[ -e $1 ]] || ((++i > 6000)); do sleep 0.02; done }
wait_for $offers.ready
for typed; do
  print -r -- $MARK; rm -f $offers.done; print -n > $offers
  zpty -n -w inner $'\x15'"$typed"$'\x14'
  wait_for $offers.done
  cat -- $offers
done
zpty -d inner"""
FISH = """source $argv[1]
for typed in $argv[2..]; echo $MARK; complete --do-complete $typed | string replace -r '\\t.*' ''; end; true"""


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

    def check(self, shell, *command):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed; ./dev deps test installs it")
        environment = dict(self.environment, MARK=MARK, OFFERS=os.path.join(self.folder, "offers"))
        done = subprocess.run([*command, self.script(shell), *CASES], env=environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        answers = done.stdout.split(MARK + "\n")[1:]
        self.assertEqual(len(answers), len(CASES), done.stdout)
        for answer, (typed, (there, absent)) in zip(answers, CASES.items()):
            with self.subTest(typed):
                words = {line.strip() for line in answer.splitlines()}
                self.assertLessEqual(there, words)
                self.assertEqual(absent & words, set())

    def test_bash(self):
        self.check("bash", "bash", "--norc", "-c", BASH, "bash")

    def test_fish(self):
        self.check("fish", "fish", "--no-config", "-c", FISH)

    def test_zsh(self):
        self.check("zsh", "zsh", "-f", "-c", ZSH, "zsh")


if __name__ == "__main__":
    unittest.main(verbosity=2)

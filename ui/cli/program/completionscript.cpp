// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/completionscript.h"

#include "app/savings/assumptions/assumptions.h"
#include "ui/cli/program/command.h"

#include <CLI/CLI.hpp>

#include <map>
#include <set>
#include <vector>

namespace gpuledger::cli {

namespace {

struct Verb {
    std::string path; // "sources test"
    std::string help;
    std::vector<std::string> words; // subcommands
    std::vector<std::string> options; // with dashes
};

struct Grammar {
    std::vector<Verb> verbs; // the root first, with an empty path
    std::set<std::string> withValue; // options that take a value
};

void collect(const CLI::App &app, const std::string &path, Grammar &grammar)
{
    Verb verb{path, app.get_description(), {}, {}};
    for (const CLI::Option *option : app.get_options()) {
        for (const std::string &name : option->get_lnames()) {
            verb.options.push_back("--" + name);
            if (option->get_items_expected_max() > 0)
                grammar.withValue.insert("--" + name);
        }
    }
    const auto below = app.get_subcommands([](const CLI::App *) { return true; });
    for (const CLI::App *sub : below)
        verb.words.push_back(sub->get_name());
    grammar.verbs.push_back(verb);
    for (const CLI::App *sub : below)
        collect(*sub, path.empty() ? sub->get_name() : path + ' ' + sub->get_name(), grammar);
}

std::string joined(const std::vector<std::string> &words)
{
    std::string out;
    for (const std::string &word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

// Each path in quotes; an argument, such as a source name, is not a path.
std::string knownPaths(const Grammar &grammar, const char *between)
{
    std::string out;
    for (const Verb &verb : grammar.verbs) {
        if (!verb.path.empty())
            out += (out.empty() ? "" : between) + ('"' + verb.path + '"');
    }
    return out;
}

std::string alternatives(const std::set<std::string> &words)
{
    std::string out;
    for (const std::string &word : words)
        out += (out.empty() ? "" : "|") + word;
    return out;
}

// The values of options that accept only a few.
using Values = std::map<std::string, std::vector<std::string>>;
Values knownValues(const std::vector<std::string> &sourceKinds)
{
    std::vector<std::string> kinds;
    for (const auto kind :
         {model::WorkloadKind::Notebook, model::WorkloadKind::Development, model::WorkloadKind::Training,
          model::WorkloadKind::Batch, model::WorkloadKind::Inference, model::WorkloadKind::Unknown})
        kinds.emplace_back(model::toString(kind));
    std::vector<std::string> assumed;
    for (const savings::AssumptionSpec &spec : savings::assumptionSpecs())
        assumed.push_back(std::string(spec.name) + '=');
    return {{"--by", dimensionNames()},  {"--bins", binsNames()},
            {"--metric", metricNames()}, {"--cost", {"billed", "effective", "list"}},
            {"--workload-type", kinds},  {"--kind", sourceKinds},
            {"--assume", assumed}};
}

// The same for positional arguments, by the path of their verb.
Values positionalValues()
{
    return {{"completion", {"bash", "zsh", "fish"}}, {"savings", savingsKindNames()}};
}

const std::set<std::string> kFiles{"--config", "--report"};
const std::set<std::string> kFolders{"--data"};

// bash and zsh differ in how they pass the words and take the candidates.
std::string bourneScript(const Grammar &grammar, const Values &known, bool zsh)
{
    const auto offer = [&](const std::string &words) {
        return zsh ? "compadd -- " + words : "COMPREPLY=($(compgen -W \"" + words + "\" -- \"$cur\"))";
    };
    std::string s = zsh ? "#compdef gpuledger-cli\n" : "# bash completion of gpuledger-cli\n";
    s += "_gpuledger_cli() {\n    local command=\"\" i word\n";
    s += zsh ? "    local prev=${words[CURRENT-1]}\n    for ((i = 2; i < CURRENT; i++)); do\n        word=${words[i]}\n"
             : "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n    COMPREPLY=()\n"
               "    for ((i = 1; i < COMP_CWORD; i++)); do\n        word=${COMP_WORDS[i]}\n";
    s += "        case $word in\n            " + alternatives(grammar.withValue)
        + ") ((i++)) ;;\n"
          "            -*) ;;\n            *) case \"${command:+$command }$word\" in\n                "
        + knownPaths(grammar, "|")
        + ") command+=\"${command:+ }$word\" ;;\n            esac ;;\n        esac\n    done\n"
          "    case $prev in\n";
    for (const auto &[option, values] : known)
        s += "        " + option + ") " + offer(joined(values)) + "; return ;;\n";
    for (const std::string &option : kFiles)
        s += "        " + option + ") " + (zsh ? "_files" : "COMPREPLY=($(compgen -f -- \"$cur\"))") + "; return ;;\n";
    for (const std::string &option : kFolders)
        s += "        " + option + ") " + (zsh ? "_files -/" : "COMPREPLY=($(compgen -d -- \"$cur\"))")
            + "; return ;;\n";
    s += "        " + alternatives(grammar.withValue) + ") return ;;\n    esac\n    case $command in\n";
    const std::string global = joined(grammar.verbs.front().options);
    const Values positional = positionalValues();
    for (const Verb &verb : grammar.verbs) {
        std::string words = joined(verb.words);
        if (const auto it = positional.find(verb.path); it != positional.end())
            words = joined(it->second);
        const std::string own = verb.path.empty() ? "" : joined(verb.options) + ' ';
        s += "        \"" + verb.path + "\") " + offer((words.empty() ? "" : words + ' ') + own + global) + " ;;\n";
    }
    s += "    esac\n}\n";
    s += zsh ? "if [ \"${funcstack[1]}\" = _gpuledger_cli ]; then\n    _gpuledger_cli \"$@\"\nelse\n"
               "    compdef _gpuledger_cli gpuledger-cli\nfi\n"
             : "complete -F _gpuledger_cli gpuledger-cli\n";
    return s;
}

std::string fishQuoted(const std::string &text)
{
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "'";
}

std::string fishScript(const CLI::App &root, const Grammar &grammar, const Values &values)
{
    std::string s =
        "# fish completion of gpuledger-cli\nfunction __gpuledger_cli_at\n    set -l path\n    set -l skip 0\n"
        "    set -l words (commandline -opc)\n    for word in $words[2..-1]\n"
        "        if test $skip = 1\n            set skip 0\n        else if contains -- $word "
        + joined({grammar.withValue.begin(), grammar.withValue.end()})
        + "\n            set skip 1\n        else if contains -- (string join ' ' $path $word) "
        + knownPaths(grammar, " ")
        + "\n            set -a path $word\n        end\n    end\n"
          "    test \"$path\" = \"$argv\"\nend\ncomplete -c gpuledger-cli -f\n";
    const Values positional = positionalValues();
    const auto add = [&](const CLI::App &app, const std::string &path, const auto &self) -> void {
        const std::string here = path.empty() ? "" : " -n " + fishQuoted("__gpuledger_cli_at " + path);
        for (const CLI::Option *option : app.get_options()) {
            for (const std::string &name : option->get_lnames()) {
                s += "complete -c gpuledger-cli" + here + " -l " + name;
                if (const auto it = values.find("--" + name); it != values.end())
                    s += " -x -a " + fishQuoted(joined(it->second));
                else if (kFiles.count("--" + name) || kFolders.count("--" + name))
                    s += " -r -F";
                else if (grammar.withValue.count("--" + name))
                    s += " -x";
                s += " -d " + fishQuoted(option->get_description()) + "\n";
            }
        }
        for (const CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; })) {
            s += "complete -c gpuledger-cli -n " + fishQuoted("__gpuledger_cli_at " + path) + " -a " + sub->get_name()
                + " -d " + fishQuoted(sub->get_description()) + "\n";
            self(*sub, path.empty() ? sub->get_name() : path + ' ' + sub->get_name(), self);
        }
        if (const auto it = positional.find(path); it != positional.end())
            s += "complete -c gpuledger-cli" + here + " -a " + fishQuoted(joined(it->second)) + "\n";
    };
    add(root, "", add);
    return s;
}

} // namespace

std::string completionScript(const CLI::App &root, const std::string &shell,
                             const std::vector<std::string> &sourceKinds)
{
    Grammar grammar;
    collect(root, "", grammar);
    const Values known = knownValues(sourceKinds);
    if (shell == "bash" || shell == "zsh")
        return bourneScript(grammar, known, shell == "zsh");
    return shell == "fish" ? fishScript(root, grammar, known) : std::string();
}

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/spend/reconcile.h"
#include "ui/cli/program/session.h"
#include "ui/cli/program/signalwatcher.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gpuledger::cli {

// A verb of the command line. Created once; lives as long as the parser that it adds itself to. One thread.
class Command {
public:
    virtual ~Command() = default;
    // Adds its subcommand, with options and an example.
    virtual void addTo(CLI::App &parent) = 0;
    // True if the user named it.
    virtual bool chosen() const = 0;
    // Returns the exit status or an error. A command that can be cancelled checks the session's stop token.
    [[nodiscard]] virtual base::Result<int> run(Session &session) = 0;
    virtual Ending ending() const { return Ending::AtOnce; } // when the user cancels
    // Works on the folder of the demo fleet, as with --demo.
    virtual bool isAboutDemo() const { return false; }
    // Answers from a cache alone, so it works with --report.
    virtual bool readsReports() const { return false; }

protected:
    // A subcommand with a line of help and an example.
    static CLI::App *addVerb(CLI::App &parent, const std::string &name, const std::string &help,
                             const std::string &example);
    static bool parsed(const CLI::App *verb);
};

// The values of options that take a few values; for checks, help and completion.
std::vector<std::string> dimensionNames();
std::vector<std::string> rowNames(); // for --by: these, and labels with their key
std::vector<std::string> binsNames();
std::vector<std::string> metricNames();
std::vector<std::string> savingsKindNames();
std::string joinedNames(const std::vector<std::string> &names);
// The month of --month; by default the last complete one. Fails with InvalidArgument.
[[nodiscard]] base::Result<insight::Month> monthOf(const std::string &text, base::UtcTime now);

} // namespace gpuledger::cli

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

// A verb of the command line. Made once, lives as long as the parser that it adds itself to. One thread.
class Command {
public:
    virtual ~Command() = default;
    // Adds its subcommand, with options and an example.
    virtual void addTo(CLI::App &parent) = 0;
    // True when the user named it.
    virtual bool chosen() const = 0;
    // The exit status, or why there is none. What can be cancelled looks at the session's stop token.
    [[nodiscard]] virtual base::Result<int> run(Session &session) = 0;
    virtual Ending ending() const { return Ending::AtOnce; } // when the user cancels
    // Answers from a cache alone, so that it goes with --report.
    virtual bool readsReports() const { return false; }

protected:
    // A subcommand with its one line of help and its example.
    static CLI::App *addVerb(CLI::App &parent, const std::string &name, const std::string &help,
                             const std::string &example);
    static bool parsed(const CLI::App *verb);
};

// The values that an option takes, where they are few; for checks, help and completion.
std::vector<std::string> dimensionNames();
std::vector<std::string> binsNames();
std::vector<std::string> metricNames();
std::string joinedNames(const std::vector<std::string> &names);
// The month of --month; the last one that is over when it is not given. Fails with InvalidArgument.
[[nodiscard]] base::Result<insight::Month> monthOf(const std::string &text, base::UtcTime now);

} // namespace gpuledger::cli

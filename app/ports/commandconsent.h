// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <utility>
#include <vector>

namespace gpuledger::ports {

// A program that prints a credential, as a configuration names it.
struct CredentialCommand {
    std::vector<std::string> arguments; // the program first: an absolute path, or a name on PATH
    std::vector<std::string> environment; // names of the variables that it sees; no others reach it
    // Set for it alone. Consent is bound to their names; a value changes nothing but what the program is told.
    std::vector<std::pair<std::string, std::string>> variables = {};
};

// Exactly what would run, to be shown before anybody agrees.
struct CommandPlan {
    enum class Consent {
        Given,
        Never, // nobody was asked yet
        Outdated, // somebody agreed to this program when its content, arguments or variables were others
    };
    std::string program; // absolute path
    std::string sha256; // of its content, in hexadecimal
    std::vector<std::string> arguments; // without the program
    std::vector<std::string> environment; // ascending
    Consent consent = Consent::Never;
    std::vector<std::pair<std::string, std::string>> variables = {}; // set for it alone; named in environment too
};

// Remembers which programs the user lets us run for a credential. Consent is bound to all four parts of a plan; when
// one changes, it is asked for again. Any thread.
class CommandConsent {
public:
    virtual ~CommandConsent() = default;
    // The variables that the commands of a configuration see.
    virtual std::vector<std::string> usualEnvironment() const = 0;
    // Looks at the program; runs nothing. Fails with InvalidConfig (relative path, not UTF-8), NotFound (no such
    // program), Forbidden (others can change the program, or the record of what was agreed to), or TooMuch.
    [[nodiscard]] virtual base::Result<CommandPlan> plan(const CredentialCommand &command) = 0;
    // Only after a person saw this very plan. Fails with StorageFull, StorageReadOnly or Forbidden.
    [[nodiscard]] virtual base::Result<void> agree(const CommandPlan &plan) = 0;
};

} // namespace gpuledger::ports

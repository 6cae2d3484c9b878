// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <utility>
#include <vector>

namespace gpuledger::ports {

// A program that prints a credential, as named in a configuration.
struct CredentialCommand {
    std::vector<std::string> arguments; // the program first: an absolute path, or a name on PATH
    std::vector<std::string> environment; // names of the variables that are passed to it; no others are
    // Set for this program only. Consent is bound to their names; the values may change without asking again.
    std::vector<std::pair<std::string, std::string>> variables = {};
};

// Exactly what would run, to be shown before the user agrees.
struct CommandPlan {
    enum class Consent {
        Given,
        Never, // the user has not been asked yet
        Outdated, // the user agreed to this program with other content, arguments or variables
    };
    std::string program; // absolute path
    std::string sha256; // of its content, in hexadecimal
    std::vector<std::string> arguments; // without the program
    std::vector<std::string> environment; // ascending
    Consent consent = Consent::Never;
    std::vector<std::pair<std::string, std::string>> variables = {}; // set for this program only; also named in
                                                                     // environment
};

// Remembers which programs the user has allowed to run for a credential. Consent is bound to all four parts of a plan;
// if one changes, the user is asked again. Any thread.
class CommandConsent {
public:
    virtual ~CommandConsent() = default;
    // The variables that the commands of a configuration get.
    virtual std::vector<std::string> usualEnvironment() const = 0;
    // Examines the program; runs nothing. Fails with InvalidConfig (relative path, not UTF-8), NotFound (no such
    // program), Forbidden (others can change the program, or the record of consents), or TooMuch.
    [[nodiscard]] virtual base::Result<CommandPlan> plan(const CredentialCommand &command) = 0;
    // Call only after the user saw this very plan. Fails with StorageFull, StorageReadOnly or Forbidden.
    [[nodiscard]] virtual base::Result<void> agree(const CommandPlan &plan) = 0;
};

} // namespace gpuledger::ports

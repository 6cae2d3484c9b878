// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/commandagreement.h"

#include "app/base/text/text.h"
#include "app/services/environment/logincommands.h"

namespace gpuledger::cli {

namespace {

using ports::CommandPlan;

// Never truncated, because the user can only agree to what is fully shown. Three bytes stand for a character that can't
// be displayed.
std::string shown(const std::string &text)
{
    return base::printable(text, 3 * text.size() + 8);
}

std::string described(const std::string &source, const CommandPlan &plan)
{
    std::string arguments, environment;
    for (const std::string &argument : plan.arguments)
        arguments += "\n                 \"" + shown(argument) + '"';
    for (const std::string &name : plan.environment)
        environment += (environment.empty() ? "" : " ") + shown(name);
    return "The source " + shown(source) + " gets its credential from a program"
        + (plan.consent == CommandPlan::Consent::Outdated ? " that changed since you agreed to it" : "")
        + ". Each time it is read, this runs:\n"
          "    program      "
        + shown(plan.program) + "\n    SHA-256      " + plan.sha256 + "\n    arguments   "
        + (arguments.empty() ? " none" : arguments) + "\n    environment  " + environment
        + "\nWithout a shell, without input, for at most 30 s. You are asked again when any of this changes.\n";
}

} // namespace

base::Result<void> agreeToCommands(Session &session, const model::SourceSettings &source, bool agreed)
{
    ports::CommandConsent &consent = session.ports().commands;
    const auto plans = services::commandsToAgreeTo(session.ports().logins, consent, source);
    GPULEDGER_TRY(plans);
    for (const CommandPlan &plan : *plans) {
        Output &out = session.out();
        out.notice(described(source.name, plan));
        if (!agreed && !out.canAsk())
            return base::fail(base::ErrorCode::Forbidden,
                              base::printable(plan.program, 256) + " was not run: no one agreed to it",
                              "look at what is shown above, and add --agree-command if this may run");
        if (!agreed) {
            const auto yes = out.ask("Run it from now on? [y/N] ", session.stop());
            GPULEDGER_TRY(yes);
            if (!*yes)
                return base::fail(base::ErrorCode::Refused, "you did not agree, so nothing was run",
                                  "keychain:NAME, env:NAME and file:PATH run nothing");
        }
        GPULEDGER_TRY(consent.agree(plan));
    }
    return {};
}

} // namespace gpuledger::cli

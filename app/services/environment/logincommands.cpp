// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/environment/logincommands.h"

namespace gpuledger::services {

base::Result<std::vector<ports::CommandPlan>> commandsToAgreeTo(const ports::LoginCommands &logins,
                                                                ports::CommandConsent &consent,
                                                                const model::SourceSettings &source)
{
    const std::vector<std::string> usual = consent.usualEnvironment();
    auto commands = logins.of(source);
    GPULEDGER_TRY(commands);
    for (ports::CredentialCommand &command : *commands)
        command.environment.insert(command.environment.end(), usual.begin(), usual.end());
    for (const model::SecretRef *ref : {&source.auth.password, &source.auth.token, &source.auth.key}) {
        if (ref->kind == model::SecretRef::Kind::Command)
            commands->push_back({ref->command, usual});
    }
    std::vector<ports::CommandPlan> plans;
    for (const ports::CredentialCommand &command : *commands) {
        auto plan = consent.plan(command);
        GPULEDGER_TRY(plan);
        if (plan->consent != ports::CommandPlan::Consent::Given)
            plans.push_back(std::move(*plan));
    }
    return plans;
}

} // namespace gpuledger::services

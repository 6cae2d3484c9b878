// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/instancetarget.h"

#include "connectors/auth/changes.h"
#include "connectors/nebius/instancestate.h"

#include <nebius.pb.h>

#include <algorithm>
#include <set>

namespace gpuledger::nebius {

using base::Result;
using model::TargetState;
using ports::WriteOutcome;

InstanceTarget::InstanceTarget(const model::SourceSettings &settings, std::unique_ptr<ProjectCalls> calls,
                               const base::Clock &clock, std::shared_ptr<http::Pause> pause)
    : MachineTarget(settings, "Nebius", clock, std::move(pause))
    , m_calls(std::move(calls))
{
}

Result<model::TargetRef> InstanceTarget::named(const std::string &name, const std::stop_token &stop)
{
    std::string wanted = name;
    std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    std::set<std::string> found; // ids
    GPULEDGER_TRY(m_calls->eachPage(
        [&](const wire::Instances &page) -> Result<void> {
            for (const wire::Instance &one : page.items()) {
                const auto facts = factsOf(one);
                GPULEDGER_TRY(facts);
                if (bears(*facts, wanted))
                    found.insert(facts->id);
            }
            return {};
        },
        stop));
    if (found.size() != 1)
        return auth::noneOrSeveral(found.size(), name);
    model::TargetRef ref;
    ref.name = *found.begin();
    return ref;
}

Result<TargetState> InstanceTarget::describe(const model::TargetRef &target, Detail, const std::stop_token &stop)
{
    const auto instance = m_calls->instance(target.name, stop);
    GPULEDGER_TRY(instance);
    const auto facts = factsOf(*instance);
    GPULEDGER_TRY(facts);
    return stateOf(*facts, m_calls->project());
}

Result<ports::Permission> InstanceTarget::permission(const TargetState &, bool, std::stop_token)
{
    ports::Permission out;
    out.isAllowed = true;
    return out;
}

WriteOutcome InstanceTarget::change(const TargetState &target, bool starts, const std::stop_token &stop)
{
    const auto response = m_calls->change(target.ref.name, starts, stop);
    return response ? outcomeOf(*response, m_calls->changeUrl(starts)) : auth::unanswered(response.error());
}

Result<std::unique_ptr<ports::ActionTarget>> makeInstanceTarget(const model::SourceSettings &settings,
                                                                ports::SecretStore &secrets,
                                                                const base::Clock &realClock,
                                                                std::shared_ptr<http::HttpClient> client)
{
    Tuning tuning;
    tuning.failures = {.maxTries = 4,
                       .firstDelay = http::Milliseconds{500},
                       .maxDelay = http::Milliseconds{8'000},
                       .budget = http::Milliseconds{20'000}};
    auto calls = makeProjectCalls(settings, secrets, realClock, std::move(client), tuning);
    GPULEDGER_TRY(calls);
    return std::make_unique<InstanceTarget>(settings, std::move(*calls), realClock, tuning.pause);
}

} // namespace gpuledger::nebius

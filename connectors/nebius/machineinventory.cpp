// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/machineinventory.h"

#include "connectors/auth/keyedapi.h"

#include <nebius.pb.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace gpuledger::nebius {

using base::ErrorCode;
using base::Result;

MachineInventory::MachineInventory(std::string name, std::unique_ptr<ProjectCalls> calls, const base::Clock &realClock)
    : m_name(std::move(name))
    , m_calls(std::move(calls))
    , m_realClock(realClock)
{
}

Result<ports::Inventory> MachineInventory::read(const std::map<std::string, ports::KnownMachine> &known,
                                                std::stop_token stop)
{
    std::vector<InstanceFacts> all;
    GPULEDGER_TRY(m_calls->eachPage(
        [&](const wire::Instances &page) -> Result<void> {
            for (const wire::Instance &one : page.items()) {
                auto facts = factsOf(one);
                GPULEDGER_TRY(facts);
                all.push_back(std::move(*facts));
            }
            return {};
        },
        stop));
    if (const auto wrong = auth::wrongClock(m_calls->answerDate(), m_realClock.now(),
                                            "nobody knows when these machines were listed, and none was recorded"))
        return base::fail(*wrong);
    InstanceTypes types(known);
    const bool isAnyMissing = std::any_of(
        all.begin(), all.end(), [&](const InstanceFacts &one) { return types.isMissing(one.platform, one.preset); });
    if (isAnyMissing) {
        const auto platforms = m_calls->platforms(stop);
        GPULEDGER_TRY(platforms);
        for (const wire::Platform &one : *platforms)
            types.learn(one);
    }
    const bool haveGpus = std::any_of(all.begin(), all.end(), [&](const InstanceFacts &one) {
        return !types.of(one.platform, one.preset).name.empty();
    });
    const auto region = haveGpus ? m_calls->region(stop) : Result<std::string>(std::string());
    GPULEDGER_TRY(region);
    return listed(all, types, *region, stop);
}

Result<ports::Inventory> MachineInventory::listed(const std::vector<InstanceFacts> &all, const InstanceTypes &types,
                                                  const std::string &region, const std::stop_token &stop)
{
    ports::Inventory out;
    std::map<std::pair<std::string, bool>, std::optional<base::Money>> prices; // by type and whether preemptible
    bool isCalculatorSilent = false;
    for (const InstanceFacts &one : all) {
        if (!addInstance(one, types, region, out) || !one.reservation.empty()) // what is reserved has another price
            continue;
        const auto [at, isNew] = prices.try_emplace({one.type(), one.isPreemptible});
        if (isNew && !isCalculatorSilent) {
            const auto price = m_calls->perHour(one.platform, one.preset, one.isPreemptible, stop);
            if (!price && price.error().code == ErrorCode::Cancelled)
                return base::fail(price.error());
            isCalculatorSilent = !price && !isWithoutPrice(price.error());
            if (price && price->nanos() > 0)
                at->second = *price;
        }
        out.machines.back().perHour = at->second;
    }
    return out;
}

Result<std::vector<ports::Finding>> MachineInventory::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    std::vector<ports::Finding> findings;
    const auto add = [&](const Method &method, const base::Error *error) -> Result<void> {
        if (error && error->code != ErrorCode::Forbidden)
            return base::fail(*error);
        findings.push_back(
            error ? ports::Finding{Level::Missing, ports::FindingText::MachinesWithheld, {method.right()}, {}, {}}
                  : ports::Finding{Level::Good, ports::FindingText::RightGiven, {method.right()}, {}, {}});
        return {};
    };
    const auto list = m_calls->askList(stop);
    GPULEDGER_TRY(add(kListInstances, list ? nullptr : &list.error()));
    const auto platforms = m_calls->platforms(stop);
    GPULEDGER_TRY(add(kListPlatforms, platforms ? nullptr : &platforms.error()));
    return findings;
}

Result<std::unique_ptr<ports::InventorySource>> makeMachineInventory(const model::SourceSettings &settings,
                                                                     ports::SecretStore &secrets,
                                                                     const base::Clock &realClock,
                                                                     std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    auto calls = makeProjectCalls(settings, secrets, realClock, std::move(client));
    GPULEDGER_TRY(calls);
    return std::make_unique<MachineInventory>(settings.name, std::move(*calls), realClock);
}

} // namespace gpuledger::nebius

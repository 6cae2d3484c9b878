// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/azureinventory.h"

#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kSizesVersion = "?api-version=2021-07-01&";
constexpr const char *kAnyLocation = "eastus"; // for a test of the right
constexpr base::Seconds kActivityKept{89 * 86400}; // Azure keeps 90 days
constexpr base::Seconds kProbedActivity{3600};
constexpr std::size_t kMostActivityPages = 100;

void addListed(const MachineFacts &facts, const MachineStatus &status, const SizeGpus &size,
               const std::optional<RunTimes> &run, ports::Inventory &out)
{
    bool isUnknown = false;
    auto machine = listed(facts, status, isUnknown, run);
    if (isUnknown)
        out.leaveOut("machine in an unknown state");
    if (!machine || (machine->until && size.gpus < 1))
        return;
    if (!size.isKnown) {
        out.leaveOut("machine of an unknown size");
    } else if (size.gpus < 1) {
        out.leaveOut("machine with a part of a GPU");
    } else {
        machine->gpuName = size.name;
        machine->gpus = size.gpus;
        if (isStoppedAndBilled(status))
            out.stoppedAndBilled.push_back(machine->id);
        out.machines.push_back(std::move(*machine));
    }
}

} // namespace

AzureInventory::AzureInventory(std::string name, std::unique_ptr<ComputeApi> api, const base::Clock &clock,
                               std::unique_ptr<MonitorUsage> usage)
    : m_name(std::move(name))
    , m_api(std::move(api))
    , m_clock(clock)
    , m_usage(std::move(usage))
{
}

ComputeQuestion AzureInventory::machines(bool statuses) const
{
    return {m_api->urlOf("virtualMachines") + (statuses ? "&statusOnly=true" : ""), kMachinesRight};
}

ComputeQuestion AzureInventory::scaleSets() const
{
    return {m_api->urlOf("virtualMachineScaleSets"), kScaleSetsRight};
}

ComputeQuestion AzureInventory::instancesOf(const ScaleSet &set) const
{
    return {m_api->address() + http::percentEncoded(set.id, http::Slashes::Keep) + "/virtualMachines" + kComputeVersion
                + "&$expand=instanceView",
            "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read"};
}

ComputeQuestion AzureInventory::sizesOf(const std::string &location) const
{
    return {m_api->urlOf("skus", kSizesVersion) + http::formEncode({{"$filter", "location eq '" + location + '\''}}),
            "Microsoft.Compute/skus/read"};
}

ComputeQuestion AzureInventory::activity(const base::TimeRange &range) const
{
    return {m_api->address() + m_api->subscription() + activityQuery(range), kActivityRight, kMostActivityPages};
}

Result<void> AzureInventory::learnSizes(const std::vector<MachineFacts> &machines, const std::vector<ScaleSet> &sets,
                                        const std::vector<LearningCompute> &computes, MachineSizes &sizes,
                                        const std::stop_token &stop)
{
    std::set<std::string> locations;
    const auto addMissing = [&](const auto &some) {
        for (const auto &one : some) {
            if (sizes.isMissing(one.size))
                locations.insert(one.location);
        }
    };
    addMissing(machines);
    addMissing(sets);
    addMissing(computes);
    for (const std::string &location : locations) {
        if (!consistsOf(location, "")) // it becomes a part of a filter
            continue;
        GPULEDGER_TRY(m_api->eachPage(
            sizesOf(location), [&](const Json &one) { return sizes.learn(one); }, stop));
    }
    return {};
}

// The list tells either what machines are or what they do.
Result<void> AzureInventory::addMachines(const std::vector<MachineFacts> &machines, const MachineSizes &sizes,
                                         std::vector<Seen> &out, const std::stop_token &stop)
{
    const bool haveGpus = std::any_of(machines.begin(), machines.end(),
                                      [&](const MachineFacts &one) { return !sizes.of(one.size).name.empty(); });
    if (!haveGpus)
        return {};
    std::map<std::string, MachineStatus> statuses;
    GPULEDGER_TRY(m_api->eachPage(
        this->machines(true),
        [&](const Json &one) -> Result<void> {
            auto some = statusesIn(one);
            GPULEDGER_TRY(some);
            statuses.merge(*some);
            return {};
        },
        stop));
    for (const MachineFacts &one : machines) {
        if (SizeGpus size = sizes.of(one.size); !size.name.empty())
            out.push_back({one, statuses[lowerCase(one.id)], std::move(size)});
    }
    return {};
}

Result<void> AzureInventory::addInstances(const ScaleSet &set, const MachineSizes &sizes, std::vector<Seen> &out,
                                          const std::stop_token &stop)
{
    return m_api->eachPage(
        instancesOf(set),
        [&](const Json &one) -> Result<void> {
            const auto machines = machinesIn(one);
            GPULEDGER_TRY(machines);
            auto statuses = statusesIn(one);
            GPULEDGER_TRY(statuses);
            for (MachineFacts machine : *machines) {
                if (machine.size.empty())
                    machine.size = set.size;
                machine.isSpot = machine.isSpot || set.isSpot; // its instances do not tell
                if (SizeGpus size = sizes.of(machine.size); !size.name.empty())
                    out.push_back({machine, (*statuses)[lowerCase(machine.id)], std::move(size)});
            }
            return {};
        },
        stop);
}

Result<std::optional<ActivityLog>> AzureInventory::readActivity(const std::vector<Seen> &machines,
                                                                ports::Inventory &out, const std::stop_token &stop)
{
    const base::UtcTime now = m_clock.now();
    ActivityLog log(now - kActivityKept);
    bool isNeeded = false;
    for (const Seen &one : machines) {
        if (one.facts.isSpot || !one.status.done)
            continue;
        log.follow(one.facts);
        isNeeded = true;
    }
    if (!isNeeded)
        return std::optional<ActivityLog>();
    const auto read = m_api->eachPage(
        activity({now - kActivityKept, now}), [&](const Json &one) { return log.add(one); }, stop);
    if (read)
        return std::optional(std::move(log));
    if (read.error().code == ErrorCode::Cancelled)
        return base::fail(read.error());
    if (read.error().code != ErrorCode::Forbidden) // a right that nobody gave is left to the connection test
        out.warnings.push_back(
            "machines count from the last operation on each, because the activity log can't be read: "
            + read.error().text);
    return std::optional<ActivityLog>();
}

Result<ports::Inventory> AzureInventory::read(const std::map<std::string, ports::KnownMachine> &known,
                                              std::stop_token stop)
{
    std::vector<MachineFacts> all;
    std::vector<ScaleSet> sets;
    const auto append = [](auto &to, auto some) -> Result<void> {
        GPULEDGER_TRY(some);
        to.insert(to.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
        return {};
    };
    GPULEDGER_TRY(m_api->eachPage(
        machines(false), [&](const Json &one) { return append(all, machinesIn(one)); }, stop));
    GPULEDGER_TRY(m_api->eachPage(
        scaleSets(), [&](const Json &one) { return append(sets, scaleSetsIn(one)); }, stop));
    std::erase_if(sets, [](const ScaleSet &one) { return !one.isUniform || one.isEmpty; });
    ports::Inventory out;
    LearningMachines learning(*m_api);
    const auto computes = learning.computes(out, stop);
    GPULEDGER_TRY(computes);
    MachineSizes sizes(known);
    GPULEDGER_TRY(learnSizes(all, sets, *computes, sizes, stop));
    std::vector<Seen> seen;
    GPULEDGER_TRY(addMachines(all, sizes, seen, stop));
    for (const ScaleSet &set : sets) {
        if (!sizes.of(set.size).name.empty())
            GPULEDGER_TRY(addInstances(set, sizes, seen, stop));
    }
    const auto log = readActivity(seen, out, stop);
    GPULEDGER_TRY(log);
    for (const Seen &one : seen)
        addListed(one.facts, one.status, one.size, *log ? (*log)->runOf(one.facts, one.status) : std::nullopt, out);
    GPULEDGER_TRY(learning.add(*computes, sizes, out, stop));
    return out;
}

Result<std::vector<ports::Finding>> AzureInventory::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    std::vector<ports::Finding> findings;
    std::vector<ComputeQuestion> lists{machines(false), scaleSets(), sizesOf(kAnyLocation)};
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const ComputeQuestion list = lists[i];
        const auto one = m_api->ask(list, stop);
        if (!one && one.error().code != ErrorCode::Forbidden)
            return base::fail(one.error());
        findings.push_back(
            one ? ports::Finding{Level::Good, ports::FindingText::RightGiven, {list.right}, {}, {}}
                : ports::Finding{Level::Missing, ports::FindingText::MachinesWithheld, {list.right}, {}, {}});
        const auto sets = one && i == 1 ? scaleSetsIn(*one) : std::vector<ScaleSet>{};
        GPULEDGER_TRY(sets);
        const auto uniform =
            std::find_if(sets->begin(), sets->end(), [](const ScaleSet &set) { return set.isUniform; });
        if (uniform != sets->end())
            lists.push_back(instancesOf(*uniform));
    }
    auto learning = LearningMachines(*m_api).probe(stop);
    GPULEDGER_TRY(learning);
    std::move(learning->begin(), learning->end(), std::back_inserter(findings));
    const auto log = probeActivity(stop);
    GPULEDGER_TRY(log);
    findings.push_back(*log);
    if (!m_usage)
        return findings;
    const auto use = m_usage->probe(stop);
    GPULEDGER_TRY(use);
    findings.insert(findings.end(), use->begin(), use->end());
    return findings;
}

// The list can do without it.
Result<ports::Finding> AzureInventory::probeActivity(const std::stop_token &stop)
{
    using Level = ports::Finding::Level;
    const base::UtcTime now = m_clock.now();
    const auto page = m_api->ask(activity({now - kProbedActivity, now}), stop);
    if (page)
        return ports::Finding{Level::Good, ports::FindingText::RightGiven, {kActivityRight}, {}, {}};
    if (page.error().code == ErrorCode::Cancelled)
        return base::fail(page.error());
    const std::string why = page.error().code == ErrorCode::Forbidden
        ? std::string("it needs the right ") + kActivityRight
        : page.error().text;
    return ports::Finding{Level::Missing, ports::FindingText::RunsUnread, {why}, {}, {}};
}

Result<std::unique_ptr<ports::InventorySource>>
makeAzureInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                   const base::Clock &realClock, std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    Tuning tuning;
    tuning.realClock = &realClock;
    auto usage = makeMonitorUsage(settings, secrets, realClock, client, tuning);
    GPULEDGER_TRY(usage);
    auto api = makeComputeApi(settings, secrets, std::move(client), tuning);
    GPULEDGER_TRY(api);
    return std::make_unique<AzureInventory>(settings.name, std::move(*api), clock, std::move(*usage));
}

} // namespace gpuledger::azure

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/inventory/awsinventory.h"

#include "app/base/text/text.h"
#include "connectors/aws/eachpage.h"
#include "connectors/aws/sagemaker/sagemakermachines.h"
#include "connectors/format/xmltree.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kMostPages = 1000; // of up to 500 instances
// Tags of machines whose GPUs a scheduler assigns. A key that ends with '/' or ':' stands for all below it.
constexpr std::array<std::string_view, 6> kClusterTags{
    {"eks:", "aws:eks:", "karpenter.sh/", "kubernetes.io/cluster/", "k8s.io/", "parallelcluster:"}};

Call instancesCall(const std::string &token)
{
    http::Parameters parameters{{"MaxResults", "500"}};
    if (!token.empty())
        parameters.emplace_back("NextToken", token);
    return queryCall("ec2", "DescribeInstances", std::move(parameters));
}

bool isInCluster(const model::Labels &tags)
{
    return std::any_of(tags.begin(), tags.end(), [](const auto &tag) {
        return std::any_of(kClusterTags.begin(), kClusterTags.end(),
                           [&](std::string_view key) { return tag.first.starts_with(key); });
    });
}

ports::Finding rightFinding(bool isGiven, const std::string &right)
{
    using Level = ports::Finding::Level;
    return isGiven ? ports::Finding{Level::Good, ports::FindingText::RightGiven, {right}, {}, {}}
                   : ports::Finding{Level::Missing, ports::FindingText::MachinesWithheld, {right}, {}, {}};
}

} // namespace

std::optional<base::UtcTime> endIn(std::string_view reason)
{
    const std::size_t open = reason.rfind('('), close = reason.rfind(" GMT)");
    constexpr std::size_t kDateSize = 10;
    if (open == std::string_view::npos || close == std::string_view::npos || close < open + kDateSize + 2)
        return std::nullopt;
    std::string text(reason.substr(open + 1, close - open - 1));
    text[kDateSize] = 'T';
    const auto end = base::parseTime(text + 'Z');
    return end ? std::optional(*end) : std::nullopt;
}

std::optional<ports::ListedMachine> machineOf(const InstanceFacts &facts, const GpuSize &size,
                                              const std::string &region)
{
    const auto since = base::parseTime(facts.launched);
    const bool runs = facts.state == "running";
    const auto end = endIn(facts.reason);
    if (!since || (!runs && (!end || *end <= *since)))
        return std::nullopt;
    ports::ListedMachine machine;
    machine.id = facts.id;
    machine.hostName = facts.privateName;
    machine.providerId = "aws:///" + facts.zone + '/' + facts.id;
    machine.type = facts.type;
    machine.region = region;
    machine.zone = facts.zone;
    machine.tags = facts.tags;
    machine.gpuName = size.name;
    machine.gpus = size.gpus;
    machine.memoryMib = size.memoryMib;
    machine.since = *since;
    if (!runs)
        machine.until = end;
    machine.isSpot = facts.lifecycle == "spot";
    machine.isMember = isInCluster(facts.tags);
    return machine;
}

AwsInventory::AwsInventory(const model::SourceSettings &settings, const base::Clock &clock,
                           const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning)
    : m_name(settings.name)
    , m_region(settings.auth.region)
    , m_api(Wire(client, clock, placeOf(settings, tuning)), settings.auth.profile, tuning.surroundings, tuning.retries,
            tuning.pause)
{
    if (ports::wantsUsage(settings, false).value_or(false))
        m_usage = std::make_unique<CloudWatchUsage>(m_api);
}

Result<ports::Inventory> AwsInventory::read(const std::map<std::string, ports::KnownMachine> &known,
                                            std::stop_token stop)
{
    ports::Inventory inventory;
    GpuSizes sizes(m_api, known);
    GPULEDGER_TRY(eachPage(
        m_api, kMostPages, instancesCall,
        [&](const std::string &page) { return addPage(page, sizes, inventory, stop); }, stop));
    SageMakerMachines sageMaker(m_api, m_region);
    GPULEDGER_TRY(sageMaker.add(sizes, inventory, stop));
    if (m_usage)
        m_usage->setMachines(inventory.machines, sageMaker.meters());
    return inventory;
}

Result<std::string> AwsInventory::addPage(const std::string &page, GpuSizes &sizes, ports::Inventory &out,
                                          const std::stop_token &stop) const
{
    const auto root = format::parseXml(page);
    GPULEDGER_TRY(root);
    const auto instances = instancesIn(*root);
    GPULEDGER_TRY(instances);
    std::set<std::string> types;
    for (const InstanceFacts &facts : *instances)
        types.insert(facts.type);
    GPULEDGER_TRY(sizes.learn(types, stop));
    for (const InstanceFacts &facts : *instances) {
        const GpuSize &size = sizes.of(facts.type);
        if (size.name.empty())
            continue;
        if (size.gpus == 0)
            out.leaveOut("machine with a part of a GPU");
        else if (facts.state.empty())
            out.leaveOut("machine in an unknown state");
        else if (auto machine = machineOf(facts, size, m_region))
            out.machines.push_back(std::move(*machine));
    }
    return root->textAt("nextToken");
}

Result<std::vector<ports::Finding>> AwsInventory::probe(std::stop_token stop)
{
    std::vector<ports::Finding> findings;
    const Call types = queryCall("ec2", "DescribeInstanceTypes",
                                 {{"Filter.1.Name", "instance-type"}, {"Filter.1.Value.1", "g4dn.xlarge"}});
    for (const Call &call : {queryCall("ec2", "DescribeInstances", {{"MaxResults", "5"}}), types}) {
        const auto answer = m_api.read(call, stop);
        if (!answer && answer.error().code != ErrorCode::Forbidden)
            return base::fail(answer.error());
        findings.push_back(rightFinding(answer.has_value(), call.action));
    }
    auto sageMaker = SageMakerMachines(m_api, m_region).probe(stop);
    GPULEDGER_TRY(sageMaker);
    std::move(sageMaker->begin(), sageMaker->end(), std::back_inserter(findings));
    if (m_usage) {
        auto usage = m_usage->probe(stop);
        GPULEDGER_TRY(usage);
        std::move(usage->begin(), usage->end(), std::back_inserter(findings));
    }
    return findings;
}

Result<std::unique_ptr<ports::InventorySource>> makeAwsInventory(const model::SourceSettings &settings,
                                                                 const base::Clock &clock,
                                                                 const std::shared_ptr<http::HttpClient> &client)
{
    GPULEDGER_TRY(checkAwsSettings(settings));
    GPULEDGER_TRY(ports::wantsMachines(settings));
    GPULEDGER_TRY(ports::wantsUsage(settings, false));
    return std::make_unique<AwsInventory>(settings, clock, client);
}

} // namespace gpuledger::aws

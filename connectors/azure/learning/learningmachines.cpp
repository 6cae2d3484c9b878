// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/learning/learningmachines.h"

#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <iterator>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kLearningLeftOut = "the machines of Azure Machine Learning are left out";
constexpr std::size_t kMostWorkspaces = 10'000, kMostComputes = 100'000; // of a subscription

std::string encodedPart(const std::string &text)
{
    return http::percentEncoded(text, http::Slashes::Encode);
}

tl::unexpected<base::Error> tooManyOf(std::size_t most, const char *what)
{
    return base::fail(ErrorCode::TooMuch, "Azure Machine Learning has more than " + std::to_string(most) + ' ' + what);
}

// The subscription, or the cloud, does not have Azure Machine Learning; or what was asked for was deleted.
bool isAbsent(const base::Error &error)
{
    return error.code == ErrorCode::NotFound || error.text.find("MissingSubscriptionRegistration") != std::string::npos;
}

// A warning, once for each remark.
void warnOf(ports::Inventory &out, const std::string &remark, const base::Error &why)
{
    const bool isKnown = std::any_of(out.warnings.begin(), out.warnings.end(),
                                     [&](const std::string &one) { return one.starts_with(remark); });
    if (!isKnown)
        out.warnings.push_back(remark + ": " + why.text);
}

} // namespace

std::string workspaceUrl(const ComputeApi &api, const LearningWorkspace &workspace)
{
    return api.address() + api.subscription() + "/resourceGroups/" + encodedPart(workspace.group) + kLearningProvider
        + '/' + encodedPart(workspace.name);
}

LearningMachines::LearningMachines(ComputeApi &api)
    : m_api(api)
{
}

// As the Resource Manager calls it, in the case in which it was reported.
std::string LearningMachines::idOf(const LearningWorkspace &workspace) const
{
    return m_api.subscription() + "/resourceGroups/" + workspace.group + kLearningProvider + '/' + workspace.name;
}

ComputeQuestion LearningMachines::workspacesList() const
{
    return {m_api.address() + m_api.subscription() + kLearningProvider + kLearningVersion, kWorkspacesRight};
}

ComputeQuestion LearningMachines::computesOf(const LearningWorkspace &workspace) const
{
    return {workspaceUrl(m_api, workspace) + "/computes" + kLearningVersion, kComputesRight};
}

ComputeQuestion LearningMachines::nodesOf(const LearningCompute &cluster) const
{
    ComputeQuestion question{workspaceUrl(m_api, cluster.workspace) + "/computes/" + encodedPart(cluster.name)
                                 + "/listNodes" + kLearningVersion,
                             kNodesRight};
    question.isAction = true;
    return question;
}

Result<std::vector<LearningWorkspace>> LearningMachines::workspaces(ports::Inventory &out, const std::stop_token &stop)
{
    std::vector<LearningWorkspace> all;
    std::set<std::string> known; // in lower case
    const auto read = m_api.eachPage(
        workspacesList(),
        [&](const Json &page) -> Result<void> {
            auto some = workspacesIn(page, m_api.subscription(), out);
            GPULEDGER_TRY(some);
            for (LearningWorkspace &one : *some) {
                if (known.insert(lowerCase(idOf(one))).second)
                    all.push_back(std::move(one));
            }
            return all.size() > kMostWorkspaces ? tooManyOf(kMostWorkspaces, "workspaces") : Result<void>();
        },
        stop);
    if (read || isAbsent(read.error()))
        return all;
    if (read.error().code == ErrorCode::Forbidden)
        warnOf(out, kLearningLeftOut, read.error());
    else if (!out.noteFailure(kLearningLeftOut, read.error()))
        return base::fail(read.error());
    return all;
}

Result<std::vector<LearningCompute>> LearningMachines::computes(ports::Inventory &out, const std::stop_token &stop)
{
    const auto workspaces = this->workspaces(out, stop);
    GPULEDGER_TRY(workspaces);
    std::vector<LearningCompute> all;
    for (const LearningWorkspace &workspace : *workspaces) {
        const auto read = m_api.eachPage(
            computesOf(workspace),
            [&](const Json &page) -> Result<void> {
                auto some = computesIn(page, workspace, out);
                GPULEDGER_TRY(some);
                std::move(some->begin(), some->end(), std::back_inserter(all));
                return all.size() > kMostComputes ? tooManyOf(kMostComputes, "computes") : Result<void>();
            },
            stop);
        if (read || isAbsent(read.error()))
            continue;
        if (read.error().code != ErrorCode::Forbidden) {
            if (out.noteFailure(kLearningLeftOut, read.error()))
                break; // the others would wait as long
            return base::fail(read.error());
        }
        out.leaveOut("workspace whose computes may not be listed");
        warnOf(out, "the computes of some workspaces of Azure Machine Learning are left out", read.error());
    }
    return all;
}

Result<void> LearningMachines::add(const std::vector<LearningCompute> &computes, const MachineSizes &sizes,
                                   ports::Inventory &out, const std::stop_token &stop)
{
    std::set<std::string> known; // pages shift while they are read
    for (const LearningCompute &compute : computes) {
        const SizeGpus size = sizes.of(compute.size);
        const bool isInstance = compute.kind == LearningCompute::Kind::Instance;
        const ComputeRun run =
            !isInstance ? (compute.hasNodes ? ComputeRun::On : ComputeRun::Off) : instanceRun(compute.state);
        if (size.name.empty() || run == ComputeRun::Off
            || !known.insert(lowerCase(idOf(compute.workspace) + '/' + compute.name)).second)
            continue;
        if (run == ComputeRun::Unknown) {
            out.leaveOut("machine in an unknown state");
        } else if (!size.isKnown) {
            out.leaveOut("machine of an unknown size");
        } else if (size.gpus < 1) {
            out.leaveOut("machine with a part of a GPU");
        } else if (const auto added =
                       isInstance ? addMachine(compute, {}, size, out) : addNodes(compute, size, out, stop);
                   !added) {
            return out.noteFailure(kLearningLeftOut, added.error()) ? Result<void>() : added;
        }
    }
    return {};
}

Result<void> LearningMachines::addNodes(const LearningCompute &cluster, const SizeGpus &size, ports::Inventory &out,
                                        const std::stop_token &stop)
{
    const auto read = m_api.eachPage(
        nodesOf(cluster),
        [&](const Json &page) -> Result<void> {
            const auto nodes = nodesIn(page, out);
            GPULEDGER_TRY(nodes);
            for (const ComputeNode &node : *nodes) {
                const ComputeRun run = nodeRun(node.state);
                if (run == ComputeRun::Unknown)
                    out.leaveOut("machine in an unknown state");
                else if (run == ComputeRun::On)
                    GPULEDGER_TRY(addMachine(cluster, node.id, size, out));
            }
            return {};
        },
        stop);
    if (read || isAbsent(read.error()))
        return {};
    if (read.error().code != ErrorCode::Forbidden)
        return base::fail(read.error());
    out.leaveOut("cluster of Machine Learning whose nodes may not be listed");
    warnOf(out, "the nodes of some clusters of Azure Machine Learning are left out", read.error());
    return {};
}

// `node`: of a cluster; empty: an instance.
Result<void> LearningMachines::addMachine(const LearningCompute &compute, const std::string &node, const SizeGpus &size,
                                          ports::Inventory &out)
{
    ports::ListedMachine machine;
    // With more parts than GROUP/NAME of a virtual machine, so that a stop never takes one for the other.
    machine.id = lowerCase(compute.workspace.group + '/' + compute.workspace.name + '/' + compute.name);
    machine.providerId = "azure://" + lowerCase(idOf(compute.workspace) + "/computes/" + compute.name);
    if (!node.empty()) {
        machine.id += '/' + lowerCase(node);
        machine.providerId += "/nodes/" + lowerCase(node);
    }
    if (!m_ids.insert(machine.id).second)
        return {};
    if (m_ids.size() > kMostMachines)
        return tooManyOf(kMostMachines, "machines with GPUs");
    machine.type = compute.size;
    machine.region = machine.zone = compute.location;
    machine.tags = compute.tags;
    machine.gpuName = size.name;
    machine.gpus = size.gpus;
    machine.since = compute.since;
    machine.isSpot = compute.isSpot;
    out.machines.push_back(std::move(machine));
    return {};
}

// The first page of a list; null: it may not be asked for, or does not exist.
Result<Json> LearningMachines::tryList(const ComputeQuestion &list, std::vector<ports::Finding> &findings,
                                       const std::stop_token &stop)
{
    using Level = ports::Finding::Level;
    auto page = m_api.ask(list, stop);
    if (page) {
        findings.push_back({Level::Good, ports::FindingText::RightGiven, {list.right}, {}, {}});
        return page;
    }
    if (page.error().code == ErrorCode::Forbidden)
        findings.push_back({Level::Missing, ports::FindingText::MachinesWithheld, {list.right}, {}, {}});
    else if (ports::Inventory failed; !isAbsent(page.error())) {
        if (!failed.noteFailure(kLearningLeftOut, page.error()))
            return page;
        findings.push_back({Level::Missing, ports::FindingText::MachinesUnread, {failed.warnings.front()}, {}, {}});
    }
    return Json();
}

Result<std::vector<ports::Finding>> LearningMachines::probe(const std::stop_token &stop)
{
    std::vector<ports::Finding> findings;
    ports::Inventory unread; // what can't be read is left to the list
    const auto all = tryList(workspacesList(), findings, stop);
    GPULEDGER_TRY(all);
    if (all->is_null())
        return findings;
    const auto workspaces = workspacesIn(*all, m_api.subscription(), unread);
    GPULEDGER_TRY(workspaces);
    if (workspaces->empty())
        return findings;
    const auto some = tryList(computesOf(workspaces->front()), findings, stop);
    GPULEDGER_TRY(some);
    if (some->is_null())
        return findings;
    const auto computes = computesIn(*some, workspaces->front(), unread);
    GPULEDGER_TRY(computes);
    const auto cluster = std::find_if(computes->begin(), computes->end(), [](const LearningCompute &one) {
        return one.kind == LearningCompute::Kind::Cluster && one.hasNodes;
    });
    if (cluster != computes->end())
        GPULEDGER_TRY(tryList(nodesOf(*cluster), findings, stop));
    return findings;
}

} // namespace gpuledger::azure

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/placementquestions.h"

#include "app/ledger/prices/pricerules.h"
#include "app/model/money/pricequote.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using model::PlacementQuestion;
using ports::KnownMachine;

namespace {

constexpr base::Seconds kThereUntil{3600}; // before the newest machine of its cluster

using MachinesByType = std::map<std::string, KnownMachine>;

// What the region has of a model of GPU.
struct ModelInUse {
    std::set<std::string> types;
    std::set<std::pair<std::string, std::string>> there; // machines, each once even if several sources tell it
};

bool hasWholeGpus(const KnownMachine &machine)
{
    return machine.microGpus > 0 && machine.microGpus % model::kMicroOfGpu == 0;
}

std::map<base::NodeId, base::UtcTime> lastSeen(const std::vector<store::NodeSpan> &spans)
{
    std::map<base::NodeId, base::UtcTime> last;
    for (const store::NodeSpan &span : spans) {
        const auto [at, isNew] = last.try_emplace(span.node, span.range.end);
        if (!isNew)
            at->second = std::max(at->second, span.range.end);
    }
    return last;
}

// What tells a machine from all others.
std::pair<std::string, std::string> machineName(const model::Node &node)
{
    return node.providerId.empty() ? std::pair(node.cluster, node.name) : std::pair(std::string(), node.providerId);
}

std::map<std::string, ModelInUse> modelsInUse(const PlacementFleet &fleet, std::string_view cloud,
                                              std::string_view region, const MachinesByType &machines)
{
    const std::map<base::NodeId, base::UtcTime> last = lastSeen(fleet.spans);
    std::map<std::string, base::UtcTime> newest; // by cluster
    for (const model::Node &node : fleet.nodes) {
        if (const auto seen = last.find(node.id); seen != last.end())
            newest[node.cluster] = std::max(newest.try_emplace(node.cluster, seen->second).first->second, seen->second);
    }
    const auto isHere = [&](const model::Node &node) {
        return ledger::lowerCase(node.cloud) == ledger::lowerCase(cloud)
            && ledger::lowerCase(node.region) == ledger::lowerCase(region);
    };
    std::map<std::string, ModelInUse> models;
    for (const model::Node &node : fleet.nodes) {
        const auto seen = last.find(node.id);
        if (seen == last.end() || !isHere(node))
            continue;
        const auto known = machines.find(ledger::lowerCase(node.instanceType));
        if (known == machines.end() || !hasWholeGpus(known->second))
            continue;
        ModelInUse &model = models[known->second.gpuName];
        model.types.insert(known->first);
        if (newest.at(node.cluster) - seen->second < kThereUntil)
            model.there.insert(machineName(node));
    }
    return models;
}

// How far a type is from the nearest one in use: GPUs, then processors.
std::pair<std::int64_t, std::int64_t> farFromUse(const KnownMachine &machine, const ModelInUse &model,
                                                 const MachinesByType &machines)
{
    constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max();
    std::pair nearest(kFarthest, kFarthest);
    for (const std::string &type : model.types) {
        const KnownMachine &used = machines.at(type);
        nearest = std::min(nearest,
                           std::pair<std::int64_t, std::int64_t>(std::abs(machine.microGpus - used.microGpus),
                                                                 std::abs(machine.milliVcpus - used.milliVcpus)));
    }
    return nearest;
}

std::vector<std::string> typesToAsk(const std::string &gpu, const ModelInUse &model, const MachinesByType &machines,
                                    std::size_t most)
{
    std::vector<std::tuple<std::int64_t, std::int64_t, std::string>> byDistance;
    for (const auto &[type, machine] : machines) {
        if (machine.gpuName != gpu || !hasWholeGpus(machine))
            continue;
        const auto far = farFromUse(machine, model, machines);
        byDistance.emplace_back(far.first, far.second, type);
    }
    std::sort(byDistance.begin(), byDistance.end());
    if (byDistance.size() > most)
        byDistance.resize(most);
    std::vector<std::string> types;
    for (auto &one : byDistance)
        types.push_back(std::move(std::get<std::string>(one)));
    std::sort(types.begin(), types.end());
    return types;
}

} // namespace

std::vector<PlacementQuestion> placementQuestions(const PlacementFleet &fleet, std::string_view cloud,
                                                  std::string_view region, const MachinesByType &machines,
                                                  const PlacementLimits &limits)
{
    if (cloud.empty() || region.empty())
        return {};
    const std::map<std::string, ModelInUse> models = modelsInUse(fleet, cloud, region, machines);
    std::vector<const std::pair<const std::string, ModelInUse> *> order;
    for (const auto &model : models)
        order.push_back(&model);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto *a, const auto *b) { return a->second.there.size() > b->second.there.size(); });
    if (order.size() > limits.questions)
        order.resize(limits.questions);
    std::vector<PlacementQuestion> questions;
    for (const auto *model : order) {
        const std::uint64_t there = std::max<std::uint64_t>(model->second.there.size(), 1);
        questions.push_back({typesToAsk(model->first, model->second, machines, limits.types),
                             static_cast<std::int64_t>(std::bit_ceil(there))});
    }
    return questions;
}

} // namespace gpuledger::services

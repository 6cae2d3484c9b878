// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/action.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::model {

namespace {

template <typename T, std::size_t N> using Names = std::array<std::pair<T, std::string_view>, N>;

constexpr Names<StopVerb, 8> kVerbs{{{StopVerb::None, "none"},
                                     {StopVerb::ScaleToZero, "scale-to-zero"},
                                     {StopVerb::Suspend, "suspend"},
                                     {StopVerb::Annotate, "annotate"},
                                     {StopVerb::Deactivate, "deactivate"},
                                     {StopVerb::Evict, "evict"},
                                     {StopVerb::Delete, "delete"},
                                     {StopVerb::StopInstance, "stop-instance"}}};
constexpr Names<Loss, 7> kLosses{{{Loss::ProcessMemory, "process-memory"},
                                  {Loss::ProgressSinceCheckpoint, "progress-since-checkpoint"},
                                  {Loss::LocalDisk, "local-disk"},
                                  {Loss::QueuePlace, "queue-place"},
                                  {Loss::Endpoint, "endpoint"},
                                  {Loss::Capacity, "capacity"},
                                  {Loss::Manifest, "manifest"}}};
using C = Caution::Kind;
constexpr Names<C, 9> kCautions{{{C::Autoscaler, "autoscaler"},
                                 {C::Keda, "keda"},
                                 {C::GitOps, "gitops"},
                                 {C::Queue, "queue"},
                                 {C::DisruptionBudget, "disruption-budget"},
                                 {C::FutureRuns, "future-runs"},
                                 {C::Unguarded, "unguarded"},
                                 {C::StaysBilled, "stays-billed"},
                                 {C::Other, "other"}}};
using O = Obstacle::Kind;
constexpr Names<O, 10> kObstacles{{{O::AlreadyStopped, "already-stopped"},
                                   {O::Finished, "finished"},
                                   {O::NeverStopped, "never-stopped"},
                                   {O::UnknownKind, "unknown-kind"},
                                   {O::LosesVolumes, "loses-volumes"},
                                   {O::TooOld, "too-old"},
                                   {O::ManagedElsewhere, "managed-elsewhere"},
                                   {O::BrokenChain, "broken-chain"},
                                   {O::StopProtection, "stop-protection"},
                                   {O::Other, "other"}}};

template <typename T, std::size_t N> std::string_view nameIn(const Names<T, N> &names, T value)
{
    for (const auto &[key, name] : names) {
        if (key == value)
            return name;
    }
    return "other";
}

template <typename T, std::size_t N> std::optional<T> valueIn(const Names<T, N> &names, std::string_view wanted)
{
    for (const auto &[key, name] : names) {
        if (name == wanted)
            return key;
    }
    return std::nullopt;
}

} // namespace

std::string fullNameOf(const TargetRef &target)
{
    return target.nameSpace.empty() ? target.name : target.nameSpace + '/' + target.name;
}

bool isProtectedBy(const Labels &labels)
{
    static constexpr std::array kNames{"gpu-ledger.io/protect", "gpuledger.io/protect"}; // two spellings are in use
    return std::any_of(kNames.begin(), kNames.end(), [&](const char *name) {
        const auto it = labels.find(name);
        return it != labels.end() && it->second != "false";
    });
}

std::string keptUntil(const Labels &labels, base::UtcTime now)
{
    constexpr std::size_t kLongestShown = 64;
    const auto it = labels.find(kKeepUntil);
    if (it == labels.end())
        return {};
    const auto until = base::parseTime(it->second);
    if (until && *until <= now)
        return {};
    return std::string(kKeepUntil) + ": " + base::printable(it->second, kLongestShown);
}

std::string_view toString(StopVerb verb)
{
    return nameIn(kVerbs, verb);
}

std::string_view toString(Loss loss)
{
    return nameIn(kLosses, loss);
}

std::string_view toString(Caution::Kind kind)
{
    return nameIn(kCautions, kind);
}

std::string_view toString(Obstacle::Kind kind)
{
    return nameIn(kObstacles, kind);
}

std::optional<StopVerb> stopVerbFrom(std::string_view name)
{
    return valueIn(kVerbs, name);
}

std::optional<Loss> lossFrom(std::string_view name)
{
    return valueIn(kLosses, name);
}

std::optional<Caution::Kind> cautionFrom(std::string_view name)
{
    return valueIn(kCautions, name);
}

} // namespace gpuledger::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuledger::model {

// Why a pod ended, as Kubernetes states it: its status reason, or the reason of its condition DisruptionTarget. Of
// several, the first one here counts. The numbers are stored (column holder.end_reason).
enum class EndReason : std::uint8_t {
    NodeShutdown = 1, // its node was shut down
    Preempted = 2, // for a pod of a higher priority
    EvictedByApi = 3, // by whoever drains a node or evicts a pod: a person, a queue's controller or a scaler
    EvictedByTaint = 4, // its node got a taint that it does not tolerate
    NodeGone = 5, // its node no longer exists
    NodeLost = 6, // its node no longer answers
    Evicted = 7, // by the kubelet: the node was short of memory or disk
    EndedByKubelet = 8, // for a reason that is not stated: a shortage, a shutdown or a critical pod
    Rejected = 9, // it was never admitted to its node
};

// From a reason as Kubernetes writes it. std::nullopt: none of these.
std::optional<EndReason> endReasonFromString(std::string_view text);
// From the stored number. std::nullopt: none of these.
std::optional<EndReason> endReasonOf(std::int64_t number);
// Whether its machine was taken away, as spot machines are. A pod that makes room for another one or is evicted is not
// interrupted by its market: the machine stays.
constexpr bool isInterruption(EndReason reason)
{
    return reason == EndReason::NodeShutdown || reason == EndReason::NodeGone || reason == EndReason::NodeLost;
}

} // namespace gpuledger::model

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/fleet/endreason.h"

#include <array>
#include <utility>

namespace gpuledger::model {

std::optional<EndReason> endReasonFromString(std::string_view text)
{
    using enum EndReason;
    static constexpr std::array<std::pair<std::string_view, EndReason>, 11> kReasons{
        {{"Shutdown", NodeShutdown},
         {"NodeShutdown", NodeShutdown},
         {"PreemptionByScheduler", Preempted},
         {"EvictionByEvictionAPI", EvictedByApi},
         {"DeletionByTaintManager", EvictedByTaint},
         {"DeletionByPodGC", NodeGone},
         {"NodeLost", NodeLost},
         {"Evicted", Evicted},
         {"TerminationByKubelet", EndedByKubelet},
         {"NodeAffinity", Rejected},
         {"UnexpectedAdmissionError", Rejected}}};
    for (const auto &[name, reason] : kReasons) {
        if (name == text)
            return reason;
    }
    return std::nullopt;
}

std::optional<EndReason> endReasonOf(std::int64_t number)
{
    if (number < static_cast<std::int64_t>(EndReason::NodeShutdown)
        || number > static_cast<std::int64_t>(EndReason::Rejected))
        return std::nullopt;
    return static_cast<EndReason>(number);
}

} // namespace gpuledger::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"
#include "app/ports/sourcecatalog.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

// Caches what telemetry sources report about the present moment; stores nothing on disk. One answer serves all queries
// of the next moment, so that a hundred stops query once. Any thread.
class LiveSamples {
public:
    using Steady = std::chrono::steady_clock::time_point;
    // Maximum age of an answer that still counts as "now". Less than the 2 s after which a stop queries activity again
    // (kActivityAge in app/actions/plan/planner.cpp).
    static constexpr std::chrono::milliseconds kNow{1500};

    struct Answer {
        Steady askedAt{}; // when it was requested, not when it arrived
        base::UtcTime since{};
        ports::ActivityAnswer activity;
    };

    // The newest answer of the source `name`, which `make` creates if it has to be queried. An answer requested before
    // `notBefore` is never returned. Fails like newestActivity().
    using Make = std::function<base::Result<std::unique_ptr<ports::TelemetrySource>>()>;
    [[nodiscard]] base::Result<std::shared_ptr<const Answer>> newest(const std::string &name, const Make &make,
                                                                     const ports::ActivityQuestion &question,
                                                                     Steady notBefore, std::stop_token stop);

private:
    struct Kept {
        std::mutex asking;
        std::shared_ptr<const Answer> answer;
    };
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Kept>> m_kept;
};

using LiveAnswers = std::vector<const ports::ActivityAnswer *>;

// What these answers report about a holder. Active: one of its devices is at or above the threshold in any sample that
// counts, or it served a request, or (for a machine) anything else is held or running there. Unseen: one of its devices
// has no sample that is recent enough in any answer that knows it, or no answer knows it. `newest`: raised to the
// newest sample of its devices.
actions::Liveness::Seen livenessOf(const insight::IdleItem &item, const LiveAnswers &answers, double threshold,
                                   base::UtcTime &newest);

} // namespace gpuledger::services

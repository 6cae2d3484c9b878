// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionenvironment.h"
#include "app/ports/sourcecatalog.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

// What telemetry sources know of the present moment, stored nowhere. One answer serves all questions of the next
// moment, so that a hundred stops ask once. Any thread.
class LiveSamples {
public:
    using Steady = std::chrono::steady_clock::time_point;
    // How old an answer may be that is still taken for "now" (reliability.md, section 3: at most 2 s).
    static constexpr std::chrono::milliseconds kNow{1500};

    struct Answer {
        Steady askedAt{}; // not when it was answered
        base::UtcTime since{};
        ports::ActivityAnswer activity;
    };

    // Of the source `name`, made by `make` where it has to be asked. An answer that was asked for before
    // `question.notBefore` is never served. Fails as newestActivity() does.
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

// What these answers say of a holder. Active: one of its devices is at or above the threshold in any sample that
// counts, or it served a request, or (of a machine) anything else is held or done there. Unseen: one of its devices has
// no sample young enough in any answer that knows it, or none knows it. `newest`: raised to the newest sample of its
// devices.
actions::Liveness::Seen livenessOf(const insight::IdleItem &item, const LiveAnswers &answers, double threshold,
                                   base::UtcTime &newest);

} // namespace gpuledger::services

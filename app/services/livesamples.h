// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/world.h"
#include "app/ports/sourcecatalog.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gpuledger::services {

// What devices did in the last quarter of an hour, asked of a telemetry source and stored nowhere. One answer serves
// all questions of the next moment, so that a hundred stops ask once. Any thread.
class LiveSamples {
public:
    // How old an answer may be that is still taken for "now" (reliability.md, section 3: at most 2 s).
    static constexpr std::chrono::milliseconds kNow{1500};
    // Meets the end of what was synced, which lags by a bucket and the time that data need to settle.
    static constexpr base::Seconds kBack = 2 * base::kBucket;

    // Of the source `name`, made by `make` where it has to be asked. Fails as a fetch does.
    using Make = std::function<base::Result<std::unique_ptr<ports::TelemetrySource>>()>;
    [[nodiscard]] base::Result<std::shared_ptr<const std::vector<ports::FactBatch>>>
    newest(const std::string &name, const Make &make, base::UtcTime now, std::stop_token stop);

private:
    struct Answer {
        std::mutex asking;
        std::chrono::steady_clock::time_point at{};
        std::shared_ptr<const std::vector<ports::FactBatch>> batches;
    };
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Answer>> m_answers;
};

// What these samples say of a holder: Active where any bucket is at or above the threshold, Unseen where one of its
// devices was not observed at all.
actions::Liveness::Kind livenessOf(const insight::IdleItem &item, const std::vector<ports::FactBatch> &batches,
                                   double threshold, base::UtcTime &newest);

} // namespace gpuledger::services

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ports/sourcekind.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::insight {
struct ExtraQuery;
struct ExtraSeries;
} // namespace gpuledger::insight
namespace gpuledger::model {
struct SourceSettings;
}
namespace gpuledger::ports {
struct ProbeReport;
}

namespace gpuledger::services {

class Engine;
struct SourceStatus;
struct SyncProgress;
struct SyncReport;

// How often a program that runs on asks the addresses of price lists: their prices change daily at most.
inline constexpr base::Seconds kPriceListPause{3600};

// The configured sources: syncs, lists and tests them, and asks one of them what is not stored. `engine` must outlive
// it. Every function blocks and must be called from a worker thread; any thread.
class SourceService {
public:
    explicit SourceService(Engine &engine)
        : m_engine(engine)
    {
    }

    // Syncs every source and price list, or the named source and its prices; a failing source does not hold up the
    // others. An unknown name fails with NotFound. Cancellation ends all.
    using ProgressFn = std::function<void(const SyncProgress &)>; // called on the calling thread or a worker, at most
                                                                  // ten times a second
    // Time for which a source no longer reports what it reported before is not marked as fetched; `Accept` marks it:
    // the operator confirms that the data were deleted there.
    enum class WhatIsGone { Keep, Accept };
    [[nodiscard]] base::Result<std::vector<SyncReport>> sync(const std::optional<std::string> &source,
                                                             const std::stop_token &stop, const ProgressFn &progress,
                                                             WhatIsGone gone = WhatIsGone::Keep);
    // For a program that syncs again and again: from now on, price lists behind addresses are asked once in this time.
    // Before the first sync. Default: at each sync.
    void pausePriceLists(base::Seconds pause) { m_priceListPause = pause; }
    // The same for one source, without its report. Fails like sync(), and with the source's error.
    [[nodiscard]] base::Result<void> syncNow(const std::string &source, const std::stop_token &stop);
    // Each configured source and the state of its data.
    [[nodiscard]] base::Result<std::vector<SourceStatus>> statuses();
    [[nodiscard]] base::Result<ports::ProbeReport> test(const std::string &name, std::stop_token stop);
    // The same for a source that is not in the configuration yet.
    [[nodiscard]] base::Result<ports::ProbeReport> test(const model::SourceSettings &source, std::stop_token stop);
    // What this program can read.
    ports::SourceKinds kinds() const;

    // The source that evaluates expressions about the devices of a cluster: the only one, else the one that the devices
    // belong to. Empty: there is none, or it is ambiguous.
    std::string expressionSource(const std::string &cluster) const;
    // Evaluates a user's expression for a device at that source now; nothing is stored. Fails with InvalidArgument (the
    // expression), Unsupported (no such source), TooMuch, Cancelled, or like a sync.
    [[nodiscard]] base::Result<insight::ExtraSeries> extraSeries(const insight::ExtraQuery &query,
                                                                 std::stop_token stop);

private:
    Engine &m_engine;
    base::Seconds m_priceListPause{0};
};

} // namespace gpuledger::services

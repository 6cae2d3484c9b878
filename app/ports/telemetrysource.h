// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/ports/activity.h"
#include "app/ports/factbatch.h"
#include "app/ports/probereport.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

class WaitingSource;

struct FetchProgress {
    base::TimeRange total;
    base::UtcTime doneTo{};
    std::uint64_t bytes = 0;
    std::uint64_t buckets = 0;
};

// Takes what a source found, chunk by chunk in ascending time. Called on the fetching thread; implemented by
// app/ingest.
class FactSink {
public:
    virtual ~FactSink() = default;
    // Stores the batch whole or not at all. An error ends the fetch and is handed back by it.
    [[nodiscard]] virtual base::Result<void> accept(FactBatch batch) = 0;
    // At most ten times a second is passed on to people.
    virtual void progress(const FetchProgress &progress) = 0;
};

// An expression in the source's own language (PromQL), asked over a range on a grid of times.
struct SeriesQuestion {
    std::string expression;
    base::UtcTime first{}, last{}; // both are asked for; multiples of the step
    base::Seconds step{60};

    std::size_t count() const { return last < first ? 0 : static_cast<std::size_t>((last - first) / step) + 1; }
};

// What a source computed for such an expression.
struct SeriesAnswer {
    struct Series {
        model::Labels labels; // without the name of the metric
        std::vector<double> values; // one for each time of the question; NaN: nothing there
    };
    std::vector<Series> series; // at most kMostSeries, in the server's order
    std::uint64_t leftOut = 0; // further ones that have values too
    std::vector<std::string> warnings; // the server's, as plain text: the answer may be incomplete

    static constexpr std::size_t kMostSeries = 8; // more lines than that can't be told apart
};

// A server that tells what devices did, who held them and which nodes exist (Prometheus with exporters tells all three,
// so they come in one batch). Blocking calls for a worker thread; one call at a time an object; a request to stop ends
// them within 200 ms with Cancelled.
class TelemetrySource {
public:
    virtual ~TelemetrySource() = default;
    virtual const std::string &name() const = 0;
    // What is there and what is missing. Fails when the server can't be reached or refuses the credential.
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
    // Fetches [range) oldest first and hands it over in chunks. What was accepted before a failure stays.
    [[nodiscard]] virtual base::Result<void> fetch(base::TimeRange range, FactSink &sink, std::stop_token stop) = 0;
    // What an expression of the user gives; nothing of it is stored. Fails with InvalidArgument (the server does not
    // take the expression: its own words), TooMuch, Unsupported (this source knows no expressions; see
    // SourceKind::takesExpressions), or as fetch().
    [[nodiscard]] virtual base::Result<SeriesAnswer> series(const SeriesQuestion &question, std::stop_token stop);
    // The raw samples of this moment, of every device that it knows. Never a part of them: what may be incomplete
    // fails. Fails as fetch(), and with Unsupported where a source has no raw samples: nothing is stopped then.
    [[nodiscard]] virtual base::Result<ActivityAnswer> newestActivity(const ActivityQuestion &question,
                                                                      std::stop_token stop);
    // This source as one that also reports waiting jobs; null if it can't. Lives as long as the source.
    virtual WaitingSource *waiting() { return nullptr; }
};
// NOLINTNEXTLINE(performance-unnecessary-value-param): implementations keep it
inline base::Result<SeriesAnswer> TelemetrySource::series(const SeriesQuestion &, std::stop_token)
{
    return base::fail(base::ErrorCode::Unsupported, "this source answers no expressions",
                      "ask the Prometheus that knows this device");
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): implementations keep it
inline base::Result<ActivityAnswer> TelemetrySource::newestActivity(const ActivityQuestion &, std::stop_token)
{
    return base::fail(base::ErrorCode::Unsupported, "this source does not tell the samples of this moment");
}

} // namespace gpuledger::ports

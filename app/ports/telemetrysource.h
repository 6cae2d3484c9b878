// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
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

// Receives what a source found, chunk by chunk in ascending time. Called on the fetching thread; implemented by
// app/ingest.
class FactSink {
public:
    virtual ~FactSink() = default;
    // Stores the batch completely or not at all. An error ends the fetch and is returned by it.
    [[nodiscard]] virtual base::Result<void> accept(FactBatch batch) = 0;
    // Forwarded to the user at most ten times a second.
    virtual void progress(const FetchProgress &progress) = 0;
};

// A range query: an expression in the source's own language (PromQL), evaluated at evenly spaced times.
struct SeriesQuestion {
    std::string expression;
    base::UtcTime first{}, last{}; // both inclusive; multiples of the step
    base::Seconds step{60};

    std::size_t count() const { return last < first ? 0 : static_cast<std::size_t>((last - first) / step) + 1; }
};

// The result of such an expression.
struct SeriesAnswer {
    struct Series {
        model::Labels labels; // without the metric name
        std::vector<double> values; // one per time of the query; NaN: no value
    };
    std::vector<Series> series; // at most kMostSeries, in the server's order
    std::uint64_t leftOut = 0; // further series that have values too
    std::vector<std::string> warnings; // from the server, as plain text: the answer may be incomplete

    static constexpr std::size_t kMostSeries = 8; // more lines than that are indistinguishable
};

// A server that reports what devices did, who held them and which nodes exist (Prometheus with exporters reports all
// three, so they come in one batch). Blocking; call from a worker thread; one call at a time per object; a stop request
// ends a call within 200 ms with Cancelled.
class TelemetrySource {
public:
    virtual ~TelemetrySource() = default;
    virtual const std::string &name() const = 0;
    // Reports what is available and what is missing. Fails if the server cannot be reached or rejects the credential.
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
    // Fetches [range) oldest first and passes it on in chunks. What was accepted before a failure is kept.
    [[nodiscard]] virtual base::Result<void> fetch(base::TimeRange range, FactSink &sink, std::stop_token stop) = 0;
    // Evaluates a user's expression; nothing is stored. Fails with InvalidArgument (the server rejects the expression:
    // its own words), TooMuch, Unsupported (this source does not support expressions; see
    // SourceKind::takesExpressions), or like fetch().
    [[nodiscard]] virtual base::Result<SeriesAnswer> series(const SeriesQuestion &question, std::stop_token stop);
    // The raw samples of this moment, for every device that it knows. Never incomplete: an answer that may be
    // incomplete is an error. Fails like fetch(), and with Unsupported if a source has no raw samples: then nothing is
    // stopped.
    [[nodiscard]] virtual base::Result<ActivityAnswer> newestActivity(const ActivityQuestion &question,
                                                                      std::stop_token stop);
    // This source as one that also reports waiting jobs; null if it can't. Lives as long as the source.
    virtual WaitingSource *waiting() { return nullptr; }
};

} // namespace gpuledger::ports

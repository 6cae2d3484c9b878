// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/bill.h"
#include "app/ports/importreport.h"
#include "app/ports/probereport.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ports {

// Files that belong together: they replace their billing accounts and periods as a whole. A bill that was written in
// several parts is one delivery, because each part alone would replace the others.
struct BillDelivery {
    std::vector<std::filesystem::path> files; // ascending
};

// A file that is not read yet, because it is still being written.
struct WaitingBill {
    std::filesystem::path file;
    base::UtcTime until{}; // by then it will have been unchanged for long enough, unless it is written again
};

// Lines of one key. A source holds at most CostSource::kMostLines lines over all keys at any time.
struct BillBatch {
    model::BillKey key;
    std::vector<model::BillLine> lines; // in the files' order
};

// The progress of an import, for display.
struct BillProgress {
    std::uint64_t bytesRead = 0, bytesTotal = 0; // on disk, each file counted once
    std::uint64_t lines = 0;
};

// Calls to a service that charges for each of them.
struct PaidCalls {
    std::uint64_t requests = 0;
    base::Money amount; // what the service charges for them

    bool operator==(const PaidCalls &) const = default;
};

// Receives a delivery between begin() and commit(). Called on the importing thread; implemented by app/ingest. An error
// from any call ends the import and is returned by it.
class BillSink {
public:
    virtual ~BillSink() = default;
    // True if files of exactly these bytes were imported as one delivery before. SHA-256 in lower-case hexadecimal,
    // ascending.
    [[nodiscard]] virtual base::Result<bool> knows(const std::vector<std::string> &sha256) = 0;
    [[nodiscard]] virtual base::Result<void> begin(const std::vector<BillFile> &files) = 0;
    // May be called several times for a key, interleaved with other keys; the lines are added to those of this
    // delivery.
    [[nodiscard]] virtual base::Result<void> accept(BillBatch batch) = 0;
    // All or nothing: afterwards each key of report.parts has exactly the lines accepted since begin(), and knows()
    // returns true for the files.
    [[nodiscard]] virtual base::Result<void> commit(const ImportReport &report) = 0;
    // Called after begin(), if there will be no commit() or it failed: nothing of this delivery is kept.
    virtual void discard() = 0;
    // Forwarded to the user at most ten times a second.
    virtual void progress(const BillProgress &progress) = 0;

    // What the source asked to keep() under this name, empty if nothing. It belongs to no delivery, survives
    // discard(), and may be lost with the cache; so a source keeps there what it would only have to ask for, or pay
    // for, again. Never between begin() and commit() or discard().
    [[nodiscard]] virtual base::Result<std::string> kept(const std::string &) { return std::string(); }
    [[nodiscard]] virtual base::Result<void> keep(const std::string &, const std::string &) { return {}; }
    // Adds to what the source's calls have cost so far; right after each of them. As keep().
    [[nodiscard]] virtual base::Result<void> spent(const PaidCalls &, base::UtcTime) { return {}; }
};

// What a source keeps that nobody can tell it again, such as which machines it saw when. Unlike the rest, it is carried
// over when a damaged cache is replaced.
inline constexpr std::string_view kLastingMemory = "lasting "; // before the key

// Also what was kept under the key before it was said to last. Fails like BillSink::kept().
[[nodiscard]] inline base::Result<std::string> lastingMemory(BillSink &sink, const std::string &key)
{
    auto text = sink.kept(std::string(kLastingMemory) + key);
    GPULEDGER_TRY(text);
    return text->empty() ? sink.kept(key) : std::move(text);
}
// Fails like BillSink::keep().
[[nodiscard]] inline base::Result<void> keepForGood(BillSink &sink, const std::string &key, const std::string &value)
{
    return sink.keep(std::string(kLastingMemory) + key, value);
}

// A source of bills. Blocking; call from a worker thread; one call at a time per object; a stop request ends them with
// Cancelled.
class CostSource {
public:
    static constexpr std::size_t kMostLines = 400; // keeps memory flat, and a batch in the processor cache

    virtual ~CostSource() = default;
    virtual const std::string &name() const = 0;
    // Deliveries that are new or changed since the last import, oldest first: restated bills come after what they
    // restate. Files that are still being written are left out: see waiting(). May look twice, with a pause in between,
    // to find out. Fails with NotFound, Forbidden, TooMuch or Cancelled.
    [[nodiscard]] virtual base::Result<std::vector<BillDelivery>> deliveries(std::stop_token stop) = 0;
    // The files that the last deliveries() left out, ascending.
    virtual std::vector<WaitingBill> waiting() const { return {}; }
    // Reports what is available and what is missing; stores nothing. Fails like deliveries() and import().
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
    // Passes the delivery to the sink. Rejected lines are in the report. Fails with Unsupported (not FOCUS, or a
    // mandatory column is missing), Parse (damaged), TooMuch (above a limit), NotFound, Forbidden, Cancelled, or with
    // the sink's error; then nothing was committed.
    [[nodiscard]] virtual base::Result<ImportReport> import(const BillDelivery &delivery, BillSink &sink,
                                                            std::stop_token stop) = 0;
    // What the calls of this object have cost so far; std::nullopt: none of its calls costs anything.
    virtual std::optional<PaidCalls> paid() const { return std::nullopt; }
    // Bytes that the queries of this object were charged for so far; std::nullopt: none is charged by what it scans.
    virtual std::optional<std::uint64_t> scanned() const { return std::nullopt; }
};

} // namespace gpuledger::ports

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/bill.h"
#include "app/ports/importreport.h"
#include "app/ports/probereport.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

// Files that belong together: what they say replaces their billing accounts and periods as a whole. A bill that was
// written in several parts is one delivery, because each part alone would replace the others.
struct BillDelivery {
    std::vector<std::filesystem::path> files; // ascending
};

// A file that is not read yet, because somebody is still writing it.
struct WaitingBill {
    std::filesystem::path file;
    base::UtcTime until{}; // then it has been left alone for long enough, if nobody writes it again
};

// Lines of one key. At most CostSource::kMostLines lines of all keys are held by a source at any time.
struct BillBatch {
    model::BillKey key;
    std::vector<model::BillLine> lines; // in the files' order
};

struct BillProgress {
    std::uint64_t bytesRead = 0, bytesTotal = 0; // on disk, each file counted once
    std::uint64_t lines = 0;
};

// Takes a delivery between begin() and commit(). Called on the importing thread; implemented by app/ingest. An error of
// any call ends the import and is handed back by it.
class BillSink {
public:
    virtual ~BillSink() = default;
    // Were files of exactly these bytes imported as one delivery before? SHA-256 in lower-case hexadecimal, ascending.
    [[nodiscard]] virtual base::Result<bool> knows(const std::vector<std::string> &sha256) = 0;
    [[nodiscard]] virtual base::Result<void> begin(const std::vector<BillFile> &files) = 0;
    // May come several times for a key, mixed with others; the lines are added to what this delivery said of the key.
    [[nodiscard]] virtual base::Result<void> accept(BillBatch batch) = 0;
    // All or nothing: each key of report.parts now has exactly the lines accepted since begin(), and knows() says so
    // of the files.
    [[nodiscard]] virtual base::Result<void> commit(const ImportReport &report) = 0;
    // After begin(), when there will be no commit() or it failed: nothing of this delivery stays.
    virtual void discard() = 0;
    // At most ten times a second is passed on to people.
    virtual void progress(const BillProgress &progress) = 0;
};

// Something that tells what was billed. Blocking calls for a worker thread; one call at a time an object; a request to
// stop ends them with Cancelled.
class CostSource {
public:
    static constexpr std::size_t kMostLines = 400; // keeps memory flat, and a batch in the cache of a processor

    virtual ~CostSource() = default;
    virtual const std::string &name() const = 0;
    // What is new or changed since the last import, oldest first: restated bills come after what they restate. Files
    // that are still being written are left out: see waiting(). May look twice, with a pause between both, to find out.
    // Fails with NotFound, Forbidden, TooMuch or Cancelled.
    [[nodiscard]] virtual base::Result<std::vector<BillDelivery>> deliveries(std::stop_token stop) = 0;
    // The files that the last deliveries() left out, ascending.
    virtual std::vector<WaitingBill> waiting() const { return {}; }
    // What is there and what is missing; nothing is stored. Fails as deliveries() and import() do.
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
    // Hands the delivery to the sink. Refused lines are in the report. Fails with Unsupported (not FOCUS, or a
    // mandatory column is missing), Parse (damaged), TooMuch (above a limit), NotFound, Forbidden, Cancelled, or with
    // the sink's error; then nothing was committed.
    [[nodiscard]] virtual base::Result<ImportReport> import(const BillDelivery &delivery, BillSink &sink,
                                                            std::stop_token stop) = 0;
};

} // namespace gpuledger::ports

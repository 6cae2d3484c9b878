// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::format {

// The files of a month, for a service that reads them where they are.
struct AskedMonthFiles {
    std::string period; // "2026-10"
    std::vector<std::string> names; // "s3://bucket/key", ascending
    std::string identity; // changes with every change of a file, and with the query
    std::uint64_t bytes = 0; // of these files
    std::uint64_t allBytes = 0; // of the files of all months
};

// Gets the rows of a month from a service that groups them, in place of its files. One thread. Calls fail with the
// errors of the service, and with Cancelled.
class MonthQuery {
public:
    MonthQuery() = default;
    MonthQuery(const MonthQuery &) = delete;
    MonthQuery &operator=(const MonthQuery &) = delete;
    virtual ~MonthQuery() = default;

    // Of the settings that decide what is answered: months that were asked with others are asked again.
    virtual std::string identity() const = 0;
    // A month whose files changed is asked again at most this often.
    virtual base::Seconds refresh() const = 0;
    // Writes the rows as CSV to a new file, and returns what the file is called for people. A query of these files
    // that an earlier call began is gone on with (BillSink::keep). Also fails with TooMuch (it would scan more than the
    // settings allow; it did not run).
    [[nodiscard]] virtual base::Result<std::string> ask(const AskedMonthFiles &month, const std::filesystem::path &to,
                                                        ports::BillSink &sink, const std::stop_token &stop) = 0;
    // Adds what a query of the month needs and has or lacks. Scans nothing. Returns false if it can't run.
    [[nodiscard]] virtual base::Result<bool> probe(const AskedMonthFiles &month, ports::ProbeReport &report,
                                                   const std::stop_token &stop) = 0;
    // As ports::CostSource.
    virtual ports::PaidCalls paid() const = 0;
    virtual std::uint64_t scanned() const = 0;
};

} // namespace gpuledger::format

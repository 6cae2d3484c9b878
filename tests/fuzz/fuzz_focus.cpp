// SPDX-License-Identifier: GPL-3.0-or-later
// A bill in the FOCUS format, from the file to the stored lines.
#include "connectors/format/focus/billimport.h"
#include "tests/fuzz/fuzz.h"

#include <array>
#include <map>
#include <utime.h>

namespace gpuledger::fuzz {

namespace {

class Sink final : public ports::BillSink {
public:
    std::map<model::BillKey, std::uint64_t> lines;
    std::map<base::Currency, std::int64_t> billed;
    int committed = 0, discarded = 0;
    bool isTooLarge = false;

    base::Result<bool> knows(const std::vector<std::string> &) override { return false; }
    base::Result<void> begin(const std::vector<ports::BillFile> &) override { return {}; }
    base::Result<void> accept(ports::BillBatch batch) override
    {
        lines[batch.key] += batch.lines.size();
        for (const model::BillLine &line : batch.lines) {
            std::int64_t &sum = billed[line.billed.currency()];
            isTooLarge = __builtin_add_overflow(sum, line.billed.nanos(), &sum) || isTooLarge;
            check(!line.chargePeriod.empty(), "a stored line has a charge period");
        }
        return {};
    }
    base::Result<void> commit(const ports::ImportReport &) override
    {
        ++committed;
        return {};
    }
    void discard() override { ++discarded; }
    void progress(const ports::BillProgress &) override { }
};

void compare(const ports::ImportReport &report, const Sink &sink)
{
    check(report.read.lines == report.accepted.lines + report.rejected.lines, "each line is accepted or refused");
    std::uint64_t stored = 0;
    for (const auto &[key, lines] : sink.lines)
        stored += lines;
    check(stored == report.accepted.lines, "every accepted line is stored");
    for (const ports::BillSum &sum : report.accepted.sums) {
        const auto kept = sum.billedKept.toMoney(sum.currency);
        if (kept && !sink.isTooLarge)
            check(kept->nanos() == sink.billed.at(sum.currency), "the sum of the stored lines is the reported sum");
    }
}

} // namespace

void fuzz(std::string_view bytes)
{
    const std::filesystem::path file = fileOf("bill.csv", bytes);
    const utimbuf longAgo{1'700'000'000, 1'700'000'000};
    check(utime(file.c_str(), &longAgo) == 0, "the time of a file can be set");
    const ports::BillDelivery delivery{{file}};
    Sink sink;
    focus::BillImport import("bill", delivery, sink, kClock, {});
    const auto report = import.run();
    if (!report) {
        check(sink.committed == 0, "a failed import stores nothing");
        return;
    }
    check(sink.committed == (report->outcome == ports::ImportReport::Outcome::Imported ? 1 : 0),
          "an import stores what it read, and nothing else");
    if (sink.committed == 1)
        compare(*report, sink);
}

} // namespace gpuledger::fuzz

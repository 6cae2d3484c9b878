// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"
#include "connectors/format/focus/amountlimit.h"
#include "connectors/format/focus/billrows.h"
#include "connectors/format/focus/focusnotes.h"
#include "connectors/format/focus/linereader.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::focus {

// A file whose last line has no line end, or an empty file, is considered complete only after it has been unchanged for
// this long.
inline constexpr base::Seconds kQuietTime{60};
inline constexpr std::size_t kMostKeys = 10'000; // billing accounts x periods in one delivery
// Lines are passed to the sink when there are CostSource::kMostLines of them or they reach this size: a line may be
// long or have many columns.
inline constexpr std::size_t kMostWaitingBytes = 32u << 20;

// One import of one delivery: computes the hash, asks whether it is known, reads the lines and passes them on. Used
// once, on one thread; its arguments must outlive it. `names`: what the report calls the files, parallel to them, if
// they are copies of something else; empty: their paths.
class BillImport {
public:
    BillImport(std::string source, const ports::BillDelivery &delivery, ports::BillSink &sink, const base::Clock &clock,
               std::stop_token stop, std::vector<std::string> names = {});

    // As CostSource::import().
    [[nodiscard]] base::Result<ports::ImportReport> run();
    // The stamp of each file when it was hashed; valid after run().
    const std::vector<FileStamp> &stamps() const { return m_stamps; }

private:
    // The result of a step that may find a file not ready; m_report.unfinished then says why.
    enum class Ready { Yes, No };
    using Step = base::Result<Ready>;

    Step hashAll();
    Step hash(std::uint32_t index);
    std::string nameOf(std::uint32_t index) const;
    [[nodiscard]] base::Result<bool> known();
    Step readAll();
    Step readFile(std::uint32_t index);
    Step readRows(BillRows &rows, LineReader &lines, std::size_t columns, const FileStamp &stamp);
    Step sameAsHashed(std::uint32_t index, BillRows &rows);
    [[nodiscard]] base::Result<void> take(const format::TextRow &row, LineReader &lines);
    std::vector<model::BillLine> &likelyPlace();
    [[nodiscard]] base::Result<void> keep(std::vector<model::BillLine> &from, const ports::RowMoney &money);
    void refuse(ports::Rejection rejection);
    [[nodiscard]] base::Result<void> flush();
    [[nodiscard]] base::Result<void> checkStop() const;
    Ready notReady(std::string why);
    Step unfinished(const base::Error &error); // a premature end is not an error
    bool fresh(const FileStamp &stamp) const;
    [[nodiscard]] base::Result<void> finishReport();

    struct Part {
        ports::BillTally accepted;
        std::vector<model::BillLine> waiting; // for flush()
        std::size_t lastBatch = 0; // lines in the previous flush()
    };
    using Parts = std::map<model::BillKey, Part>;
    [[nodiscard]] base::Result<Part *> partOf(const model::BillLine &line);

    const ports::BillDelivery &m_delivery;
    ports::BillSink &m_sink;
    const base::Clock &m_clock;
    std::stop_token m_stop;
    std::vector<std::string> m_names;
    ports::ImportReport m_report;
    FocusNotes m_notes;
    cur::UsageReports m_reports;
    std::vector<FileStamp> m_stamps; // of each file, when it was hashed
    std::vector<CheckSum> m_checkSums; // likewise
    Parts m_parts;
    Parts::iterator m_lastPart = m_parts.end(); // of the previous line: most lines share account and period
    std::map<ports::RejectReason, std::uint64_t> m_rejectCounts;
    std::vector<model::BillLine> m_first; // a line whose part is not known yet
    LineNotes m_lineNotes;
    AmountLimit m_limit;
    std::size_t m_waiting = 0; // lines in all parts
    std::size_t m_waitingBytes = 0; // approximate
    ports::BillProgress m_progress;
    BillRows *m_current = nullptr; // the file being read, for progress
    std::uint64_t m_bytesBefore = 0; // of the preceding files
};

} // namespace gpuledger::focus

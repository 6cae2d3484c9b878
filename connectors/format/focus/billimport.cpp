// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billimport.h"

#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::focus {

namespace {

using base::Error;
using base::ErrorCode;
using base::fail;
using base::Result;
using ports::ImportReport;

constexpr std::size_t kHashBytes = 1u << 20; // read at a time
constexpr std::uint64_t kRowsBetweenChecks = 256; // for a stop request
constexpr std::size_t kPathBytes = 512;
constexpr std::size_t kFieldBytes = 64; // approximate memory overhead of a field, without its text

} // namespace

BillImport::BillImport(std::string source, const ports::BillDelivery &delivery, ports::BillSink &sink,
                       const base::Clock &clock, std::stop_token stop, std::vector<std::string> names)
    : m_delivery(delivery)
    , m_sink(sink)
    , m_clock(clock)
    , m_stop(std::move(stop))
    , m_names(std::move(names))
{
    m_report.source = std::move(source);
}

Result<ImportReport> BillImport::run()
{
    if (m_delivery.files.empty())
        return fail(ErrorCode::InvalidArgument, "a delivery has no files");
    const auto hashed = hashAll();
    GPULEDGER_TRY(hashed);
    if (*hashed == Ready::No)
        return std::move(m_report);
    const auto before = known();
    GPULEDGER_TRY(before);
    if (*before) {
        m_report.outcome = ImportReport::Outcome::Duplicate;
        return std::move(m_report);
    }
    GPULEDGER_TRY(m_sink.begin(m_report.files));
    auto read = readAll();
    Result<void> done;
    if (read && *read == Ready::Yes) {
        done = m_limit.fits() ? finishReport() : fail(m_limit.error(m_delivery.files.size()));
        if (done)
            done = m_sink.commit(m_report);
    } else if (!read) {
        done = fail(read.error());
    }
    if (!done || m_report.outcome != ImportReport::Outcome::Imported)
        m_sink.discard();
    if (!done && done.error().code == ErrorCode::Overflow && done.error().source.empty())
        return fail(std::move(done.error()).withSource(base::printable(nameOf(0), kPathBytes)));
    GPULEDGER_TRY(done);
    return std::move(m_report);
}

BillImport::Ready BillImport::notReady(std::string why)
{
    ImportReport unread; // what was read so far is meaningless
    unread.outcome = ImportReport::Outcome::Unfinished;
    unread.unfinished = std::move(why);
    unread.source = m_report.source;
    unread.files = m_report.files;
    m_report = std::move(unread);
    return Ready::No;
}

Result<void> BillImport::checkStop() const
{
    return m_stop.stop_requested() ? Result<void>(fail(ErrorCode::Cancelled, "stopped")) : Result<void>();
}

bool BillImport::fresh(const FileStamp &stamp) const
{
    // A modification time in the future means that one of the clocks is wrong; it says nothing about whether the file
    // is still being written.
    const std::int64_t age = base::toUnix(m_clock.now()) - stamp.modifiedSeconds();
    return age < kQuietTime.count() && age > -kQuietTime.count();
}

BillImport::Step BillImport::hashAll()
{
    for (std::uint32_t i = 0; i < m_delivery.files.size(); ++i) {
        const auto ready = hash(i);
        if (!ready || *ready == Ready::No)
            return ready;
    }
    return Ready::Yes;
}

std::string BillImport::nameOf(std::uint32_t index) const
{
    return index < m_names.size() ? m_names[index] : m_delivery.files[index].string();
}

BillImport::Step BillImport::hash(std::uint32_t index)
{
    const auto file = BillFileBytes::open(m_delivery.files[index], BillFileBytes::Hash::Full);
    GPULEDGER_TRY(file);
    BillFileBytes &bytes = **file;
    const auto before = bytes.stamp();
    GPULEDGER_TRY(before);
    std::vector<char> piece(kHashBytes);
    for (std::size_t n = 1; n > 0;) {
        GPULEDGER_TRY(checkStop());
        const auto got = bytes.read(piece);
        GPULEDGER_TRY(got);
        n = *got;
    }
    const auto digest = bytes.sha256();
    const auto after = bytes.stamp();
    GPULEDGER_TRY(digest);
    GPULEDGER_TRY(after);
    m_report.files.push_back({base::repairedUtf8(nameOf(index)), *digest, bytes.bytesRead()});
    m_stamps.push_back(*after);
    m_checkSums.push_back(bytes.checkSum());
    m_progress.bytesTotal += bytes.bytesRead();
    if (*before != *after || after->bytes != bytes.bytesRead())
        return notReady("the file changed while it was read");
    if (after->bytes == 0)
        return notReady("the file is empty");
    return Ready::Yes;
}

Result<bool> BillImport::known()
{
    std::vector<std::string> hashes;
    for (const ports::BillFile &file : m_report.files)
        hashes.push_back(file.sha256);
    std::sort(hashes.begin(), hashes.end());
    return m_sink.knows(hashes);
}

BillImport::Step BillImport::readAll()
{
    for (std::uint32_t i = 0; i < m_delivery.files.size(); ++i) {
        auto ready = readFile(i);
        if (!ready)
            return fail(std::move(ready.error()).withSource(base::printable(nameOf(i), kPathBytes)));
        if (*ready == Ready::No)
            return ready;
    }
    const auto rest = m_reports.eachRest([this](std::uint32_t file, const format::TextRow &row) -> Result<void> {
        auto columns = ColumnMap::fromHeader(cur::UsageReports::restHeader());
        GPULEDGER_TRY(columns);
        LineReader lines(std::move(*columns), file);
        return take(row, lines);
    });
    GPULEDGER_TRY(rest);
    GPULEDGER_TRY(flush());
    return Ready::Yes;
}

BillImport::Step BillImport::readFile(std::uint32_t index)
{
    auto file = BillFileBytes::open(m_delivery.files[index], BillFileBytes::Hash::CheckSum);
    GPULEDGER_TRY(file);
    const FileStamp &stamp = m_stamps[index];
    auto rows = BillRows::open(std::move(*file), m_reports, index);
    if (!rows)
        return unfinished(rows.error());
    m_current = &*rows;
    format::TextRow header;
    const auto there = rows->next(header);
    if (!there)
        return unfinished(there.error());
    if (!*there || (!header.ended() && fresh(stamp)))
        return notReady("the header is not complete yet");
    auto columns = ColumnMap::fromHeader(header);
    GPULEDGER_TRY(columns);
    m_notes.fileHas(*columns);
    m_report.version = std::max(m_report.version, columns->version());
    const std::size_t count = columns->fields();
    LineReader lines(std::move(*columns), index);
    const auto read = readRows(*rows, lines, count, stamp);
    m_current = nullptr;
    if (!read || *read == Ready::No)
        return read;
    m_bytesBefore += rows->bytesRead();
    return sameAsHashed(index, *rows);
}

BillImport::Step BillImport::unfinished(const Error &error)
{
    if (error.code == ErrorCode::Parse && error.retryable)
        return notReady(error.text);
    return fail(error);
}

BillImport::Step BillImport::readRows(BillRows &rows, LineReader &lines, std::size_t columns, const FileStamp &stamp)
{
    format::TextRow row;
    for (std::uint64_t n = 0;; ++n) {
        if (n % kRowsBetweenChecks == 0)
            GPULEDGER_TRY(checkStop());
        const auto more = rows.next(row);
        if (!more)
            return unfinished(more.error());
        if (!*more)
            return Ready::Yes;
        if (!row.ended()) {
            const bool whole = row.problem() == format::TextRow::Problem::None && row.size() >= columns;
            if (!whole)
                return notReady("the last record, which starts in line " + std::to_string(row.line())
                                + ", is incomplete");
            if (fresh(stamp))
                return notReady("the last line is not terminated, and the file was written just now");
        }
        GPULEDGER_TRY(take(row, lines));
    }
}

// Checks that the bytes read are those that were hashed and that the path still leads to them.
BillImport::Step BillImport::sameAsHashed(std::uint32_t index, BillRows &rows)
{
    const auto sum = rows.checkSum();
    GPULEDGER_TRY(sum);
    const auto now = stampOf(m_delivery.files[index]);
    if (*sum != m_checkSums[index] || !now || *now != m_stamps[index])
        return notReady("the file changed while it was read");
    return Ready::Yes;
}

Result<void> BillImport::take(const format::TextRow &row, LineReader &lines)
{
    std::vector<model::BillLine> &place = likelyPlace();
    auto verdict = lines.read(row, place.emplace_back(), m_lineNotes);
    if (verdict.rejection) {
        place.pop_back();
        GPULEDGER_TRY(add(m_report.rejected, verdict.money));
        refuse(std::move(*verdict.rejection));
    } else {
        m_limit.add(place.back());
        GPULEDGER_TRY(keep(place, verdict.money));
    }
    ++m_progress.lines;
    m_waitingBytes += row.bytes() + row.size() * kFieldBytes;
    const bool full = m_waiting >= ports::CostSource::kMostLines || m_waitingBytes >= kMostWaitingBytes;
    return full ? flush() : Result<void>();
}

// The place for a line with the account and period of the previous one. A line is large, so it is read in place.
std::vector<model::BillLine> &BillImport::likelyPlace()
{
    if (m_lastPart == m_parts.end())
        return m_first;
    Part &part = m_lastPart->second;
    if (part.waiting.empty())
        part.waiting.reserve(part.lastBatch + 1); // growing would move all of them
    return part.waiting;
}

// Stores the line that was read at the end of `from`.
Result<void> BillImport::keep(std::vector<model::BillLine> &from, const ports::RowMoney &money)
{
    model::BillLine &line = from.back();
    GPULEDGER_TRY(m_notes.add(m_lineNotes, line.product.provider, money));
    const auto part = partOf(line);
    GPULEDGER_TRY(part);
    GPULEDGER_TRY(add((*part)->accepted, money));
    if (&(*part)->waiting != &from) {
        (*part)->waiting.push_back(std::move(line));
        from.pop_back();
    }
    ++m_waiting;
    return {};
}

Result<BillImport::Part *> BillImport::partOf(const model::BillLine &line)
{
    const bool isSame = m_lastPart != m_parts.end() && m_lastPart->first.billingAccountId == line.billingAccountId
        && m_lastPart->first.periodStart == line.billingPeriod.start;
    if (!isSame)
        m_lastPart = m_parts.try_emplace(line.key(m_report.source)).first;
    if (m_parts.size() > kMostKeys)
        return fail(ErrorCode::TooMuch, "more than 10,000 billing accounts and periods in one delivery");
    return &m_lastPart->second;
}

void BillImport::refuse(ports::Rejection rejection)
{
    ++m_rejectCounts[rejection.reason];
    if (m_report.rejections.size() < ImportReport::kMostRejections)
        m_report.rejections.push_back(std::move(rejection));
}

Result<void> BillImport::flush()
{
    for (auto &[key, part] : m_parts) {
        if (part.waiting.empty())
            continue;
        part.lastBatch = part.waiting.size();
        ports::BillBatch batch{key, std::move(part.waiting)};
        part.waiting = {};
        // A bill that exceeds the limit is read to its end, to report its total, but nothing of it is stored.
        if (m_limit.fits())
            GPULEDGER_TRY(m_sink.accept(std::move(batch)));
    }
    m_waiting = 0;
    m_waitingBytes = 0;
    m_progress.bytesRead = m_bytesBefore + (m_current ? m_current->bytesRead() : 0);
    m_sink.progress(m_progress);
    return {};
}

Result<void> BillImport::finishReport()
{
    for (auto &[key, part] : m_parts) {
        GPULEDGER_TRY(add(m_report.accepted, part.accepted));
        m_report.parts.push_back({key, std::move(part.accepted)});
    }
    m_report.read = m_report.accepted;
    GPULEDGER_TRY(add(m_report.read, m_report.rejected));
    for (const auto &[reason, lines] : m_rejectCounts)
        m_report.rejectCounts.push_back({reason, lines});
    m_report.findings = m_notes.findings(m_report.read.lines > 0);
    for (ports::BillFinding &finding : m_reports.findings())
        m_report.findings.push_back(std::move(finding));
    m_report.providers = m_notes.providers();
    return {};
}

} // namespace gpuledger::focus

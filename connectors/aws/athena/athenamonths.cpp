// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/athena/athenamonths.h"

#include "app/base/crypto/sha256.h"
#include "app/base/files/privatefolder.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/csvreader.h"
#include "connectors/format/exports/exportlayout.h"
#include "connectors/format/focus/billfilebytes.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownPlace = 512;

// Whether the file has the columns that were asked for. Returns whether it has rows.
Result<bool> checkResult(const std::filesystem::path &path, const std::vector<std::string> &columns)
{
    const auto bytes = focus::BillFileBytes::open(path, focus::BillFileBytes::Hash::CheckSum);
    GPULEDGER_TRY(bytes);
    format::CsvReader rows(**bytes);
    format::TextRow row;
    const auto header = rows.next(row);
    GPULEDGER_TRY(header);
    bool isSame = *header && row.size() == columns.size();
    for (std::size_t i = 0; isSame && i < columns.size(); ++i) {
        isSame = std::equal(row[i].begin(), row[i].end(), columns[i].begin(), columns[i].end(),
                            [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    }
    if (!isSame)
        return base::fail(ErrorCode::Parse, "the result of Athena has other columns than were asked for",
                          base::Remedy::NextSyncTriesAgain);
    return rows.next(row);
}

void addRight(ports::ProbeReport &report, bool isGiven, const std::string &right)
{
    using Level = ports::Finding::Level;
    report.findings.push_back({isGiven ? Level::Good : Level::Problem,
                               isGiven ? ports::FindingText::RightGiven : ports::FindingText::CostsRefused,
                               {right},
                               {},
                               {}});
}

std::string keptNameOf(const format::AskedMonthFiles &month)
{
    return "athena query " + month.period;
}

} // namespace

// Kept until its month is stored: should the program end before, the query is gone on with.
struct AthenaMonths::Query {
    std::string identity; // of the files, the query and its limit
    std::string id;
    bool isCounted = false; // what it scanned was counted
    base::UtcTime wasted{}; // when it had cost something and nothing came of it; the epoch: not so

    std::string toText() const
    {
        return identity + ' ' + id + (isCounted ? " counted " : " started ") + std::to_string(base::toUnix(wasted));
    }
    static std::optional<Query> fromText(const std::string &text)
    {
        std::istringstream words(text);
        Query out;
        std::string state, wasted;
        words >> out.identity >> out.id >> state >> wasted;
        const auto seconds = base::parseInt(wasted);
        if (!seconds)
            return std::nullopt;
        out.isCounted = state == "counted";
        out.wasted = base::fromUnix(*seconds);
        return out;
    }
};

struct AthenaMonths::Outcome {
    std::string place; // of the result
    std::optional<base::Error> problem; // nothing comes of this query
    bool wasPaid = false; // it cost something
};

AthenaMonths::AthenaMonths(std::unique_ptr<AthenaRuns> runs, StoreOf storeOf)
    : m_runs(std::move(runs))
    , m_storeOf(std::move(storeOf))
{
}

Result<MonthQuestion> AthenaMonths::question(const format::AskedMonthFiles &month, const std::stop_token &stop)
{
    if (!m_table) {
        auto table = m_runs->table(stop);
        m_missingRight = m_runs->missingRight();
        GPULEDGER_TRY(table);
        m_table = std::move(*table);
    }
    auto question = MonthQuestion::of(m_runs->settings(), *m_table, month);
    GPULEDGER_TRY(question);
    const std::uint64_t most = m_runs->settings().mostScanned;
    if (question->bytes > most) {
        base::Error error =
            aboveScanLimit("the query for the month " + month.period + " would scan", question->bytes, most);
        error.text += "; it did not run";
        return base::fail(std::move(error));
    }
    return question;
}

Result<void> AthenaMonths::count(const QueryEnd &end, ports::BillSink &sink)
{
    if (end.state == QueryEnd::State::Lost || (end.state == QueryEnd::State::Failed && end.scanned == 0))
        return {};
    m_scanned += end.scanned;
    const ports::PaidCalls calls = paidForScan(end.scanned);
    const auto sum = m_paid.amount.plus(calls.amount);
    GPULEDGER_TRY(sum);
    m_paid = {m_paid.requests + 1, *sum};
    return sink.spent(calls, m_runs->now());
}

Result<std::string> AthenaMonths::fetch(const QueryEnd &end, const std::string &id, const std::filesystem::path &to,
                                        const std::stop_token &stop)
{
    if (end.location.empty())
        return base::fail(ErrorCode::Unsupported, "the workgroup keeps its results in Athena, not in S3",
                          base::Remedy::SetAthenaOutput);
    const auto place = storePlaceOf(end.location);
    const bool isOfQuery = place && (place->key.ends_with(id + ".csv") || place->key.ends_with(id + ".txt"));
    if (!isOfQuery || format::hasDotSegment(place->key))
        return base::fail(ErrorCode::Parse,
                          "Athena's answer can't be read: the result is at "
                              + base::printable(end.location, kShownPlace),
                          base::Remedy::NextSyncTriesAgain);
    const auto store = m_storeOf(place->bucket);
    std::optional<format::StoredObject> found;
    const auto done = [&]() -> Result<void> {
        GPULEDGER_TRY(store->list(place->key, stop, [&](format::StoredObject object) {
            if (object.key == place->key)
                found = std::move(object);
        }));
        return found ? store->download(*found, to, stop) : Result<void>();
    }();
    m_missingRight = store->missingRight();
    GPULEDGER_TRY(done);
    if (!found)
        return base::fail(ErrorCode::NotFound,
                          "the result of Athena is missing: " + base::printable(end.location, kShownPlace),
                          base::Remedy::NextSyncTriesAgain);
    return end.location;
}

// Transient failures are errors: the query can be looked at again.
Result<AthenaMonths::Outcome> AthenaMonths::take(Query &query, const MonthQuestion &question,
                                                 const format::AskedMonthFiles &month, const std::filesystem::path &to,
                                                 ports::BillSink &sink, const std::stop_token &stop)
{
    const auto end = m_runs->finish(query.id, stop);
    GPULEDGER_TRY(end);
    if (!std::exchange(query.isCounted, true)) {
        GPULEDGER_TRY(count(*end, sink));
        GPULEDGER_TRY(sink.keep(keptNameOf(month), query.toText()));
    }
    Outcome out;
    out.wasPaid = end->scanned > 0;
    if (end->state != QueryEnd::State::Succeeded) {
        out.problem = end->error;
        return out;
    }
    auto place = fetch(*end, query.id, to, stop);
    if (!place) {
        const ErrorCode code = place.error().code;
        if (code != ErrorCode::NotFound && code != ErrorCode::Parse && code != ErrorCode::Unsupported)
            return base::fail(base::Error(place.error()));
        out.problem = place.error();
        return out;
    }
    out.place = std::move(*place);
    const auto rows = checkResult(to, question.columns);
    if (!rows)
        out.problem = rows.error();
    else if (!*rows && month.bytes > kMostWithoutRows)
        out.problem = base::Error::make(ErrorCode::NotFound,
                                        "the table " + m_runs->settings().database + '.' + m_runs->settings().table
                                            + " has no rows of " + month.period + ", whose files have "
                                            + std::to_string(month.bytes) + " bytes",
                                        base::Remedy::AddAthenaPartition);
    return out;
}

Result<std::string> AthenaMonths::ask(const format::AskedMonthFiles &month, const std::filesystem::path &to,
                                      ports::BillSink &sink, const std::stop_token &stop)
{
    const auto what = question(month, stop);
    GPULEDGER_TRY(what);
    const std::string name = keptNameOf(month);
    const auto text = sink.kept(name);
    GPULEDGER_TRY(text);
    const std::string identity =
        base::sha256Hex(month.identity + '\n' + std::to_string(m_runs->settings().mostScanned) + '\n' + what->sql);
    auto before = Query::fromText(*text);
    if (before && before->identity == identity) {
        const base::UtcTime now = m_runs->now();
        if (before->wasted <= now && now < before->wasted + refresh())
            return base::fail(
                ErrorCode::TooMuch,
                "nothing came of the last query for the month " + month.period
                    + ", which cost what it scanned; it runs again after refresh, or with other settings");
        auto out = take(*before, *what, month, to, sink, stop);
        GPULEDGER_TRY(out);
        if (!out->problem)
            return std::move(out->place);
        std::error_code ignored;
        std::filesystem::remove(to, ignored);
    }
    auto id = m_runs->start(what->sql, stop);
    GPULEDGER_TRY(id);
    Query query{.identity = identity, .id = std::move(*id)};
    GPULEDGER_TRY(sink.keep(name, query.toText()));
    auto out = take(query, *what, month, to, sink, stop);
    GPULEDGER_TRY(out);
    if (!out->problem)
        return std::move(out->place);
    if (out->wasPaid)
        query.wasted = m_runs->now();
    GPULEDGER_TRY(sink.keep(name, out->wasPaid ? query.toText() : std::string()));
    return base::fail(std::move(*out->problem));
}

// EXPLAIN scans nothing and is free, and needs what the query needs.
Result<void> AthenaMonths::rehearse(const MonthQuestion &question, ports::ProbeReport &report,
                                    const std::stop_token &stop)
{
    const auto id = m_runs->start("EXPLAIN " + question.sql, stop);
    m_missingRight = m_runs->missingRight();
    GPULEDGER_TRY(id);
    addRight(report, true, "athena:StartQueryExecution");
    const auto end = m_runs->finish(*id, stop);
    m_missingRight = m_runs->missingRight();
    GPULEDGER_TRY(end);
    addRight(report, true, "athena:GetQueryExecution");
    if (end->state != QueryEnd::State::Succeeded)
        return base::fail(base::Error(end->error));
    const auto folder = base::PrivateFolder::make();
    GPULEDGER_TRY(folder);
    const auto place = fetch(*end, *id, (*folder)->path() / "plan", stop);
    GPULEDGER_TRY(place);
    addRight(report, true, "s3:GetObject (" + base::printable(*place, kShownPlace) + ')');
    return {};
}

Result<bool> AthenaMonths::probe(const format::AskedMonthFiles &month, ports::ProbeReport &report,
                                 const std::stop_token &stop)
{
    const auto what = question(month, stop);
    if (what)
        addRight(report, true, "athena:GetTableMetadata");
    const Result<void> done =
        what ? rehearse(*what, report, stop) : Result<void>(base::fail(base::Error(what.error())));
    if (done)
        return true;
    if (done.error().code != ErrorCode::Forbidden || m_missingRight.empty())
        return base::fail(base::Error(done.error()));
    addRight(report, false, m_missingRight);
    return false;
}

} // namespace gpuledger::aws

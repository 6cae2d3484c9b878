// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/bigquerysource.h"

#include "app/base/crypto/sha256.h"
#include "app/base/remedy.h"
#include "app/ports/billtally.h"
#include "connectors/format/askedbill.h"
#include "connectors/format/json.h"
#include "connectors/gcp/billrow.h"

#include <algorithm>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kKeptBill = "bigquery bill ", *kHashed = "bigquery";
constexpr const char *kProvider = "Google Cloud";

std::string deliveryOf(const base::TimeRange &month)
{
    constexpr std::size_t kYearAndMonth = 7;
    return "gcp-billing-" + dateText(month.start).substr(0, kYearAndMonth);
}

// Rows come in any order, and another one each time.
std::string contentOf(std::vector<std::string> &&rows)
{
    std::sort(rows.begin(), rows.end());
    base::Sha256 all;
    for (const std::string &row : rows)
        all.add(row);
    return all.hex();
}

std::vector<ports::BillFinding> findingsOf(const format::KeptMonth &month, base::UtcTime now)
{
    if (month.isFinal(now))
        return {};
    const base::UtcTime until = std::min(month.range.end, base::floorTo(now, base::kDay));
    return {{ports::Finding::Level::Good,
             ports::BillFindingText::DaysEstimated,
             kProvider,
             {static_cast<std::uint64_t>((until - month.range.start) / base::kDay)}}};
}

// One export has one form.
class CreditForms {
public:
    void note(const BillRow &row)
    {
        m_unclear += row.creditForm == kUnclearCost ? 1 : 0;
        m_isNet = m_isNet || row.creditForm == kNetCost;
        m_isGross = m_isGross || row.creditForm == kGrossCost;
    }
    Result<void> check(const std::string &month) const
    {
        if (m_unclear == 0 && !(m_isNet && m_isGross))
            return {};
        return base::fail(ErrorCode::Unsupported,
                          "the FOCUS export does not show whether its costs of the month " + month
                              + " have credits in them; nothing of it was stored",
                          base::Remedy::ChooseBillingExport);
    }

private:
    std::size_t m_unclear = 0;
    bool m_isNet = false, m_isGross = false;
};

} // namespace

BigQuerySource::BigQuerySource(const model::SourceSettings &settings, BillSettings bill, ports::SecretStore &secrets,
                               const base::Clock &clock, const base::Clock &realClock,
                               std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_name(settings.name)
    , m_bill(std::move(bill))
    , m_firstSync(settings.firstSync)
    , m_clock(clock)
    , m_query(settings, m_bill, secrets, client, realClock, tuning)
    , m_budgets(settings, m_bill, secrets, clock, realClock, client, tuning)
    , m_commitments(settings, m_bill, secrets, clock, realClock, std::move(client), tuning)
{
}

std::vector<base::TimeRange> BigQuerySource::months() const
{
    return format::monthsToAsk(m_clock.now(), m_firstSync, kMostMonths);
}

Result<std::vector<ports::BillDelivery>> BigQuerySource::deliveries(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    std::vector<ports::BillDelivery> out;
    for (const base::TimeRange &month : months())
        out.push_back({{deliveryOf(month)}});
    return out;
}

Result<format::KeptMonth> BigQuerySource::kept(const base::TimeRange &month, ports::BillSink &sink) const
{
    const auto text = sink.kept(kKeptBill + dateText(month.start));
    GPULEDGER_TRY(text);
    auto known = text->empty() ? std::nullopt : format::KeptMonth::fromText(*text, month);
    if (!known || known->identity != m_bill.identity()) {
        known = format::KeptMonth();
        known->range = month;
        known->identity = m_bill.identity();
    }
    known->settles = kSettles;
    return std::move(*known);
}

Result<BigQuerySource::Answer> BigQuerySource::ask(const base::TimeRange &month, const std::stop_token &stop)
{
    Answer answer;
    CreditForms forms;
    std::vector<std::string> digests;
    std::size_t bytes = 0;
    const auto onRows = [&](const Json &rows) -> Result<void> {
        for (const Json &one : rows) {
            const auto row = BillRow::of(one, month);
            GPULEDGER_TRY(row);
            forms.note(*row);
            GPULEDGER_TRY(lineOf(*row, m_bill, month));
            GPULEDGER_TRY(ports::add(answer.tally, ports::RowMoney{row->currency, row->amount, row->amount}));
            digests.push_back(base::sha256Hex(one.dump()));
        }
        answer.pages.push_back(rows.dump());
        bytes += answer.pages.back().size();
        if (bytes > kMostText)
            return base::fail(ErrorCode::TooMuch, "the rows of a month take more than 512 MiB",
                              base::Remedy::UseStandardExport);
        return {};
    };
    const BillQuery query = queryOf(m_bill, month);
    GPULEDGER_TRY(m_query.run(query, onRows, stop));
    GPULEDGER_TRY(forms.check(query.month));
    answer.content = contentOf(std::move(digests));
    return answer;
}

Result<void> BigQuerySource::pass(const std::string &page, const model::BillKey &key, const base::TimeRange &month,
                                  std::uint64_t &row, ports::BillSink &sink) const
{
    const auto rows = format::parseJson(page);
    GPULEDGER_TRY(rows);
    ports::BillBatch batch{key, {}};
    for (const Json &one : *rows) {
        const auto read = BillRow::of(one, month);
        GPULEDGER_TRY(read);
        auto line = lineOf(*read, m_bill, month);
        GPULEDGER_TRY(line);
        line->row = ++row;
        batch.lines.push_back(std::move(*line));
        if (batch.lines.size() < kMostLines)
            continue;
        GPULEDGER_TRY(sink.accept(std::exchange(batch, ports::BillBatch{key, {}})));
        sink.progress({0, 0, row});
    }
    return batch.lines.empty() ? Result<void>() : sink.accept(std::move(batch));
}

// All or, after an error, nothing. Without rows, what was stored of the bill goes.
Result<void> BigQuerySource::store(const Answer &answer, const ports::ImportReport &report, ports::BillSink &sink,
                                   const std::stop_token &stop) const
{
    const model::BillKey &key = report.parts.front().key;
    const base::TimeRange month{key.periodStart, format::nextMonthStart(key.periodStart)};
    GPULEDGER_TRY(sink.begin(report.files));
    Result<void> done = sink.accept({key, {}});
    std::uint64_t row = 0;
    for (const std::string &page : answer.pages) {
        if (done && stop.stop_requested())
            done = base::fail(ErrorCode::Cancelled, "stopped");
        if (done)
            done = pass(page, key, month, row, sink);
    }
    if (done)
        done = sink.commit(report);
    if (!done)
        sink.discard();
    return done;
}

Result<ports::ImportReport> BigQuerySource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                   std::stop_token stop)
{
    const auto all = months();
    const auto at = std::find_if(all.begin(), all.end(), [&](const base::TimeRange &month) {
        return delivery.files.size() == 1 && delivery.files.front() == deliveryOf(month);
    });
    if (at == all.end())
        return base::fail(ErrorCode::NotFound, "the export has no such month");
    auto month = kept(*at, sink);
    GPULEDGER_TRY(month);
    ports::ImportReport report;
    report.source = m_name;
    report.outcome = ports::ImportReport::Outcome::Duplicate;
    report.files.push_back({deliveryOf(*at), month->fileHash(kHashed), 0});
    const auto isStored = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(isStored);
    const base::UtcTime now = m_clock.now();
    // An answer without rows is not in the store, and its bill may be.
    if (!month->isDue(now, m_bill.refresh) && (*isStored || !month->wasImported))
        return report;
    const auto answer = ask(*at, stop);
    GPULEDGER_TRY(answer);
    month->put(answer->content, now);
    report.files.front().sha256 = month->fileHash(kHashed);
    const auto keep = [&](const format::KeptMonth &what) {
        return sink.keep(kKeptBill + dateText(what.range.start), what.toText());
    };
    const auto isKnown = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(isKnown);
    if (*isKnown || (answer->tally.lines == 0 && !month->wasImported)) {
        GPULEDGER_TRY(keep(*month));
        return report;
    }
    report.outcome = ports::ImportReport::Outcome::Imported;
    report.read = report.accepted = answer->tally;
    report.parts.push_back({{m_name, m_bill.billingAccount(), at->start}, answer->tally});
    report.providers.push_back({kProvider, answer->tally});
    report.findings = findingsOf(*month, now);
    // Before the lines: afterwards a full disk would leave them without it, and the month would be asked again each
    // time. Should the lines not be stored, it is asked again because the store does not know them.
    month->wasImported = true;
    GPULEDGER_TRY(keep(*month));
    GPULEDGER_TRY(store(*answer, report, sink, stop));
    return report;
}

// What a refresh of this month would scan: free, and refused if anything is missing that the query needs. The bill is
// usable without its budgets and commitments.
Result<ports::ProbeReport> BigQuerySource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    ports::ProbeReport report;
    report.product = "BigQuery";
    const base::UtcTime start = format::monthStart(m_clock.now());
    const auto bytes = m_query.bytesOf(queryOf(m_bill, {start, format::nextMonthStart(start)}), stop);
    const bool isDenied = !bytes && bytes.error().hint == base::text(base::Remedy::AllowBigQuery);
    if (!bytes && !isDenied)
        return base::fail(bytes.error());
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    const auto add = [&](bool isGiven, const char *right) {
        report.findings.push_back({isGiven ? Level::Good : Level::Problem,
                                   isGiven ? FindingText::RightGiven : FindingText::RightMissing,
                                   {std::string(right)},
                                   {},
                                   {}});
    };
    const bool mayQuery = !isDenied || bytes.error().text.find("bigquery.jobs.create") == std::string::npos;
    add(mayQuery, "bigquery.jobs.create (BigQuery Job User)");
    if (mayQuery) // else nothing is known about the other
        add(!isDenied, "bigquery.tables.getData (BigQuery Data Viewer)");
    report.usable = !isDenied;
    auto budgets = m_budgets.probe(stop);
    GPULEDGER_TRY(budgets);
    report.findings.insert(report.findings.end(), budgets->begin(), budgets->end());
    auto commitments = m_commitments.probe(stop);
    GPULEDGER_TRY(commitments);
    report.findings.insert(report.findings.end(), commitments->begin(), commitments->end());
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeBigQuerySource(const model::SourceSettings &settings,
                                                              ports::SecretStore &secrets, const base::Clock &clock,
                                                              const base::Clock &realClock,
                                                              std::shared_ptr<http::HttpClient> client)
{
    auto bill = BillSettings::of(settings);
    GPULEDGER_TRY(bill);
    return std::make_unique<BigQuerySource>(settings, std::move(*bill), secrets, clock, realClock, std::move(client));
}

} // namespace gpuledger::gcp

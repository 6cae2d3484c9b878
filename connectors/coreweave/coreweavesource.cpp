// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/coreweave/coreweavesource.h"

#include "app/ports/billtally.h"
#include "connectors/format/json.h"

namespace gpuledger::coreweave {

using base::ErrorCode;
using base::Result;
using ports::ImportReport;
using Json = nlohmann::json;

namespace {

constexpr const char *kKind = "coreweave";
constexpr const char *kProduct = "CoreWeave";

// Grafana says {"message":…}, Prometheus behind it {"error":…}.
std::string wordsIn(const Json &problem)
{
    const std::string words = format::textOf(problem, "error");
    return words.empty() ? format::textOf(problem, "message") : words;
}

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url)
{
    std::optional<base::Error> error = auth::refusedAnswer(response, url, wordsIn);
    if (error && response.status == 401)
        error->text += "; tokens of service accounts are made in CoreWeave's managed Grafana";
    return error;
}

// Types without a price are counted like lines that can't be read: they have no cost, and the ledger says so.
Result<void> addUnpriced(const std::set<std::string> &types, ImportReport &report)
{
    if (types.empty())
        return {};
    std::uint64_t row = 0;
    for (const std::string &type : types) {
        ++row;
        if (report.rejections.size() < ImportReport::kMostRejections)
            report.rejections.push_back(
                {0, row, ports::RejectReason::MissingValue, {"per_hour of " + type + " in the rate card"}});
        GPULEDGER_TRY(ports::add(report.rejected, ports::RowMoney{base::Currency::usd(), {}, {}}));
        GPULEDGER_TRY(ports::add(report.read, ports::RowMoney{base::Currency::usd(), {}, {}}));
    }
    report.rejectCounts.push_back({ports::RejectReason::MissingValue, row});
    report.outcome = ImportReport::Outcome::Imported; // a month without news is told, too
    return {};
}

std::vector<ports::BillFinding> findingsOf(const Estimate &estimate, const base::TimeRange &days)
{
    using Level = ports::Finding::Level;
    std::vector<ports::BillFinding> findings{{Level::Good,
                                              ports::BillFindingText::DaysFromRateCard,
                                              kProduct,
                                              {static_cast<std::uint64_t>(days.length() / base::kDay)}}};
    if (estimate.missing > base::Seconds{0})
        findings.push_back({Level::Missing,
                            ports::BillFindingText::TimeNotCounted,
                            kProduct,
                            {static_cast<std::uint64_t>(estimate.missing.count())}});
    return findings;
}

} // namespace

CoreweaveSource::CoreweaveSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed,
                                 ports::SecretStore &secrets, const base::Clock &clock,
                                 std::shared_ptr<http::HttpClient> client, auth::KeyedTuning tuning)
    : m_bill(settings, {kKind, kProduct, keyed.api, base::Seconds{0}, true}, clock)
    , m_rates(settings.path)
    , m_clock(clock)
    , m_api(settings, keyed.api, secrets, std::move(client), std::move(tuning), refusalOf)
{
}

Result<std::vector<ports::BillDelivery>> CoreweaveSource::deliveries(std::stop_token stop)
{
    return m_bill.deliveries(stop);
}

Result<CoreweaveSource::Counted> CoreweaveSource::counted(const format::AskedMonth &asked, ports::BillSink &sink,
                                                          const std::stop_token &stop)
{
    auto counts = countsOf(asked.month, sink);
    GPULEDGER_TRY(counts);
    bool isNew = false;
    for (base::Day day = base::dayOf(asked.days.start); day.end() <= asked.days.end; ++day.number) {
        const auto kept = counts->days.find(day);
        if (kept != counts->days.end() && !kept->second.isDue(day, m_clock.now()))
            continue;
        auto body = m_api.get("/api/v1/query_range", dayQuestion(day), stop);
        GPULEDGER_TRY(body);
        auto count = readDay(std::move(*body), day);
        GPULEDGER_TRY(count);
        counts->put(day, std::move(*count), m_clock.now());
        GPULEDGER_TRY(keepCounts(asked.month, *counts, sink));
        isNew = true;
    }
    return Counted{std::move(*counts), isNew};
}

Result<ImportReport> CoreweaveSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                             std::stop_token stop)
{
    const auto rates = RateCard::read(m_rates);
    GPULEDGER_TRY(rates);
    std::set<std::string> unpriced;
    std::vector<ports::BillFinding> findings;
    bool isTold = false;
    auto report = m_bill.import(delivery, sink, stop,
                                [&](const format::AskedMonth &asked) -> Result<std::vector<model::BillLine>> {
                                    const auto counts = counted(asked, sink, stop);
                                    GPULEDGER_TRY(counts);
                                    auto estimate = estimateOf(asked, counts->month, *rates);
                                    GPULEDGER_TRY(estimate);
                                    isTold = counts->isNew && estimate->missing > base::Seconds{0};
                                    findings = findingsOf(*estimate, asked.days);
                                    unpriced = std::move(estimate->unpriced);
                                    return std::move(estimate->lines);
                                });
    GPULEDGER_TRY(report);
    report->findings = std::move(findings);
    if (isTold) // also if no line is new
        report->outcome = ImportReport::Outcome::Imported;
    GPULEDGER_TRY(addUnpriced(unpriced, *report));
    return report;
}

// What is counted now, and for which of it there is a price.
Result<ports::ProbeReport> CoreweaveSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    const auto rates = RateCard::read(m_rates);
    GPULEDGER_TRY(rates);
    ports::ProbeReport report;
    report.product = kProduct;
    const base::UtcTime now = m_clock.now();
    auto body = m_api.get("/api/v1/query", nowQuestion(now), stop);
    if (!body && body.error().code != ErrorCode::Forbidden)
        return base::fail(body.error());
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    if (!body) {
        report.findings.push_back(format::rightFinding(false, kNodeMetric));
        return report;
    }
    const auto nodes = readNow(std::move(*body));
    GPULEDGER_TRY(nodes);
    report.usable = true;
    std::uint64_t all = 0;
    std::string unpriced;
    for (const auto &[type, count] : *nodes) {
        all += static_cast<std::uint64_t>(count);
        if (!rates->rateOf(type, base::dayOf(now)))
            unpriced += (unpriced.empty() ? "" : ", ") + type;
    }
    if (nodes->empty())
        report.findings.push_back({Level::Problem, FindingText::NoNodesCounted, {std::string(kNodeMetric)}, {}, {}});
    else
        report.findings.push_back(
            {Level::Good, FindingText::NodesCounted, {all, static_cast<std::uint64_t>(nodes->size())}, {}, {}});
    if (!unpriced.empty())
        report.findings.push_back({Level::Missing, FindingText::TypesWithoutPrice, {unpriced}, {}, {}});
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeCoreweaveSource(const model::SourceSettings &settings,
                                                               ports::SecretStore &secrets, const base::Clock &clock,
                                                               std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = auth::KeyedSettings::of(settings, {}, "/api/v1");
    GPULEDGER_TRY(keyed);
    return std::make_unique<CoreweaveSource>(settings, *keyed, secrets, clock, std::move(client));
}

} // namespace gpuledger::coreweave

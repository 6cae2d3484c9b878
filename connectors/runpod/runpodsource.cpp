// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/runpodsource.h"

#include "connectors/runpod/billanswer.h"
#include "connectors/runpod/podnames.h"
#include "connectors/runpod/runpodapi.h"

namespace gpuledger::runpod {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kKind = "runpod";
constexpr const char *kProduct = "RunPod";
constexpr const char *kKeptPods = "runpod pods";

http::Parameters windowOf(const base::TimeRange &days)
{
    return {{"startTime", base::toRfc3339(days.start)}, {"endTime", base::toRfc3339(days.end)}, {"bucketSize", "day"}};
}

} // namespace

RunpodSource::RunpodSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed,
                           ports::SecretStore &secrets, const base::Clock &clock,
                           std::shared_ptr<http::HttpClient> client, auth::KeyedTuning tuning)
    : m_bill(settings, {kKind, kProduct, keyed.api, keyed.refresh}, clock)
    , m_clock(clock)
    , m_api(settings, keyed.api, secrets, std::move(client), std::move(tuning), refusalOf)
{
}

Result<std::vector<ports::BillDelivery>> RunpodSource::deliveries(std::stop_token stop)
{
    return m_bill.deliveries(stop);
}

Result<std::vector<BillRow>> RunpodSource::ask(const base::TimeRange &days, const std::stop_token &stop)
{
    std::vector<BillRow> rows;
    for (const FamilyShape &shape : kFamilies) {
        const auto body = m_api.get(std::string("/v2/billing/") + shape.path, windowOf(days), stop);
        GPULEDGER_TRY(body);
        GPULEDGER_TRY(readRecords(*body, shape, days, rows));
    }
    const auto body = m_api.get("/v2/billing", windowOf(days), stop);
    GPULEDGER_TRY(body);
    const auto totals = readTotals(*body, days);
    GPULEDGER_TRY(totals);
    GPULEDGER_TRY(addDifferences(*totals, days, rows));
    return rows;
}

Result<PodNames> RunpodSource::names(ports::BillSink &sink, const std::stop_token &stop)
{
    std::optional<PodNames> listed;
    const auto body = m_api.get("/v2/pods", {}, stop);
    if (body) {
        auto pods = podsIn(*body);
        GPULEDGER_TRY(pods);
        listed = std::move(*pods);
    } else if (body.error().code != ErrorCode::Forbidden) {
        return base::fail(body.error());
    }
    return format::renewNames(sink, kKeptPods, std::move(listed), kMostPodNames);
}

Result<ports::ImportReport> RunpodSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                 std::stop_token stop)
{
    const auto lines = [&](const format::AskedMonth &asked) -> Result<std::vector<model::BillLine>> {
        auto rows = ask(asked.days, stop);
        GPULEDGER_TRY(rows);
        const auto pods = names(sink, stop);
        GPULEDGER_TRY(pods);
        return linesOf({asked.month, asked.account, std::move(*rows)}, *pods);
    };
    return m_bill.import(delivery, sink, stop, lines);
}

// Yesterday's total and the list of pods.
Result<ports::ProbeReport> RunpodSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    ports::ProbeReport report;
    report.product = kProduct;
    const base::UtcTime today = base::floorTo(m_clock.now(), base::kDay);
    const base::TimeRange yesterday{today - base::kDay, today};
    const auto bill = m_api.get("/v2/billing", windowOf(yesterday), stop);
    const auto isDenied = [](const Result<std::string> &body) {
        return !body && body.error().code == ErrorCode::Forbidden;
    };
    if (!bill && !isDenied(bill))
        return base::fail(bill.error());
    if (bill)
        GPULEDGER_TRY(readTotals(*bill, yesterday));
    const auto pods = m_api.get("/v2/pods", {}, stop);
    if (!pods && !isDenied(pods))
        return base::fail(pods.error());
    if (pods)
        GPULEDGER_TRY(podsIn(*pods));
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    report.findings.push_back(format::rightFinding(bill.has_value(), "GET /v2/billing"));
    report.findings.push_back(format::rightFinding(pods.has_value(), "GET /v2/pods"));
    report.usable = bill.has_value();
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeRunpodSource(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &clock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    return std::make_unique<RunpodSource>(settings, *keyed, secrets, clock, std::move(client));
}

} // namespace gpuledger::runpod

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/lambda/lambdasource.h"

#include "app/base/crypto/sha256.h"
#include "app/ports/billtally.h"
#include "connectors/lambda/costlines.h"
#include "connectors/lambda/instancelist.h"
#include "connectors/lambda/sightings.h"

#include <utility>

namespace gpuledger::lambda {

using base::ErrorCode;
using base::Result;
using ports::ImportReport;

namespace {

constexpr const char *kKind = "lambda";
constexpr const char *kProduct = "Lambda";
constexpr const char *kLook = "lambda-instances"; // the delivery that is no month
constexpr base::Seconds kRecomputed{3600}; // at most this often; nothing is asked for it

ports::Rejection rejectionOf(const ListedInstance &instance, std::uint64_t row)
{
    if (instance.isReserved)
        return {0, row, ports::RejectReason::MissingValue, {"the cost of the reserved instance " + instance.id}};
    const std::string price = "price_cents_per_hour of " + instance.id;
    if (instance.price.empty())
        return {0, row, ports::RejectReason::MissingValue, {price}};
    return {0, row, ports::RejectReason::NotAnAmount, {price, instance.price}};
}

// Counts the instances that cost something, and nobody knows what: they have no lines.
Result<void> addUnpriced(const std::vector<ListedInstance> &listed, ImportReport &report)
{
    std::map<ports::RejectReason, std::uint64_t> reasons;
    std::uint64_t row = 0;
    for (const ListedInstance &instance : listed) {
        ++row;
        if (instance.cents || !instance.isBilled())
            continue;
        ports::Rejection rejection = rejectionOf(instance, row);
        ++reasons[rejection.reason];
        if (report.rejections.size() < ImportReport::kMostRejections)
            report.rejections.push_back(std::move(rejection));
        GPULEDGER_TRY(ports::add(report.rejected, ports::RowMoney{base::Currency::usd(), {}, {}}));
    }
    for (const auto &[reason, count] : reasons)
        report.rejectCounts.push_back({reason, count});
    report.read = report.rejected;
    return {};
}

} // namespace

LambdaSource::LambdaSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed,
                           ports::SecretStore &secrets, const base::Clock &clock, const base::Clock &realClock,
                           std::shared_ptr<http::HttpClient> client, auth::KeyedTuning tuning)
    : m_bill(settings, {kKind, kProduct, keyed.api, kRecomputed, true}, clock)
    , m_clock(clock)
    , m_realClock(realClock)
    , m_api(settings, keyed.api, secrets, std::move(client), std::move(tuning), refusalOf)
{
}

Result<std::vector<ports::BillDelivery>> LambdaSource::deliveries(std::stop_token stop)
{
    auto months = m_bill.deliveries(stop);
    GPULEDGER_TRY(months);
    months->insert(months->begin(), ports::BillDelivery{{kLook}});
    return months;
}

Result<std::vector<ListedInstance>> LambdaSource::instances(const std::stop_token &stop)
{
    const auto body = m_api.get(kInstancesPath, {}, stop);
    GPULEDGER_TRY(body);
    return readInstances(*body);
}

Result<ImportReport> LambdaSource::look(ports::BillSink &sink, const std::stop_token &stop)
{
    const auto listed = instances(stop);
    GPULEDGER_TRY(listed);
    if (const auto wrong = wrongClock(m_api.answerDate(), m_realClock.now()))
        return base::fail(*wrong);
    GPULEDGER_TRY(keepSighting(*listed, m_clock.now(), sink));
    ImportReport report;
    report.source = m_bill.name();
    report.files.push_back({kLook, base::sha256Hex(kLook), 0});
    GPULEDGER_TRY(addUnpriced(*listed, report));
    // Without anything to say it is like a bill that was read before.
    report.outcome = report.rejected.lines > 0 ? ImportReport::Outcome::Imported : ImportReport::Outcome::Duplicate;
    return report;
}

Result<ImportReport> LambdaSource::month(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                         const std::stop_token &stop)
{
    // At an earlier time fewer days were over, which changes nothing.
    const auto last = lastSighting(sink);
    GPULEDGER_TRY(last);
    if (last->at > m_clock.now()) {
        ImportReport report;
        report.source = m_bill.name();
        report.outcome = ImportReport::Outcome::Duplicate;
        return report;
    }
    base::Seconds longestPause{};
    auto report = m_bill.import(delivery, sink, stop,
                                [&](const format::AskedMonth &asked) -> Result<std::vector<model::BillLine>> {
                                    const auto seen = seenIn(asked.month, sink);
                                    GPULEDGER_TRY(seen);
                                    longestPause = seen->longestPause;
                                    return linesOf(asked, *seen);
                                });
    GPULEDGER_TRY(report);
    for (ports::BillFinding &finding : report->findings) {
        if (finding.text == ports::BillFindingText::DaysEstimated) {
            finding.level = ports::Finding::Level::Missing;
            finding.terms.emplace_back(static_cast<std::uint64_t>(longestPause.count()));
        }
    }
    return report;
}

Result<ImportReport> LambdaSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                          std::stop_token stop)
{
    if (delivery.files.size() == 1 && delivery.files.front() == kLook)
        return look(sink, stop);
    return month(delivery, sink, stop);
}

Result<ports::ProbeReport> LambdaSource::probe(std::stop_token stop)
{
    ports::ProbeReport report;
    report.product = kProduct;
    const auto listed = instances(stop);
    if (!listed && listed.error().code != ErrorCode::Forbidden)
        return base::fail(listed.error());
    report.findings.push_back(
        {ports::Finding::Level::Good, ports::FindingText::PlatformAnswers, {report.product}, {}, {}});
    report.findings.push_back(format::rightFinding(listed.has_value(), "GET /api/v1/instances"));
    report.usable = listed.has_value();
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeLambdaSource(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &clock,
                                                            const base::Clock &realClock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    return std::make_unique<LambdaSource>(settings, *keyed, secrets, clock, realClock, std::move(client));
}

} // namespace gpuledger::lambda

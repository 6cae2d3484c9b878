// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/monthlybill.h"

#include "app/base/crypto/sha256.h"
#include "connectors/format/askedbill.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::format {

using base::ErrorCode;
using base::Result;
using model::BillLine;

namespace {

std::string monthText(const base::TimeRange &month)
{
    constexpr std::size_t kYearAndMonth = 7;
    return base::toRfc3339(month.start).substr(0, kYearAndMonth);
}

// Identifies the lines; a service may list them in another order each time.
std::string contentOf(const std::vector<BillLine> &lines)
{
    std::vector<std::string> texts;
    for (const BillLine &line : lines) {
        std::string text = std::to_string(base::toUnix(line.chargePeriod.start));
        const auto add = [&](const std::string &part) { text += '\n' + part; };
        add(std::to_string(base::toUnix(line.chargePeriod.end)));
        for (const std::string *part : {&line.product.serviceName, &line.product.skuMeter, &line.description,
                                        &line.resource.id, &line.resource.regionId})
            add(*part);
        for (const model::Labels *labels : {&line.tags, &line.product.skuDetails}) {
            for (const auto &[key, value] : *labels)
                add(key + '=' + value);
        }
        add(base::Decimal::of(line.billed).toText());
        if (line.consumedQuantity.amount)
            add(line.consumedQuantity.amount->toText());
        texts.push_back(std::move(text));
    }
    std::sort(texts.begin(), texts.end());
    base::Sha256 all;
    for (const std::string &text : texts)
        all.add(text + '\0');
    return all.hex();
}

} // namespace

std::vector<ports::BillFinding> billFindings(const std::vector<BillLine> &lines, const base::TimeRange &days,
                                             bool isFinal, const std::string &product)
{
    using Level = ports::Finding::Level;
    const base::Decimal most = base::Decimal::parse("0.01").value_or(base::Decimal());
    const base::Decimal least = base::Decimal().minus(most).value_or(base::Decimal());
    std::set<base::UtcTime> different;
    for (const BillLine &line : lines) {
        const base::Decimal amount = base::Decimal::of(line.billed);
        if (line.category == model::ChargeCategory::Adjustment && (amount >= most || amount <= least))
            different.insert(line.chargePeriod.start);
    }
    std::vector<ports::BillFinding> findings;
    if (!isFinal)
        findings.push_back({Level::Good,
                            ports::BillFindingText::DaysEstimated,
                            product,
                            {static_cast<std::uint64_t>(days.length() / base::kDay)}});
    if (!different.empty())
        findings.push_back({Level::Problem,
                            ports::BillFindingText::DaysNotItemised,
                            product,
                            {static_cast<std::uint64_t>(different.size())}});
    return findings;
}

ports::Finding rightFinding(bool isGiven, const char *right)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    return {isGiven ? Level::Good : Level::Problem,
            isGiven ? FindingText::RightGiven : FindingText::RightMissing,
            {std::string(right)},
            {},
            {}};
}

MonthlyBill::MonthlyBill(const model::SourceSettings &settings, BilledService service, const base::Clock &clock)
    : m_name(settings.name)
    , m_service(std::move(service))
    , m_firstSync(settings.firstSync)
    , m_clock(clock)
{
}

std::vector<base::TimeRange> MonthlyBill::months() const
{
    return monthsToAsk(m_clock.now(), m_firstSync, kMostMonths);
}

std::string MonthlyBill::fileOf(const base::TimeRange &month) const
{
    return m_service.kind + '-' + monthText(month);
}

std::string MonthlyBill::keyOf(const base::TimeRange &month) const
{
    return m_service.kind + " bill " + monthText(month);
}

Result<std::vector<ports::BillDelivery>> MonthlyBill::deliveries(const std::stop_token &stop) const
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    std::vector<ports::BillDelivery> out;
    for (const base::TimeRange &month : months())
        out.push_back({{fileOf(month)}});
    return out;
}

Result<KeptMonth> MonthlyBill::kept(const base::TimeRange &month, ports::BillSink &sink) const
{
    const auto text = sink.kept(keyOf(month));
    GPULEDGER_TRY(text);
    auto known = text->empty() ? std::nullopt : KeptMonth::fromText(*text, month);
    if (!known || known->identity != m_service.identity) {
        known.emplace();
        known->range = month;
        known->identity = m_service.identity;
    }
    known->isEstimated = m_service.isEstimated;
    return std::move(*known);
}

Result<ports::ImportReport> MonthlyBill::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                const std::stop_token &stop, const Ask &ask) const
{
    const auto all = months();
    const auto at = std::find_if(all.begin(), all.end(), [&](const base::TimeRange &month) {
        return delivery.files.size() == 1 && delivery.files.front() == fileOf(month);
    });
    if (at == all.end())
        return base::fail(ErrorCode::NotFound, m_service.product + " has no such month");
    auto month = kept(*at, sink);
    GPULEDGER_TRY(month);
    ports::ImportReport report;
    report.source = m_name;
    report.outcome = ports::ImportReport::Outcome::Duplicate;
    report.files.push_back({fileOf(*at), month->fileHash(m_service.kind), 0});
    const auto isStored = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(isStored);
    const base::UtcTime now = m_clock.now();
    // An answer without lines is not in the store, and its bill may be.
    if (!month->isDue(now, m_service.refresh) && (*isStored || !month->wasImported))
        return report;
    const AskedMonth asked{
        *at, {at->start, std::min(at->end, base::floorTo(now, base::kDay))}, m_service.kind + '/' + m_name};
    auto lines = ask(asked);
    GPULEDGER_TRY(lines);
    month->put(contentOf(*lines), now);
    report.files.front().sha256 = month->fileHash(m_service.kind);
    const auto keep = [&] { return sink.keep(keyOf(*at), month->toText()); };
    const auto isKnown = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(isKnown);
    if (*isKnown || (lines->empty() && !month->wasImported)) {
        GPULEDGER_TRY(keep());
        return report;
    }
    report.outcome = ports::ImportReport::Outcome::Imported;
    const model::BillKey key{m_name, asked.account, at->start};
    GPULEDGER_TRY(tallyBill(*lines, key, m_service.product, report));
    report.findings = billFindings(*lines, asked.days, month->isFinal(now), m_service.product);
    // Before the lines: should they not be stored, the month is asked again because the store does not know them.
    month->wasImported = true;
    GPULEDGER_TRY(keep());
    GPULEDGER_TRY(storeBill(std::move(*lines), key, sink, stop, report));
    return report;
}

} // namespace gpuledger::format

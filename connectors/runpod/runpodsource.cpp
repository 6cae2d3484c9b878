// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/runpodsource.h"

#include "app/base/crypto/sha256.h"
#include "connectors/format/askedbill.h"
#include "connectors/http/url.h"
#include "connectors/runpod/billanswer.h"
#include "connectors/runpod/podnames.h"

#include <algorithm>

namespace gpuledger::runpod {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kApi = "https://api.runpod.io";
constexpr const char *kKeptBill = "runpod bill ";
constexpr const char *kKeptPods = "runpod pods";

std::string monthText(const base::TimeRange &month)
{
    constexpr std::size_t kYearAndMonth = 7;
    return base::toRfc3339(month.start).substr(0, kYearAndMonth);
}

std::string deliveryOf(const base::TimeRange &month)
{
    return "runpod-" + monthText(month);
}

http::Parameters windowOf(const base::TimeRange &days)
{
    return {{"startTime", base::toRfc3339(days.start)}, {"endTime", base::toRfc3339(days.end)}, {"bucketSize", "day"}};
}

// Identifies the lines; records come in any order, and another one each time.
std::string contentOf(const std::vector<model::BillLine> &lines)
{
    std::vector<std::string> texts;
    for (const model::BillLine &line : lines) {
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
        texts.push_back(std::move(text));
    }
    std::sort(texts.begin(), texts.end());
    base::Sha256 all;
    for (const std::string &text : texts)
        all.add(text + '\0');
    return all.hex();
}

} // namespace

Result<BillSettings> BillSettings::of(const model::SourceSettings &settings)
{
    if (settings.auth.kind != model::AuthSettings::Kind::Bearer)
        return base::fail(
            base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" has no API key",
                              "set auth of " + settings.name
                                  + " to { type: bearer, token: keychain:NAME }; the token is the API key")
                .withSource(settings.name));
    BillSettings out;
    out.api = settings.url.empty() ? std::string(kApi) : settings.url;
    GPULEDGER_TRY(http::parseUrl(out.api));
    while (out.api.ends_with('/'))
        out.api.pop_back();
    if (constexpr std::string_view kVersion = "/v2"; out.api.ends_with(kVersion))
        out.api.resize(out.api.size() - kVersion.size());
    const auto refresh = settings.options.find("refresh");
    if (refresh != settings.options.end() && !refresh->second.empty()) {
        const auto every = base::parseDuration(refresh->second);
        GPULEDGER_TRY(every);
        out.refresh = *every;
    }
    return out;
}

RunpodSource::RunpodSource(const model::SourceSettings &settings, BillSettings bill, ports::SecretStore &secrets,
                           const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_name(settings.name)
    , m_bill(std::move(bill))
    , m_firstSync(settings.firstSync)
    , m_clock(clock)
    , m_api(settings, m_bill.api, secrets, std::move(client), std::move(tuning))
{
}

std::vector<base::TimeRange> RunpodSource::months() const
{
    return format::monthsToAsk(m_clock.now(), m_firstSync, kMostMonths);
}

Result<std::vector<ports::BillDelivery>> RunpodSource::deliveries(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    std::vector<ports::BillDelivery> out;
    for (const base::TimeRange &month : months())
        out.push_back({{deliveryOf(month)}});
    return out;
}

Result<KeptMonth> RunpodSource::kept(const base::TimeRange &month, ports::BillSink &sink) const
{
    const auto text = sink.kept(kKeptBill + monthText(month));
    GPULEDGER_TRY(text);
    auto known = text->empty() ? std::nullopt : KeptMonth::fromText(*text, month);
    if (known && known->identity == m_bill.api)
        return std::move(*known);
    KeptMonth fresh;
    fresh.range = month;
    fresh.identity = m_bill.api;
    return fresh;
}

Result<std::vector<BillRow>> RunpodSource::ask(const base::TimeRange &days, const std::stop_token &stop)
{
    std::vector<BillRow> rows;
    for (const FamilyShape &shape : kFamilies) {
        const auto body = m_api.get(std::string("billing/") + shape.path, windowOf(days), stop);
        GPULEDGER_TRY(body);
        GPULEDGER_TRY(readRecords(*body, shape, days, rows));
    }
    const auto body = m_api.get("billing", windowOf(days), stop);
    GPULEDGER_TRY(body);
    const auto totals = readTotals(*body, days);
    GPULEDGER_TRY(totals);
    GPULEDGER_TRY(addDifferences(*totals, days, rows));
    return rows;
}

Result<PodNames> RunpodSource::names(ports::BillSink &sink, const std::stop_token &stop)
{
    const auto text = sink.kept(kKeptPods);
    GPULEDGER_TRY(text);
    PodNames known = text->empty() ? PodNames() : podNamesFrom(*text);
    const auto body = m_api.get("pods", {}, stop);
    if (!body && body.error().code == ErrorCode::Forbidden)
        return known;
    GPULEDGER_TRY(body);
    auto listed = podsIn(*body);
    GPULEDGER_TRY(listed);
    remember(known, std::move(*listed));
    if (std::string now = toText(known); now != *text)
        GPULEDGER_TRY(sink.keep(kKeptPods, now));
    return known;
}

Result<ports::ImportReport> RunpodSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                 std::stop_token stop)
{
    const auto all = months();
    const auto at = std::find_if(all.begin(), all.end(), [&](const base::TimeRange &month) {
        return delivery.files.size() == 1 && delivery.files.front() == deliveryOf(month);
    });
    if (at == all.end())
        return base::fail(ErrorCode::NotFound, "RunPod has no such month");
    auto month = kept(*at, sink);
    GPULEDGER_TRY(month);
    ports::ImportReport report;
    report.source = m_name;
    report.outcome = ports::ImportReport::Outcome::Duplicate;
    report.files.push_back({deliveryOf(*at), month->fileHash(), 0});
    const auto isStored = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(isStored);
    const base::UtcTime now = m_clock.now();
    // An answer without records is not in the store, and its bill may be.
    if (!month->isDue(now, m_bill.refresh) && (*isStored || !month->wasImported))
        return report;
    MonthBill bill{*at, {at->start, std::min(at->end, base::floorTo(now, base::kDay))}, "runpod/" + m_name, {}};
    auto rows = ask(bill.days, stop);
    GPULEDGER_TRY(rows);
    bill.rows = std::move(*rows);
    const auto pods = names(sink, stop);
    GPULEDGER_TRY(pods);
    auto lines = linesOf(bill, *pods);
    GPULEDGER_TRY(lines);
    month->put(contentOf(*lines), now);
    report.files.front().sha256 = month->fileHash();
    const auto keep = [&] { return sink.keep(kKeptBill + monthText(*at), month->toText()); };
    const auto isKnown = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(isKnown);
    if (*isKnown || (lines->empty() && !month->wasImported)) {
        GPULEDGER_TRY(keep());
        return report;
    }
    report.outcome = ports::ImportReport::Outcome::Imported;
    const model::BillKey key{m_name, bill.account, at->start};
    GPULEDGER_TRY(format::tallyBill(*lines, key, "RunPod", report));
    report.findings = findingsOf(bill, month->isFinal(now));
    // Before the lines: should they not be stored, the month is asked again because the store does not know them.
    month->wasImported = true;
    GPULEDGER_TRY(keep());
    GPULEDGER_TRY(format::storeBill(std::move(*lines), key, sink, stop, report));
    return report;
}

// Yesterday's total and the list of pods.
Result<ports::ProbeReport> RunpodSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    ports::ProbeReport report;
    report.product = "RunPod";
    const base::UtcTime today = base::floorTo(m_clock.now(), base::kDay);
    const base::TimeRange yesterday{today - base::kDay, today};
    const auto bill = m_api.get("billing", windowOf(yesterday), stop);
    const auto isDenied = [](const Result<std::string> &body) {
        return !body && body.error().code == ErrorCode::Forbidden;
    };
    if (!bill && !isDenied(bill))
        return base::fail(bill.error());
    if (bill)
        GPULEDGER_TRY(readTotals(*bill, yesterday));
    const auto pods = m_api.get("pods", {}, stop);
    if (!pods && !isDenied(pods))
        return base::fail(pods.error());
    if (pods)
        GPULEDGER_TRY(podsIn(*pods));
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    const auto add = [&](bool isGiven, const char *right) {
        report.findings.push_back({isGiven ? Level::Good : Level::Problem,
                                   isGiven ? FindingText::RightGiven : FindingText::RightMissing,
                                   {std::string(right)},
                                   {},
                                   {}});
    };
    add(bill.has_value(), "GET /v2/billing");
    add(pods.has_value(), "GET /v2/pods");
    report.usable = bill.has_value();
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeRunpodSource(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &clock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    auto bill = BillSettings::of(settings);
    GPULEDGER_TRY(bill);
    return std::make_unique<RunpodSource>(settings, std::move(*bill), secrets, clock, std::move(client));
}

} // namespace gpuledger::runpod

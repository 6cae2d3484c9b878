// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/vastaisource.h"

#include "connectors/vastai/billlines.h"
#include "connectors/vastai/bookedcharges.h"
#include "connectors/vastai/chargeanswer.h"
#include "connectors/vastai/instancenames.h"

#include <iterator>

namespace gpuledger::vastai {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kKind = "vastai";
constexpr const char *kProduct = "Vast.ai";
constexpr const char *kKeptInstances = "vastai instances";
constexpr const char *kCharges = "/api/v0/charges/";
constexpr const char *kInstances = "/api/v1/instances/";

// All types of charges; the last second is the last one that is asked for.
http::Parameters questionFor(const base::TimeRange &days)
{
    const std::string filter = "{\"day\":{\"gte\":" + std::to_string(base::toUnix(days.start))
        + ",\"lte\":" + std::to_string(base::toUnix(days.end) - 1) + "}}";
    return {{"select_filters", filter}, {"format", "table"}, {"latest_first", "false"}, {"limit", "100"}};
}

// What the names need and no more: an instance has tokens, too.
http::Parameters questionForInstances()
{
    return {{"select_filters", "{}"},
            {"select_cols", R"(["id","label","gpu_name","num_gpus","geolocation","machine_id"])"},
            {"order_by", R"([{"col":"id","dir":"asc"}])"},
            {"limit", "25"}};
}

bool isDenied(const base::Error &error)
{
    return error.code == ErrorCode::Forbidden;
}

// A key is known to be right when its charges were answered: it may not list instances.
bool isDeniedAfterCharges(const base::Error &error)
{
    return isDenied(error) || error.code == ErrorCode::Unauthorized;
}

} // namespace

VastaiSource::VastaiSource(const model::SourceSettings &settings, const auth::KeyedSettings &keyed,
                           ports::SecretStore &secrets, const base::Clock &clock,
                           std::shared_ptr<http::HttpClient> client, auth::KeyedTuning tuning)
    : m_bill(settings, {kKind, kProduct, keyed.api, keyed.refresh}, clock)
    , m_clock(clock)
    , m_api(settings, keyed.api, secrets, std::move(client), std::move(tuning), refusalOf)
{
}

Result<std::vector<ports::BillDelivery>> VastaiSource::deliveries(std::stop_token stop)
{
    return m_bill.deliveries(stop);
}

Result<std::vector<Charge>> VastaiSource::charges(const base::TimeRange &days, std::size_t &amounts,
                                                  const std::stop_token &stop)
{
    ChargeList list;
    list.asked = days;
    GPULEDGER_TRY(getPages(m_api, kCharges, questionFor(days), stop,
                           [&](const std::string &body) { return readPage(body, list, amounts); }));
    GPULEDGER_TRY(checkWhole(list));
    return std::move(list.charges);
}

Result<std::vector<Charge>> VastaiSource::ask(const base::TimeRange &days, const std::stop_token &stop)
{
    std::size_t amounts = 0;
    auto ofMonth = charges(days, amounts, stop);
    GPULEDGER_TRY(ofMonth);
    std::vector<Charge> ofDays;
    for (const base::Day &day : daysToAsk(*ofMonth, days)) {
        const base::TimeRange asked{day.start(), day.end()};
        auto more = charges(asked, amounts, stop);
        GPULEDGER_TRY(more);
        for (Charge &charge : *more)
            charge.period = asked;
        ofDays.insert(ofDays.end(), std::make_move_iterator(more->begin()), std::make_move_iterator(more->end()));
    }
    return bookedCharges(std::move(*ofMonth), std::move(ofDays));
}

Result<InstanceNames> VastaiSource::instances(const std::stop_token &stop)
{
    InstanceNames listed;
    GPULEDGER_TRY(getPages(m_api, kInstances, questionForInstances(), stop,
                           [&](const std::string &body) { return readInstances(body, listed); }));
    return listed;
}

Result<InstanceNames> VastaiSource::names(ports::BillSink &sink, const std::stop_token &stop)
{
    auto listed = instances(stop);
    if (!listed && !isDeniedAfterCharges(listed.error()))
        return base::fail(listed.error());
    return format::renewNames(sink, kKeptInstances, listed ? std::optional(std::move(*listed)) : std::nullopt,
                              kMostInstanceNames);
}

Result<ports::ImportReport> VastaiSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                 std::stop_token stop)
{
    const auto lines = [&](const format::AskedMonth &asked) -> Result<std::vector<model::BillLine>> {
        auto booked = ask(asked.days, stop);
        GPULEDGER_TRY(booked);
        const auto known = names(sink, stop);
        GPULEDGER_TRY(known);
        return linesOf({asked.month, asked.account, std::move(*booked)}, *known);
    };
    return m_bill.import(delivery, sink, stop, lines);
}

// Yesterday's charges and the list of instances.
Result<ports::ProbeReport> VastaiSource::probe(std::stop_token stop)
{
    ports::ProbeReport report;
    report.product = kProduct;
    const base::UtcTime today = base::floorTo(m_clock.now(), base::kDay);
    std::size_t amounts = 0;
    const auto bill = charges({today - base::kDay, today}, amounts, stop);
    if (!bill && !isDenied(bill.error()))
        return base::fail(bill.error());
    const auto listed = instances(stop);
    if (!listed && !(bill ? isDeniedAfterCharges : isDenied)(listed.error()))
        return base::fail(listed.error());
    report.findings.push_back(
        {ports::Finding::Level::Good, ports::FindingText::PlatformAnswers, {report.product}, {}, {}});
    report.findings.push_back(format::rightFinding(bill.has_value(), "GET /api/v0/charges"));
    report.findings.push_back(format::rightFinding(listed.has_value(), "GET /api/v1/instances"));
    report.usable = bill.has_value();
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeVastaiSource(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &clock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    return std::make_unique<VastaiSource>(settings, *keyed, secrets, clock, std::move(client));
}

} // namespace gpuledger::vastai

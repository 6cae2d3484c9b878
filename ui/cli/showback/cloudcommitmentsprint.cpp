// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/cloudcommitmentsprint.h"

#include "app/base/text/text.h"
#include "app/insight/spend/ledgerquery.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <cstdlib>

namespace gpuledger::cli {

using model::CloudCommitment;
using model::CloudCommitmentKind;
using model::CommitmentCoverage;
using services::CommitmentReading;
using services::CommitmentRow;
using services::CommitmentsAnswer;
using services::CoverageRow;

namespace {

constexpr std::size_t kLongestReason = 1000; // bytes
constexpr int kShareDecimals = 6;

std::string_view commitmentKindName(CloudCommitmentKind kind)
{
    switch (kind) {
    case CloudCommitmentKind::SavingsPlan:
        return "savings-plan";
    case CloudCommitmentKind::Reservation:
        return "reservation";
    case CloudCommitmentKind::CommittedUse:
        break;
    }
    return "committed-use";
}

std::string_view commitmentKindText(CloudCommitmentKind kind)
{
    switch (kind) {
    case CloudCommitmentKind::SavingsPlan:
        return "savings plans";
    case CloudCommitmentKind::Reservation:
        return "reservations";
    case CloudCommitmentKind::CommittedUse:
        break;
    }
    return "committed use";
}

std::string orDash(const std::string &text)
{
    return text.empty() ? "-" : text;
}

std::string accountCell(const std::string &cloud, const std::string &account)
{
    return orDash(cloud + (cloud.empty() || account.empty() ? "" : " ") + account);
}

// "8 x p5.48xlarge"
std::string limitCell(const CloudCommitment &commitment)
{
    const std::string machine = commitment.machine.empty() ? "any machine" : commitment.machine;
    return commitment.count ? std::to_string(*commitment.count) + " x " + machine : machine;
}

std::string roundedAmount(const std::optional<base::Money> &amount)
{
    return amount ? ui::amountText(amount->nanos()) : std::string("-");
}

// Four decimals: a commitment may be of less than a cent per hour.
std::string hourlyAmount(const std::optional<base::Money> &amount)
{
    if (!amount)
        return "-";
    constexpr std::int64_t kStep = 100'000; // nano-units
    constexpr std::int64_t kStepsPerUnit = base::Money::kNanosPerUnit / kStep;
    const std::int64_t nanos = amount->nanos(), rest = nanos % kStep;
    const std::int64_t steps = std::abs(nanos / kStep) + (std::abs(rest) >= kStep / 2 ? 1 : 0);
    const std::string part = std::to_string(kStepsPerUnit + steps % kStepsPerUnit).substr(1);
    return (nanos < 0 && steps > 0 ? "-" : "") + std::to_string(steps / kStepsPerUnit) + '.' + part;
}

std::string dayOrNone(const std::optional<base::Day> &day)
{
    return day ? insight::dayText(*day) : std::string();
}

std::string instantOrNone(const std::optional<base::UtcTime> &time)
{
    return time ? base::toRfc3339(*time) : std::string();
}

std::string exactAmount(const std::optional<base::Money> &amount)
{
    return amount ? amount->toDecimal() : std::string();
}

std::string exactShare(const std::optional<double> &share)
{
    return share ? ui::fixed(*share, kShareDecimals) : std::string();
}

Json instantJson(const std::optional<base::UtcTime> &time)
{
    return time ? cli::toJson(*time) : Json(nullptr);
}

Json firstDayJson(const std::optional<base::Day> &first)
{
    return first ? cli::toJson(first->start()) : Json(nullptr);
}

Json lastDayJson(const std::optional<base::Day> &last)
{
    return last ? cli::toJson(last->end()) : Json(nullptr);
}

Json commitmentJson(const CommitmentRow &row)
{
    const CloudCommitment &one = row.commitment;
    return {{"source", row.source},
            {"cloud", textOrNull(one.cloud)},
            {"account", textOrNull(one.account)},
            {"id", textOrNull(one.id)},
            {"name", textOrNull(one.name)},
            {"kind", std::string(commitmentKindName(one.kind))},
            {"terms", textOrNull(one.terms)},
            {"machine", textOrNull(one.machine)},
            {"region", textOrNull(one.region)},
            {"count", one.count ? Json(*one.count) : Json(nullptr)},
            {"per_hour", cli::toJson(row.perHour)},
            {"start", instantJson(one.start)},
            {"end", instantJson(one.end)},
            {"utilization", cli::toJson(one.utilization)},
            {"from", firstDayJson(one.first)},
            {"to", lastDayJson(one.last)},
            {"unused", cli::toJson(row.unused)},
            {"billed_utilization", cli::toJson(row.billed)},
            {"billed_from", firstDayJson(row.billedFirst)},
            {"billed_to", lastDayJson(row.billedLast)}};
}

Json coverageJson(const CoverageRow &row)
{
    const CommitmentCoverage &one = row.coverage;
    return {{"source", row.source},
            {"cloud", textOrNull(one.cloud)},
            {"account", textOrNull(one.account)},
            {"by", std::string(commitmentKindName(one.by))},
            {"machine", textOrNull(one.machine)},
            {"region", textOrNull(one.region)},
            {"covered", cli::toJson(std::optional(one.covered))},
            {"on_demand", cli::toJson(row.onDemand)},
            {"from", firstDayJson(one.first)},
            {"to", lastDayJson(one.last)}};
}

Json readingJson(const CommitmentReading &reading)
{
    Json withheld = Json::array();
    for (const std::string &one : reading.withheld)
        withheld.push_back(one);
    return {{"source", reading.source},
            {"read_at", instantJson(reading.readAt)},
            {"withheld", std::move(withheld)},
            {"failed_at", instantJson(reading.failedAt)},
            {"failure", textOrNull(reading.failure)}};
}

std::string commitmentTable(const CommitmentsAnswer &answer, bool bold)
{
    constexpr auto kRight = ui::TextTable::Align::Right;
    ui::TextTable table({{"commitment"},
                         {"for"},
                         {"terms"},
                         {"account"},
                         {"region"},
                         {"per hour", kRight},
                         {"ends"},
                         {"used (cloud)", kRight},
                         {"used (bill)", kRight},
                         {"unused", kRight},
                         {"currency"}});
    for (const CommitmentRow &row : answer.rows) {
        const CloudCommitment &one = row.commitment;
        table.add({orDash(one.name.empty() ? one.id : one.name), limitCell(one),
                   one.terms.empty() ? std::string(commitmentKindText(one.kind)) : one.terms,
                   accountCell(one.cloud, one.account), orDash(one.region), hourlyAmount(row.perHour),
                   one.end ? insight::dayText(base::dayOf(*one.end)) : "-", ui::percentText(one.utilization),
                   ui::percentText(row.billed), roundedAmount(row.unused), std::string(one.currency.code())});
    }
    return table.toText(bold);
}

std::string coverageTable(const CommitmentsAnswer &answer, bool bold)
{
    constexpr auto kRight = ui::TextTable::Align::Right;
    ui::TextTable table({{"machine"},
                         {"account"},
                         {"region"},
                         {"by"},
                         {"covered", kRight},
                         {"not covered (cost)", kRight},
                         {"currency"},
                         {"days"}});
    for (const CoverageRow &row : answer.coverage) {
        const CommitmentCoverage &one = row.coverage;
        table.add({orDash(one.machine), accountCell(one.cloud, one.account), orDash(one.region),
                   std::string(commitmentKindText(one.by)), ui::percentText(one.covered), roundedAmount(row.onDemand),
                   std::string(one.currency.code()),
                   insight::dayText(one.first) + " to " + insight::dayText(one.last)});
    }
    return table.toText(bold);
}

std::string sourceName(const CommitmentReading &reading)
{
    return base::printable(reading.source);
}

std::string leftOutText(std::uint64_t count, const char *why)
{
    return std::to_string(count) + (count == 1 ? " entry is" : " entries are") + " left out: " + why;
}

} // namespace

Json cloudCommitmentsJson(const CommitmentsAnswer &answer)
{
    Json rows = Json::array(), coverage = Json::array(), sources = Json::array();
    for (const CommitmentRow &row : answer.rows)
        rows.push_back(commitmentJson(row));
    for (const CoverageRow &row : answer.coverage)
        coverage.push_back(coverageJson(row));
    for (const CommitmentReading &reading : answer.readings)
        sources.push_back(readingJson(reading));
    return {{"commitments", std::move(rows)},
            {"coverage", std::move(coverage)},
            {"sources", std::move(sources)},
            {"left_out", {{"without_gpus", answer.withoutGpus}, {"rejected", answer.rejected}}}};
}

std::string cloudCommitmentsCsv(const CommitmentsAnswer &answer)
{
    ui::TextTable table({{"record"},      {"source"},
                         {"cloud"},       {"account"},
                         {"id"},          {"name"},
                         {"kind"},        {"terms"},
                         {"machine"},     {"region"},
                         {"count"},       {"currency"},
                         {"per_hour"},    {"start"},
                         {"end"},         {"utilization"},
                         {"unused"},      {"covered"},
                         {"on_demand"},   {"from"},
                         {"to"},          {"billed_utilization"},
                         {"billed_from"}, {"billed_to"}});
    for (const CommitmentRow &row : answer.rows) {
        const CloudCommitment &one = row.commitment;
        table.add({"commitment",
                   row.source,
                   one.cloud,
                   one.account,
                   one.id,
                   one.name,
                   std::string(commitmentKindName(one.kind)),
                   one.terms,
                   one.machine,
                   one.region,
                   one.count ? std::to_string(*one.count) : "",
                   std::string(one.currency.code()),
                   exactAmount(row.perHour),
                   instantOrNone(one.start),
                   instantOrNone(one.end),
                   exactShare(one.utilization),
                   exactAmount(row.unused),
                   "",
                   "",
                   dayOrNone(one.first),
                   dayOrNone(one.last),
                   exactShare(row.billed),
                   dayOrNone(row.billedFirst),
                   dayOrNone(row.billedLast)});
    }
    for (const CoverageRow &row : answer.coverage) {
        const CommitmentCoverage &one = row.coverage;
        table.add({"coverage",
                   row.source,
                   one.cloud,
                   one.account,
                   "",
                   "",
                   std::string(commitmentKindName(one.by)),
                   "",
                   one.machine,
                   one.region,
                   "",
                   std::string(one.currency.code()),
                   "",
                   "",
                   "",
                   "",
                   "",
                   exactShare(one.covered),
                   exactAmount(row.onDemand),
                   insight::dayText(one.first),
                   insight::dayText(one.last),
                   "",
                   "",
                   ""});
    }
    return table.toCsv();
}

std::string cloudCommitmentsText(const CommitmentsAnswer &answer, bool bold)
{
    return commitmentTable(answer, bold) + (answer.coverage.empty() ? "" : '\n' + coverageTable(answer, bold));
}

bool isUnread(const CommitmentReading &reading)
{
    return !reading.readAt || reading.failedAt;
}

std::string unreadCommitmentsText(const CommitmentReading &reading, const base::TimeZone &zone)
{
    const std::string name = "the commitments of " + sourceName(reading);
    if (!reading.failedAt)
        return name + " have not been read yet (see: gpuledger-cli sync)";
    return name + " could not be read at " + ui::timeText(*reading.failedAt, zone)
        + (reading.failure.empty() ? "" : ": " + base::printable(reading.failure, kLongestReason))
        + (reading.readAt ? "; those of " + ui::timeText(*reading.readAt, zone) + " are shown"
                          : std::string("; none of them are shown"));
}

std::vector<std::string> commitmentNotes(const CommitmentsAnswer &answer, const base::TimeZone &zone)
{
    std::vector<std::string> notes;
    bool anyRead = false;
    for (const CommitmentReading &reading : answer.readings) {
        anyRead = anyRead || reading.readAt;
        if (!isUnread(reading))
            notes.push_back(sourceName(reading) + ": read at " + ui::timeText(*reading.readAt, zone));
        for (const std::string &one : reading.withheld)
            notes.push_back(sourceName(reading) + ": " + base::printable(one, kLongestReason));
    }
    if (answer.rows.empty() && anyRead)
        notes.push_back("no commitment for GPU machines was found");
    if (answer.withoutGpus > 0)
        notes.push_back(leftOutText(answer.withoutGpus, "for machines without GPUs only"));
    if (answer.rejected > 0)
        notes.push_back(leftOutText(answer.rejected, "not readable"));
    return notes;
}

} // namespace gpuledger::cli

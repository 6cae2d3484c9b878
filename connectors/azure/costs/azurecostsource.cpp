// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/azurecostsource.h"

#include "app/base/crypto/sha256.h"
#include "connectors/azure/costs/costanswer.h"
#include "connectors/azure/costs/costcombination.h"
#include "connectors/azure/costs/costlines.h"
#include "connectors/format/askedbill.h"

#include <algorithm>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kMonthName = "azure costs ";
constexpr base::Seconds kShortEnough = 7 * base::kDay; // not asked again in halves: questions are few

std::string deliveryOf(const base::TimeRange &month)
{
    constexpr std::size_t kYearAndMonth = 7;
    return "azure-costs-" + dateText(month.start).substr(0, kYearAndMonth);
}

// Identifies the bill, in place of a hash of a file's bytes. A bill that changes and changes back is a new one.
std::string contentOf(const KeptMonth &month)
{
    KeptMonth content;
    content.range = month.range;
    content.identity = month.identity;
    content.restated = month.restated;
    content.rows = month.rows;
    return base::sha256Hex("azure costs 1 " + content.toText());
}

} // namespace

AzureCostSource::AzureCostSource(const model::SourceSettings &settings, CostSettings costs, ports::SecretStore &secrets,
                                 const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning,
                                 std::unique_ptr<AzureBudgets> budgets, std::unique_ptr<AzureCommitments> commitments)
    : m_name(settings.name)
    , m_costs(std::move(costs))
    , m_firstSync(settings.firstSync)
    , m_clock(clock)
    , m_api(settings, m_costs, secrets, std::move(client), tuning)
    , m_budgets(std::move(budgets))
    , m_commitments(std::move(commitments))
{
}

std::vector<base::TimeRange> AzureCostSource::months() const
{
    return format::monthsToAsk(m_clock.now(), m_firstSync, kMostMonths);
}

Result<std::vector<ports::BillDelivery>> AzureCostSource::deliveries(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    std::vector<ports::BillDelivery> out;
    for (const base::TimeRange &month : months())
        out.push_back({{deliveryOf(month)}});
    return out;
}

Result<KeptMonth> AzureCostSource::kept(const base::TimeRange &month, ports::BillSink &sink) const
{
    const auto text = sink.kept(kMonthName + dateText(month.start));
    GPULEDGER_TRY(text);
    if (!text->empty()) {
        auto known = KeptMonth::fromText(*text, month);
        if (known && known->identity == m_costs.identity())
            return std::move(*known);
    }
    KeptMonth fresh;
    fresh.range = month;
    fresh.identity = m_costs.identity();
    return fresh;
}

Result<CostCells> AzureCostSource::ask(const CostQuestion &question, const std::stop_token &stop)
{
    CostAnswer answer(question, m_costs);
    const std::string body = questionBody(question, m_costs);
    std::set<std::string> asked;
    std::string url = questionUrl(m_costs);
    while (!url.empty()) {
        if (!asked.insert(url).second)
            return base::fail(ErrorCode::Parse, "Cost Management's answer can't be read: its pages go in a circle");
        if (asked.size() > static_cast<std::size_t>(kMostPages))
            return base::fail(ErrorCode::TooMuch, "one answer of Cost Management has more than 500 pages",
                              "set scope of " + m_name + " to a single subscription");
        const auto response = m_api.post(url, body, stop);
        GPULEDGER_TRY(response);
        if (response->status == 204) // there is no data
            break;
        auto next = answer.add(response->body);
        GPULEDGER_TRY(next);
        url = std::move(*next);
    }
    return answer.cells();
}

Result<CostCells> AzureCostSource::whole(const CostQuestion &question, const CostCells &total,
                                         const std::stop_token &stop)
{
    auto cells = ask(question, stop);
    GPULEDGER_TRY(cells);
    const auto missing = missingDays(total, *cells);
    const bool isMissing =
        std::any_of(missing.begin(), missing.end(), [&](base::Day day) { return question.days.contains(day.start()); });
    if (!isMissing || question.days.length() <= kShortEnough)
        return cells;
    const base::UtcTime middle =
        base::floorTo(question.days.start + question.days.length() / 2, base::kDay); // after the first day
    CostQuestion first = question, second = question;
    first.days.end = second.days.start = middle;
    cells = whole(first, total, stop);
    GPULEDGER_TRY(cells);
    auto others = whole(second, total, stop);
    GPULEDGER_TRY(others);
    cells->merge(*others);
    return cells;
}

Result<CostAnswers> AzureCostSource::view(bool isEffective, const base::TimeRange &days, const std::stop_token &stop)
{
    using Groups = CostQuestion::Groups;
    CostAnswers out;
    auto total = ask({isEffective, Groups::None, days}, stop);
    GPULEDGER_TRY(total);
    out.total = std::move(*total);
    if (out.total.empty())
        return out;
    auto services = whole({isEffective, Groups::Services, days}, out.total, stop);
    GPULEDGER_TRY(services);
    out.services = std::move(*services);
    CostCells ofMachines;
    for (const auto &[cell, amount] : out.services) {
        if (cell.first == kMachineService && cell.second == kUsageCharge)
            ofMachines.emplace(cell, amount);
    }
    if (ofMachines.empty())
        return out;
    auto machines = whole({isEffective, Groups::Machines, days}, ofMachines, stop);
    GPULEDGER_TRY(machines);
    out.machines = std::move(*machines);
    return out;
}

Result<void> AzureCostSource::refresh(KeptMonth &month, ports::BillSink &sink, const std::stop_token &stop)
{
    const base::TimeRange days = month.due(m_clock.now(), m_costs.refresh);
    if (days.empty())
        return {};
    const auto billed = view(false, days, stop);
    GPULEDGER_TRY(billed);
    const auto effective = view(true, days, stop);
    GPULEDGER_TRY(effective);
    CostCells tags;
    if (!m_costs.tag.empty() && m_costs.machineGroups() == MachineGroups::Resource && !effective->machines.empty()) {
        auto some = whole({true, CostQuestion::Groups::Tags, days}, effective->machines, stop);
        GPULEDGER_TRY(some);
        tags = std::move(*some);
    }
    auto rows = combine(*billed, *effective, tags, m_costs);
    GPULEDGER_TRY(rows);
    month.put(std::move(*rows), days.end, m_clock.now());
    return sink.keep(kMonthName + dateText(month.range.start), month.toText());
}

Result<ports::ImportReport> AzureCostSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                    std::stop_token stop)
{
    const auto all = months();
    const auto at = std::find_if(all.begin(), all.end(), [&](const base::TimeRange &month) {
        return delivery.files.size() == 1 && delivery.files.front() == deliveryOf(month);
    });
    if (at == all.end())
        return base::fail(ErrorCode::NotFound, "Cost Management has no such month");
    auto month = kept(*at, sink);
    GPULEDGER_TRY(month);
    GPULEDGER_TRY(refresh(*month, sink, stop));
    ports::ImportReport report;
    report.source = m_name;
    report.files.push_back({deliveryOf(*at), contentOf(*month), 0});
    auto lines = linesOf(*month, m_costs);
    GPULEDGER_TRY(lines);
    const auto known = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(known);
    if (*known || (lines->empty() && !month->wasImported)) {
        report.outcome = ports::ImportReport::Outcome::Duplicate;
        return report;
    }
    const model::BillKey key{m_name, billingAccountOf(m_costs), month->range.start};
    GPULEDGER_TRY(format::tallyBill(*lines, key, "Microsoft", report));
    report.findings = findingsOf(*month, m_clock.now());
    if (!month->wasImported) {
        // Before the lines, because afterwards a full disk would leave them without it.
        month->wasImported = true;
        GPULEDGER_TRY(sink.keep(kMonthName + dateText(month->range.start), month->toText()));
    }
    GPULEDGER_TRY(format::storeBill(std::move(*lines), key, sink, stop, report));
    return report;
}

// The total of yesterday: the smallest question that shows whether the bill may be read.
Result<ports::ProbeReport> AzureCostSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    ports::ProbeReport report;
    report.product = "Azure Cost Management";
    const base::UtcTime today = base::floorTo(m_clock.now(), base::kDay);
    const auto total = ask({false, CostQuestion::Groups::None, {today - base::kDay, today}}, stop);
    const bool isDenied = !total && total.error().code == ErrorCode::Forbidden;
    if (!total && !isDenied)
        return base::fail(total.error());
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    report.findings.push_back({isDenied ? Level::Problem : Level::Good,
                               isDenied ? FindingText::RightMissing : FindingText::RightGiven,
                               {std::string("Microsoft.CostManagement/query (Cost Management Reader)")},
                               {},
                               {}});
    report.usable = !isDenied;
    if (m_budgets) {
        const auto budgets = m_budgets->probe(stop);
        GPULEDGER_TRY(budgets);
        report.findings.push_back(*budgets);
    }
    if (m_commitments) {
        const auto commitments = m_commitments->probe(std::move(stop));
        GPULEDGER_TRY(commitments);
        report.findings.insert(report.findings.end(), commitments->begin(), commitments->end());
    }
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeAzureCostSource(const model::SourceSettings &settings,
                                                               ports::SecretStore &secrets, const base::Clock &clock,
                                                               const base::Clock &realClock,
                                                               std::shared_ptr<http::HttpClient> client)
{
    auto costs = CostSettings::of(settings);
    GPULEDGER_TRY(costs);
    Tuning tuning;
    tuning.realClock = &realClock;
    auto budgets = std::make_unique<AzureBudgets>(settings, costs->scope, costs->manager, secrets, clock, client,
                                                  promptTuning(realClock));
    auto commitments =
        std::make_unique<AzureCommitments>(settings, costs->manager, secrets, clock, client, promptTuning(realClock));
    return std::make_unique<AzureCostSource>(settings, std::move(*costs), secrets, clock, std::move(client),
                                             std::move(tuning), std::move(budgets), std::move(commitments));
}

Result<std::unique_ptr<ports::BudgetSource>>
makeAzureBudgetSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                      const base::Clock &realClock, std::shared_ptr<http::HttpClient> client)
{
    const auto costs = CostSettings::of(settings);
    GPULEDGER_TRY(costs);
    return std::make_unique<AzureBudgets>(settings, costs->scope, costs->manager, secrets, clock, client,
                                          promptTuning(realClock));
}

} // namespace gpuledger::azure

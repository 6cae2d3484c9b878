// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/spend/plannedmachines.h"

#include "app/base/remedy.h"
#include "app/base/time/gputime.h"
#include "app/ledger/bills/nodeday.h"
#include "app/ledger/prices/gpufamily.h"
#include "app/services/engine/engine.h"
#include "app/services/prices/paidprices.h"
#include "app/services/spend/spenddays.h"
#include "app/store/values/billed.h"
#include "resources/resources.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gpuledger::services {

using base::Result;
using model::PlannedMachine;
using model::PurchaseOption;

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kNano = 1'000'000'000;
constexpr Wide kFits = std::int64_t{1} << 62;

// Machines of one type on the same terms.
struct TypeTerms {
    std::string cloud, type; // lower case
    bool isSpot = false;
    base::Currency currency;
    auto operator<=>(const TypeTerms &) const = default;
};
struct TypeSum {
    std::int64_t nanos = 0, ticks = 0; // what was paid, and for which time
    std::int64_t running = 0; // all time
};

// Sums over accounts, regions and commitments.
struct BilledTypes {
    base::TimeRange days; // with final usage of any account
    std::map<std::string, std::set<base::Day>> daysOf; // by cloud
    std::map<TypeTerms, TypeSum> sums;
};

// `nanos` empty: what it cost is on other lines, or not asked.
Result<void> addSum(BilledTypes &all, const BilledCommitments::TypeKey &key, bool isSpot,
                    std::optional<std::int64_t> nanos, std::int64_t ticks)
{
    if (ticks <= 0)
        return {};
    TypeSum &sum = all.sums[{key.cloud, key.instanceType, isSpot, key.currency}];
    GPULEDGER_TRY(store::addAmount(sum.running, ticks));
    if (!nanos)
        return {};
    GPULEDGER_TRY(store::addAmount(sum.nanos, *nanos));
    return store::addAmount(sum.ticks, ticks);
}

Result<BilledTypes> billedTypes(const BilledCommitments &bills, model::CostView view)
{
    BilledTypes all;
    const bool isBilled = view == model::CostView::Billed;
    const auto paid = [&](std::int64_t nanos) {
        return view == model::CostView::List ? std::nullopt : std::optional(nanos);
    };
    for (const auto &[account, days] : bills.days()) {
        for (const base::Day day : days) {
            all.daysOf[account.first].insert(day);
            const bool isFirst = all.days.empty();
            all.days.start = isFirst ? day.start() : std::min(all.days.start, day.start());
            all.days.end = isFirst ? day.end() : std::max(all.days.end, day.end());
        }
    }
    for (const auto &[key, type] : bills.types()) {
        GPULEDGER_TRY(addSum(all, key, false, paid(isBilled ? type.billed : type.effective), type.ticks));
        for (const auto &[id, covered] : type.covered) // their fees are on other lines of the invoice
            GPULEDGER_TRY(addSum(all, key, false, isBilled ? std::nullopt : paid(covered.cost), covered.ticks));
    }
    for (const auto &[key, days] : bills.spot()) {
        for (const auto &[day, spot] : days)
            GPULEDGER_TRY(addSum(all, key, true, paid(spot.cost), spot.ticks));
    }
    return all;
}

// base::Decimal as a count of 1e-9; empty: it does not fit.
std::optional<std::int64_t> nanosOf(const base::Decimal &number)
{
    const auto scaled = number.toMoney(base::Currency::usd());
    return scaled ? std::optional(scaled->nanos()) : std::nullopt;
}

std::optional<base::Money> perHourOf(const TypeSum &sum, base::Currency currency)
{
    if (sum.ticks <= 0)
        return std::nullopt;
    const Wide rate = static_cast<Wide>(sum.nanos) * 3600 * base::GpuTime::kTicksPerSecond / sum.ticks;
    return rate > 0 && rate < kFits ? std::optional(base::Money(static_cast<std::int64_t>(rate), currency))
                                    : std::nullopt;
}

std::optional<base::Money> atPrice(const base::Money &perHour, const std::optional<base::Decimal> &hours)
{
    const auto count = hours ? nanosOf(*hours) : std::nullopt;
    if (!count)
        return std::nullopt;
    const Wide amount = (static_cast<Wide>(perHour.nanos()) * *count + kNano / 2) / kNano;
    return amount < kFits ? std::optional(base::Money(static_cast<std::int64_t>(amount), perHour.currency()))
                          : std::nullopt;
}

void compare(PlannedRow &row, base::Currency currency, const BilledTypes &billed)
{
    const PlannedMachine &machine = row.machine;
    const auto days = billed.daysOf.find(machine.cloud);
    if (days == billed.daysOf.end())
        return;
    const bool isSpot = machine.purchase == PurchaseOption::Spot;
    const std::string type = ledger::lowerCase(machine.machine);
    std::int64_t running = 0;
    for (const auto &[key, sum] : billed.sums) {
        if (key.cloud != machine.cloud || key.type != type || key.isSpot != isSpot)
            continue;
        running += sum.running;
        if (key.currency == currency)
            row.paidPerHour = perHourOf(sum, currency);
    }
    if (running == 0 && machine.cloud == "gcp") // allowed: a cloud
        return; // its own export bills processors, memory and GPUs apart
    const std::int64_t whole =
        static_cast<std::int64_t>(days->second.size()) * base::kDay.count() * base::GpuTime::kTicksPerSecond;
    row.running = static_cast<double>(running) / static_cast<double>(whole);
    if (row.paidPerHour && machine.planned)
        row.atPaidPrice = atPrice(*row.paidPerHour, machine.planned->hours);
}

std::optional<std::int64_t> gpusBeside(const PlannedMachine &machine)
{
    const auto &use = machine.planned ? machine.planned : machine.before;
    const auto gpus = machine.gpuHours ? nanosOf(*machine.gpuHours) : std::nullopt;
    const auto hours = use && use->hours ? nanosOf(*use->hours) : std::nullopt;
    return gpus && hours && *hours > 0 && *gpus % *hours == 0 ? std::optional(*gpus / *hours) : std::nullopt;
}

// A machine of a type without GPUs, with GPUs beside it: the price of that type is not that of both.
bool hasGpusBeside(const PlannedRow &row, const ledger::PriceBook &prices)
{
    return !row.machine.gpuName.empty() && prices.machine(row.machine.machine) == nullptr
        && ledger::gpuTypeIn(row.machine.cloud, row.machine.machine).empty();
}

// False: it has no GPUs.
bool describeGpus(PlannedRow &row, const ledger::PriceBook &prices)
{
    const PlannedMachine &machine = row.machine;
    if (const auto *known = prices.machine(machine.machine)) {
        row.gpuModel = known->gpuModel;
        if (known->wholeGpus)
            row.gpus = known->devices;
        return true;
    }
    row.gpuModel = machine.gpuName;
    row.gpus = machine.gpuName.empty() ? std::nullopt : gpusBeside(machine);
    return !machine.gpuName.empty() || !ledger::gpuTypeIn(machine.cloud, machine.machine).empty();
}

void addAmount(std::optional<base::Money> &sum, const std::optional<base::Money> &amount)
{
    const auto more = sum && amount ? sum->plus(*amount) : Result<base::Money>(base::Money());
    sum = sum && amount && more ? std::optional(*more) : std::nullopt;
}

void addToSums(const PlannedRow &row, PlannedPlan &plan)
{
    if (row.machine.planned) {
        addAmount(plan.planned, row.machine.planned->cost);
        addAmount(plan.atPaidPrice, row.atPaidPrice);
    }
    if (row.machine.before)
        addAmount(plan.before, row.machine.before->cost);
}

void addPlan(const std::string &source, model::Plan plan, const ledger::PriceBook &prices, const BilledTypes &billed,
             PlannedAnswer &answer)
{
    const base::Money none(0, plan.currency);
    PlannedPlan told{source, plan.file, plan.made, plan.currency, plan.tellsBefore, 0, none, none, none};
    for (PlannedMachine &machine : plan.machines) {
        PlannedRow row;
        row.plan = answer.plans.size();
        row.machine = std::move(machine);
        if (!describeGpus(row, prices)) {
            ++told.withoutGpus;
            continue;
        }
        if (!hasGpusBeside(row, prices))
            compare(row, plan.currency, billed);
        addToSums(row, told);
        answer.rows.push_back(std::move(row));
    }
    if (!told.tellsBefore)
        told.before.reset();
    answer.plans.push_back(std::move(told));
}

using PlansOfSources = std::vector<std::pair<std::string, std::vector<model::Plan>>>;

Result<PlansOfSources> readPlans(Engine &engine, const std::stop_token &stop)
{
    PlansOfSources all;
    if (engine.reportMonth()) // its sources are those of another computer
        return base::fail(base::ErrorCode::NotFound, "a report has no plans", base::Remedy::UseReportOrigin);
    for (const model::SourceSettings &source : engine.setup().settings.sources) {
        if (!source.mayRead || !engine.kindOf(source).tellsPlans())
            continue;
        const auto reader = engine.catalog().createPlans(source, engine.secrets(), engine.clock());
        GPULEDGER_TRY(reader);
        auto plans = (*reader)->read(stop);
        if (!plans)
            return base::fail(std::move(plans).error().withSource(source.name));
        all.emplace_back(source.name, std::move(*plans));
    }
    if (all.empty())
        return base::fail(base::ErrorCode::NotFound, "no source tells plans", base::Remedy::AddPlans);
    return all;
}

Result<BilledTypes> readBilled(Engine &engine, const ledger::PriceBook &prices, model::CostView view,
                               const std::stop_token &stop)
{
    return ofOneState(engine.cache(), [&]() -> Result<BilledTypes> {
        const auto facts = engine.cache().facts();
        GPULEDGER_TRY(facts);
        const auto days = paidDays(engine, std::nullopt, **facts);
        GPULEDGER_TRY(days);
        if (days->empty())
            return BilledTypes();
        const std::vector<ledger::NodeDay> noNodes; // which node a line is for does not matter here
        BilledCommitments bills(prices, noNodes);
        GPULEDGER_TRY(bills.read(base::dayOf(days->start), base::dayOf(days->end - base::Seconds{1}), **facts, stop));
        return billedTypes(bills, view);
    });
}

} // namespace

Result<PlannedAnswer> plannedMachines(Engine &engine, model::CostView view, const std::stop_token &stop)
{
    auto plans = readPlans(engine, stop);
    GPULEDGER_TRY(plans);
    const model::Settings &settings = engine.setup().settings;
    const auto lists = priceLists();
    GPULEDGER_TRY(lists);
    const auto prices = ledger::PriceBook::create(settings.prices, settings.currency,
                                                  resources::find("prices/instances.csv").value_or(""), lists->catalog);
    GPULEDGER_TRY(prices);
    const auto billed = readBilled(engine, *prices, view, stop);
    GPULEDGER_TRY(billed);
    PlannedAnswer answer;
    answer.billed = billed->days;
    for (auto &[source, all] : *plans) {
        for (model::Plan &plan : all)
            addPlan(source, std::move(plan), *prices, *billed, answer);
    }
    std::stable_sort(answer.rows.begin(), answer.rows.end(), [](const PlannedRow &a, const PlannedRow &b) {
        return std::tie(a.plan, a.machine.project, a.machine.resource)
            < std::tie(b.plan, b.machine.project, b.machine.resource);
    });
    return answer;
}

} // namespace gpuledger::services

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/rates/expectedrates.h"

#include "app/model/fleet/listedmachine.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::ledger {

using base::Day;
using base::Result;

namespace {

// Labels, as kube-state-metrics writes them, by which clouds and provisioners mark nodes that may be taken back.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSpotLabels{{
    {model::kPurchaseLabel, model::kSpotPurchase},
    {"eks_amazonaws_com_capacityType", "SPOT"},
    {"karpenter_sh_capacity_type", "spot"},
    {"cloud_google_com_gke_spot", "true"},
    {"cloud_google_com_gke_preemptible", "true"},
    {"kubernetes_azure_com_scalesetpriority", "spot"},
}};

std::string dateOf(Day day)
{
    return base::toRfc3339(day.start()).substr(0, 10);
}

} // namespace

bool isSpotNode(const model::Node &node)
{
    return std::any_of(kSpotLabels.begin(), kSpotLabels.end(), [&](const auto &label) {
        const auto found = node.labels.find(std::string(label.first));
        return found != node.labels.end() && lowerCase(found->second) == lowerCase(label.second);
    });
}

ExpectedRates::ExpectedRates(const LedgerRules &rules, const std::vector<NodeDay> &machines)
    : m_rules(rules)
    , m_machines(machines)
    , m_match(machines)
{
}

const BillItem &ExpectedRates::itemOf(const store::BilledItem &billed)
{
    const auto [it, isNew] = m_items.try_emplace(billed.id);
    if (isNew)
        it->second = describe(*billed.line, m_rules.prices);
    return it->second;
}

// A machine may have several lines on a day: its instance, and its processors and GPUs apart. All timed lines of one
// resource are its cost; its GPU time is that of the lines that name GPUs.
Result<const ExpectedRates::BilledDay *> ExpectedRates::billedOn(Day day, store::FactReader &facts)
{
    if (const auto known = m_days.find(day); known != m_days.end())
        return &known->second;
    BilledDay &out = m_days[day];
    struct Resource {
        Sum sum;
        std::optional<TypeKey> type;
        std::optional<std::size_t> machine;
    };
    std::map<std::string, Resource> resources;
    GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &billed) -> Result<void> {
        const BillItem &item = itemOf(billed);
        if (!item.timed || billed.whole || billed.effective <= 0)
            return {};
        const model::BillLine &line = *billed.line;
        Resource &resource = resources[item.resource.empty() ? "type " + item.instanceType : item.resource];
        const auto cost =
            m_rules.prices.converted(base::Money(billed.effective, line.effective.currency()), day.start());
        resource.sum.known = resource.sum.known && cost.has_value();
        GPULEDGER_TRY(store::addAmount(resource.sum.cost, cost ? cost->nanos() : 0));
        if (const auto found = m_match.byId(item); found.nodes.size() == 1 && !found.conflict)
            resource.machine = found.nodes.front();
        if (!item.isGpuMachine())
            return {};
        const auto ticks = gpuTicksOf(billed, item);
        resource.sum.known = resource.sum.known && ticks.has_value();
        GPULEDGER_TRY(store::addAmount(resource.sum.ticks, ticks.value_or(0)));
        out.clouds[item.cloud] = true;
        if (item.machine)
            resource.type = TypeKey{item.cloud, lowerCase(item.machine->instanceType), item.region,
                                    line.pricing == model::PricingCategory::Dynamic};
        return {};
    }));
    for (const auto &[id, resource] : resources) {
        if (!resource.sum.known || resource.sum.ticks <= 0)
            continue;
        const auto add = [&](Sum &to) -> Result<void> {
            GPULEDGER_TRY(store::addAmount(to.cost, resource.sum.cost));
            return store::addAmount(to.ticks, resource.sum.ticks);
        };
        if (resource.machine)
            GPULEDGER_TRY(add(out.machines[*resource.machine]));
        if (resource.type)
            GPULEDGER_TRY(add(out.types[*resource.type]));
    }
    return &out;
}

// Newest first. The newest days are left out if there are older ones, because lines of theirs may still be missing.
Result<std::vector<const ExpectedRates::BilledDay *>>
ExpectedRates::finalDays(const std::string &cloud, Day day, store::FactReader &facts, std::vector<Day> &dates)
{
    std::vector<const BilledDay *> days;
    dates.clear();
    for (Day before{day.number - 1}; before.number >= day.number - kExpectedLookbackDays; --before.number) {
        const auto billed = billedOn(before, facts);
        GPULEDGER_TRY(billed);
        if ((*billed)->clouds.contains(cloud)) {
            days.push_back(*billed);
            dates.push_back(before);
        }
    }
    const auto open = std::min<std::ptrdiff_t>(kOpenBillDays, std::max<std::ptrdiff_t>(std::ssize(days) - 1, 0));
    days.erase(days.begin(), days.begin() + open);
    dates.erase(dates.begin(), dates.begin() + open);
    return days;
}

Result<std::optional<ExpectedRates::Rate>> ExpectedRates::of(std::size_t machine, Day day, store::FactReader &facts)
{
    const model::Node *node = m_machines[machine].node;
    if (!node || node->cloud.empty())
        return std::nullopt;
    std::vector<Day> dates;
    const auto days = finalDays(node->cloud, day, facts, dates);
    GPULEDGER_TRY(days);
    const auto mean = [&](const auto &find) -> Result<std::optional<Rate>> {
        Rate rate;
        int counted = 0;
        for (std::size_t i = 0; i < days->size() && counted < kExpectedFromDays; ++i) {
            const Sum *sum = find(*(*days)[i]);
            if (!sum)
                continue;
            GPULEDGER_TRY(store::addAmount(rate.cost, sum->cost));
            GPULEDGER_TRY(store::addAmount(rate.ticks, sum->ticks));
            if (++counted == 1)
                rate.source = dateOf(dates[i]);
        }
        return counted > 0 ? std::optional(rate) : std::nullopt;
    };
    auto own = mean([&](const BilledDay &billed) {
        const auto it = billed.machines.find(machine);
        return it == billed.machines.end() ? nullptr : &it->second;
    });
    GPULEDGER_TRY(own);
    if (*own) {
        (*own)->source = "expected: as its bills until " + (*own)->source;
        return own;
    }
    const TypeKey type{node->cloud, lowerCase(node->instanceType), lowerCase(node->region), isSpotNode(*node)};
    auto like = mean([&](const BilledDay &billed) {
        const auto it = billed.types.find(type);
        return it == billed.types.end() ? nullptr : &it->second;
    });
    GPULEDGER_TRY(like);
    if (*like)
        (*like)->source = "expected: as bills of its instance type until " + (*like)->source;
    return like;
}

} // namespace gpuledger::ledger

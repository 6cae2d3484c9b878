// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/proof/idleproof.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/insight/proof/blockedproof.h"
#include "app/insight/proof/usagerows.h"

#include <algorithm>

namespace gpuledger::insight {

using base::Result;

namespace {

constexpr char kIdleFacts[] = "usage_day, holder, holder_span, placement, device, node";

// Reads only the facts, never the stored idle list.
class FactsOnly final : public store::AttributionReader {
public:
    explicit FactsOnly(store::AttributionReader &facts)
        : m_facts(facts)
    {
    }
    Result<void> walk(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                      const Visitor &visit) override
    {
        return m_facts.walk(first, last, devices, visit);
    }
    store::FactReader *facts() override { return m_facts.facts(); }

private:
    store::AttributionReader &m_facts;
};

FigureValue moneyOf(const std::optional<base::Money> &amount)
{
    return amount ? FigureValue::of(*amount) : FigureValue{};
}

FigureValue idleValueFrom(std::string_view measure, const IdleItem &item)
{
    return measure == "rate-per-hour" ? moneyOf(item.ratePerHour)
        : measure == "wasted"         ? moneyOf(item.wasted)
        : measure == "per-month"      ? moneyOf(item.perMonth)
                                      : FigureValue::of(item.idleHours, "h");
}

const IdleItem *find(const IdleList &list, const std::string &id)
{
    for (const auto *items : {&list.items, &list.partly}) {
        const auto it = std::find_if(items->begin(), items->end(), [&](const IdleItem &one) { return one.id == id; });
        if (it != items->end())
            return &*it;
    }
    return nullptr;
}

bool isOf(const IdleItem &item, const model::DeviceAttribution &device, const model::UsagePart &part)
{
    if (part.holder == model::kNobody || part.state != model::GpuState::Idle
        || idleIdOf((*device.holders)[static_cast<std::size_t>(part.holder)]) != item.id)
        return false;
    const std::string name = part.slice < 0
        ? device.device->uuid
        : device.device->uuid + ':' + device.device->slices[static_cast<std::size_t>(part.slice)].gpuInstance;
    return std::find(item.devices.begin(), item.devices.end(), name) != item.devices.end();
}

// Their idle time since the last activity of each, day by day, as the list is built.
Result<void> addRows(store::AttributionReader &facts, const std::vector<const IdleItem *> &items, base::UtcTime at,
                     UsageRows &rows, const std::stop_token &stop)
{
    if (items.empty())
        return {};
    const IdleItem *oldest =
        *std::min_element(items.begin(), items.end(), [](const auto *a, const auto *b) { return a->since < b->since; });
    const base::Day last = base::dayOf(at - base::Seconds{1});
    for (base::Day day = base::dayOf(oldest->since); day <= last; ++day.number) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        GPULEDGER_TRY(facts.walk(day, day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
            for (const model::UsagePart &part : device.parts) {
                const base::UtcTime end = device.day.start() + (part.bucket + 1) * base::kBucket;
                if (end <= at && std::any_of(items.begin(), items.end(), [&](const IdleItem *item) {
                        return end > item->since && isOf(*item, device, part);
                    }))
                    rows.add(device, part);
            }
            return {};
        }));
    }
    return {};
}

} // namespace

Result<Proof> idleProof(store::AttributionReader &facts, const Figure &figure, const model::IdleSettings &configured,
                        base::Currency currency)
{
    if (figure.item.starts_with(kBlockedItem))
        return blockedProof(facts, figure, currency);
    // The rule is an input of both sides; facts alone don't have the stored gaps.
    const auto rule = idleRuleAt(facts, base::floorTo(figure.at, base::kBucket), configured);
    GPULEDGER_TRY(rule);
    const model::IdleSettings &settings = rule->settings;
    const auto shown = idleAt(facts, figure.at, {}, settings, currency);
    GPULEDGER_TRY(shown);
    FactsOnly only(facts);
    const auto anew = idleAt(only, figure.at, {}, settings, currency);
    GPULEDGER_TRY(anew);
    const IdleItem *there = find(*shown, figure.item), *here = find(*anew, figure.item);
    if (!there && !here)
        return base::fail(base::ErrorCode::NotFound,
                          "no workload with the id \"" + base::printable(figure.item, 128) + "\" is idle at "
                              + base::toRfc3339(figure.at),
                          "see the list at that time with: gpuledger-cli idle --at " + base::toRfc3339(figure.at));
    Proof proof;
    proof.figure = figure;
    proof.shownFrom = "idle_day, idle_candidate, usage_day";
    proof.recomputedFrom = kIdleFacts;
    const auto value = [&](std::string_view measure, const IdleItem *item) {
        return item ? idleValueFrom(measure, *item) : FigureValue{};
    };
    proof.shown = value(figure.measure, there);
    proof.recomputed = value(figure.measure, here);
    proof.agrees = there && here && there->since == here->since && there->devices == here->devices;
    for (const char *measure : {"rate-per-hour", "idle-hours", "wasted", "per-month"}) {
        proof.inputs.push_back({measure, value(measure, there), value(measure, here)});
        proof.agrees = proof.agrees && proof.inputs.back().shown == proof.inputs.back().recomputed;
    }
    UsageRows rows(store::Measure::ActivityTicks, store::Measure::ActiveTicks, currency);
    if (here)
        GPULEDGER_TRY(addRows(facts, {here}, base::floorTo(figure.at, base::kBucket), rows, {}));
    rows.moveTo(proof);
    return proof;
}

Result<Proof> actionProof(store::AttributionReader &facts, const Figure &figure, const LoggedStop &stop,
                          const model::IdleSettings &configured, base::Currency currency, const std::stop_token &cancel)
{
    const auto rule = idleRuleAt(facts, base::floorTo(stop.listedAt, base::kBucket), configured);
    GPULEDGER_TRY(rule);
    FactsOnly only(facts);
    const auto list = idleAt(only, stop.listedAt, {}, rule->settings, currency);
    GPULEDGER_TRY(list);
    Proof proof;
    proof.figure = figure;
    proof.shownFrom = "action";
    proof.recomputedFrom = kIdleFacts;
    UsageRows rows(store::Measure::ActivityTicks, store::Measure::ActiveTicks, currency);
    std::int64_t sum = 0;
    bool isKnown = true;
    std::vector<const IdleItem *> items;
    for (const LoggedStop::Item &logged : stop.items) {
        if (!figure.item.empty() && logged.id != figure.item)
            continue;
        const IdleItem *item = find(*list, logged.id);
        const std::optional<base::Money> anew = item ? item->perMonth : std::nullopt;
        proof.inputs.push_back({logged.id, moneyOf(logged.perMonth), moneyOf(anew)});
        isKnown = isKnown && anew && !__builtin_add_overflow(sum, anew->nanos(), &sum);
        if (item)
            items.push_back(item);
    }
    if (proof.inputs.empty())
        return base::fail(base::ErrorCode::NotFound,
                          "the action did not stop a workload with the id \"" + base::printable(figure.item, 128) + '"',
                          base::Remedy::SeeActions);
    GPULEDGER_TRY(addRows(facts, items, base::floorTo(stop.listedAt, base::kBucket), rows, cancel));
    proof.shown = figure.item.empty() ? moneyOf(stop.perMonth) : proof.inputs.front().shown;
    proof.recomputed = isKnown ? FigureValue::of(base::Money(sum, currency)) : FigureValue{};
    proof.agrees = proof.shown == proof.recomputed
        && std::all_of(proof.inputs.begin(), proof.inputs.end(),
                       [](const ProofInput &input) { return input.shown == input.recomputed; });
    rows.moveTo(proof);
    return proof;
}

} // namespace gpuledger::insight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/proof/changeproof.h"

#include "app/insight/overview/overview.h"
#include "app/insight/proof/usagerows.h"
#include "app/insight/spend/rategroups.h"
#include "app/store/facts/measures.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace gpuledger::insight {

using base::Result;
using store::Measure;

namespace {

constexpr std::int32_t kChangeDaysAtOnce = 8; // of facts, so that memory stays bounded

struct BothPeriods {
    RateSums before, after;
    CostChange change() const { return explainChange(costGroups(before, after)); }
};

// From the roll-up if it can answer.
Result<RateSums> rateSumsShown(store::CubeReader &cube, store::AttributionReader &facts, const Query &query)
{
    std::vector<CellKey> keys;
    std::vector<MeasureSums> sums;
    GPULEDGER_TRY(visitCells(cube, facts, query, rateDimensions(), allMeasures(), keys,
                             [&](std::size_t key, base::Day, int, Measure measure, std::int64_t amount) {
                                 if (key >= sums.size())
                                     sums.resize(key + 1);
                                 sums[key][measure] += amount;
                             }));
    RateSums out;
    for (std::size_t i = 0; i < sums.size(); ++i)
        out[keys[i]] += sums[i];
    return out;
}

Result<RateSums> rateSumsFromFacts(store::AttributionReader &facts, const Filter &filter, base::TimeRange range,
                                   UsageRows &rows, const std::stop_token &stop)
{
    RateSums sums;
    if (range.empty())
        return sums;
    const auto labels = LabelLookup::read(facts, filter, {});
    GPULEDGER_TRY(labels);
    const auto visit = [&](const model::DeviceAttribution &device) -> Result<void> {
        MeasureSums *group = nullptr; // the rate's dimensions are the same for all time of a device and day
        for (const model::UsagePart &part : device.parts) {
            const int cell = part.bucket / base::kBucketsPerCell;
            if (!range.contains(device.day.start() + cell * base::kCell)
                || !matches(filter, device, part.holder, *labels))
                continue;
            if (!group) {
                CellKey key;
                for (const Dimension &dimension : rateDimensions())
                    key.push_back(valueOf(device, part.holder, dimension, *labels));
                group = &sums[key];
            }
            store::forEachMeasure(device, part, [&](Measure m, std::int64_t amount) { (*group)[m] += amount; });
            if (part.ticks != 0)
                rows.add(device, part);
        }
        return {};
    };
    const base::Day last = base::dayOf(range.end - base::Seconds{1});
    for (base::Day day = base::dayOf(range.start); day <= last; day.number += kChangeDaysAtOnce) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        GPULEDGER_TRY(facts.walk(day, std::min(last, base::Day{day.number + kChangeDaysAtOnce - 1}), {}, visit));
    }
    return sums;
}

std::string nameOf(const CellKey &key)
{
    std::string name;
    for (const std::string &value : key) {
        if (!value.empty())
            name += (name.empty() ? "" : ", ") + value;
    }
    return name;
}

const MeasureSums &sumsOf(const RateSums &sums, const CellKey &key)
{
    static const MeasureSums kNone;
    const auto it = sums.find(key);
    return it == sums.end() ? kNone : it->second;
}

void addChangeInputs(Proof &proof, const BothPeriods &shown, const BothPeriods &anew, base::Currency currency)
{
    const auto add = [&](const std::string &name, const MeasureSums &ofShown, const MeasureSums &ofAnew) {
        const auto cost = [&](const MeasureSums &sums) {
            return FigureValue::of(base::Money(sums.cost().total(), currency));
        };
        const auto paid = [](const MeasureSums &sums) { return FigureValue::of(base::GpuTime{pricedTicks(sums)}); };
        const auto active = [](const MeasureSums &sums) { return FigureValue::of(sums.time().active); };
        proof.inputs.push_back({name + ": cost", cost(ofShown), cost(ofAnew)});
        proof.inputs.push_back({name + ": paid, with a price", paid(ofShown), paid(ofAnew)});
        proof.inputs.push_back({name + ": active", active(ofShown), active(ofAnew)});
    };
    std::set<CellKey> keys;
    for (const RateSums *sums : {&shown.before, &shown.after, &anew.before, &anew.after}) {
        for (const auto &entry : *sums)
            keys.insert(entry.first);
    }
    for (const CellKey &key : keys) {
        add(nameOf(key) + ", before", sumsOf(shown.before, key), sumsOf(anew.before, key));
        add(nameOf(key) + ", after", sumsOf(shown.after, key), sumsOf(anew.after, key));
    }
}

} // namespace

std::int64_t partOf(const CostChange &change, std::string_view measure)
{
    return measure == "price"     ? change.price
        : measure == "hours"      ? change.hours
        : measure == "mix"        ? change.mix
        : measure == "efficiency" ? change.efficiency
                                  : change.after - change.before;
}

std::int64_t partOf(const SpendChange &change, const Spend &before, const Spend &after, std::string_view measure)
{
    return measure == "other"     ? change.other
        : measure == "difference" ? after.total().nanos() - before.total().nanos()
                                  : partOf(change.gpu, measure);
}

std::vector<ProofInput> inputsOf(const std::pair<Spend, Spend> &shown, const std::pair<Spend, Spend> &recomputed)
{
    std::vector<ProofInput> out;
    std::set<std::string> models;
    for (const auto *both : {&shown, &recomputed}) {
        for (const Spend *one : {&both->first, &both->second}) {
            for (const auto &[model, group] : one->groups) {
                if (group.ticks != 0 || group.cost != 0)
                    models.insert(model);
            }
        }
    }
    const auto add = [&](const std::string &when, const Spend &ofShown, const Spend &ofAnew) {
        for (const std::string &model : models) {
            const auto group = [&](const Spend &spend) {
                const auto it = spend.groups.find(model);
                return it == spend.groups.end() ? Spend::Group() : it->second;
            };
            const Spend::Group a = group(ofShown), b = group(ofAnew);
            const std::string name = (model.empty() ? "GPU time" : model) + ", " + when;
            out.push_back({name + ": cost", FigureValue::of(base::Money(a.cost, ofShown.currency)),
                           FigureValue::of(base::Money(b.cost, ofAnew.currency))});
            out.push_back({name + ": GPU-hours", FigureValue::of(base::GpuTime{a.ticks}),
                           FigureValue::of(base::GpuTime{b.ticks})});
            out.push_back({name + ": active", FigureValue::of(base::GpuTime{a.active}),
                           FigureValue::of(base::GpuTime{b.active})});
        }
        out.push_back({"other, " + when, FigureValue::of(base::Money(ofShown.other, ofShown.currency)),
                       FigureValue::of(base::Money(ofAnew.other, ofAnew.currency))});
    };
    add("before", shown.first, recomputed.first);
    add("after", shown.second, recomputed.second);
    return out;
}

Result<Proof> changeProof(store::CubeReader &cube, store::AttributionReader &facts, const Figure &figure,
                          base::Currency currency, const std::stop_token &stop)
{
    if (figure.range.empty() || figure.before.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "a comparison needs two periods that are not empty");
    Proof proof;
    proof.figure = figure;
    const base::TimeRange before = wholeCells(figure.before), after = wholeCells(figure.range);
    const auto page = overview(cube, facts, {{after, figure.filter}, before, base::TimeZone()}, currency);
    GPULEDGER_TRY(page);
    auto shownBefore = rateSumsShown(cube, facts, {before, figure.filter});
    GPULEDGER_TRY(shownBefore);
    auto shownAfter = rateSumsShown(cube, facts, {after, figure.filter});
    GPULEDGER_TRY(shownAfter);
    UsageRows rows(Measure::ActivityTicks, Measure::ActiveTicks, currency);
    auto anewBefore = rateSumsFromFacts(facts, figure.filter, before, rows, stop);
    GPULEDGER_TRY(anewBefore);
    auto anewAfter = rateSumsFromFacts(facts, figure.filter, after, rows, stop);
    GPULEDGER_TRY(anewAfter);
    const BothPeriods shown{std::move(*shownBefore), std::move(*shownAfter)};
    const BothPeriods anew{std::move(*anewBefore), std::move(*anewAfter)};
    if (page->change)
        proof.shown = FigureValue::of(base::Money(partOf(*page->change, figure.measure), currency));
    proof.recomputed = FigureValue::of(base::Money(partOf(anew.change(), figure.measure), currency));
    addChangeInputs(proof, shown, anew, currency);
    rows.moveTo(proof);
    proof.agrees = proof.shown == proof.recomputed
        && std::all_of(proof.inputs.begin(), proof.inputs.end(),
                       [](const ProofInput &input) { return input.shown == input.recomputed; });
    proof.shownFrom =
        answeredByRollup(figure.filter, rateDimensions()) ? "rollup, rollup_group" : "usage_day, holder, placement";
    proof.recomputedFrom = "usage_day, holder, holder_span, placement, device, node";
    return proof;
}

} // namespace gpuledger::insight

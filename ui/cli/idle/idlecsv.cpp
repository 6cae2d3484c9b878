// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/idlecsv.h"

#include "ui/cli/idle/blockedprint.h"
#include "ui/cli/idle/idleprint.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/phrase.h"
#include "ui/format/texttable.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace gpuledger::cli {

using insight::BlockedItem;
using insight::IdleItem;
using insight::UnknownItem;

namespace {

// In the order of the file: programs read it by place too, so a new one goes last.
enum class CsvColumn : std::size_t {
    State,
    Id,
    Name,
    Owner,
    Cluster,
    NameSpace,
    Node,
    GpuModel,
    Gpus,
    Since,
    IdleHours,
    RatePerHour,
    Wasted,
    PerMonth,
    Currency,
    Observed,
    Confidence,
    Protection,
    WorkloadType,
    Reason,
    Cause,
    Recoverable,
    Avoidable,
    Sunk,
    Kind,
    Workload,
    StaysIdleDay,
    StaysIdleGaps,
    ExpectedBack,
    ExpectedLost,
    HeldGpus,
    AvoidableWhy,
};
constexpr std::size_t kCsvColumns = static_cast<std::size_t>(CsvColumn::AvoidableWhy) + 1;

// One row; a column that is not set stays empty.
class CsvRow {
public:
    explicit CsvRow(const char *state) { set(CsvColumn::State, state); }
    void set(CsvColumn column, std::string text) { m_cells[static_cast<std::size_t>(column)] = std::move(text); }
    void set(CsvColumn column, const std::optional<base::Money> &money)
    {
        set(column, money ? money->toDecimal() : std::string());
    }
    void setNumber(CsvColumn column, double value) { set(column, ui::fixed(value, 9)); }
    void setPrice(const std::optional<base::Money> &ratePerHour, const std::optional<base::Money> &perMonth)
    {
        set(CsvColumn::RatePerHour, ratePerHour);
        set(CsvColumn::PerMonth, perMonth);
        if (ratePerHour)
            set(CsvColumn::Currency, std::string(ratePerHour->currency().code()));
    }
    const std::vector<std::string> &cells() const { return m_cells; }

private:
    std::vector<std::string> m_cells = std::vector<std::string>(kCsvColumns);
};

CsvRow pricedRow(const char *state, const IdleItem &item)
{
    CsvRow row(state);
    row.set(CsvColumn::Id, item.id);
    row.set(CsvColumn::Name, item.name);
    row.set(CsvColumn::Owner, item.owner);
    row.set(CsvColumn::Cluster, item.cluster);
    row.set(CsvColumn::NameSpace, item.nameSpace);
    row.set(CsvColumn::Node, item.node);
    row.set(CsvColumn::GpuModel, item.gpuModel);
    row.setNumber(CsvColumn::Gpus, item.gpus);
    row.set(CsvColumn::Since, base::toRfc3339(item.since));
    row.setNumber(CsvColumn::IdleHours, item.idleHours);
    row.setPrice(item.ratePerHour, item.perMonth);
    row.set(CsvColumn::Wasted, item.wasted);
    row.setNumber(CsvColumn::Observed, item.observed);
    row.set(CsvColumn::Protection, item.protection);
    row.set(CsvColumn::WorkloadType, std::string(model::toString(item.workloadKind)));
    row.set(CsvColumn::Cause, std::string(insight::toString(item.cause)));
    row.set(CsvColumn::Recoverable, std::string(model::toString(item.recoverable)));
    row.set(CsvColumn::Avoidable, item.avoidablePerMonth);
    row.set(CsvColumn::Sunk, item.sunkPerMonth);
    row.set(CsvColumn::Kind, std::string(model::toString(item.kind)));
    row.set(CsvColumn::Workload, item.workload);
    row.set(CsvColumn::ExpectedBack, item.expectedBack);
    row.set(CsvColumn::ExpectedLost, item.expectedLost);
    row.setNumber(CsvColumn::HeldGpus, item.heldGpus);
    return row;
}

CsvRow idleRow(const IdleItem &item)
{
    CsvRow row = pricedRow("idle", item);
    row.setNumber(CsvColumn::Confidence, item.chance.hour);
    row.setNumber(CsvColumn::StaysIdleDay, item.chance.day);
    row.set(CsvColumn::StaysIdleGaps, std::to_string(item.chance.gaps));
    row.set(CsvColumn::AvoidableWhy, ui::recoveryOf(item).english());
    return row;
}

CsvRow partlyRow(const IdleItem &item)
{
    CsvRow row = pricedRow("partly", item);
    row.set(CsvColumn::Reason, partlyReason(item));
    return row;
}

CsvRow unknownRow(const UnknownItem &item)
{
    CsvRow row("unknown");
    row.set(CsvColumn::Id, item.id);
    row.set(CsvColumn::Name, item.name);
    row.set(CsvColumn::Owner, item.owner);
    row.set(CsvColumn::Cluster, item.cluster);
    row.set(CsvColumn::NameSpace, item.nameSpace);
    row.set(CsvColumn::Node, item.node);
    row.setNumber(CsvColumn::Observed, item.observed);
    row.set(CsvColumn::Reason, ui::phraseOf(item).english());
    row.set(CsvColumn::Kind, std::string(model::toString(item.kind)));
    return row;
}

// Nothing holds it, so it has no name, no kind and no time of a last activity; whether its cost would end is unknown.
CsvRow blockedRow(const BlockedItem &item)
{
    CsvRow row("blocked");
    row.set(CsvColumn::Id, item.id);
    row.set(CsvColumn::Owner, item.owner);
    row.set(CsvColumn::Cluster, item.cluster);
    row.set(CsvColumn::Node, item.node);
    row.set(CsvColumn::GpuModel, item.gpuModel);
    row.setNumber(CsvColumn::Gpus, item.gpus);
    row.setPrice(item.ratePerHour, item.perMonth);
    row.set(CsvColumn::Reason, blockedReason(item));
    row.set(CsvColumn::Cause, "blocked");
    row.setNumber(CsvColumn::HeldGpus, 0);
    return row;
}

} // namespace

std::string idleCsv(const insight::IdleList &list, const insight::BlockedList &blocked)
{
    std::vector<ui::TextTable::Column> titles;
    for (const char *title : {"state",
                              "id",
                              "name",
                              "owner",
                              "cluster",
                              "namespace",
                              "node",
                              "gpu_model",
                              "gpus",
                              "since",
                              "idle_hours",
                              "rate_per_hour",
                              "wasted",
                              "per_month",
                              "currency",
                              "observed",
                              "confidence",
                              "protection",
                              "workload_type",
                              "reason",
                              "cause",
                              "recoverable",
                              "avoidable_per_month",
                              "sunk_per_month",
                              "kind",
                              "workload",
                              "stays_idle_day",
                              "stays_idle_gaps",
                              "expected_back",
                              "expected_lost",
                              "held_gpus",
                              "avoidable_why"})
        titles.push_back({title});
    ui::TextTable table(std::move(titles));
    for (const IdleItem &item : list.items)
        table.add(idleRow(item).cells());
    for (const IdleItem &item : list.partly)
        table.add(partlyRow(item).cells());
    for (const UnknownItem &item : list.unknown)
        table.add(unknownRow(item).cells());
    for (const BlockedItem &item : blocked.items)
        table.add(blockedRow(item).cells());
    return table.toCsv();
}

} // namespace gpuledger::cli

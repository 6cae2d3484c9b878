// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/idleviewmodel.h"

#include "app/model/fleet/kindname.h"
#include "app/services/actions/actionservice.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"

#include <QUrl>

#include <sstream>
#include <utility>

namespace gpuledger::ui {

namespace {

constexpr QLatin1String kGroup("group"), kItem("item"); // keys and values of a place
constexpr QLatin1String kFlat("flat"), kOwner("owner");

// Adds what was done to the items and what was requested for them.
base::Result<void> addActions(IdleSnapshot &snapshot, const services::ConfigService &config,
                              services::ActionService &actions)
{
    snapshot.isReadOnly = config.isReport();
    if (snapshot.isReadOnly)
        return {};
    auto leases = actions.leases();
    GPULEDGER_TRY(leases);
    snapshot.leases = std::move(*leases);
    snapshot.stopsMarked = config.settings().actions.stopsMarked;
    const auto log = actions.log();
    if (!log && log.error().code == base::ErrorCode::StorageCorrupt)
        return {}; // the Activity page reports it; the idle items are known nevertheless
    GPULEDGER_TRY(log);
    for (const model::ActionRecord &record : *log) {
        using S = model::ActionState;
        if (record.intent.kind != model::ActionKind::Stop)
            continue;
        // If the data of some time after the stop still list it, it runs again.
        const bool isOver =
            record.state == S::Verified && snapshot.list.at > record.changedAt + model::kUntilStopIsSeen;
        const bool counts =
            record.state != S::Refused && record.state != S::Failed && record.state != S::Undone && !isOver;
        std::istringstream ids(record.intent.holders);
        for (std::string id; std::getline(ids, id);) {
            if (counts)
                snapshot.actions[id] = record.state;
            else
                snapshot.actions.erase(id);
        }
    }
    return {};
}

LatestQuery<IdleSnapshot>::Answer ask(const services::ConfigService &config, services::FleetService &fleet,
                                      services::ActionService &actions, const insight::Filter &filter,
                                      model::CostView cost)
{
    const auto covered = fleet.coveredRange();
    GPULEDGER_TRY(covered);
    auto snapshot = std::make_shared<IdleSnapshot>();
    snapshot->covered = *covered;
    snapshot->asked = config.clock().now();
    snapshot->zone = config.timeZone();
    snapshot->currency = config.settings().currency;
    snapshot->cost = cost;
    snapshot->neededShare = config.settings().idle.observed;
    for (const model::SourceSettings &source : config.settings().sources)
        snapshot->sources.push_back(source.name);
    auto rule = fleet.idleRule();
    GPULEDGER_TRY(rule);
    snapshot->rule = std::make_shared<const insight::IdleRule>(std::move(*rule));
    if (covered->empty())
        return snapshot;
    auto reach = fleet.reach({snapshot->asked, snapshot->asked}); // the list shows what is idle now
    GPULEDGER_TRY(reach);
    auto list = fleet.idle(covered->end, filter, cost);
    GPULEDGER_TRY(list);
    list->reach = std::move(*reach);
    snapshot->list = std::move(*list);
    auto blocked = fleet.blocked(covered->end, filter, cost);
    GPULEDGER_TRY(blocked);
    snapshot->blocked = std::move(*blocked);
    GPULEDGER_TRY(addActions(*snapshot, config, actions));
    return snapshot;
}

void addTo(IdleTotals &totals, const insight::IdleItem *item)
{
    if (!item)
        return;
    ++totals.workloads;
    totals.gpus += item->gpus;
    totals.saving.add(*item);
}

} // namespace

IdleViewModel::IdleViewModel(const services::ConfigService &config, services::FleetService &fleet,
                             services::ActionService &actions, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_fleet(fleet)
    , m_actions(actions)
    , m_table(IdleTable::columns(config.settings().currency))
    , m_asker(tasks, this, [this] { take(); })
    , m_evidence(tasks, this, [this] { Q_EMIT currentChanged(); })
{
    m_table.setGroupTitle(tr("Group", "what the rows of the table are grouped into"));
    m_table.setGrouped(true);
    m_table.sort(static_cast<int>(IdleColumn::PerMonth), Qt::DescendingOrder);
    connect(&m_table, &TableModel::checkedChanged, this, [this] {
        Q_EMIT totalsChanged();
        followTicks();
    });
}

void IdleViewModel::setGrouping(IdleGrouping grouping)
{
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    showRows();
    Q_EMIT groupingChanged();
}

void IdleViewModel::showRows()
{
    if (!snapshot())
        return;
    m_rows = std::make_shared<IdleTable>(snapshot(), m_grouping);
    m_table.setSnapshot(m_rows);
    Q_EMIT totalsChanged();
}

IdleTotals IdleViewModel::totals() const
{
    IdleTotals out;
    for (int row = 0; m_rows && row < m_rows->rowCount(); ++row) {
        if (!m_rows->isStopped(row))
            addTo(out, m_rows->idle(row));
    }
    return out;
}

IdleTotals IdleViewModel::checkedTotals() const
{
    IdleTotals out;
    for (const int row : m_table.checkedRows())
        addTo(out, m_rows->idle(row));
    out.saving = IdleSaving::ofStop(checkedItems());
    return out;
}

void IdleViewModel::setCurrent(const QString &id)
{
    if (id == m_current || rowOf(id) < 0)
        return;
    m_chosen = true;
    chooseCurrent(id);
}

void IdleViewModel::chooseCurrent(const QString &wanted)
{
    const bool isThere = rowOf(wanted) >= 0;
    m_chosen = m_chosen && isThere;
    m_current = isThere && m_chosen ? wanted : firstShown();
    askEvidence();
    Q_EMIT currentChanged();
}

QString IdleViewModel::firstShown() const
{
    for (int i = 0; m_rows && i < m_table.rowCount(); ++i) {
        if (const auto rows = m_table.rowsBehind(m_table.index(i, 0)); !rows.empty())
            return m_rows->id(rows.front());
    }
    return m_rows && m_rows->rowCount() > 0 ? m_rows->id(0) : QString();
}

// The evidence of what is about to be stopped is worth a look. Several at once, as by the tick of a heading, do not
// move the current row.
void IdleViewModel::followTicks()
{
    const QStringList before = std::exchange(m_ticked, m_table.checkedIds());
    QStringList added;
    for (const QString &id : std::as_const(m_ticked)) {
        if (!before.contains(id))
            added.append(id);
    }
    if (added.size() == 1)
        setCurrent(added.front());
}

std::vector<insight::IdleItem> IdleViewModel::checkedItems() const
{
    std::vector<insight::IdleItem> items;
    for (const int row : m_table.checkedRows()) {
        if (const insight::IdleItem *item = m_rows->idle(row))
            items.push_back(*item);
    }
    return items;
}

const insight::IdleItem *IdleViewModel::idleOf(const QString &id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : m_rows->idle(row);
}

const insight::IdleItem *IdleViewModel::currentIdle() const
{
    const int row = rowOf(m_current);
    return row < 0 ? nullptr : m_rows->idle(row);
}

const insight::IdleItem *IdleViewModel::currentPartly() const
{
    const int row = rowOf(m_current);
    return row < 0 ? nullptr : m_rows->partly(row);
}

const insight::UnknownItem *IdleViewModel::currentUnknown() const
{
    const int row = rowOf(m_current);
    return row < 0 ? nullptr : m_rows->unknown(row);
}

const insight::BlockedItem *IdleViewModel::currentBlocked() const
{
    const int row = rowOf(m_current);
    return row < 0 ? nullptr : m_rows->blocked(row);
}

const insight::Evidence *IdleViewModel::evidence() const
{
    const auto &answer = m_evidence.snapshot();
    return answer && answer->id == m_current && !m_evidence.error() ? &answer->evidence : nullptr;
}

void IdleViewModel::askEvidence()
{
    const insight::IdleItem *idle = currentIdle() ? currentIdle() : currentPartly();
    const insight::UnknownItem *unknown = idle ? nullptr : currentUnknown();
    if (!idle && !unknown)
        return;
    insight::EvidenceQuery query;
    query.id = idle ? idle->id : unknown->id;
    query.cluster = idle ? idle->cluster : unknown->cluster;
    query.devices = idle ? idle->devices : unknown->devices;
    query.at = snapshot()->list.at;
    query.cost = snapshot()->cost;
    if (idle)
        query.since = idle->since;
    m_evidence.ask([fleet = &m_fleet, query](const std::stop_token &) -> LatestQuery<IdleEvidence>::Answer {
        auto evidence = fleet->evidence(query);
        GPULEDGER_TRY(evidence);
        return std::make_shared<const IdleEvidence>(
            IdleEvidence{QString::fromStdString(query.id), std::move(*evidence)});
    });
}

void IdleViewModel::showUnknown()
{
    m_showsUnknown = true;
    if (m_state != PageState::Empty || !snapshot() || snapshot()->list.unknown.empty())
        return;
    m_state = PageState::Data;
    Q_EMIT changed();
}

void IdleViewModel::setScope(const Scope &scope)
{
    // The list shows the present, whatever the time range.
    const bool same = m_scope.filter == scope.filter && m_scope.cost == scope.cost;
    m_scope = scope;
    if (!same)
        refresh();
}

std::optional<Scope> IdleViewModel::scopeOfCurrent() const
{
    Scope scope = m_scope;
    if (const insight::IdleItem *item = currentIdle() ? currentIdle() : currentPartly()) {
        // The dimension's spelling of workloads: the controller if there is one, otherwise the holder.
        const std::string name =
            item->workload.empty() ? std::string(model::kindName(item->kind)) + '/' + item->name : item->workload;
        scope.filter.include[insight::Dimension::Workload] = {item->nameSpace.empty() ? name
                                                                                      : item->nameSpace + '/' + name};
        return scope;
    }
    if (const insight::BlockedItem *free = currentBlocked()) {
        scope.filter.include[insight::Dimension::Cluster] = {free->cluster};
        scope.filter.include[insight::Dimension::Node] = {free->node};
        return scope;
    }
    const insight::UnknownItem *item = currentUnknown();
    if (!item)
        return std::nullopt;
    auto &devices = scope.filter.include[insight::Dimension::Device];
    devices.clear();
    for (const std::string &device : item->devices)
        devices.push_back(device.substr(0, device.find(':')));
    return scope;
}

QUrlQuery IdleViewModel::place() const
{
    QUrlQuery place;
    place.addQueryItem(kGroup, m_grouping == IdleGrouping::Flat ? kFlat : kOwner);
    if (m_chosen)
        place.addQueryItem(kItem, QString::fromLatin1(QUrl::toPercentEncoding(m_current)));
    return place;
}

void IdleViewModel::restore(const QUrlQuery &place)
{
    setGrouping(place.queryItemValue(kGroup) == kFlat ? IdleGrouping::Flat : IdleGrouping::Owner);
    // A place is restored again when a filter changes; a row that was chosen since then is kept.
    const QString item = place.queryItemValue(kItem, QUrl::FullyDecoded);
    if (item == m_restored || item.isEmpty())
        return;
    m_restored = item;
    m_chosen = true;
    if (m_rows)
        chooseCurrent(item);
    else
        m_current = item;
}

void IdleViewModel::refresh()
{
    if (!snapshot() && m_state != PageState::Loading) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    m_asker.ask(
        [config = &m_config, fleet = &m_fleet, actions = &m_actions, filter = m_scope.filter,
         cost = m_scope.cost](const std::stop_token &) { return ask(*config, *fleet, *actions, filter, cost); });
}

void IdleViewModel::setActive(bool active)
{
    m_asker.setActive(active);
    m_evidence.setActive(active);
}

void IdleViewModel::take()
{
    if (error()) {
        m_state = PageState::Error;
    } else {
        const insight::IdleList &list = snapshot()->list;
        const bool wasStopped = m_rows && m_rows->isStopped(rowOf(m_current));
        showRows();
        if (m_rows->isStopped(rowOf(m_current)) && !wasStopped)
            m_chosen = false; // it is done: on to the next one
        const bool isEmpty = list.items.empty() && list.partly.empty() && snapshot()->blocked.items.empty()
            && (list.unknown.empty() || !m_showsUnknown);
        m_state = snapshot()->covered.empty() ? PageState::FirstRun : isEmpty ? PageState::Empty : PageState::Data;
    }
    Q_EMIT changed(); // first, so that the rows are visible when one of them becomes current
    if (!error())
        chooseCurrent(m_current);
}

} // namespace gpuledger::ui

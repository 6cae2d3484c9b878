// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/device/deviceadapter.h"
#include "ui/viewmodels/idle/idletext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>
#include <QLocale>

#include <optional>
#include <vector>

namespace gpuledger::ui {

using insight::DeviceStay;

namespace {

using tablecolumns::figure;

constexpr char16_t kDash = u'–';

QString decimal(double value, int decimals)
{
    return QLocale().toString(value, 'f', decimals);
}

constexpr int kLeastShare = 110; // pixels, with a bar

class StateRows final : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::DeviceStates)
public:
    enum class Column { State, Share, Hours, Cost };

    explicit StateRows(std::shared_ptr<const DeviceSnapshot> snapshot)
        : m_snapshot(std::move(snapshot))
    {
        using widgets::Color;
        const auto time = m_snapshot->details->sums.time();
        const auto cost = m_snapshot->details->sums.cost();
        m_rows = {
            {QStringLiteral("active"), tr("Active"), time.active, cost.active, Color::Active},
            {QStringLiteral("idle"), tr("Idle"), time.idle, cost.idle, Color::Idle},
            {QStringLiteral("unallocated"), tr("Unallocated"), time.unallocated, cost.unallocated, Color::Unallocated},
            {QStringLiteral("unobserved"), tr("Unobserved"), time.unobserved(),
             cost.unobservedHeld + cost.unobservedFree, Color::Unobserved}};
        m_all = time.paid() + m_snapshot->details->notSynced;
        m_priced = cost.unpriced < time.paid();
        if (m_all > time.paid())
            m_rows.push_back({QString(kDeviceNotSynced), tr("Not fetched yet"), m_snapshot->details->notSynced,
                              std::nullopt, Color::Unobserved});
    }

    static std::vector<TableColumn> columns(const QString &currency)
    {
        TableColumn state;
        state.key = QStringLiteral("state");
        state.title = tr("State");
        state.isEmphasized = true;
        TableColumn share =
            figure(QStringLiteral("share"), tr("Share"), tr("Share of paid time, including time not fetched yet"));
        share.isFigure = false;
        share.stretch = 1;
        share.least = kLeastShare;
        return {state, share, figure(QStringLiteral("hours"), tr("GPU-h"), tr("Device-hours in this state")),
                figure(QStringLiteral("cost"), tr("Cost, %1").arg(currency), tr("What the time in this state cost"))};
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return at(row).key; }
    TableValue value(int row, int column) const override
    {
        switch (static_cast<Column>(column)) {
        case Column::State:
            return at(row).name;
        case Column::Share:
            return m_all.ticks > 0 ? TableValue(share(row)) : TableValue();
        case Column::Hours:
            return at(row).time.hours();
        case Column::Cost:
            return m_priced && at(row).cost ? TableValue(units(*at(row).cost)) : TableValue();
        }
        return {};
    }
    QString text(int row, int column) const override
    {
        switch (static_cast<Column>(column)) {
        case Column::State:
            return at(row).name;
        case Column::Share:
            return m_all.ticks > 0 ? LocalText::percent(share(row)) : dash();
        case Column::Hours:
            return decimal(at(row).time.hours(), 1);
        case Column::Cost:
            return m_priced && at(row).cost ? decimal(units(*at(row).cost), 2) : dash();
        }
        return {};
    }
    QString sourceLine(int, int) const override { return deviceSource(*m_snapshot); }
    QVariant extra(int row, int column, int role) const override
    {
        if (static_cast<Column>(column) != Column::Share || m_all.ticks <= 0)
            return {};
        if (role == widgets::kBarShareRole)
            return share(row);
        if (role == widgets::kBarColorRole)
            return static_cast<int>(at(row).color);
        return {};
    }

private:
    struct Row {
        QString key, name;
        base::GpuTime time;
        std::optional<std::int64_t> cost; // null: unknown
        widgets::Color color = widgets::Color::Active;
    };
    const Row &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    double share(int row) const { return static_cast<double>(at(row).time.ticks) / static_cast<double>(m_all.ticks); }

    std::shared_ptr<const DeviceSnapshot> m_snapshot;
    std::vector<Row> m_rows;
    base::GpuTime m_all; // paid time, and the time expected beyond stale data
    bool m_priced = false;
};

class StayRows final : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::DeviceStays)
public:
    enum class Column { Holder, Owner, Kind, From, To, Held, Idle, Cost, Pod, Slice };

    explicit StayRows(std::shared_ptr<const DeviceSnapshot> snapshot)
        : m_snapshot(std::move(snapshot))
    {
    }

    static std::vector<TableColumn> columns(const QString &currency)
    {
        const auto named = [](const QString &key, const QString &title, int stretch, bool visible = true) {
            TableColumn c;
            c.key = key;
            c.title = title;
            c.isSearched = true;
            c.stretch = stretch;
            c.isVisible = visible;
            return c;
        };
        const auto time = [](const QString &key, const QString &title) {
            TableColumn c;
            c.key = key;
            c.title = title;
            c.type = TableValueType::Time;
            return c;
        };
        TableColumn holder = named(QStringLiteral("holder"), tr("Held by"), 3);
        holder.isEmphasized = true;
        const auto given = [](int priority, TableColumn c) {
            c.priority = priority;
            return c;
        };
        return {
            holder,
            named(QStringLiteral("owner"), tr("Owner"), 1),
            given(1, named(QStringLiteral("kind"), tr("Kind"), 0)),
            time(QStringLiteral("from"), tr("From")),
            time(QStringLiteral("to"), tr("To")),
            figure(QStringLiteral("held"), tr("Held, GPU-h"), tr("GPU-hours held in this time")),
            given(2,
                  figure(QStringLiteral("idle"), tr("Idle, GPU-h"), tr("GPU-hours held and below the idle threshold"))),
            figure(QStringLiteral("cost"), tr("Cost, %1").arg(currency), tr("What the held time cost")),
            named(QStringLiteral("pod"), tr("Pod"), 0, false),
            named(QStringLiteral("slice"), tr("Slice"), 0, false)};
    }

    int rowCount() const override { return static_cast<int>(m_snapshot->details->stays.size()); }
    QString id(int row) const override { return QString::fromStdString(at(row).id); }
    TableValue value(int row, int column) const override
    {
        const DeviceStay &stay = at(row);
        switch (static_cast<Column>(column)) {
        case Column::Holder:
        case Column::Owner:
        case Column::Kind:
        case Column::Pod:
        case Column::Slice:
            return text(row, column);
        case Column::From:
            return qint64{base::toUnix(stay.range.start)};
        case Column::To:
            return qint64{base::toUnix(stay.range.end)};
        case Column::Held:
            return stay.held.hours();
        case Column::Idle:
            return stay.idle.hours();
        case Column::Cost:
            return isPriced(stay) ? TableValue(units(stay.costNanos)) : TableValue();
        }
        return {};
    }
    QString text(int row, int column) const override
    {
        const DeviceStay &stay = at(row);
        switch (static_cast<Column>(column)) {
        case Column::Holder:
            return QString::fromStdString(stay.workload);
        case Column::Owner:
            return QString::fromStdString(stay.team);
        case Column::Kind:
            return stay.kind == model::WorkloadKind::Unknown ? dash() : IdleText::kindName(stay.kind);
        case Column::Pod:
            return QString::fromStdString(stay.pod);
        case Column::Slice:
            return stay.slice.empty() ? tr("whole device") : QString::fromStdString(stay.slice);
        case Column::From: {
            const QString from = IdleText::instant(stay.range.start, m_snapshot->zone);
            return stay.beganBefore ? tr("before %1").arg(from) : from;
        }
        case Column::To:
            if (!stay.endedLater)
                return IdleText::instant(stay.range.end, m_snapshot->zone);
            return m_snapshot->details->notSynced.ticks > 0
                ? tr("still at %1", "held when the data end, time")
                      .arg(IdleText::instant(stay.range.end, m_snapshot->zone))
                : tr("still held", "at the end of the range");
        case Column::Held:
            return decimal(stay.held.hours(), 1);
        case Column::Idle:
            return decimal(stay.idle.hours(), 1);
        case Column::Cost:
            return isPriced(stay) ? decimal(units(stay.costNanos), 2) : tr("no price");
        }
        return {};
    }
    QString sourceLine(int, int) const override { return deviceSource(*m_snapshot); }

private:
    static bool isPriced(const DeviceStay &stay) { return stay.unpriced < stay.held; }
    const DeviceStay &at(int row) const { return m_snapshot->details->stays[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const DeviceSnapshot> m_snapshot;
};

} // namespace

std::vector<TableColumn> deviceStateColumns(base::Currency currency)
{
    return StateRows::columns(codeOf(currency));
}

std::shared_ptr<const TableSnapshot> deviceStates(std::shared_ptr<const DeviceSnapshot> snapshot)
{
    return std::make_shared<StateRows>(std::move(snapshot));
}

std::vector<TableColumn> deviceStayColumns(base::Currency currency)
{
    return StayRows::columns(codeOf(currency));
}

std::shared_ptr<const TableSnapshot> deviceStays(std::shared_ptr<const DeviceSnapshot> snapshot)
{
    return std::make_shared<StayRows>(std::move(snapshot));
}

} // namespace gpuledger::ui

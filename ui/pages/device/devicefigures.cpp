// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the device page that can be explained.
#include "ui/pages/device/deviceadapter.h"

#include "ui/format/local/localtext.h"

#include <QCoreApplication>

#include <algorithm>

namespace gpuledger::ui {

namespace {

class DeviceProofs {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::DeviceProofs)
public:
    DeviceProofs(const DeviceSnapshot &snapshot, const Scope &scope)
        : m_details(*snapshot.details)
        , m_zone(snapshot.zone)
    {
        m_query.range = m_details.range;
        m_query.filter = scope.filter;
        m_query.filter.include[insight::Dimension::Cluster] = {m_details.device.cluster};
    }

    std::vector<Explained> all() const
    {
        std::vector<Explained> out{of(tr("Paid GPU-hours"), "gpu-hours.paid"), // no-tr: a measure
                                   of(tr("Cost"), "cost.total"), // no-tr: a measure
                                   of(tr("Utilization"), "utilization")}; // no-tr: a measure
        if (m_details.notSynced.ticks == 0) // time that was not fetched cannot be proved
            out.push_back(of(tr("Observed share"), "coverage")); // no-tr: a measure
        return out;
    }

    std::vector<Explained> state(const QString &key) const
    {
        if (key == kDeviceNotSynced)
            return {};
        const std::string state = key.toStdString();
        const QString name = nameOf(key);
        std::vector<Explained> out{of(tr("GPU-hours, %1", "state").arg(name), "gpu-hours." + state),
                                   of(tr("Cost, %1", "state").arg(name), "cost." + state)};
        for (Explained &one : all())
            out.push_back(std::move(one));
        return out;
    }

    // A workload's time on the device in the whole range: it may have run there several times.
    std::vector<Explained> stay(const QString &id) const
    {
        const auto it = std::find_if(m_details.stays.begin(), m_details.stays.end(),
                                     [&](const auto &stay) { return QString::fromStdString(stay.id) == id; });
        if (it == m_details.stays.end())
            return {};
        DeviceProofs own = *this;
        own.m_query.filter.include[insight::Dimension::Workload] = {it->workload};
        const QString who = QString::fromStdString(it->workload);
        return {own.of(tr("GPU-hours held by %1 in this range").arg(who), "gpu-hours.held"), // no-tr: a measure
                own.of(tr("GPU-hours of %1 idle in this range").arg(who), "gpu-hours.idle"), // no-tr: a measure
                own.of(tr("Cost of %1 in this range").arg(who), "cost.total")}; // no-tr: a measure
    }

    std::vector<Explained> point(std::size_t line, std::size_t at) const
    {
        const insight::DeviceLines &lines = m_details.lines;
        if (at >= lines.count || line >= kDeviceLines)
            return {};
        const base::UtcTime from = lines.first + static_cast<std::int64_t>(at) * lines.step;
        const base::TimeRange time =
            base::TimeRange{base::floorTo(from, base::kCell), base::ceilTo(from + lines.step, base::kCell)}.intersect(
                m_details.range);
        DeviceProofs own = *this;
        own.m_query.range = time;
        const QString when = LocalText::dateTime(time.start, m_zone);
        const auto named = [&](const QString &what) -> QString {
            return tr("%1, %2 from %3", "figure, length of time, its start")
                .arg(what, LocalText::age(time.length()), when);
        };
        if (line == 0)
            return {own.of(named(tr("Utilization while held")), "utilization"), // no-tr: a measure
                    own.of(named(tr("Idle GPU-hours")), "gpu-hours.idle"), // no-tr: a measure
                    own.of(named(tr("Cost")), "cost.total")}; // no-tr: a measure
        const bool isMemory = line == 1;
        return {{named(isMemory ? tr("Memory while held") : tr("Power while held")),
                 own.cell(isMemory ? insight::Metric::Memory : insight::Metric::Power)}};
    }

private:
    insight::Figure cell(insight::Metric metric) const
    {
        insight::HeatmapQuery query;
        query.query = m_query;
        query.by = insight::Dimension::Device;
        query.bins = insight::Bins::Hour;
        query.metric = metric;
        query.zone = m_zone;
        return insight::heatmapFigure(query, m_query.range, m_details.device.uuid, std::nullopt);
    }
    static QString nameOf(const QString &state)
    {
        return state == QLatin1String("active")    ? tr("active")
            : state == QLatin1String("idle")       ? tr("idle")
            : state == QLatin1String("unobserved") ? tr("unobserved")
                                                   : tr("unallocated");
    }
    Explained of(const QString &name, const std::string &measure) const
    {
        return {name, insight::summaryFigure(m_query, insight::Dimension::Device, m_details.device.uuid, measure)};
    }

    const insight::DeviceDetails &m_details;
    base::TimeZone m_zone;
    insight::Query m_query;
};

} // namespace

std::vector<Explained> deviceExplained(const DeviceSnapshot &snapshot, const Scope &scope)
{
    return DeviceProofs(snapshot, scope).all();
}

std::vector<Explained> deviceStateExplained(const DeviceSnapshot &snapshot, const Scope &scope, const QString &rowId)
{
    return DeviceProofs(snapshot, scope).state(rowId);
}

std::vector<Explained> deviceStayExplained(const DeviceSnapshot &snapshot, const Scope &scope, const QString &rowId)
{
    return DeviceProofs(snapshot, scope).stay(rowId);
}

std::vector<Explained> devicePointExplained(const DeviceSnapshot &snapshot, const Scope &scope, std::size_t line,
                                            int point)
{
    return DeviceProofs(snapshot, scope).point(line, static_cast<std::size_t>(point));
}

} // namespace gpuledger::ui

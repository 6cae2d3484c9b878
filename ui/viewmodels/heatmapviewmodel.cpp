// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmapviewmodel.h"

#include <array>

namespace gpuledger::ui {

using insight::Dimension;
using Answer = base::Result<std::shared_ptr<const HeatmapSnapshot>>;

namespace {

constexpr std::array<Dimension, 4> kDrill{Dimension::Team, Dimension::Workload, Dimension::Node, Dimension::Device};

base::Seconds lengthOf(HeatmapViewModel::Span span)
{
    switch (span) {
    case HeatmapViewModel::Span::Day:
        return base::kDay;
    case HeatmapViewModel::Span::Week:
        return 7 * base::kDay;
    case HeatmapViewModel::Span::Month:
        return 30 * base::kDay;
    case HeatmapViewModel::Span::Quarter:
        return 90 * base::kDay;
    case HeatmapViewModel::Span::All:
        return 20 * 366 * base::kDay;
    }
    return 30 * base::kDay;
}

Answer ask(services::Workspace &workspace, insight::HeatmapQuery query, base::Seconds length, bool withAllocation)
{
    const auto covered = workspace.coveredRange();
    GPULEDGER_TRY(covered);
    auto snapshot = std::make_shared<HeatmapSnapshot>();
    snapshot->covered = *covered;
    if (covered->empty())
        return snapshot;
    query.query.range = base::TimeRange{covered->end - length, covered->end}.intersect(*covered);
    auto heatmap = workspace.heatmap(query);
    GPULEDGER_TRY(heatmap);
    snapshot->heatmap = std::move(*heatmap);
    if (withAllocation) {
        query.metric = insight::Metric::Allocation;
        auto allocation = workspace.heatmap(query);
        GPULEDGER_TRY(allocation);
        snapshot->allocation = std::move(*allocation);
    }
    return snapshot;
}

} // namespace

HeatmapViewModel::HeatmapViewModel(services::Workspace &workspace, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_tasks(tasks)
{
}

HeatmapViewModel::~HeatmapViewModel()
{
    m_running.request_stop();
}

Dimension HeatmapViewModel::dimension() const
{
    return kDrill[std::min(m_path.size(), kDrill.size() - 1)];
}

bool HeatmapViewModel::canDrill() const
{
    return m_path.size() + 1 < kDrill.size();
}

void HeatmapViewModel::setMetric(insight::Metric metric)
{
    if (m_metric == metric)
        return;
    m_metric = metric;
    choose();
}

void HeatmapViewModel::setBins(insight::Bins bins)
{
    if (m_bins == bins)
        return;
    m_bins = bins;
    choose();
}

void HeatmapViewModel::setView(View view)
{
    if (m_view == view)
        return;
    m_view = view;
    choose();
}

void HeatmapViewModel::setSpan(Span span)
{
    if (m_span == span)
        return;
    m_span = span;
    choose();
}

void HeatmapViewModel::drill(const std::string &key)
{
    if (!canDrill())
        return;
    m_path.push_back({dimension(), key});
    choose();
}

void HeatmapViewModel::climb(int depth)
{
    if (depth < 0 || static_cast<std::size_t>(depth) >= m_path.size())
        return;
    m_path.resize(static_cast<std::size_t>(depth));
    choose();
}

void HeatmapViewModel::choose()
{
    Q_EMIT choiceChanged();
    refresh();
}

void HeatmapViewModel::setActive(bool active)
{
    m_active = active;
    if (active && m_stale)
        refresh();
}

void HeatmapViewModel::refresh()
{
    if (!m_active) {
        m_stale = true;
        return;
    }
    m_stale = false;
    const quint64 generation = ++m_generation;
    insight::HeatmapQuery query;
    query.by = dimension();
    query.bins = m_bins;
    query.metric = m_view == View::Allocation ? insight::Metric::Allocation : m_metric;
    query.zone = m_workspace.timeZone();
    for (const Crumb &crumb : m_path)
        query.query.filter.include[crumb.dimension] = {crumb.key};
    if (!m_snapshot) {
        m_state = State::Loading;
        Q_EMIT changed();
    }
    const bool both = m_view == View::Both;
    const base::Seconds length = lengthOf(m_span);
    m_running.request_stop();
    m_running = m_tasks.run<Answer>(
        this,
        [workspace = &m_workspace, query, length, both](std::stop_token stop) -> Answer {
            if (stop.stop_requested()) // a newer question is already waiting
                return base::fail(base::ErrorCode::Cancelled, "superseded");
            return ask(*workspace, query, length, both);
        },
        [this, generation](Answer answer) { take(generation, std::move(answer)); });
}

void HeatmapViewModel::take(quint64 generation, Answer answer)
{
    if (generation != m_generation)
        return;
    if (!answer) {
        if (answer.error().code == base::ErrorCode::Cancelled)
            return;
        m_error = std::move(answer).error();
        m_state = State::Error;
    } else {
        m_snapshot = std::move(*answer);
        m_state = m_snapshot->covered.empty()  ? State::FirstRun
            : m_snapshot->heatmap.rows.empty() ? State::Empty
                                               : State::Data;
    }
    Q_EMIT changed();
}

} // namespace gpuledger::ui

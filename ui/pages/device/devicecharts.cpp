// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/device/devicecharts.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::LineChart;
using widgets::Space;

namespace {

constexpr int kPlotHeight = 88; // minimum, including the times below it
constexpr int kPixelsPerPoint = 2;
constexpr int kAxisRoom = 32;

// The charts share the available height.
LineChart *makeChart(const widgets::Theme &theme, QWidget *parent)
{
    auto *chart = new LineChart(theme, parent);
    chart->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    return chart;
}

} // namespace

DeviceCharts::DeviceCharts(const widgets::Theme &theme, DeviceViewModel &model, QWidget *parent)
    : QScrollArea(parent)
    , m_theme(theme)
    , m_model(model)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto *content = new QWidget(this);
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(theme.space(Space::Medium));
    for (LineChart *&chart : m_lines) {
        chart = makeChart(theme, content);
        auto *row = new QHBoxLayout;
        row->addWidget(chart);
        m_rows.push_back(row);
        m_layout->addLayout(row, 1);
    }
    setWidget(content);
    viewport()->setAutoFillBackground(false); // lets the card show through
    content->setAutoFillBackground(false);
    connect(&m_model, &DeviceViewModel::extrasChanged, this, &DeviceCharts::showExtras);
}

void DeviceCharts::showData()
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot || !snapshot->details)
        return;
    auto lines = deviceLines(*snapshot);
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        lines[i].axisRoom = kAxisRoom;
        m_lines[i]->setData(std::move(lines[i]));
    }
    showExtras();
}

DeviceCharts::Extra DeviceCharts::makeExtra(const QString &expression)
{
    Extra extra;
    extra.expression = expression;
    extra.row = new QWidget;
    auto *row = new QHBoxLayout(extra.row);
    row->setContentsMargins(0, 0, 0, 0);
    auto *column = new QVBoxLayout;
    column->setSpacing(m_theme.space(Space::Small));
    extra.chart = makeChart(m_theme, extra.row);
    extra.note =
        widgets::plainLabel(m_theme, {}, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, extra.row);
    extra.note->setWordWrap(true);
    column->addWidget(extra.chart, 1);
    column->addWidget(extra.note);
    auto *remove = new QToolButton(extra.row);
    remove->setAutoRaise(true);
    remove->setIcon(m_theme.icon(QStringLiteral("close"))); // no-tr: icon name
    remove->setAccessibleName(tr("Remove %1", "an expression").arg(widgets::plainLine(expression)));
    remove->setToolTip(tr("Remove this expression"));
    connect(remove, &QToolButton::clicked, this, [this, expression] { m_model.removeExpression(expression); });
    row->addLayout(column, 1);
    row->addWidget(remove, 0, Qt::AlignTop);
    extra.side = remove->sizeHint().width() + row->spacing();
    m_layout->addWidget(extra.row, 1);
    return extra;
}

void DeviceCharts::showExtras()
{
    const auto snapshot = m_model.snapshot();
    const bool any = m_model.takesExpressions() && snapshot && snapshot->details;
    const auto wanted = any ? m_model.extras() : std::vector<DeviceViewModel::Extra>();
    std::vector<Extra> kept;
    for (const DeviceViewModel::Extra &one : wanted) {
        const auto at = std::find_if(m_extras.begin(), m_extras.end(),
                                     [&](const Extra &e) { return e.row && e.expression == one.expression; });
        Extra shown = at == m_extras.end() ? makeExtra(one.expression) : *at;
        if (at != m_extras.end())
            at->row = nullptr;
        widgets::TimeLines lines = deviceExtra(one.expression, one.answer.get(), *snapshot);
        lines.axisRoom = kAxisRoom;
        shown.chart->setData(std::move(lines));
        const QString note = one.error ? LocalText::sentence(*one.error)
            : one.answer               ? deviceExtraNote(*one.answer)
                                       : tr("Querying the server…");
        shown.note->setText(note);
        shown.note->setVisible(!note.isEmpty());
        kept.push_back(shown);
    }
    for (const Extra &gone : m_extras) {
        if (gone.row) {
            gone.row->hide();
            gone.row->deleteLater();
        }
    }
    m_extras = std::move(kept);
    // All plots end at the same position, and none is under the scroll bar.
    const int side = m_extras.empty() ? 0 : m_extras.front().side;
    for (QHBoxLayout *row : m_rows)
        row->setContentsMargins(0, 0, side, 0);
    m_layout->setContentsMargins(0, 0, m_extras.empty() ? 0 : m_theme.space(Space::Small), 0);
    makeRoom();
}

// A legend of many lines increases the height of a chart and leaves the plot as it is.
void DeviceCharts::makeRoom()
{
    const QMargins margins = m_layout->contentsMargins();
    const int width = viewport()->width() - margins.left() - margins.right();
    for (LineChart *chart : m_lines)
        chart->setMinimumHeight(kPlotHeight + chart->headerHeight(width));
    for (const Extra &extra : m_extras)
        extra.chart->setMinimumHeight(kPlotHeight + extra.chart->headerHeight(width - extra.side));
}

void DeviceCharts::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    m_model.setPoints(viewport()->width() / kPixelsPerPoint);
    makeRoom();
}

} // namespace gpuledger::ui

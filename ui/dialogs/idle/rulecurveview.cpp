// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/idle/rulecurveview.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idlerulecurve.h"
#include "widgets/charts/pointchart.h"
#include "widgets/state/plaintext.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using insight::RuleCurve;
using insight::RulePoint;
using widgets::Color;
using widgets::CurvePoints;
using widgets::HoverLine;

namespace {

constexpr int kCurveHeight = 190; // pixels

} // namespace

RuleCurveView::RuleCurveView(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_chart(new widgets::PointChart(theme, this))
    , m_better(widgets::plainLabel(theme, {}, widgets::TextSize::Body, Color::Critical, QFont::DemiBold, this))
    , m_basis(widgets::plainLabel(theme, {}, widgets::TextSize::Body, Color::Muted, QFont::Normal, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(widgets::Space::Small));
    m_chart->setFixedHeight(kCurveHeight);
    m_better->setWordWrap(true);
    m_better->hide();
    m_basis->setWordWrap(true);
    layout->addWidget(m_better);
    layout->addWidget(m_chart);
    layout->addWidget(m_basis);
    connect(m_chart, &widgets::PointChart::activated, this, &RuleCurveView::pick);
}

void RuleCurveView::showCurve(const RuleCurve &curve, const base::TimeZone &zone)
{
    const bool isExact = curve.from == RuleCurve::From::Replay;
    const auto pointOf = [&](const RulePoint &point, bool isInUse) {
        CurvePoints::Point out;
        out.x = point.falseStops;
        out.y = point.hoursBack;
        out.marked = isInUse;
        out.name = IdleRuleCurveText::point(point);
        out.lines.push_back({isExact ? tr("GPU-hours back") : tr("Idle hours back, of workloads"),
                             LocalText::number(point.hoursBack, isExact ? 1 : 0),
                             true,
                             {}});
        if (point.money)
            out.lines.push_back(
                {tr("Money back"),
                 LocalText::money(static_cast<double>(point.money->nanos())
                                      / static_cast<double>(base::Money::kNanosPerUnit),
                                  QString::fromUtf8(curve.currency.code().data(),
                                                    static_cast<qsizetype>(curve.currency.code().size())),
                                  0),
                 false,
                 {}});
        else if (isExact)
            out.lines.push_back({tr("Money back"), tr("not known"), false, {}});
        out.lines.push_back({tr("False stops"),
                             point.stops > 0
                                 ? tr("%1 of %2, %3", "false stops, stops, share")
                                       .arg(LocalText::number(point.falseStops, 0), LocalText::number(point.stops, 0),
                                            LocalText::percent(point.falseShare(), 0))
                                 : LocalText::number(0, 0),
                             true,
                             {}});
        return out;
    };
    std::vector<std::pair<CurvePoints::Point, std::optional<base::Seconds>>> points;
    for (const RulePoint &point : curve.points)
        points.emplace_back(pointOf(point, false), point.grace);
    if (!points.empty())
        points.emplace_back(pointOf(curve.inUse, true), std::nullopt);
    std::stable_sort(points.begin(), points.end(), [](const auto &a, const auto &b) { return a.first.x < b.first.x; });
    CurvePoints all;
    all.name = tr("Hours back against false stops");
    all.title = isExact ? tr("GPU-hours back") : tr("Idle hours back, of workloads");
    all.xName = tr("False stops");
    all.yName = all.title;
    all.lineName = tr("One time for all types");
    all.markedName = tr("Rule in use");
    all.source = tr("Enter or a click fills it in");
    m_picks.clear();
    for (auto &[point, grace] : points) {
        all.points.push_back(std::move(point));
        m_picks.push_back(grace);
    }
    m_chart->setData(std::move(all));
    const QString better = IdleRuleCurveText::better(curve);
    m_better->setText(better);
    m_better->setVisible(!better.isEmpty());
    m_basis->setText(IdleRuleCurveText::basis(curve, zone));
}

void RuleCurveView::showProblem(const QString &sentence)
{
    m_basis->setText(sentence);
}

void RuleCurveView::pick(int index)
{
    const auto &grace = m_picks[static_cast<std::size_t>(index)];
    if (grace)
        Q_EMIT picked(*grace);
    else
        Q_EMIT pickedInUse();
}

} // namespace gpuledger::ui

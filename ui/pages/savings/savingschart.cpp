// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingschart.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/savings/savingscurve.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/skeleton.h"
#include "widgets/state/statepanel.h"

#include <QFontMetrics>
#include <QLabel>
#include <QStackedLayout>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr int kChartHeight = 220, kChartLines = 14; // px, and at least so many lines of its texts

} // namespace

SavingsChart::SavingsChart(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
    , m_blank(new QWidget(this))
    , m_skeleton(new widgets::Skeleton(theme, this))
    , m_chart(new widgets::BandChart(theme, this))
    , m_error(widgets::plainLabel(theme, {}, widgets::TextSize::Body, widgets::Color::Muted, QFont::Normal, this))
{
    m_error->setWordWrap(true);
    m_error->setAlignment(Qt::AlignTop | Qt::AlignLeading);
    for (QWidget *page : std::initializer_list<QWidget *>{m_blank, m_skeleton, m_chart, m_error})
        m_stack->addWidget(page);
    const QFontMetrics metrics(theme.font(widgets::TextSize::Caption));
    setFixedHeight(std::max(kChartHeight, kChartLines * metrics.height()));
    m_skeletonTimer.setSingleShot(true);
    m_skeletonTimer.setInterval(widgets::StatePanel::kSkeletonDelay);
    connect(&m_skeletonTimer, &QTimer::timeout, this, [this] { m_stack->setCurrentWidget(m_skeleton); });
    hide();
}

void SavingsChart::showCurve(const SavingsViewModel &model)
{
    const auto curve = model.curve();
    if (model.isCurvePending())
        return showPending();
    m_skeletonTimer.stop();
    if (model.current() && curve && curve->curve) {
        if (m_shown != curve)
            showData(*curve, model);
        m_shown = curve;
        m_stack->setCurrentWidget(m_chart);
        show();
        return;
    }
    m_shown.reset();
    const auto &error = model.curveError();
    if (model.current() && error) {
        m_error->setText(tr("The chart can't be shown: %1", "with the reason").arg(LocalText::sentence(*error)));
        m_stack->setCurrentWidget(m_error);
    }
    setVisible(model.current() && error);
}

void SavingsChart::showPending()
{
    m_shown.reset();
    if (m_stack->currentWidget() != m_skeleton || isHidden()) {
        m_stack->setCurrentWidget(m_blank);
        if (!m_skeletonTimer.isActive())
            m_skeletonTimer.start();
    }
    show();
}

void SavingsChart::showData(const SavingsCurve &curve, const SavingsViewModel &model)
{
    const auto snapshot = model.snapshot();
    m_chart->setData(bandLinesOf(*curve.curve, widgets::plainLine(QString::fromStdString(model.current()->target)),
                                 snapshot ? snapshot->frame.zone : base::TimeZone()));
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingsviewmodel.h"
#include "widgets/charts/bandchart.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QStackedLayout;

namespace gpuledger::widgets {
class Skeleton;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// What the figure of the current proposal depends on, as a chart of a fixed height: grey until it is known, hidden for
// a proposal without one. While an assumption is tried, the old chart stays. Owned by its parent; the theme must
// outlive it; GUI thread.
class SavingsChart : public QWidget {
    Q_OBJECT
public:
    explicit SavingsChart(const widgets::Theme &theme, QWidget *parent = nullptr);

    void showCurve(const SavingsViewModel &model);
    widgets::BandChart *chart() const { return m_chart; }

private:
    void showData(const SavingsCurve &curve, const SavingsViewModel &model);
    void showPending();

    QStackedLayout *m_stack;
    QWidget *m_blank;
    widgets::Skeleton *m_skeleton;
    widgets::BandChart *m_chart;
    QLabel *m_error;
    QTimer m_skeletonTimer;
    std::shared_ptr<const SavingsCurve> m_shown;
};

} // namespace gpuledger::ui

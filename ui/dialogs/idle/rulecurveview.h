// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/rulecurve.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;

namespace gpuledger::widgets {
class PointChart;
}

namespace gpuledger::ui {

// Hours back against false stops, of rules with one grace window for all kinds of workloads and of the rule in use: a
// chart on which one of them is picked, and a sentence if one of them is better. Owned by its parent; GUI thread.
class RuleCurveView : public QWidget {
    Q_OBJECT
public:
    explicit RuleCurveView(const widgets::Theme &theme, QWidget *parent = nullptr);

    void showCurve(const insight::RuleCurve &curve, const base::TimeZone &zone);
    // In place of what the curve was made from.
    void showProblem(const QString &sentence);

Q_SIGNALS:
    void picked(base::Seconds grace); // for all kinds
    void pickedInUse(); // the rule in use

private:
    void pick(int index);

    std::vector<std::optional<base::Seconds>> m_picks; // of each point; std::nullopt: the rule in use
    widgets::PointChart *m_chart;
    QLabel *m_better, *m_basis;
};

} // namespace gpuledger::ui

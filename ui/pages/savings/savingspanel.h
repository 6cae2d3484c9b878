// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingsviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace gpuledger::ui {

class SavingsButtons;
class SavingsChart;

// The right side of the Savings page: what the current proposal would save, what that depends on, its evidence, what
// argues against it, what it rests on and how to do it, and the buttons that decide about it. Owned by its parent;
// theme and view model must outlive it; GUI thread.
class SavingsPanel : public QWidget {
    Q_OBJECT
public:
    SavingsPanel(const widgets::Theme &theme, const SavingsViewModel &model, QWidget *parent = nullptr);

    void showCurrent();
    void showCurve();
    SavingsButtons *buttons() const { return m_buttons; }

Q_SIGNALS:
    void howRequested(); // to the clipboard

private:
    void addLine(QVBoxLayout &to, const QString &text, widgets::Color color = widgets::Color::Muted);
    void addHeading(const QString &text);
    void addParts(const savings::Proposal &proposal, const base::TimeZone &zone);
    void showHow(const savings::Proposal *proposal);

    const widgets::Theme &m_theme;
    const SavingsViewModel &m_model;
    QVBoxLayout *m_head, *m_lines, *m_assumptions; // before the chart, before and after how to do it
    SavingsChart *m_chart;
    QScrollArea *m_area = nullptr;
    QString m_shownId;
    QLabel *m_howTitle;
    QPlainTextEdit *m_how;
    QPushButton *m_copyHow;
    SavingsButtons *m_buttons;
};

} // namespace gpuledger::ui

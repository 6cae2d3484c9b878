// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/dimensionvalues.h"
#include "ui/viewmodels/shell/filterchips.h"
#include "widgets/theme/theme.h"

#include <QFrame>

class QLabel;
class QStackedLayout;

namespace gpuledger::widgets {
class PickList;
class SegmentedSwitch;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// The popup of "+ Filter": first the dimensions, then the values of one with their shares, to include or exclude.
// Escape goes one step back. Deletes itself when closed; GUI thread.
class FilterPopup : public QFrame {
    Q_OBJECT
public:
    FilterPopup(const widgets::Theme &theme, DimensionValues &values, QWidget *parent);
    void openBelow(const QWidget &button);

Q_SIGNALS:
    void chosen(const gpuledger::ui::FilterChip &chip);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *valuePage();
    void listDimensions();
    void openDimension(const QString &name);
    void listValues();
    void back();
    bool atValues() const;

    const widgets::Theme &m_theme;
    DimensionValues &m_values;
    insight::Dimension m_dimension = insight::Dimension::Team;
    QStackedLayout *m_stack;
    widgets::PickList *m_dimensions;
    widgets::PickList *m_list = nullptr;
    widgets::SegmentedSwitch *m_mode = nullptr;
    QLabel *m_title = nullptr;
};

} // namespace gpuledger::ui

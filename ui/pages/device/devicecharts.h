// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/device/deviceadapter.h"
#include "ui/viewmodels/device/deviceviewmodel.h"
#include "widgets/theme/theme.h"

#include <QScrollArea>

#include <array>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace gpuledger::ui {

// The lines of a device below each other, followed by those of the added expressions. Shows a view model, which must
// outlive it; owned by its parent; GUI thread.
class DeviceCharts : public QScrollArea {
    Q_OBJECT
public:
    DeviceCharts(const widgets::Theme &theme, DeviceViewModel &model, QWidget *parent = nullptr);

    void showData();
    // Activity, memory, power.
    const std::array<widgets::LineChart *, kDeviceLines> &lines() const { return m_lines; }
    // The first chart, for the focus.
    QWidget *first() const { return m_lines.front(); }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Extra {
        QString expression;
        QWidget *row = nullptr;
        widgets::LineChart *chart = nullptr;
        QLabel *note = nullptr;
        int side = 0; // px beside the chart
    };
    void showExtras();
    void makeRoom();
    Extra makeExtra(const QString &expression);

    const widgets::Theme &m_theme;
    DeviceViewModel &m_model;
    std::array<widgets::LineChart *, kDeviceLines> m_lines{};
    std::vector<Extra> m_extras;
    QVBoxLayout *m_layout;
    std::vector<QHBoxLayout *> m_rows; // one per entry of m_lines
};

} // namespace gpuledger::ui

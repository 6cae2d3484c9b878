// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

namespace gpuledger::ui {

// A whole in coloured parts, as one bar with its legend below: the shares that are owned, unowned and shared. The
// legend gives the same figures as text. Owned by its parent; GUI thread.
class CoverageBar : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QString name; // "Owned"
        QString amount; // "71.2 %"
        QString detail; // "81,200 USD, 12,345.0 GPU-h"
        double share = 0; // of the bar, 0 to 1
        widgets::Color color = widgets::Color::Active;
        friend bool operator==(const Part &, const Part &) = default;
    };

    explicit CoverageBar(const widgets::Theme &theme, QWidget *parent = nullptr);

    void setParts(std::vector<Part> parts);
    const std::vector<Part> &parts() const { return m_parts; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const widgets::Theme &m_theme;
    std::vector<Part> m_parts;
};

} // namespace gpuledger::ui

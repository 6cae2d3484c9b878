// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapdata.h"
#include "widgets/theme/theme.h"

#include <QWidget>

namespace gpuledger::widgets {

// The card that explains a cell: title, subtitle and lines of name and value, all plain text. A child of the window
// that lets the mouse through, so that it never takes the place of what it explains. Owned by its parent; GUI thread.
class HeatmapCard : public QWidget {
    Q_OBJECT
public:
    HeatmapCard(const Theme &theme, QWidget *parent);

    void setContent(const QString &title, const QString &subtitle, std::vector<HeatmapData::Line> lines);
    // Beside the rectangle (in the parent's coordinates) and inside the parent, without covering the rectangle
    // where there is room below or above it.
    void showBeside(const QRect &anchor);

    QSize sizeHint() const override;
    QString title() const { return m_title; }
    const std::vector<HeatmapData::Line> &lines() const { return m_lines; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int lineHeight() const;
    int headHeight() const;

    const Theme &m_theme;
    QString m_title;
    QString m_subtitle;
    std::vector<HeatmapData::Line> m_lines;
};

} // namespace gpuledger::widgets

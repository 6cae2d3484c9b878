// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace gpuledger::widgets {
class Heatmap;
class Theme;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// Buttons that zoom several heat maps together; hidden while all cells of the last one are visible at a readable size.
// Owned by its parent; GUI thread. The heat maps must outlive it.
class ZoomButtons : public QWidget {
    Q_OBJECT
public:
    ZoomButtons(const widgets::Theme &theme, QList<widgets::Heatmap *> heatmaps, QWidget *parent = nullptr);

private:
    QToolButton *add(const QString &text, const QString &name, const QString &keys);
    void zoomBy(double factor);
    void showState();

    QList<widgets::Heatmap *> m_heatmaps;
    QToolButton *m_out;
    QToolButton *m_in;
    QToolButton *m_fit;
};

} // namespace gpuledger::ui

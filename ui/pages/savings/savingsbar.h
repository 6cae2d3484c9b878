// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

namespace gpuledger::ui {

// A sum split into coloured parts, as one bar with a legend of names and amounts below, which wraps. Owned by its
// parent; GUI thread.
class SavingsBar : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QString name; // "Schedule"
        QString amount; // "16k"
        double value = 0; // the parts share the bar in proportion; nothing below zero is drawn
        int color = 0; // index into the theme's colours of series
        friend bool operator==(const Part &, const Part &) = default;
    };

    SavingsBar(const widgets::Theme &theme, const QString &name, QWidget *parent = nullptr);

    void setParts(std::vector<Part> parts);
    const std::vector<Part> &parts() const { return m_parts; }
    QRectF partRect(std::size_t part) const; // of the bar; empty: nothing is drawn
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Entry {
        QRect place;
        QString text;
        int color = 0;
    };
    std::vector<Entry> legend(int width) const;

    const widgets::Theme &m_theme;
    std::vector<Part> m_parts;
};

} // namespace gpuledger::ui

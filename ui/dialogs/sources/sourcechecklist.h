// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/sources/sourcetest.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QGridLayout;

namespace gpuledger::ui {

// The result of a source's test, line by line: icon, word, what was found, and what to do about it. Empty until the
// test was started. Where a program has to be agreed to first, that is asked below. Owned by its parent; the test
// outlives it; GUI thread.
class SourceChecklist : public QWidget {
    Q_OBJECT
public:
    SourceChecklist(const widgets::Theme &theme, SourceTest &test, QWidget *parent = nullptr);

private:
    void rebuild();
    void addLine(const QString &icon, widgets::Color color, const QString &word, const QString &text,
                 const QString &remedy);

    const widgets::Theme &m_theme;
    SourceTest &m_test;
    QGridLayout *m_lines;
    int m_row = 0;
};

// A token-coloured icon as a label that follows the theme. The parent owns it.
QWidget *iconLabel(const widgets::Theme &theme, const QString &icon, widgets::Color color, QWidget *parent);

} // namespace gpuledger::ui

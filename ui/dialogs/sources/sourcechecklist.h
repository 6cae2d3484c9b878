// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/sources/sourcetest.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QGridLayout;

namespace gpuledger::ui {

// The result of a source's test, line by line: icon, word, finding, and remedy. Empty until a test is started. If a
// program needs consent first, the panel for it is shown below. Owned by its parent; the test must outlive it; GUI
// thread.
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

// An icon in a theme colour, as a label that follows the theme. Owned by the parent.
QWidget *iconLabel(const widgets::Theme &theme, const QString &icon, widgets::Color color, QWidget *parent);

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace gpuledger::ui {

// A message across the window that concerns every page, with one button; an icon, a word for screen readers and a
// tinted background show its severity. It cannot be closed; its owner hides it when it no longer applies. Visible only
// with a text. Owned by its parent; GUI thread.
class AlertBar : public QWidget {
    Q_OBJECT
public:
    enum class Severity { Warning, Critical };
    AlertBar(const widgets::Theme &theme, const QString &action, QWidget *parent = nullptr);

    // Plain text, line breaks kept; announced when it appears. Empty: the bar is hidden and the focus moves on.
    void setMessage(Severity severity, const QString &text);
    QString message() const;
    QPushButton *button() const { return m_button; }
    // For a text that contains a file name: Tab reaches it, and it can be selected and copied.
    void makeSelectable();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const widgets::Theme &m_theme;
    Severity m_severity = Severity::Warning;
    QToolButton *m_icon;
    QLabel *m_text;
    QPushButton *m_button;
};

} // namespace gpuledger::ui

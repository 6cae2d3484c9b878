// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace gpuledger::ui {

// A sentence across the window that concerns every page, with one button: an icon, a word for screen readers and a
// tinted ground say how grave it is. There is no way to close it; whoever shows it hides it when it no longer holds.
// In sight only with a text. Owned by its parent; GUI thread.
class AlertBar : public QWidget {
    Q_OBJECT
public:
    enum class Severity { Warning, Critical };
    AlertBar(const widgets::Theme &theme, const QString &action, QWidget *parent = nullptr);

    // Plain text, lines kept; announced when it comes into sight. Empty: nothing is shown, and the keyboard goes on.
    void setMessage(Severity severity, const QString &text);
    QString message() const;
    QPushButton *button() const { return m_button; }
    // For a text that names a file: Tab comes to it, and it can be selected and copied.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QHash>
#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace gpuledger::ui {

// An event to report. Plain text, translated.
struct Notice {
    enum class Kind { Info, Warning };
    QString key; // a newer notice replaces the older one with the same key
    Kind kind = Kind::Info;
    QString text;
    QString action; // label of a button; empty: none
    std::function<void()> run; // the action of the button, which also dismisses the notice
};

// Notices below the page, newest last, that stay until dismissed and never take the focus. Each is announced to screen
// readers. Owned by the window; GUI thread.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(const widgets::Theme &theme, QWidget *parent = nullptr);

    // Ignored if a notice with the same text was dismissed before, until withdraw() ends that state; and if it has no
    // text.
    void show(const Notice &notice);
    void withdraw(const QString &key);
    // Dismisses the newest one; returns false if there was none.
    bool dismissNewest();
    QStringList texts() const; // oldest first

    static constexpr int kMost = 3; // visible; older ones are removed

Q_SIGNALS:
    void focusReleased(); // the notice that had the focus is gone

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *row(const Notice &notice);
    void dismiss(const QString &key);
    void remove(const QString &key);

    struct Shown {
        QString key, text;
        QWidget *row;
    };
    const widgets::Theme &m_theme;
    QVBoxLayout *m_layout;
    std::vector<Shown> m_shown;
    QHash<QString, QString> m_dismissed; // by key: the text
};

} // namespace gpuledger::ui

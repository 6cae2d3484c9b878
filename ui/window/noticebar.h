// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QHash>
#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace gpuledger::ui {

// Something that happened. Plain text, translated.
struct Notice {
    enum class Kind { Info, Warning };
    QString key; // a newer notice takes the place of the older one with the same key
    Kind kind = Kind::Info;
    QString text;
    QString action; // of a button; empty: none
    std::function<void()> run; // what the button does; it dismisses the notice as well
};

// Notices below the page, newest last, that stay until they are dismissed and never take the focus. Screen readers are
// told of each. Owned by the window; GUI thread.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(const widgets::Theme &theme, QWidget *parent = nullptr);

    // Nothing happens when it was dismissed in the same words before, until withdraw() says that it is over.
    void show(const Notice &notice);
    void withdraw(const QString &key);
    // Dismisses the newest one; false: there was none.
    bool dismissNewest();
    QStringList texts() const; // oldest first

    static constexpr int kMost = 3; // in sight; older ones give way

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
    QHash<QString, QString> m_dismissed; // by key: the words
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace gpuledger::widgets {

class BusySign;

// What a page says instead of, or above, its data. Plain text, translated.
struct StateMessage {
    QString title; // what is the case, one line
    QString text; // why, in a sentence
    QString remedy; // what to do about it; may be empty
    QString action; // of the main button; empty: no button
    QString secondAction; // of the other button; empty: no button
};

// Shows the five states of a page around its content: first run, loading, data, empty, error. Once data were shown
// they stay while new ones load, and an error then stands above them, with their date. The panel owns the content and
// is owned by its parent; GUI thread.
class StatePanel : public QWidget {
    Q_OBJECT
public:
    enum class State { FirstRun, Loading, Data, Empty, Error };

    StatePanel(const Theme &theme, QWidget *content, QWidget *parent = nullptr);

    State state() const { return m_state; }
    // Whether the content is in sight.
    bool isContentShown() const;

    void showFirstRun(const StateMessage &message);
    // With data: they stay. Without: a skeleton, but only after kSkeletonDelay, so that fast answers do not flash.
    void showLoading();
    void showData();
    void showEmpty(const StateMessage &message);
    // `dataTime` dates the data that stay, e.g. "Data from 14:02"; without data the message has the page to itself.
    void showError(const StateMessage &message, const QString &dataTime = QString());
    // The content no longer answers the question that is asked: the next showLoading() and showError() do not keep it.
    void forgetData();
    // While data are shown and newer ones are on their way: says so where it takes a while.
    void setBusy(bool busy);

    static constexpr int kSkeletonDelay = 150; // ms

Q_SIGNALS:
    void actionTriggered(StatePanel::State state);
    void secondActionTriggered(StatePanel::State state);

private:
    QWidget *makeMessage();
    QWidget *makeBanner();
    void present(State state, const StateMessage &message, const QString &icon, Color color);
    void drawIcon();
    void announce(const StateMessage &message);

    const Theme &m_theme;
    State m_state = State::Data;
    bool m_hasData = false;
    QTimer m_skeletonTimer;
    QStackedLayout *m_stack = nullptr;
    QWidget *m_contentPage = nullptr;
    QWidget *m_messagePage = nullptr;
    QWidget *m_skeleton = nullptr;
    BusySign *m_busy = nullptr;
    QWidget *m_blank = nullptr; // the first moments of loading
    QWidget *m_banner = nullptr;
    QString m_iconName;
    Color m_iconColor = Color::Muted;
    QLabel *m_icon = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_text = nullptr;
    QLabel *m_remedy = nullptr;
    QPushButton *m_action = nullptr;
    QPushButton *m_secondAction = nullptr;
    QLabel *m_bannerText = nullptr;
    QPushButton *m_bannerAction = nullptr;
};

} // namespace gpuledger::widgets

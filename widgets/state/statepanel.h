// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/state/skeleton.h"
#include "widgets/theme/theme.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedLayout;

namespace gpuledger::widgets {

class BusySign;

// The message that a page shows in place of, or above, its data. Plain text, translated.
struct StateMessage {
    QString title; // the situation, in one line
    QString text; // the reason, in a sentence
    QString remedy; // how to fix it; may be empty
    QString action; // label of the main button; empty: no button
    QString secondAction; // label of the other button; empty: no button
};

// Shows the five states of a page around its content: first run, loading, data, empty, error. Once data have been
// shown, they stay while new ones load, and an error is shown above them with the time of the data. The panel owns the
// content and is owned by its parent; GUI thread.
class StatePanel : public QWidget {
    Q_OBJECT
public:
    enum class State { FirstRun, Loading, Data, Empty, Error };

    StatePanel(const Theme &theme, QWidget *content, QWidget *parent = nullptr);

    State state() const { return m_state; }
    // Whether the content is visible.
    bool isContentShown() const;

    void showFirstRun(const StateMessage &message);
    // The first run while its data are being fetched; `done` is the share, null if it is not known. To be called
    // whenever it changes: only another title is announced to screen readers.
    void showProgress(const StateMessage &message, std::optional<double> done);
    // Existing data stay visible. Without data, a skeleton is shown, but only after kSkeletonDelay, so that fast
    // answers do not flash.
    void showLoading();
    void showData();
    void showEmpty(const StateMessage &message);
    // `dataTime` dates the data that stay visible, e.g. "Data from 14:02"; without data the message fills the page.
    void showError(const StateMessage &message, const QString &dataTime = QString());
    // The content no longer matches the query: the next showLoading() and showError() do not keep it.
    void forgetData();
    // Indicates, after a delay, that newer data are loading while data are shown.
    void setBusy(bool busy);
    // The shape of the skeleton; before the first showLoading().
    void setSkeleton(Skeleton::Shape shape) { m_skeleton->setShape(shape); }

    static constexpr int kSkeletonDelay = 150; // ms

Q_SIGNALS:
    void actionTriggered(StatePanel::State state);
    void secondActionTriggered(StatePanel::State state);

private:
    QWidget *makeMessage();
    QWidget *makeBanner();
    void setMessage(const StateMessage &message);
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
    Skeleton *m_skeleton = nullptr;
    BusySign *m_busy = nullptr;
    QWidget *m_blank = nullptr; // the first moments of loading
    QWidget *m_banner = nullptr;
    QString m_iconName;
    Color m_iconColor = Color::Muted;
    QLabel *m_icon = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_text = nullptr;
    QLabel *m_remedy = nullptr;
    QProgressBar *m_progress = nullptr;
    QPushButton *m_action = nullptr;
    QPushButton *m_secondAction = nullptr;
    QLabel *m_bannerText = nullptr;
    QPushButton *m_bannerAction = nullptr;
};

} // namespace gpuledger::widgets

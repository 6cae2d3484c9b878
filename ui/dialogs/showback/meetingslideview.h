// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/meeting.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QBoxLayout;
class QGridLayout;

namespace gpuledger::ui {

// One slide of the showback meeting. Created again for every slide and size. Owned by its parent; GUI thread.
class MeetingSlideView : public QWidget {
    Q_OBJECT
public:
    // `theme` must outlive it.
    MeetingSlideView(const widgets::Theme &theme, const MeetingSlide &slide, QWidget *parent);

Q_SIGNALS:
    void decisionWanted();
    void settleWanted(qint64 decision, bool done); // otherwise it is dropped

private:
    static void fillRow(QGridLayout &grid, int row, QWidget *left, QWidget *right); // null: nothing to show
    QWidget *head(const MeetingSlide &slide);
    QWidget *figure(const MeetingSlide::Figure &figure);
    QWidget *months(const MeetingSlide &slide);
    QWidget *teams(const MeetingSlide &slide);
    QWidget *waste(const MeetingSlide &slide);
    QWidget *before(const MeetingSlide &slide);
    QWidget *now(const MeetingSlide &slide);
    QWidget *card(const QString &title, QBoxLayout *&inside);
    QWidget *decision(const MeetingSlide::Decision &decision, bool canSettle);
    QWidget *buttons(const MeetingSlide::Decision &decision);
    widgets::Color color(MeetingSlide::Tone tone) const;

    const widgets::Theme &m_theme;
};

} // namespace gpuledger::ui

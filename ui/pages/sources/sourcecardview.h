// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/sources/sourcesviewmodel.h"
#include "widgets/cards/card.h"

class QGridLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace gpuledger::ui {

// The card of one source: state, facts, its last failure, its buttons, and the checklist of its test. Owned by the
// page; GUI thread.
class SourceCardView : public widgets::Card {
    Q_OBJECT
public:
    SourceCardView(const widgets::Theme &theme, SourceTest &test, QWidget *parent = nullptr);

    // `canRemove`: the configuration is a file that may be changed.
    void setCard(const SourceCard &card, bool canSync, bool canRemove);

Q_SIGNALS:
    void acceptRequested(); // to continue without the data that the source no longer has
    void syncRequested();
    void stopRequested();
    void testRequested();
    void editRequested();
    void removeRequested();

private:
    void showStanding();
    void showFacts();
    void nameButtons();
    QHBoxLayout *makeButtons();

    const widgets::Theme &m_theme;
    SourceTest &m_test;
    SourceCard m_card;
    QLabel *m_name;
    QLabel *m_kind;
    QLabel *m_address;
    QHBoxLayout *m_standing;
    QGridLayout *m_facts;
    QLabel *m_error;
    QLabel *m_loss;
    QLabel *m_twice;
    QPushButton *m_accept;
    QPushButton *m_sync = nullptr;
    QPushButton *m_testButton = nullptr;
    QPushButton *m_edit = nullptr;
    QPushButton *m_remove = nullptr;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/showbackviewmodel.h"
#include "widgets/cards/card.h"

class QLabel;
class QMenu;
class QToolButton;
class QVBoxLayout;

namespace gpuledger::ui {

// A month's bill compared with its ledger, in each currency: whether they agree, and what cannot be explained. Owned by
// its parent; GUI thread.
class ReconcileCard : public widgets::Card {
    Q_OBJECT
public:
    explicit ReconcileCard(const widgets::Theme &theme, QWidget *parent = nullptr);

    void setFigures(const ShowbackSnapshot &snapshot);
    // The menu of the button in its corner; the page fills it when it opens.
    QMenu *explainMenu() const { return m_menu; }

private:
    void addLine(const QString &name, const QString &value, widgets::Color color);

    const widgets::Theme &m_theme;
    QLabel *m_title;
    QToolButton *m_explain;
    QMenu *m_menu;
    QWidget *m_lines = nullptr;
    QVBoxLayout *m_layout;
};

} // namespace gpuledger::ui

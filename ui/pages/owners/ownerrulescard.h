// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/owners/ownerrulesviewmodel.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/cards/card.h"

#include <map>

class QLabel;
class QLayout;
class QPushButton;

namespace gpuledger::widgets {
class DataTable;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class OwnerRulesPreview;

// The owner rules in order, with what each claims, what saving them would change, and what is still unowned. Layout and
// bindings only. Owned by its page; the view model must outlive it; GUI thread.
class OwnerRulesCard : public widgets::Card {
    Q_OBJECT
public:
    OwnerRulesCard(const widgets::Theme &theme, OwnerRulesViewModel &model, QWidget *parent = nullptr);

    // Everything is up to date: screenshots wait for it.
    bool settled() const;
    widgets::DataTable *table() const { return m_ruleTable; } // of the rules

Q_SIGNALS:
    void settledChanged();

private:
    QLayout *makeHeader();
    QWidget *makeRules();
    QLayout *makeButtons();
    void bind();
    void addShortcuts();
    void showRows();
    void showState();
    void showPreview();
    void showButtons();
    int currentId() const; // 0: none, or the last row
    void addRule(const OwnerRuleFields &fields);
    void editCurrent();
    void removeCurrent();
    void moveCurrent(int by);
    void openDialog(int id, int place, const OwnerRuleFields &fields);

    const widgets::Theme &m_theme;
    OwnerRulesViewModel &m_model;
    TableModel m_rules;
    std::map<int, ledger::RulePreview::Rule> m_claims; // from the last preview, by row
    widgets::StatePanel *m_panel = nullptr;
    OwnerRulesPreview *m_preview = nullptr;
    widgets::DataTable *m_ruleTable = nullptr;
    QLabel *m_subtitle = nullptr, *m_builtIn = nullptr, *m_failure = nullptr;
    QPushButton *m_save = nullptr, *m_discard = nullptr, *m_reload = nullptr;
    QPushButton *m_edit = nullptr, *m_remove = nullptr, *m_up = nullptr, *m_down = nullptr;
};

} // namespace gpuledger::ui

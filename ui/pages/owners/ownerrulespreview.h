// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/owners/ownerruletext.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace gpuledger::widgets {
class DataTable;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class CoverageBar;

// The effect of owner rules: coverage, what each team would get compared with what it has, and unowned workloads with
// the labels that could assign them. Owned by its card; GUI thread.
class OwnerRulesPreview : public QWidget {
    Q_OBJECT
public:
    explicit OwnerRulesPreview(const widgets::Theme &theme, QWidget *parent = nullptr);

    // `isChanged`: for rules other than the current ones.
    void showPreview(const std::shared_ptr<const ledger::RulePreview> &preview, bool isChanged);

Q_SIGNALS:
    void ruleSuggested(const OwnerRuleFields &fields); // and accepted by the user

private:
    QWidget *makeTeams();
    QWidget *makeUnowned();
    void showCoverage(const ledger::RulePreview &preview);
    void showSuggestions(const ledger::RulePreview &preview);
    void suggest(const OwnerRuleFields &fields, const QString &sentence);

    const widgets::Theme &m_theme;
    TableModel m_teams, m_unowned;
    CoverageBar *m_coverage;
    widgets::DataTable *m_teamTable = nullptr, *m_unownedTable = nullptr;
    QLabel *m_teamNote = nullptr, *m_unownedTitle = nullptr, *m_noneUnowned = nullptr;
    QVBoxLayout *m_suggestions = nullptr;
};

// Makes the table high enough for this many rows.
void fitRows(widgets::DataTable *table, int rows);

} // namespace gpuledger::ui

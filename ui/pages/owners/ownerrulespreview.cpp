// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/owners/ownerrulespreview.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/overview/coveragebar.h"
#include "ui/pages/owners/ownertables.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kMostTeams = 8; // more of them scroll
constexpr int kMostWorkloads = 6;
constexpr std::size_t kMostSuggestions = 3;

void clear(QLayout &layout)
{
    while (QLayoutItem *item = layout.takeAt(0)) {
        if (item->layout())
            clear(*item->layout());
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

// English has two forms, and the text without translation has only one.
QString unownedTitle(int count)
{
    return count == 1 ? OwnerRulesPreview::tr("1 unowned workload")
                      : OwnerRulesPreview::tr("%n unowned workloads", nullptr, count);
}

} // namespace

OwnerRulesPreview::OwnerRulesPreview(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_teams(teamChangeColumns({}))
    , m_unowned(unownedColumns({}))
    , m_coverage(new CoverageBar(theme, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Large));
    layout->addWidget(m_coverage);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(theme.space(Space::Wide));
    columns->addWidget(makeTeams(), 1);
    columns->addWidget(makeUnowned(), 1);
    layout->addLayout(columns);
    layout->addStretch();
}

QWidget *OwnerRulesPreview::makeTeams()
{
    auto *part = new QWidget;
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Small));
    auto *title = plainLabel(m_theme, tr("What each team gets"), TextSize::Body, Color::Text, QFont::DemiBold, part);
    m_teamNote = plainLabel(m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, part);
    m_teamNote->setWordWrap(true);
    m_teamTable = new widgets::DataTable(m_theme, tr("What changes for each team"), m_teams, part);
    fitRows(m_teamTable, kMostTeams);
    layout->addWidget(title);
    layout->addWidget(m_teamNote);
    layout->addWidget(m_teamTable);
    layout->addStretch();
    return part;
}

QWidget *OwnerRulesPreview::makeUnowned()
{
    auto *part = new QWidget;
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Small));
    m_unownedTitle = plainLabel(m_theme, {}, TextSize::Body, Color::Text, QFont::DemiBold, part);
    m_noneUnowned = plainLabel(m_theme, tr("Every workload of the range has an owner."), TextSize::Body, Color::Muted,
                               QFont::Normal, part);
    m_suggestions = new QVBoxLayout;
    m_suggestions->setSpacing(m_theme.space(Space::Tiny));
    m_unownedTable = new widgets::DataTable(m_theme, tr("Unowned workloads"), m_unowned, part);
    fitRows(m_unownedTable, kMostWorkloads);
    layout->addWidget(m_unownedTitle);
    layout->addWidget(m_noneUnowned);
    layout->addLayout(m_suggestions);
    layout->addWidget(m_unownedTable);
    layout->addStretch();
    return part;
}

void OwnerRulesPreview::showPreview(const std::shared_ptr<const ledger::RulePreview> &preview, bool isChanged)
{
    const QString currency = currencyText(*preview);
    showCoverage(*preview);
    m_teams.setColumns(teamChangeColumns(currency));
    m_teams.setSnapshot(teamChangeTable(preview));
    m_unowned.setColumns(unownedColumns(currency));
    m_unowned.setSnapshot(unownedTable(preview));
    const int changes = changedTeams(*preview);
    m_teamNote->setText(changes == 1      ? tr("1 team gains or loses by the changed rules.")
                            : changes > 1 ? tr("%n teams gain or lose by the changed rules.", nullptr, changes)
                            : isChanged   ? tr("No team gains or loses.")
                                          : tr("By the current rules. Change one to see who would gain or lose."));
    const int unowned = static_cast<int>(preview->unownedWorkloads);
    m_unownedTitle->setText(unowned == 0 ? tr("Unowned workloads") : unownedTitle(unowned));
    m_noneUnowned->setVisible(unowned == 0);
    m_unownedTable->setVisible(unowned > 0);
    fitRows(m_unownedTable, std::clamp(unowned, 1, kMostWorkloads));
    fitRows(m_teamTable, std::clamp(static_cast<int>(preview->teams.size()), 1, kMostTeams));
    showSuggestions(*preview);
    layout()->activate();
}

void OwnerRulesPreview::showCoverage(const ledger::RulePreview &preview)
{
    const QString currency = currencyText(preview);
    const auto part = [&](const QString &name, const ledger::Claimed &claimed, Color color) {
        const QString detail = tr("%1 %2, %3 GPU-h", "amount, currency, hours")
                                   .arg(wholeMoney(claimed.nanos), currency, hoursOf(claimed.time));
        const double share = shareOf(claimed, preview.all);
        return CoverageBar::Part{name, LocalText::percent(share), detail, share, color};
    };
    m_coverage->setParts({part(tr("Owned", "share of cost"), preview.owned, Color::Active),
                          part(tr("Unowned", "share of cost"), preview.unowned, Color::Idle),
                          part(tr("Unallocated", "share of cost"), preview.shared, Color::Unallocated)});
}

void OwnerRulesPreview::showSuggestions(const ledger::RulePreview &preview)
{
    clear(*m_suggestions);
    std::size_t shown = 0;
    for (const auto &label : preview.labels) {
        if (label.unowned.time.ticks == 0 || shown == kMostSuggestions)
            break;
        OwnerRuleFields fields;
        fields.kind = label.kind;
        fields.key = QString::fromStdString(label.key);
        const QString what = OwnerRuleText::what(OwnerRuleText::ruleOf(fields));
        const QString share = LocalText::percent(shareOf(label.unowned, preview.unowned), 0);
        const QString sentence = label.values == 1
            ? tr("%1 names the owner of %2 of it, one team", "a label, a share")
            : tr("%1 names the owner of %2 of it, %n teams", "a label, a share", static_cast<int>(label.values));
        suggest(fields, sentence.arg(widgets::plainLine(what, 60), share));
        ++shown;
    }
    shown = 0;
    if (!preview.bills || preview.bills->unowned.nanos() <= 0)
        return;
    for (const auto &tag : preview.bills->tags) {
        if (tag.unowned.nanos() <= 0 || shown == kMostSuggestions)
            break;
        OwnerRuleFields fields;
        fields.kind = model::OwnerRule::Kind::CloudTag;
        fields.key = QString::fromStdString(tag.key);
        const QString what = OwnerRuleText::what(OwnerRuleText::ruleOf(fields));
        const double part =
            static_cast<double>(tag.unowned.nanos()) / static_cast<double>(preview.bills->unowned.nanos());
        const QString sentence = tag.values == 1
            ? tr("%1 covers %2 of the unowned cost of bills, one team", "a tag, a share")
            : tr("%1 covers %2 of the unowned cost of bills, %n teams", "a tag, a share", static_cast<int>(tag.values));
        suggest(fields, sentence.arg(widgets::plainLine(what, 60), LocalText::percent(part, 0)));
        ++shown;
    }
}

void OwnerRulesPreview::suggest(const OwnerRuleFields &fields, const QString &sentence)
{
    const QString what = OwnerRuleText::what(OwnerRuleText::ruleOf(fields));
    auto *line = new QHBoxLayout;
    auto *text =
        plainLabel(m_theme, sentence, TextSize::Body, Color::Text, QFont::Normal, m_unownedTitle->parentWidget());
    text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *add = new QPushButton(tr("Use it"), m_unownedTitle->parentWidget());
    add->setAccessibleName(tr("Add a rule for %1").arg(widgets::plainLine(what, 60)));
    connect(add, &QPushButton::clicked, this, [this, fields] { Q_EMIT ruleSuggested(fields); });
    line->addWidget(text, 1);
    line->addWidget(add);
    m_suggestions->addLayout(line);
}

void fitRows(widgets::DataTable *table, int rows)
{
    table->setFixedHeight(table->heightFor(rows));
}

} // namespace gpuledger::ui

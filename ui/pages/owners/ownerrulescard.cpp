// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/owners/ownerrulescard.h"

#include "ui/dialogs/owners/ownerruledialog.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/owners/ownerrulespreview.h"
#include "ui/pages/owners/ownertables.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr int kRuleRow = 34; // with a bar
constexpr int kLeastPreview = 180; // while there is nothing to show
constexpr int kMostRules = 12; // more of them scroll
constexpr char kShareColumn[] = "share"; // no-tr: a key

} // namespace

OwnerRulesCard::OwnerRulesCard(const widgets::Theme &theme, OwnerRulesViewModel &model, QWidget *parent)
    : Card(theme, parent)
    , m_theme(theme)
    , m_model(model)
    , m_rules(ownerRuleColumns({}))
{
    setAccessibleName(tr("Owner rules"));
    auto *layout = new QVBoxLayout(this);
    const int side = theme.space(Space::Large);
    layout->setContentsMargins(side, theme.space(Space::Medium), side, side);
    layout->setSpacing(theme.space(Space::Medium));
    layout->addLayout(makeHeader());
    m_failure = plainLabel(theme, {}, TextSize::Body, Color::Critical, QFont::Normal, this);
    m_failure->setWordWrap(true);
    m_failure->hide();
    layout->addWidget(m_failure);
    layout->addWidget(makeRules());
    layout->addLayout(makeButtons());
    m_preview = new OwnerRulesPreview(theme);
    m_panel = new StatePanel(theme, m_preview, this);
    m_panel->setMinimumHeight(kLeastPreview);
    layout->addWidget(m_panel);
    bind();
    addShortcuts();
    showRows();
    m_panel->showLoading();
}

QLayout *OwnerRulesCard::makeHeader()
{
    auto *layout = new QHBoxLayout;
    layout->setSpacing(m_theme.space(Space::Small));
    layout->addWidget(plainLabel(m_theme, tr("Owner rules"), TextSize::Section, Color::Text, QFont::DemiBold, this));
    m_subtitle = plainLabel(m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(m_subtitle, 1);
    m_reload = new QPushButton(tr("Read the file again"), this);
    m_discard = new QPushButton(tr("Discard changes"), this);
    m_save = new QPushButton(tr("Save rules"), this);
    widgets::setPrimary(m_save);
    for (QPushButton *button : {m_reload, m_discard, m_save})
        layout->addWidget(button);
    m_reload->hide();
    return layout;
}

QWidget *OwnerRulesCard::makeRules()
{
    auto *part = new QWidget(this);
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    m_rules.setSortable(false); // the order is the priority of the rules
    m_builtIn = plainLabel(m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, part);
    m_builtIn->setWordWrap(true);
    m_ruleTable = new widgets::DataTable(m_theme, tr("Owner rules in their order"), m_rules, part);
    m_ruleTable->setDelegate(QLatin1String(kShareColumn), new widgets::BarDelegate(m_theme, m_ruleTable));
    m_ruleTable->setRowHeight(kRuleRow);
    layout->addWidget(m_builtIn);
    layout->addWidget(m_ruleTable);
    return part;
}

QLayout *OwnerRulesCard::makeButtons()
{
    auto *layout = new QHBoxLayout;
    layout->setSpacing(m_theme.space(Space::Small));
    auto *add = new QPushButton(tr("Add rule…"), this);
    m_edit = new QPushButton(tr("Edit…"), this);
    m_remove = new QPushButton(tr("Delete"), this);
    m_up = new QPushButton(tr("Move up"), this);
    m_down = new QPushButton(tr("Move down"), this);
    m_edit->setAccessibleName(tr("Edit rule"));
    m_remove->setAccessibleName(tr("Delete rule"));
    m_up->setAccessibleName(tr("Move rule up"));
    m_down->setAccessibleName(tr("Move rule down"));
    for (QPushButton *button : {add, m_edit, m_remove, m_up, m_down})
        layout->addWidget(button);
    layout->addStretch();
    connect(add, &QPushButton::clicked, this, [this] { addRule({}); });
    connect(m_edit, &QPushButton::clicked, this, &OwnerRulesCard::editCurrent);
    connect(m_remove, &QPushButton::clicked, this, &OwnerRulesCard::removeCurrent);
    connect(m_up, &QPushButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveCurrent(1); });
    return layout;
}

void OwnerRulesCard::bind()
{
    connect(&m_model, &OwnerRulesViewModel::rowsChanged, this, &OwnerRulesCard::showRows);
    connect(&m_model, &OwnerRulesViewModel::changed, this, &OwnerRulesCard::showState);
    connect(&m_model.saver(), &ConfigurationSaver::changed, this, &OwnerRulesCard::showButtons);
    connect(&m_model.saver(), &ConfigurationSaver::saved, this, [this] {
        m_failure->hide();
        m_reload->hide();
    });
    connect(&m_model.saver(), &ConfigurationSaver::failed, this, [this](const QString &sentence, bool isOtherNow) {
        m_failure->setText(sentence);
        m_failure->show();
        m_reload->setVisible(isOtherNow);
    });
    connect(m_ruleTable, &widgets::DataTable::rowActivated, this, &OwnerRulesCard::editCurrent);
    connect(m_ruleTable, &widgets::DataTable::currentRowChanged, this, &OwnerRulesCard::showButtons);
    connect(m_save, &QPushButton::clicked, &m_model, &OwnerRulesViewModel::save);
    connect(m_discard, &QPushButton::clicked, this, [this] {
        m_failure->hide();
        m_reload->hide();
        m_model.discard();
    });
    connect(m_reload, &QPushButton::clicked, this, [this] { m_model.saver().reload(); });
    connect(m_preview, &OwnerRulesPreview::ruleSuggested, this, &OwnerRulesCard::addRule);
    connect(m_panel, &StatePanel::actionTriggered, &m_model, &OwnerRulesViewModel::refresh);
}

void OwnerRulesCard::addShortcuts()
{
    const auto add = [this](const QKeySequence &keys, auto run) {
        auto *shortcut = new QShortcut(keys, m_ruleTable, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, run);
    };
    add(Qt::Key_Delete, [this] { removeCurrent(); });
    add(Qt::ALT | Qt::Key_Up, [this] { moveCurrent(-1); });
    add(Qt::ALT | Qt::Key_Down, [this] { moveCurrent(1); });
    m_up->setToolTip(widgets::plainToolTip(QKeySequence(Qt::ALT | Qt::Key_Up).toString(QKeySequence::NativeText)));
    m_down->setToolTip(widgets::plainToolTip(QKeySequence(Qt::ALT | Qt::Key_Down).toString(QKeySequence::NativeText)));
    m_remove->setToolTip(widgets::plainToolTip(QKeySequence(Qt::Key_Delete).toString(QKeySequence::NativeText)));
}

void OwnerRulesCard::showRows()
{
    const auto preview = m_model.preview();
    if (m_model.isPreviewOfRows()) {
        m_claims.clear();
        for (std::size_t i = 0; i < m_model.rows().size() && i < preview->rules.size(); ++i)
            m_claims[m_model.rows()[i].id] = preview->rules[i];
        m_claims[0] = preview->rules.back();
    }
    if (preview && preview->all.time.ticks == 0)
        m_claims.clear(); // nothing was read: dashes rather than zeros
    m_rules.setSnapshot(ownerRuleTable(m_model.rows(), m_claims, preview ? preview->all : ledger::Claimed()));
    const bool none = m_model.rows().empty();
    m_builtIn->setText(none ? tr("Without rules of your own the built-in ones apply: the labels team, owner and "
                                 "cost-center of the workload, then of its namespace, then the namespace's name.")
                           : !m_model.canSave()
                           ? tr("The demo fleet has no configuration file: try rules here and "
                                "see what they would do; they can't be saved.")
                           : tr("These rules are built in. What you change is written to your configuration."));
    m_builtIn->setVisible(none || !m_model.canSave() || m_model.isBuiltIn());
    m_ruleTable->setVisible(!none);
    fitRows(m_ruleTable, std::min(static_cast<int>(m_model.rows().size()) + 1, kMostRules));
    if (m_ruleTable->currentRowId().isEmpty() && !none)
        m_ruleTable->setCurrentRow(ownerRuleRowId(m_model.rows().front().id));
    showButtons();
}

void OwnerRulesCard::showButtons()
{
    const bool saving = m_model.saver().isSaving();
    const int at = m_model.indexOf(currentId());
    m_save->setVisible(m_model.isChanged() && m_model.canSave());
    m_save->setEnabled(!saving);
    m_save->setText(saving ? tr("Saving…") : tr("Save rules"));
    m_discard->setVisible(m_model.isChanged());
    m_discard->setEnabled(!saving);
    m_edit->setEnabled(at >= 0);
    m_remove->setEnabled(at >= 0);
    m_up->setEnabled(at > 0);
    m_down->setEnabled(at >= 0 && at + 1 < static_cast<int>(m_model.rows().size()));
}

void OwnerRulesCard::showState()
{
    showRows();
    const auto preview = m_model.preview();
    switch (m_model.state()) {
    case PageState::FirstRun:
    case PageState::Loading:
        m_panel->showLoading();
        break;
    case PageState::Data:
        showPreview();
        m_panel->showData();
        break;
    case PageState::Empty:
        m_panel->showEmpty({tr("Nothing to show yet"),
                            tr("What the rules claim is shown once GPU time has been read from a source."),
                            {},
                            {},
                            {}});
        break;
    case PageState::Error:
        m_panel->showError(
            {tr("What the rules claim can't be shown"), LocalText::sentence(m_model.error()), {}, tr("Try again"), {}},
            preview ? tr("Data until %1").arg(OwnerRuleText::day(preview->range.end)) : QString());
        break;
    }
    Q_EMIT settledChanged();
}

void OwnerRulesCard::showPreview()
{
    const auto preview = m_model.preview();
    m_rules.setColumns(ownerRuleColumns(currencyText(*preview)));
    m_subtitle->setText(tr("The first rule that matches names the team. Figures of %1", "range of days")
                            .arg(LocalText::timeRange(preview->range, m_model.timeZone())));
    m_preview->showPreview(preview, m_model.isChanged());
    m_panel->setMinimumHeight(m_preview->minimumSizeHint().height());
}

int OwnerRulesCard::currentId() const
{
    return m_ruleTable->currentRowId().toInt();
}

void OwnerRulesCard::addRule(const OwnerRuleFields &fields)
{
    // Inserted above a catch-all rule: below it, nothing would ever match.
    const auto &rows = m_model.rows();
    int place = static_cast<int>(rows.size());
    while (place > 0 && rows[static_cast<std::size_t>(place - 1)].rule.kind == model::OwnerRule::Kind::Default)
        --place;
    openDialog(0, place, fields);
}

void OwnerRulesCard::editCurrent()
{
    const int at = m_model.indexOf(currentId());
    if (at < 0)
        return;
    const auto &row = m_model.rows()[static_cast<std::size_t>(at)];
    openDialog(row.id, at, OwnerRuleText::fieldsOf(row.rule));
}

void OwnerRulesCard::openDialog(int id, int place, const OwnerRuleFields &fields)
{
    auto *dialog = new OwnerRuleDialog(m_theme, m_model, id, place, fields, window());
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_ruleTable->setCurrentRow(ownerRuleRowId(dialog->ruleId()));
        m_ruleTable->setFocus();
    });
    dialog->open();
}

void OwnerRulesCard::removeCurrent()
{
    const int id = currentId(), at = m_model.indexOf(id);
    if (at < 0)
        return;
    m_model.remove(id);
    if (!m_model.rows().empty()) {
        const std::size_t next = std::min(static_cast<std::size_t>(at), m_model.rows().size() - 1);
        m_ruleTable->setCurrentRow(ownerRuleRowId(m_model.rows()[next].id));
    }
}

void OwnerRulesCard::moveCurrent(int by)
{
    m_model.move(currentId(), by);
}

bool OwnerRulesCard::settled() const
{
    return m_model.state() != PageState::Loading && !m_model.isAsking();
}

} // namespace gpuledger::ui

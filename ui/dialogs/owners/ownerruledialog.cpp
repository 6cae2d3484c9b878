// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/owners/ownerruledialog.h"

#include "ui/dialogs/dialogframe.h"
#include "ui/dialogs/formrows.h"
#include "ui/format/local/localtext.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/plaintext.h"

#include <QAccessible>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>
#include <vector>

namespace gpuledger::ui {

using widgets::ChoiceButton;
using widgets::Color;
using widgets::Space;
using widgets::TextSize;
using Compare = OwnerRuleFields::Compare;
using Field = OwnerRuleFields::Field;
using Kind = model::OwnerRule::Kind;

namespace {

constexpr int kWidth = 560;
constexpr int kLongestField = 1024;
constexpr std::array kKinds{Kind::Label,    Kind::NamespaceLabel, Kind::Namespace, Kind::NodePool,
                            Kind::CloudTag, Kind::Account,        Kind::Default};
constexpr std::array kFields{Field::Key, Field::Pattern, Field::Team, Field::From, Field::Until};
constexpr char kExpressionExample[] = "^ml-(?<team>[a-z]+)-"; // no-tr: an expression
constexpr char kDayExample[] = "2026-01-31"; // no-tr: a date as files have it

QString keyOf(int value)
{
    return QString::number(value);
}

} // namespace

OwnerRuleDialog::OwnerRuleDialog(const widgets::Theme &theme, OwnerRulesViewModel &model, int id, int place,
                                 const OwnerRuleFields &fields, QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_model(model)
    , m_before(model.rows())
    , m_id(id)
    , m_place(place)
    , m_form(new QFormLayout)
    , m_kind(new ChoiceButton(tr("Looks at")))
    , m_compare(new ChoiceButton(tr("Compare")))
    , m_remark(widgets::plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_claim(widgets::plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::DemiBold, this))
    , m_coverage(widgets::plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_ok(new QPushButton(id > 0 ? tr("Change rule") : tr("Add rule"), this))
{
    setWindowTitle(id > 0 ? tr("Edit owner rule") : tr("Add an owner rule"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kWidth);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    makeForm();
    layout->addLayout(m_form);
    m_remark->setWordWrap(true);
    m_coverage->setWordWrap(true);
    layout->addWidget(m_remark);
    layout->addStretch();
    layout->addWidget(m_claim);
    layout->addWidget(m_coverage);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    addDialogButtons(*this, *layout, theme, cancel, m_ok, DefaultButton::Action);
    connect(m_ok, &QPushButton::clicked, this, [this] {
        m_tried = true;
        showProblem(true);
        if (!OwnerRuleText::problem(m_fields))
            accept();
    });
    connect(&m_model, &OwnerRulesViewModel::changed, this, &OwnerRuleDialog::showClaim);
    fill(fields);
    read();
}

void OwnerRuleDialog::makeForm()
{
    m_form->setVerticalSpacing(m_theme.space(Space::Small));
    std::vector<ChoiceButton::Choice> kinds;
    for (const Kind kind : kKinds)
        kinds.push_back({keyOf(static_cast<int>(kind)), OwnerRuleText::kindName(kind)});
    m_kind->setChoices(kinds);
    m_form->addRow(tr("Looks at"), m_kind);
    field(Field::Key, tr("Name of the label"), tr("team", "example of a label's name"));
    m_form->addRow(tr("Which"), m_compare);
    field(Field::Pattern, tr("Value"), {});
    field(Field::Team, tr("Team"), {});
    field(Field::From, tr("From"), tr("for example %1", "a day").arg(QLatin1String(kDayExample)));
    field(Field::Until, tr("Until"), tr("for example %1", "a day").arg(QLatin1String(kDayExample)));
    for (const Field which : {Field::From, Field::Until}) {
        const QString help = which == Field::From
            ? tr("The first day on which the rule applies (UTC); empty: always did")
            : tr("The first day on which it no longer applies (UTC); empty: no end");
        m_help[which] = help;
        m_edits[which]->setToolTip(widgets::plainToolTip(help));
    }
    connect(m_kind, &ChoiceButton::chosen, this, &OwnerRuleDialog::read);
    connect(m_compare, &ChoiceButton::chosen, this, &OwnerRuleDialog::read);
}

QLineEdit *OwnerRuleDialog::field(Field which, const QString &label, const QString &example)
{
    auto *edit = new QLineEdit(this);
    edit->setMaxLength(kLongestField);
    edit->setPlaceholderText(example);
    edit->setAccessibleName(label);
    connect(edit, &QLineEdit::textEdited, this, &OwnerRuleDialog::read);
    m_form->addRow(label, edit);
    QLabel *problem = widgets::plainLabel(m_theme, {}, TextSize::Caption, Color::Critical, QFont::Normal, this);
    problem->setWordWrap(true);
    m_form->addRow(QString(), problem);
    m_form->setRowVisible(problem, false);
    m_edits[which] = edit;
    m_problems[which] = problem;
    return edit;
}

void OwnerRuleDialog::fill(const OwnerRuleFields &fields)
{
    m_fields = fields;
    m_kind->setCurrentKey(keyOf(static_cast<int>(fields.kind)));
    m_fields = fields; // the choice has already been read
    offerComparisons();
    m_compare->setCurrentKey(keyOf(static_cast<int>(fields.compare)));
    m_fields = fields;
    m_edits[Field::Key]->setText(fields.key);
    m_edits[Field::Pattern]->setText(fields.pattern);
    m_edits[Field::Team]->setText(fields.team);
    m_edits[Field::From]->setText(fields.from);
    m_edits[Field::Until]->setText(fields.until);
}

void OwnerRuleDialog::offerComparisons()
{
    const auto choice = [](Compare compare, const QString &text) {
        return ChoiceButton::Choice{keyOf(static_cast<int>(compare)), text};
    };
    std::vector<ChoiceButton::Choice> choices;
    if (!OwnerRuleText::needsTeam(m_fields.kind) || m_fields.kind == Kind::NodePool || m_fields.kind == Kind::Account)
        choices.push_back(choice(Compare::Any,
                                 OwnerRuleText::hasKey(m_fields.kind) ? tr("Any value", "of a label")
                                                                      : tr("Any name", "of a namespace or node pool")));
    choices.push_back(choice(Compare::Equals, tr("Is exactly")));
    choices.push_back(choice(Compare::Prefix, tr("Begins with")));
    choices.push_back(choice(Compare::Regex, tr("Matches the expression")));
    m_compare->setChoices(choices);
}

void OwnerRuleDialog::read()
{
    m_fields.kind = static_cast<Kind>(m_kind->currentKey().toInt());
    offerComparisons();
    m_fields.compare = static_cast<Compare>(m_compare->currentKey().toInt());
    m_fields.key = m_edits[Field::Key]->text();
    m_fields.pattern = m_edits[Field::Pattern]->text();
    m_fields.team = m_edits[Field::Team]->text();
    m_fields.from = m_edits[Field::From]->text();
    m_fields.until = m_edits[Field::Until]->text();
    showFields();
    showProblem(m_tried);
    if (!OwnerRuleText::problem(m_fields)) {
        const model::OwnerRule rule = OwnerRuleText::ruleOf(m_fields);
        if (m_id > 0)
            m_model.replace(m_id, rule);
        else
            m_id = m_model.insert(m_place, rule);
    }
    showClaim();
}

void OwnerRuleDialog::showFields()
{
    const Kind kind = m_fields.kind;
    const bool compares = kind != Kind::Default;
    showRows(*m_form,
             {{m_edits[Field::Key], OwnerRuleText::hasKey(kind)},
              {m_compare, compares},
              {m_edits[Field::Pattern], compares && m_fields.compare != Compare::Any}});
    m_edits[Field::Pattern]->setPlaceholderText(
        m_fields.compare == Compare::Regex
            ? tr("for example %1", "an expression").arg(QLatin1String(kExpressionExample))
            : QString());
    m_edits[Field::Team]->setPlaceholderText(OwnerRuleText::needsTeam(kind) ? tr("the team that owns it")
                                                 : m_fields.compare == Compare::Regex
                                                 ? tr("the group “team”, else the value")
                                                 : tr("what the value says"));
    const QString remark = OwnerRuleText::remark(kind);
    m_remark->setText(remark);
    m_remark->setVisible(!remark.isEmpty());
}

void OwnerRuleDialog::showProblem(bool tried)
{
    const auto problem = OwnerRuleText::problem(m_fields);
    // An empty field is reported only after a first attempt, an invalid one at once.
    const auto isHere = [&](Field which) {
        return problem && problem->field == which && (tried || !m_edits[which]->text().trimmed().isEmpty());
    };
    std::vector<FormRow> rows;
    for (const Field which : kFields) {
        m_problems[which]->setText(isHere(which) ? widgets::plainLine(problem->text) : QString());
        rows.push_back({m_problems[which], isHere(which)});
    }
    showRows(*m_form, rows);
    for (const Field which : kFields) {
        const bool here = isHere(which);
        m_edits[which]->setAccessibleDescription(here ? problem->text : m_help[which]);
        if (here && tried && isVisible() && !m_edits[which]->hasFocus() && m_ok->hasFocus()) {
            m_edits[which]->setFocus();
            QAccessibleEvent alert(m_problems[which], QAccessible::Alert);
            QAccessible::updateAccessibility(&alert);
        }
    }
    makeRoom();
}

// A sentence of several lines needs more height than a layout requests by itself.
void OwnerRuleDialog::makeRoom()
{
    layout()->activate();
    const int needed = layout()->totalHeightForWidth(width());
    if (needed > height())
        resize(width(), needed);
}

void OwnerRuleDialog::showClaim()
{
    const int at = m_model.indexOf(m_id);
    const auto preview = m_model.preview();
    if (OwnerRuleText::problem(m_fields) || at < 0 || !m_model.isPreviewOfRows()) {
        const bool asking = at >= 0 && m_model.isAsking() && !OwnerRuleText::problem(m_fields);
        m_claim->setText(asking ? tr("Checking what it claims…") : QString());
        m_coverage->setText({});
        return;
    }
    const ledger::RulePreview::Rule &rule = preview->rules[static_cast<std::size_t>(at)];
    const auto whole = [](double value, int decimals) { return QLocale().toString(value, 'f', decimals); };
    const auto code = preview->currency.code();
    const QString currency = QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
    const double cost = static_cast<double>(rule.all.nanos) / base::Money::kNanosPerUnit;
    m_claim->setText(rule.all.time.ticks == 0
                         ? tr("It claims nothing from the last 30 days.")
                         : tr("It claims %1 GPU-h, %2 %3, from the last 30 days.", "hours, amount, currency")
                               .arg(whole(rule.all.time.hours(), 1), whole(cost, 0), currency));
    const auto share = [&](const ledger::Claimed &part) {
        const ledger::Claimed &all = preview->all;
        return all.nanos > 0     ? static_cast<double>(part.nanos) / static_cast<double>(all.nanos)
            : all.time.ticks > 0 ? part.time.seconds() / all.time.seconds()
                                 : 0;
    };
    m_coverage->setText(
        tr("All rules together assign %1 of the cost; the current ones assign %2.")
            .arg(LocalText::percent(share(preview->owned)), LocalText::percent(share(preview->ownedBefore))));
}

void OwnerRuleDialog::done(int result)
{
    const bool wrong = OwnerRuleText::problem(m_fields).has_value();
    if (result != QDialog::Accepted || wrong)
        m_model.restore(m_before);
    QDialog::done(result);
}

} // namespace gpuledger::ui

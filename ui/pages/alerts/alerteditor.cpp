// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alerts/alerteditor.h"

#include "ui/dialogs/dialogframe.h"
#include "ui/dialogs/formrows.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/alerts/targetchoice.h"
#include "ui/viewmodels/alerts/alerttext.h"
#include "widgets/cards/scrolled.h"
#include "widgets/delegates/spansdelegate.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <iterator>

namespace gpuledger::ui {

using model::AlertRule;
using widgets::ChoiceButton;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kBoundWidth = 150, kTrialAtLeast = 190; // pixels; of the trials, five rows
constexpr std::array kOfferedLengths{0, 900, 1800, 3600, 7200, 14400, 28800, 86400}; // seconds
constexpr std::array kOfferedHysteresis{0.0, 0.05, 0.1, 0.2, 0.3};

QString keyOfShare(double share)
{
    return QString::number(share, 'g', 17);
}

// The texts of words of the configuration.
std::vector<ChoiceButton::Choice> choicesOf(const std::vector<std::string> &names, QString (*text)(const std::string &))
{
    std::vector<ChoiceButton::Choice> out;
    for (const std::string &name : names)
        out.push_back({textOf(name), text(name), false});
    return out;
}

void choose(ChoiceButton &button, const std::vector<ChoiceButton::Choice> &choices, const QString &key)
{
    const QSignalBlocker quiet(&button);
    button.setChoices(choices);
    button.setCurrentKey(key);
}

// Leaves the cursor where it is while the user types.
void showText(QLineEdit &field, const std::string &text)
{
    if (const QString wanted = textOf(text); field.text() != wanted)
        field.setText(wanted);
}

} // namespace

AlertEditor::AlertEditor(const widgets::Theme &theme, AlertsViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    layout->addLayout(header());
    m_failure = plainLabel(theme, {}, TextSize::Body, Color::Critical, QFont::Normal, this);
    m_note = plainLabel(theme,
                        tr("The demo fleet has no configuration file: try rules here and see when they would "
                           "have fired; they can't be saved."),
                        TextSize::Body, Color::Muted, QFont::Normal, this);
    for (QLabel *label : {m_failure, m_note}) {
        label->setWordWrap(true);
        label->hide();
        layout->addWidget(label);
    }
    auto *content = new QWidget;
    auto *inside = new QVBoxLayout(content);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(theme.space(Space::Medium));
    inside->addLayout(sentence());
    inside->addLayout(fields());
    inside->addLayout(trial(), 1);
    layout->addWidget(widgets::scrolled(content, this), 1);
    QWidget *const inOrder[] = {m_metric,
                                m_per,
                                m_bound,
                                m_length,
                                m_name,
                                m_severity,
                                m_targets->button(),
                                m_hours,
                                m_hysteresis,
                                m_year,
                                m_trialTable->view()};
    for (std::size_t i = 1; i < std::size(inOrder); ++i)
        setTabOrder(inOrder[i - 1], inOrder[i]);
    bind();
    bindFields();
    showRule();
}

QLayout *AlertEditor::header()
{
    auto *row = new QHBoxLayout;
    row->setSpacing(m_theme.space(Space::Small));
    m_title = plainLabel(m_theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, this);
    row->addWidget(m_title, 1);
    m_reload = new QPushButton(tr("Read the file again"), this);
    m_delete = new QPushButton(tr("Delete rule"), this);
    m_discard = new QPushButton(tr("Discard changes"), this);
    m_save = new QPushButton(tr("Save rule"), this);
    widgets::setPrimary(m_save);
    for (QPushButton *button : {m_reload, m_delete, m_discard, m_save}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    m_reload->hide();
    return row;
}

QLayout *AlertEditor::sentence()
{
    auto *rows = new QVBoxLayout;
    rows->setSpacing(m_theme.space(Space::Small));
    const auto word = [this](const QString &text) {
        return plainLabel(m_theme, text, TextSize::Body, Color::Text, QFont::Normal, this);
    };
    m_metric = new ChoiceButton(tr("Metric"), this);
    m_per = new ChoiceButton(tr("Scope"), this);
    m_bound = formField(tr("Threshold"), {}, tr("A number with its unit"));
    m_bound->setMaximumWidth(kBoundWidth);
    m_length = new ChoiceButton(tr("For how long"), this);
    m_direction = word({});
    auto *first = new QHBoxLayout, *second = new QHBoxLayout;
    for (QHBoxLayout *row : {first, second}) {
        row->setSpacing(m_theme.space(Space::Small));
        rows->addLayout(row);
    }
    first->addWidget(word(tr("When the", "beginning of the sentence of a rule: When the [idle cost] of [each team]")));
    first->addWidget(m_metric);
    first->addWidget(word(tr("of", "in the sentence of a rule: the [idle cost] of [each team]")));
    first->addWidget(m_per);
    first->addStretch();
    second->addWidget(m_direction);
    second->addWidget(m_bound);
    second->addWidget(word(tr("for", "in the sentence of a rule: is above [200 USD/day] for [2 h]")));
    second->addWidget(m_length);
    second->addStretch();
    m_boundProblem = plainLabel(m_theme, {}, TextSize::Caption, Color::Critical, QFont::Normal, this);
    m_boundProblem->setWordWrap(true);
    m_boundProblem->hide();
    rows->addWidget(m_boundProblem);
    return rows;
}

QLayout *AlertEditor::fields()
{
    m_form = dialogForm(m_theme);
    m_name = formField(tr("Name"), {}, tr("In notices and on the command line"));
    m_hours = formField(tr("Working hours"), tr("always"), tr("At other times nothing fires or resolves"));
    m_severity = new ChoiceButton(tr("Severity"), this);
    m_hysteresis = new ChoiceButton(tr("Resolves"), this);
    m_targets = new TargetChoice(m_theme, this);
    m_year = new QPushButton(this);
    m_year->setAutoDefault(false);
    m_year->setMenu(new QMenu(m_year));
    const QString help = tr("The month in which the year and the quarters of all budgets and forecasts begin. It is "
                            "written to your configuration at once; alerts about budgets and forecasts begin anew.");
    m_year->setToolTip(widgets::plainToolTip(help));
    m_year->setAccessibleDescription(help);
    const FieldWithProblem name = withProblem(m_theme, m_name), hours = withProblem(m_theme, m_hours);
    m_nameProblem = name.problem;
    m_hoursProblem = hours.problem;
    m_form->addRow(tr("Name"), name.whole);
    m_form->addRow(tr("Severity"), m_severity);
    m_form->addRow(tr("Send to"), m_targets);
    m_form->addRow(tr("Working hours"), hours.whole);
    m_form->addRow(tr("Resolves"), m_hysteresis);
    m_form->addRow(tr("Year begins in"), m_year);
    return m_form;
}

QLayout *AlertEditor::trial()
{
    auto *layout = new QVBoxLayout;
    layout->setSpacing(m_theme.space(Space::Small));
    layout->addWidget(
        plainLabel(m_theme, tr("In the past 90 days"), TextSize::Body, Color::Text, QFont::DemiBold, this));
    m_trialNote = plainLabel(m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this);
    m_trialNote->setWordWrap(true);
    layout->addWidget(m_trialNote);
    m_trialTable = new widgets::DataTable(m_theme, tr("When the rule would have fired"), m_model.trialRows(), this);
    m_trialTable->setDelegate(QStringLiteral("when"), new widgets::SpansDelegate(m_theme, m_trialTable)); // no-tr: key
    m_trialTable->setMinimumHeight(kTrialAtLeast);
    layout->addWidget(m_trialTable, 1);
    layout->addStretch();
    m_trialTable->hide();
    return layout;
}

void AlertEditor::bind()
{
    connect(&m_model, &AlertsViewModel::currentChanged, this, &AlertEditor::showRule);
    connect(&m_model, &AlertsViewModel::draftChanged, this, &AlertEditor::showFields);
    connect(&m_model, &AlertsViewModel::trialChanged, this, &AlertEditor::showTrial);
    connect(&m_model.saver(), &ConfigurationSaver::changed, this, &AlertEditor::showButtons);
    connect(&m_model.saver(), &ConfigurationSaver::saved, this, [this] {
        m_failure->hide();
        m_reload->hide();
    });
    connect(&m_model.saver(), &ConfigurationSaver::failed, this, [this](const QString &sentence, bool isOtherNow) {
        m_failure->setText(sentence);
        m_failure->show();
        m_reload->setVisible(isOtherNow);
    });
    connect(m_save, &QPushButton::clicked, &m_model, &AlertsViewModel::save);
    connect(m_delete, &QPushButton::clicked, &m_model, &AlertsViewModel::remove);
    connect(m_discard, &QPushButton::clicked, &m_model, &AlertsViewModel::discard);
    connect(m_reload, &QPushButton::clicked, this, [this] { m_model.saver().reload(); });
}

template <typename Change> void AlertEditor::change(Change apply)
{
    if (const AlertRule *now = m_model.draft()) {
        AlertRule rule = *now;
        apply(rule);
        m_model.edit(rule);
    }
}

void AlertEditor::bindFields()
{
    connect(m_metric, &ChoiceButton::chosen, this, [this](const QString &key) {
        change([&](AlertRule &rule) {
            rule.metric = key.toStdString();
            const auto metric = alerts::ruleMetricFromString(rule.metric);
            const auto scopes = metric ? alerts::scopesOf(*metric) : std::vector<std::string>();
            if (!scopes.empty() && std::find(scopes.begin(), scopes.end(), rule.per) == scopes.end())
                rule.per = scopes.front();
            rule.bound = AlertText::example(rule.metric, m_model.snapshot()->currency).toStdString();
        });
        m_model.proposeBound();
    });
    connect(m_per, &ChoiceButton::chosen, this,
            [this](const QString &key) { change([&](AlertRule &rule) { rule.per = key.toStdString(); }); });
    connect(m_severity, &ChoiceButton::chosen, this,
            [this](const QString &key) { change([&](AlertRule &rule) { rule.severity = key.toStdString(); }); });
    connect(m_targets, &TargetChoice::toggled, this, [this](const std::string &target, bool isOn) {
        change([&](AlertRule &rule) {
            std::erase(rule.send, target);
            if (isOn)
                rule.send.push_back(target);
        });
    });
    connect(m_length, &ChoiceButton::chosen, this, [this](const QString &key) {
        change([&](AlertRule &rule) { rule.length = base::Seconds{key.toLongLong()}; });
    });
    connect(m_hysteresis, &ChoiceButton::chosen, this,
            [this](const QString &key) { change([&](AlertRule &rule) { rule.hysteresis = key.toDouble(); }); });
    connect(m_bound, &QLineEdit::textEdited, this,
            [this](const QString &text) { change([&](AlertRule &rule) { rule.bound = text.toStdString(); }); });
    connect(m_name, &QLineEdit::textEdited, this,
            [this](const QString &text) { change([&](AlertRule &rule) { rule.name = text.toStdString(); }); });
    connect(m_hours, &QLineEdit::textEdited, this,
            [this](const QString &text) { change([&](AlertRule &rule) { rule.workingHours = text.toStdString(); }); });
}

void AlertEditor::focusSentence()
{
    m_metric->setFocus(Qt::OtherFocusReason);
}

void AlertEditor::showRule()
{
    setEnabled(m_model.draft() != nullptr);
    m_failure->hide();
    m_reload->hide();
    showFields();
    showTrial();
}

void AlertEditor::showFields()
{
    showButtons();
    const AlertRule *rule = m_model.draft();
    if (!rule)
        return;
    const auto metric = alerts::ruleMetricFromString(rule->metric);
    m_title->setText(m_model.isNew() ? tr("New rule") : widgets::plainLine(m_model.currentId(), 64));
    choose(*m_metric, choicesOf(alerts::ruleMetricNames(), &AlertText::metric), textOf(rule->metric));
    choose(*m_per, choicesOf(metric ? alerts::scopesOf(*metric) : std::vector{rule->per}, &AlertText::per),
           textOf(rule->per));
    m_direction->setText(metric && alerts::fallsBelow(*metric) ? tr("is below", "in the sentence of a rule")
                                                               : tr("is above", "in the sentence of a rule"));
    std::vector<ChoiceButton::Choice> lengths;
    std::vector<qint64> offered(kOfferedLengths.begin(), kOfferedLengths.end());
    if (const qint64 own = rule->length.count(); std::find(offered.begin(), offered.end(), own) == offered.end())
        offered.push_back(own);
    std::sort(offered.begin(), offered.end());
    for (const qint64 seconds : offered)
        lengths.push_back(
            {QString::number(seconds),
             seconds == 0 ? tr("any time", "how long a condition must hold") : LocalText::hours(base::Seconds{seconds}),
             false});
    choose(*m_length, lengths, QString::number(rule->length.count()));
    choose(*m_severity, choicesOf(alerts::ruleSeverityNames(), &AlertText::severity), textOf(rule->severity));
    std::vector<double> shares(kOfferedHysteresis.begin(), kOfferedHysteresis.end());
    if (std::find(shares.begin(), shares.end(), rule->hysteresis) == shares.end())
        shares.push_back(rule->hysteresis);
    std::sort(shares.begin(), shares.end());
    std::vector<ChoiceButton::Choice> back;
    for (const double share : shares)
        back.push_back(
            {keyOfShare(share),
             share == 0
                 ? tr("at the threshold", "where an alert ends")
                 : tr("%1 back from the threshold", "where an alert ends, a share").arg(LocalText::percent(share, 0)),
             false});
    choose(*m_hysteresis, back, keyOfShare(rule->hysteresis));
    showText(*m_bound, rule->bound);
    showText(*m_name, rule->name);
    showText(*m_hours, rule->workingHours);
    m_targets->setRule(*m_model.snapshot(), *m_model.draft());
    showYear();
    showProblems();
}

// It is of all budgets, so it is shown with the rules about them.
void AlertEditor::showYear()
{
    const auto metric = alerts::ruleMetricFromString(m_model.draft()->metric);
    showRows(*m_form, {{m_year, metric == alerts::RuleMetric::Budget || metric == alerts::RuleMetric::Forecast}});
    QMenu &menu = *m_year->menu();
    menu.clear();
    for (int month = 1; month <= 12; ++month) {
        const QString name = QLocale().standaloneMonthName(month);
        const bool isNow = month == m_model.snapshot()->yearStarts;
        QAction *action = menu.addAction(name);
        action->setCheckable(true);
        action->setChecked(isNow);
        // Queued: the change makes the menu anew.
        connect(
            action, &QAction::triggered, &m_model, [this, month] { m_model.saveYearStart(month); },
            Qt::QueuedConnection);
        if (isNow) {
            m_year->setText(name);
            m_year->setAccessibleName(tr("Year begins in: %1", "month").arg(name));
        }
    }
}

void AlertEditor::showProblems()
{
    const AlertProblems problems = m_model.problems();
    showProblemAt(*m_bound, *m_boundProblem, problems.bound, tr("A number with its unit"));
    showProblemAt(*m_name, *m_nameProblem, problems.name, tr("In notices and on the command line"));
    showProblemAt(*m_hours, *m_hoursProblem, problems.hours, tr("At other times nothing fires or resolves"));
}

void AlertEditor::showButtons()
{
    const bool isSaving = m_model.saver().isSaving(), canSave = m_model.canSave();
    const bool isChanged = m_model.isChanged();
    m_save->setVisible(isChanged && canSave);
    m_save->setEnabled(!isSaving && m_model.problems().isEmpty());
    m_save->setText(isSaving ? tr("Saving…") : tr("Save rule"));
    m_discard->setVisible(isChanged);
    m_discard->setEnabled(!isSaving);
    m_delete->setVisible(canSave && !m_model.isNew() && m_model.draft());
    m_delete->setEnabled(!isSaving);
    m_year->setEnabled(canSave && !isSaving);
    m_note->setVisible(m_model.snapshot() && !canSave);
}

QString AlertEditor::trialText(const services::AlertReplay &replay) const
{
    if (!replay.noticesPerWeek)
        return tr("Nothing was fetched in this time.");
    if (replay.fired.empty())
        return tr("It would not have fired.");
    const QString often =
        tr("It would have sent about %1 notices a week.", "a number").arg(LocalText::number(*replay.noticesPerWeek, 1));
    const int brief = static_cast<int>(replay.unactionable), all = static_cast<int>(replay.notices);
    return often + QLatin1Char(' ')
        + (brief == 0 ? tr("None was over within an hour.")
                      : tr("%1 of %n were over within an hour, too soon to act on.", "notices", all)
                            .arg(LocalText::number(brief, 0)));
}

void AlertEditor::showTrial()
{
    const auto replay = m_model.trial();
    m_trialTable->setVisible(replay && !replay->fired.empty());
    if (replay)
        m_trialNote->setText(trialText(*replay));
    else if (m_model.isTrying())
        m_trialNote->setText(tr("Replaying the rule…"));
    else if (m_model.trialError())
        m_trialNote->setText(LocalText::sentence(*m_model.trialError()));
    else
        m_trialNote->setText(m_model.draft() ? tr("Shown once the rule can be read.") : QString());
}

} // namespace gpuledger::ui

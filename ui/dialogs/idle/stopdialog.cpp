// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/idle/stopdialog.h"

#include "app/services/engine/configservice.h"
#include "ui/dialogs/dialogframe.h"
#include "ui/dialogs/idle/typedconsent.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/actions/kubectl.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/delegates/badgedelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <algorithm>
#include <map>

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

namespace gpuledger::ui {

using actions::Outcome;
using actions::PlannedStop;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kStopWidth = 860;
constexpr int kReasonHeight = 52, kCountWidth = 72, kMostRows = 8; // without scrolling

void clear(QGridLayout &grid)
{
    while (QLayoutItem *item = grid.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QString sign(Outcome outcome)
{
    return outcome == Outcome::Passed ? QStringLiteral("✓")
        : outcome == Outcome::Failed  ? QStringLiteral("✗")
                                      : QStringLiteral("–");
}

Color colorOf(Outcome outcome)
{
    return outcome == Outcome::Passed ? Color::Good : outcome == Outcome::Failed ? Color::Critical : Color::Muted;
}

// Another controller manages it and was not named.
bool isKeptByOthers(const PlannedStop &stop)
{
    return std::any_of(stop.checks.begin(), stop.checks.end(),
                       [](const actions::Check &check) { return check.why == actions::Why::Managed; });
}

} // namespace

StopDialog::StopDialog(const Context &context, std::vector<insight::IdleItem> chosen, QWidget *parent)
    : QDialog(parent)
    , m_context(context)
    , m_chosen(std::move(chosen))
    , m_rows(stopColumns(context.config.settings().currency))
    , m_table(new widgets::DataTable(context.theme, tr("What is stopped"), m_rows, this))
    , m_simulated(plainLabel(context.theme, tr("Simulated platform: nothing real is stopped."), TextSize::Body,
                             Color::Warning, QFont::DemiBold, this))
    , m_headline(plainLabel(context.theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, this))
    , m_hint(plainLabel(context.theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_countLabel(plainLabel(context.theme, {}, TextSize::Body, Color::Text, QFont::Normal, this))
    , m_reason(new QPlainTextEdit(this))
    , m_count(new QLineEdit(this))
    , m_consent(new TypedConsent(context.theme, this))
{
    const widgets::Theme &theme = m_context.theme;
    setWindowTitle(tr("Stop idle workloads"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kStopWidth, 0); // as high as its content
    QVBoxLayout *layout = dialogLayout(*this, theme);
    layout->addWidget(m_headline);
    layout->addWidget(m_simulated);
    m_simulated->setVisible(m_context.actions.reach().onlySimulated);
    m_table->setDelegate(QStringLiteral("checks"), new widgets::BadgeDelegate(theme, m_table)); // no-tr: key
    layout->addWidget(m_table);
    layout->addWidget(details(), 1);
    layout->addWidget(reasonFields());
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    layout->addWidget(buttons());
    connect(&m_context.actions, &ActionController::planned, this, &StopDialog::showPlan);
    connect(&m_context.actions, &ActionController::checkFailed, this, &StopDialog::showError);
    connect(m_table, &widgets::DataTable::currentRowChanged, this, &StopDialog::showCurrent);
    connect(&m_rows, &TableModel::checkedChanged, this, &StopDialog::showWhetherItCan);
    connect(m_reason, &QPlainTextEdit::textChanged, this, &StopDialog::showWhetherItCan);
    connect(m_count, &QLineEdit::textChanged, this, &StopDialog::showWhetherItCan);
    connect(m_consent, &TypedConsent::changed, this, &StopDialog::showWhetherItCan);
    checkAgain();
    m_table->setFocus();
}

QWidget *StopDialog::details()
{
    const widgets::Theme &theme = m_context.theme;
    auto *box = new QWidget(this);
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Large));
    auto *words = new QGridLayout;
    words->setHorizontalSpacing(theme.space(Space::Medium));
    words->setVerticalSpacing(theme.space(Space::Tiny));
    m_title = plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::DemiBold, box);
    words->addWidget(m_title, 0, 0, 1, 2);
    QLabel *label = nullptr;
    const auto add = [&](const QString &name) {
        const int row = words->rowCount();
        label = plainLabel(theme, name, TextSize::Body, Color::Muted, QFont::Normal, box);
        QLabel *text = plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::Normal, box);
        text->setWordWrap(true);
        words->addWidget(label, row, 0, Qt::AlignTop);
        words->addWidget(text, row, 1);
        return text;
    };
    m_effect = add(tr("Effect"));
    m_lost = add(tr("Lost"));
    m_undo = add(tr("Undo"));
    m_cautions = add(tr("Note"));
    m_cautionsName = label;
    words->setColumnStretch(1, 1);
    words->setRowStretch(words->rowCount(), 1);
    m_checks = new QGridLayout;
    m_checks->setHorizontalSpacing(theme.space(Space::Small));
    m_checks->setVerticalSpacing(theme.space(Space::Tiny));
    layout->addLayout(words, 1);
    layout->addLayout(m_checks, 1);
    return box;
}

QWidget *StopDialog::reasonFields()
{
    const widgets::Theme &theme = m_context.theme;
    auto *box = new QWidget(this);
    auto *layout = new QGridLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    QLabel *label = plainLabel(theme, tr("Reason (optional; kept in the audit log)"), TextSize::Body, Color::Muted,
                               QFont::Normal, box);
    label->setBuddy(m_reason);
    m_reason->setAccessibleName(label->text());
    m_reason->setTabChangesFocus(true);
    m_reason->setFixedHeight(kReasonHeight);
    m_count->setAccessibleName(tr("Number of workloads"));
    m_count->setFixedWidth(kCountWidth);
    m_countLabel->setWordWrap(true);
    layout->addWidget(label, 0, 0, 1, 2);
    layout->addWidget(m_reason, 1, 0, 1, 2);
    layout->addWidget(m_countLabel, 2, 0);
    layout->addWidget(m_count, 2, 1);
    layout->addWidget(m_consent, 3, 0, 1, 2);
    layout->setColumnStretch(0, 1);
    return box;
}

QWidget *StopDialog::buttons()
{
    auto *box = new QWidget(this);
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_context.theme.space(Space::Small));
    m_again = new QPushButton(tr("Check &again"), box);
    m_copy = new QPushButton(tr("Copy as &kubectl"), box);
    m_copy->setToolTip(widgets::plainToolTip(tr("The commands that do the same, without the checks and the mark")));
    auto *cancel = new QPushButton(tr("Cancel"), box);
    m_stop = new QPushButton(tr("&Stop"), box);
    cancel->setDefault(true); // Enter must never trigger a stop
    for (QPushButton *button : {m_again, m_copy, m_stop})
        button->setAutoDefault(false);
    widgets::setPrimary(m_stop);
    layout->addWidget(m_again);
    layout->addStretch();
    layout->addWidget(m_copy);
    layout->addWidget(cancel);
    layout->addWidget(m_stop);
    connect(m_again, &QPushButton::clicked, this, &StopDialog::checkAgain);
    connect(m_copy, &QPushButton::clicked, this, &StopDialog::copyCommands);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_stop, &QPushButton::clicked, this, &StopDialog::confirm);
    return box;
}

void StopDialog::checkAgain()
{
    m_plan.reset();
    m_hasFailed = false;
    m_rows.setSnapshot(stopTableOf(m_chosen));
    fitTable();
    std::vector<std::string> ids;
    for (const insight::IdleItem &item : m_chosen)
        ids.push_back(item.id);
    m_context.actions.check(ids, m_consent->despite());
    showCurrent();
    showWhetherItCan();
}

void StopDialog::fitTable()
{
    const int height = m_table->heightFor(std::clamp(m_rows.totalRows(), 2, kMostRows));
    m_table->setMinimumHeight(height);
    m_table->setMaximumHeight(height);
}

// Grows to its content, and never shrinks: what the user reads stays where it is.
void StopDialog::fitHeight()
{
    layout()->activate();
    const int wanted = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width()) : sizeHint().height();
    if (wanted > height())
        resize(width(), std::min(wanted, screen()->availableGeometry().height()));
}

void StopDialog::showChecksToCome()
{
    using actions::CheckName;
    for (int name = 0; name <= static_cast<int>(CheckName::Last); ++name) {
        const QString text = LocalText::phrase(nameOf(static_cast<CheckName>(name)));
        m_checks->addWidget(
            plainLabel(m_context.theme, QStringLiteral("–"), TextSize::Body, Color::Muted, QFont::DemiBold, this), name,
            0, Qt::AlignTop);
        m_checks->addWidget(plainLabel(m_context.theme, text, TextSize::Body, Color::Muted, QFont::Normal, this), name,
                            1, Qt::AlignTop);
    }
}

// For the checked rows; kubectl reaches one cluster at a time, so each cluster's commands are below its name.
void StopDialog::copyCommands()
{
    std::map<std::string, QStringList> byCluster;
    int copied = 0, others = 0;
    for (const PlannedStop &stop : chosenPlan().stops) {
        const std::string command = kubectlOf(stop.target);
        if (command.empty()) {
            ++others;
            continue;
        }
        byCluster[stop.target.ref.cluster] << QString::fromStdString(command);
        ++copied;
    }
    QStringList lines;
    for (const auto &[cluster, commands] : byCluster) {
        if (byCluster.size() > 1)
            lines << QStringLiteral("# ") + widgets::plainLine(QString::fromStdString(cluster));
        lines << commands;
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    QString said = copied == 1 ? tr("1 command copied.") : tr("%n commands copied.", nullptr, copied);
    if (others > 0)
        said += QLatin1Char(' ')
            + (others == 1 ? tr("1 workload can't be stopped with kubectl.")
                           : tr("%n workloads can't be stopped with kubectl.", nullptr, others));
    m_hint->setText(said);
    m_hint->show();
    fitHeight();
}

void StopDialog::showPlan(const actions::Plan &plan)
{
    m_plan = std::make_shared<const actions::Plan>(plan);
    m_rows.setSnapshot(stopTableOf(m_plan, m_context.config.timeZone()));
    fitTable();
    QStringList can;
    for (const PlannedStop &stop : m_plan->stops) {
        if (stop.isStoppable())
            can << stopRowId(stop);
    }
    m_rows.setChecked(can, true);
    m_table->setCurrentRow(stopRowId(m_plan->stops.front()));
    showCurrent();
    showWhetherItCan();
    m_consent->askManagers(std::any_of(m_plan->stops.begin(), m_plan->stops.end(), isKeptByOthers));
    fitHeight();
    m_copy->setVisible(std::any_of(m_plan->stops.begin(), m_plan->stops.end(),
                                   [](const PlannedStop &stop) { return !stop.target.ref.apiVersion.empty(); }));
    // If the user is already in the reason field, the focus stays there.
    QLineEdit *typed = m_plan->blast.needsTypedCount() ? m_count : m_consent->firstMissing();
    if (typed && m_table->isAncestorOf(focusWidget()))
        typed->setFocus();
}

void StopDialog::showError(const base::Error &error)
{
    m_hasFailed = true;
    showWhetherItCan();
    m_hint->setText(LocalText::sentence(error));
    m_hint->show();
    fitHeight();
}

void StopDialog::showCurrent()
{
    const PlannedStop *current = nullptr;
    if (m_plan) {
        for (const PlannedStop &stop : m_plan->stops) {
            if (stopRowId(stop) == m_table->currentRowId())
                current = &stop;
        }
    }
    clear(*m_checks);
    const StopWords words = current ? stopWords(*current, m_context.config.timeZone()) : StopWords();
    const QString none = QStringLiteral("–");
    m_title->setText(current ? words.title : m_hasFailed ? QString() : tr("Checking platform and telemetry…"));
    const auto put = [&](QLabel *label, const QString &text) { label->setText(text.isEmpty() ? none : text); };
    put(m_effect, words.effect);
    put(m_lost, words.lost);
    put(m_undo, words.undo);
    m_cautions->setText(words.cautions.join(QStringLiteral("\n")));
    for (QLabel *label : {m_cautionsName, m_cautions})
        label->setVisible(!words.cautions.isEmpty());
    int row = 0;
    for (const StopWords::Line &line : words.checks) {
        const widgets::Theme &theme = m_context.theme;
        m_checks->addWidget(
            plainLabel(theme, sign(line.outcome), TextSize::Body, colorOf(line.outcome), QFont::DemiBold, this), row, 0,
            Qt::AlignTop);
        m_checks->addWidget(plainLabel(theme, line.name, TextSize::Body, Color::Muted, QFont::Normal, this), row, 1,
                            Qt::AlignTop);
        QLabel *text = plainLabel(theme, line.text, TextSize::Body, Color::Text, QFont::Normal, this);
        text->setWordWrap(true);
        m_checks->addWidget(text, row++, 2);
    }
    if (!current && !m_hasFailed)
        showChecksToCome();
    m_checks->setColumnStretch(2, 1);
    constexpr int kBelowAll = 20;
    m_checks->setRowStretch(kBelowAll, 1);
    fitHeight();
}

actions::Plan StopDialog::chosenPlan() const
{
    std::vector<std::string> uids;
    for (const QString &id : m_rows.checkedIds())
        uids.push_back(id.toStdString());
    return m_plan ? actions::withOnly(*m_plan, uids) : actions::Plan();
}

void StopDialog::showWhetherItCan()
{
    const actions::Plan plan = chosenPlan();
    const int count = plan.blast.objects;
    const bool tooLong =
        m_reason->toPlainText().toUtf8().size() > static_cast<qsizetype>(actions::Confirmation::kLongestReason);
    const bool needsCount = plan.blast.needsTypedCount();
    m_countLabel->setVisible(needsCount);
    m_count->setVisible(needsCount);
    if (needsCount)
        m_countLabel->setText(tr("%1 Type %2 to continue.", "why so much care, number")
                                  .arg(LocalText::phrase(textOf(plan.blast, plan.limits)))
                                  .arg(count));
    m_count->setAccessibleDescription(m_countLabel->text());
    m_consent->askNames(plan.blast.irreversible);
    const bool counted = !needsCount || m_count->text().trimmed() == QString::number(count);
    m_stop->setText(count == 0       ? tr("&Stop")
                        : count == 1 ? tr("&Stop 1 workload")
                                     : tr("&Stop %n workloads", nullptr, count));
    m_stop->setEnabled(count > 0 && !tooLong && counted && m_consent->isComplete() && !m_context.actions.isRunning());
    m_again->setEnabled(m_plan || m_hasFailed);
    m_copy->setEnabled(std::any_of(plan.stops.begin(), plan.stops.end(),
                                   [](const PlannedStop &stop) { return !kubectlOf(stop.target).empty(); }));
    showHeadline(plan);
    m_hint->setText(tooLong ? tr("The reason is too long.") : QString());
    m_hint->setVisible(tooLong);
    fitHeight();
}

void StopDialog::showHeadline(const actions::Plan &plan)
{
    std::vector<insight::IdleItem> items;
    for (const PlannedStop &stop : plan.stops) {
        if (stop.isStoppable())
            items.insert(items.end(), stop.items.begin(), stop.items.end());
    }
    const IdleSaving saving = IdleSaving::ofStop(items);
    const QString gpus = IdleText::gpuCount(plan.blast.gpus);
    const QString saves = IdleText::saves(saving, m_context.config.settings().currency);
    if (!m_plan)
        m_headline->setText(m_hasFailed ? tr("Nothing can be stopped now") : tr("Checking the selection"));
    else if (plan.blast.objects == 0)
        m_headline->setText(tr("Nothing selected can be stopped"));
    else if (saves.isEmpty())
        m_headline->setText(tr("Frees %1; no price known").arg(gpus));
    else
        m_headline->setText(tr("Frees %1; %2", "GPUs, \"saves 1,234 USD a month\"").arg(gpus, saves));
}

void StopDialog::confirm()
{
    const actions::Plan plan = chosenPlan();
    actions::Confirmation confirmation;
    confirmation.plan = hashOf(plan.stops);
    confirmation.reason = m_reason->toPlainText().trimmed().toStdString();
    bool isNumber = false;
    const int typed = m_count->text().trimmed().toInt(&isNumber);
    if (isNumber)
        confirmation.typedCount = typed;
    confirmation.typedNames = m_consent->names();
    Q_EMIT confirmed(plan, confirmation);
    accept();
}

} // namespace gpuledger::ui

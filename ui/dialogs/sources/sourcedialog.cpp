// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sources/sourcedialog.h"

#include "app/services/engine/configservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/dialogs/dialogframe.h"
#include "ui/dialogs/sources/accessstep.h"
#include "ui/dialogs/sources/advancedrows.h"
#include "ui/dialogs/sources/platformrows.h"
#include "ui/dialogs/sources/policypanel.h"
#include "ui/dialogs/sources/sourcechecklist.h"
#include "ui/format/local/localtext.h"
#include "widgets/cards/scrolled.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/plaintext.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::ChoiceButton;
using widgets::Color;
using widgets::Space;
using widgets::TextSize;
using Step = SourceDraft::Step;

namespace {

constexpr QSize kSize{600, 480};
constexpr int kLongestTitle = 60;
constexpr int kOutsideStep = 240; // pixels of a screen that a step leaves to the rest of the dialog, its frame and more

// Lets a page be taller than the dialog. Where the page has controls, they have the focus.
QScrollArea *scrolled(QWidget *page, Qt::FocusPolicy focus = Qt::StrongFocus)
{
    auto *scroll = new QScrollArea;
    scroll->setFocusPolicy(focus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    page->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    return scroll;
}

} // namespace

SourceDialog::SourceDialog(const widgets::Theme &theme, services::ConfigService &config,
                           services::SourceService &sources, TaskRunner &tasks, SyncController &sync,
                           const std::filesystem::path &configFile, const LoginPorts &logins, QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_draft(config, sources, tasks, sync, configFile, logins)
    , m_steps(new QStackedWidget(this))
    , m_progress(widgets::plainLabel(theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, this))
    , m_problem(widgets::plainLabel(theme, {}, TextSize::Body, Color::Critical, QFont::Normal, this))
{
    setWindowTitle(tr("Add a source"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kSize);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    m_steps->addWidget(makeAddressStep(sources.kinds()));
    m_steps->addWidget(makeAccessStep());
    m_steps->addWidget(makeTestStep());
    m_problem->setWordWrap(true);
    layout->addWidget(m_progress);
    layout->addWidget(m_steps, 1);
    layout->addWidget(m_problem);
    layout->addLayout(makeButtons());
    connect(&m_draft.saver(), &ConfigurationSaver::saved, this, &QDialog::accept);
    connect(&m_draft.saver(), &ConfigurationSaver::failed, this, [this](const QString &sentence, bool) {
        m_problem->setText(sentence);
        m_problem->show();
    });
    connect(&m_draft.saver(), &ConfigurationSaver::changed, this, [this] { showStep(step()); });
    connect(&m_draft.tester(), &SourceTest::changed, this, [this] { showStep(step()); });
    showKind();
    focusIn(Step::Address);
}

void SourceDialog::edit(const model::SourceSettings &source)
{
    m_draft.edit(source);
    setWindowTitle(tr("Edit %1").arg(widgets::plainLine(QString::fromStdString(source.name), kLongestTitle)));
    fill();
    showStep(Step::Address);
    focusIn(Step::Address);
}

void SourceDialog::fill()
{
    const SourceFields fields = m_draft.fields();
    const QSignalBlocker kind(m_kind), rights(m_mayStop); // filling in must not count as the user's choice
    m_kind->setCurrentKey(fields.kind);
    m_kind->setEnabled(false);
    m_url->setText(fields.url);
    m_name->setText(fields.name);
    m_name->setModified(true);
    m_name->setReadOnly(true);
    m_name->setEnabled(false);
    const QString why = tr("The name stays: figures are kept under it");
    m_nameHelp = why;
    m_name->setAccessibleDescription(why);
    m_name->setToolTip(widgets::plainToolTip(why));
    m_cluster->setText(fields.cluster);
    m_access->fill(fields);
    m_platform->fill(fields);
    m_advanced->fill(fields);
    m_mayStop->setChecked(fields.mayStop);
    showKind();
}

QLineEdit *SourceDialog::field(QFormLayout &form, const QString &label, const QString &example, const QString &help)
{
    QLineEdit *edit = formField(label, example, help);
    connect(edit, &QLineEdit::textEdited, this, &SourceDialog::read);
    if (!label.isEmpty())
        form.addRow(label, edit);
    return edit;
}

QWidget *SourceDialog::makeAddressStep(const ports::SourceKinds &kinds)
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Medium));
    auto *rows = new QWidget;
    auto *form = m_addressForm = new QFormLayout(rows);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(m_theme.space(Space::Medium));
    m_kind = new ChoiceButton(tr("Kind of source"));
    std::vector<ChoiceButton::Choice> choices;
    for (const ports::SourceKind &kind : kinds) {
        if (isTypedKind(kind))
            choices.push_back({QString::fromStdString(kind.kind), LocalText::sourceUse(kind)});
    }
    m_kind->setChoices(choices);
    connect(m_kind, &ChoiceButton::chosen, this, [this] {
        read();
        showKind();
    });
    form->addRow(tr("Kind"), m_kind);
    m_url = field(*form, tr("Address"), {});
    m_platform = new PlatformRows(m_theme, m_draft, *form, this);
    connect(m_platform, &PlatformRows::edited, this, &SourceDialog::read);
    m_nameHelp = tr("Shown on every figure that comes from this source");
    m_name = field(*form, {}, tr("prod", "example of a source's name"), m_nameHelp);
    m_name->setAccessibleName(tr("Name"));
    const FieldWithProblem name = withProblem(m_theme, m_name);
    m_nameProblem = name.problem;
    form->addRow(tr("Name"), name.whole);
    m_cluster = field(*form, tr("Cluster"), tr("the same as the name"));
    m_advanced = new AdvancedRows(m_draft, *form, this);
    connect(m_advanced, &AdvancedRows::edited, this, &SourceDialog::read);
    connect(m_advanced, &AdvancedRows::toggled, this, &SourceDialog::showKind);
    m_note = widgets::plainLabel(m_theme, {}, TextSize::Body, Color::Muted);
    m_note->setWordWrap(true);
    layout->addWidget(rows);
    layout->addWidget(m_note);
    layout->addStretch(1);
    return widgets::scrolledAbove(screen()->availableGeometry().height() - kOutsideStep, m_theme.space(Space::Small),
                                  page);
}

void SourceDialog::showKind()
{
    const QString kind = m_kind->currentKey();
    SourceFields shown;
    shown.kind = kind;
    const ports::SourceKind &shownKind = m_draft.kindOf(shown);
    const ports::SourceField *const address = typedField(shownKind, ports::SourceField::Type::Url);
    std::vector<FormRow> others = m_advanced->rowsFor(shownKind);
    others.push_back({m_url, address != nullptr});
    others.push_back({m_cluster, namesCluster(shownKind)});
    if (address)
        m_url->setPlaceholderText(LocalText::connectorText(address->example));
    m_platform->showFor(kind, std::move(others));
    m_access->showKind(shownKind);
    const QString help = shownKind.isPlatform()
        ? tr("The name of this cluster in the figures: their workloads are found there by it")
        : shownKind.tellsBills()
        ? tr("The cluster in the figures that has these machines; only needed to stop them")
        : tr("Name of the cluster whose devices are seen here, unless they name it themselves");
    m_cluster->setAccessibleDescription(help);
    m_cluster->setToolTip(widgets::plainToolTip(help));
    m_note->setText(noteOf(shownKind));
    m_policy->showRights(shownKind, m_mayStop->isChecked());
    showStep(step()); // how many steps there are depends on the kind
}

QString SourceDialog::noteOf(const ports::SourceKind &kind) const
{
    if (kind.tellsPlans())
        return tr("GPU Ledger only reads these files. Their machines with GPUs stand in the tab Compare of the page "
                  "Savings, beside "
                  "what such machines cost you now.");
    if (kind.tellsClaims())
        return tr("GPU Ledger only reads these files. The claims stand in the tab Compare of the page Savings, beside "
                  "your bills before and since.");
    if (kind.isPlatform() && kind.tellsInventory())
        return tr("All machines with GPUs are listed, also those that no telemetry sees. To stop one that it sees, the "
                  "cluster must have the same name there. Nothing is stopped unless you allow it in the next step.");
    if (kind.isPlatform())
        return tr("The figures come from other sources, and the cluster must have the same name "
                  "there. Nothing is stopped unless you allow it in the next step.");
    if (kind.tellsBills() && kind.stops())
        return tr("What is billed takes precedence over the price book. Connect each bill once: an account that two "
                  "sources report is counted twice. Nothing is stopped unless you allow it in the next step.");
    if (kind.tellsBills())
        return tr("GPU Ledger only reads there. What is billed takes precedence over the price book. Connect each bill "
                  "once: an account that two sources report is counted twice.");
    if (kind.tellsAllocations())
        return tr("GPU Ledger only reads there. The prices are used for time that no bill covers.");
    return tr("GPU Ledger only reads there. Servers that speak the Prometheus "
              "protocol work too: Thanos, Mimir, VictoriaMetrics.");
}

QWidget *SourceDialog::makeAccessStep()
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, m_theme.space(Space::Small), 0);
    layout->setSpacing(m_theme.space(Space::Medium));
    m_access = new AccessStep(m_theme, m_draft, [this] { read(); });
    m_rights = makeRights();
    m_policy = new PolicyPanel(m_theme);
    layout->addWidget(m_access);
    layout->addWidget(m_rights);
    layout->addWidget(m_policy);
    layout->addStretch(1);
    return scrolled(page, Qt::NoFocus);
}

QWidget *SourceDialog::makeRights()
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Medium));
    const auto addText = [&](const QString &text) {
        QLabel *label = widgets::plainLabel(m_theme, text, TextSize::Body, Color::Muted);
        label->setWordWrap(true);
        layout->addWidget(label);
        return label;
    };
    m_alwaysRead =
        addText(tr("It can always be read: what holds a GPU, what that belongs to, and what would happen if it were "
                   "stopped."));
    const QString allows = tr("Then what is idle can be stopped from here and brought back, each time only after all "
                              "checks and a confirmation, and only as far as the platform itself allows it.");
    m_mayStop = new QCheckBox;
    m_mayStop->setAccessibleDescription(allows);
    connect(m_mayStop, &QCheckBox::toggled, this, [this] {
        read();
        m_policy->showRights(m_draft.kind(), m_mayStop->isChecked());
    });
    layout->addWidget(m_mayStop);
    addText(allows);
    return page;
}

QWidget *SourceDialog::makeTestStep()
{
    auto *list = new QWidget;
    auto *layout = new QVBoxLayout(list);
    layout->setContentsMargins(0, 0, m_theme.space(Space::Small), 0);
    layout->addWidget(new SourceChecklist(m_theme, m_draft.tester(), list));
    layout->addStretch();
    QScrollArea *scroll = scrolled(list);
    scroll->setAccessibleName(tr("Result of the test"));
    return scroll;
}

QLayout *SourceDialog::makeButtons()
{
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(m_theme.space(Space::Small));
    m_back = new QPushButton(tr("Back"), this);
    m_again = new QPushButton(tr("Test again"), this);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    m_next = new QPushButton(this);
    m_next->setDefault(true);
    widgets::setPrimary(m_next);
    for (QPushButton *button : {m_back, m_again, cancel})
        button->setAutoDefault(false);
    buttons->addWidget(m_back);
    buttons->addWidget(m_again);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_next);
    connect(m_back, &QPushButton::clicked, this, [this] {
        m_draft.tester().stop();
        m_tried = false;
        showStep(stepAway(-1));
    });
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (m_draft.tester().isRunning())
            m_draft.tester().stop();
        else
            m_draft.test();
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_next, &QPushButton::clicked, this, &SourceDialog::advance);
    return buttons;
}

void SourceDialog::read()
{
    SourceFields fields = m_draft.fields();
    fields.kind = m_kind->currentKey();
    fields.url = m_url->text();
    m_platform->read(fields);
    m_advanced->read(fields);
    fields.mayStop = m_mayStop->isChecked();
    if (!m_name->isModified()) // what the user typed stays
        m_name->setText(m_draft.nameFor(fields));
    fields.name = m_name->text();
    fields.cluster = m_cluster->text();
    m_access->read(fields);
    m_draft.setFields(fields);
    showProblem();
}

Step SourceDialog::step() const
{
    return static_cast<Step>(m_steps->currentIndex());
}

Step SourceDialog::stepAway(int by) const
{
    const std::vector<Step> steps = m_draft.steps();
    const auto now = std::find(steps.begin(), steps.end(), step());
    return now == steps.end() ? Step::Address : *(now + by);
}

QString SourceDialog::stepTitle(Step step) const
{
    switch (step) {
    case Step::Address:
        return tr("Where is it?");
    case Step::Access:
        return m_draft.isPlatform() && m_draft.asksRights() ? tr("What may be done there?")
            : m_draft.asksAccess()                          ? tr("How do we log in?")
                                                            : tr("What must be allowed there?");
    case Step::Test:
        return tr("What is found there");
    }
    return {};
}

void SourceDialog::showStep(Step step)
{
    static_assert(static_cast<int>(Step::Test) == 2);
    const bool last = step == Step::Test;
    const std::vector<Step> steps = m_draft.steps();
    m_steps->setCurrentIndex(static_cast<int>(step));
    m_access->setVisible(m_draft.asksAccess());
    m_rights->setVisible(m_draft.asksRights());
    m_alwaysRead->setVisible(m_draft.isPlatform() && m_draft.asksRights());
    m_mayStop->setText(m_draft.stopsMachines() ? tr("Machines may be stopped there, too")
                                               : tr("Workloads may be stopped there, too"));
    m_progress->setText(tr("%1 of %2   %3", "a step, their number, its title")
                            .arg(std::find(steps.begin(), steps.end(), step) - steps.begin() + 1)
                            .arg(steps.size())
                            .arg(stepTitle(step)));
    m_back->setVisible(step != Step::Address);
    m_back->setEnabled(!m_draft.saver().isSaving());
    m_again->setVisible(last);
    m_again->setText(m_draft.tester().isRunning() ? tr("Stop test") : tr("Test again"));
    m_next->setText(last ? finishText() : tr("Next"));
    m_next->setEnabled(!m_draft.saver().isSaving() && (!last || !m_draft.tester().isRunning()));
    showProblem();
}

QString SourceDialog::finishText()
{
    const bool usable = m_draft.tester().state() == SourceTest::State::Usable;
    if (m_draft.isEdit())
        return usable ? tr("Save", "a changed source") : tr("Save anyway");
    return usable ? tr("Add source") : tr("Add anyway");
}

void SourceDialog::showProblem()
{
    const QString name = m_draft.problemAt(SourceDraft::Field::Name);
    showProblemAt(*m_name, *m_nameProblem, name, m_nameHelp);
    const QStringList told = m_platform->showProblems() << name; // shown at their fields
    const QString problem = m_tried ? m_draft.problem(step()) : QString();
    m_problem->setText(widgets::plainLine(problem));
    m_problem->setVisible(!problem.isEmpty() && !told.contains(problem));
}

void SourceDialog::advance()
{
    const Step now = step();
    m_tried = true;
    showProblem();
    if (!m_draft.problem(now).isEmpty())
        return;
    if (now == Step::Test)
        return m_draft.save();
    m_tried = false;
    const Step next = stepAway(1);
    showStep(next);
    focusIn(next);
    if (next == Step::Test)
        m_draft.test();
}

void SourceDialog::focusIn(Step step)
{
    if (step == Step::Address && typedField(m_draft.kind(), ports::SourceField::Type::Url))
        m_url->setFocus();
    else if (step == Step::Address)
        m_platform->focusFirst();
    else if (step == Step::Access && m_draft.isPlatform() && m_draft.asksRights())
        m_mayStop->setFocus();
    else if (step == Step::Access && m_draft.asksAccess())
        m_access->focusFirst();
    else if (step == Step::Access)
        m_next->setFocus();
}

} // namespace gpuledger::ui

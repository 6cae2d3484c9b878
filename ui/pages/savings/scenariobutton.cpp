// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/scenariobutton.h"

#include "ui/dialogs/savings/scenariodialog.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QMenu>
#include <QMessageBox>

namespace gpuledger::ui {

using savings::Scenario;

namespace {

constexpr QLatin1String kScenarioNotice("savings-scenario");
constexpr int kLongestScenario = 60, kLongestProblem = 120; // characters

QString shownScenario(const QString &name)
{
    return widgets::plainLine(name, kLongestScenario);
}

// For a button or a menu, where an ampersand would mark a letter.
QString withAmpersands(QString text)
{
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

ScenarioButton::ScenarioButton(const widgets::Theme &theme, ScenariosViewModel &model, QWidget *parent)
    : QPushButton(parent)
    , m_theme(theme)
    , m_model(model)
{
    setAutoDefault(false);
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, &ScenarioButton::fill);
    connect(&m_model, &ScenariosViewModel::saved, this, [this](const QString &name) {
        if (m_dialog && m_dialog->isVisible())
            m_dialog->accept();
        tell(tr("Scenario %1 was saved.", "a name").arg(shownScenario(name)), false);
    });
    connect(&m_model, &ScenariosViewModel::removed, this, [this](const QString &name) {
        tell(tr("Scenario %1 was deleted; the assumptions stay as they are.", "a name").arg(shownScenario(name)),
             false);
    });
    connect(&m_model, &ScenariosViewModel::failed, this, [this](const base::Error &error) {
        if (m_dialog && m_dialog->isVisible())
            m_dialog->showFailure(LocalText::sentence(error));
        else
            tell(LocalText::sentence(error), true);
    });
    showCurrent();
}

void ScenarioButton::showCurrent()
{
    const Scenario *one = m_model.current();
    QString text = m_model.isDefault() ? tr("Scenario: default assumptions") : tr("Scenario");
    if (one) {
        const QString name = shownScenario(QString::fromStdString(one->name));
        text = m_model.isChanged() ? tr("Scenario: %1 (changed)", "a name").arg(name)
                                   : tr("Scenario: %1", "a name").arg(name);
    }
    setAccessibleName(text);
    setText(withAmpersands(text));
}

void ScenarioButton::fill()
{
    menu()->clear();
    if (const auto &error = m_model.error())
        menu()
            ->addAction(withAmpersands(widgets::plainLine(LocalText::sentence(*error), kLongestProblem)))
            ->setEnabled(false);
    const Scenario *current = m_model.current();
    for (const Scenario &one : m_model.scenarios()) {
        const QString name = QString::fromStdString(one.name);
        QAction *action = menu()->addAction(withAmpersands(shownScenario(name)), this, [this, name] { choose(name); });
        action->setCheckable(true);
        action->setChecked(&one == current);
    }
    if (!m_model.canWrite())
        return;
    menu()->addSeparator();
    menu()->addAction(tr("Save as…"), this, &ScenarioButton::askForName);
    if (current) {
        const QString name = QString::fromStdString(current->name);
        menu()->addAction(withAmpersands(tr("Delete %1…", "a scenario").arg(shownScenario(name))), this,
                          [this, name] { askToDelete(name); });
    }
}

void ScenarioButton::choose(const QString &name)
{
    m_model.use(name);
    const Scenario *one = m_model.current();
    if (!one || one->unknown.empty())
        return;
    QStringList values;
    for (const std::string &value : one->unknown)
        values.append(widgets::plainLine(QString::fromStdString(value), kLongestScenario));
    tell(tr("Scenario %1: %2 can't be used; the default is assumed instead.", "a name, assumptions with their values")
             .arg(shownScenario(name), values.join(QLatin1String(", "))),
         true);
}

void ScenarioButton::askForName()
{
    QStringList taken;
    for (const Scenario &one : m_model.scenarios())
        taken.append(QString::fromStdString(one.name));
    const Scenario *current = m_model.current();
    m_dialog =
        new ScenarioDialog(m_theme, current ? QString::fromStdString(current->name) : QString(), taken, window());
    connect(m_dialog, &ScenarioDialog::confirmed, &m_model, &ScenariosViewModel::save);
    m_dialog->open();
}

void ScenarioButton::askToDelete(const QString &name)
{
    using Box = QMessageBox; // allowed: created by the factory
    Box *box = widgets::plainMessageBox(
        Box::Question, tr("Delete scenario"), tr("Delete %1?", "a scenario").arg(shownScenario(name)),
        tr("The command line can't use it any more either. The assumptions of the page stay as they are."), window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto *remove = box->addButton(tr("Delete scenario"), Box::DestructiveRole);
    QPushButton *cancel = box->addButton(Box::Cancel);
    box->setDefaultButton(cancel);
    box->setEscapeButton(cancel);
    connect(remove, &QPushButton::clicked, &m_model, [this, name] { m_model.remove(name); });
    box->open();
}

void ScenarioButton::tell(const QString &text, bool isWarning)
{
    Q_EMIT noticeWanted({kScenarioNotice, isWarning, text, {}, {}});
}

} // namespace gpuledger::ui

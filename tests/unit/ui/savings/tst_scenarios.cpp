// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/ui/savings/savingssample.h"
#include "ui/dialogs/savings/scenariodialog.h"
#include "ui/pages/savings/savingsassumptions.h"
#include "ui/pages/savings/scenariobutton.h"
#include "ui/viewmodels/savings/scenariosviewmodel.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTest>

namespace tst_scenarios {

using namespace gpuledger;
using tests::SampleAnswers;
using ui::ScenarioButton;

namespace {

constexpr int kPatience = 60000;
const QString kCareful = QStringLiteral("careful & slow");

} // namespace

// Saved assumptions in the window, over a list made by hand.
class ScenariosTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom)); }

    void init()
    {
        m_answers = std::make_shared<SampleAnswers>();
        savings::Assumptions values;
        QVERIFY(values.set("scale-down-delay", "3h").has_value());
        m_answers->scenarios = {{kCareful.toStdString(), values, {"gone=1"}}};
    }

    void cleanup()
    {
        m_row.reset();
        m_scenarios.reset();
        m_model.reset();
        m_tasks.reset();
    }

    void aScenarioIsUsedAsIfItsValuesWereEdited()
    {
        open();
        QCOMPARE(button()->text(), QStringLiteral("Scenario: default assumptions"));
        QSignalSpy notices(button(), &ScenarioButton::noticeWanted);
        entry(QStringLiteral("careful && slow"))->trigger();
        settle();
        QCOMPARE(m_answers->asked.back().assumptions.text("scale-down-delay"), std::string("3h"));
        QCOMPARE(button()->text(), QStringLiteral("Scenario: careful && slow"));
        QCOMPARE(notices.size(), 1); // what this version can't use
        QVERIFY(notices[0][0].value<ui::PageNotice>().text.contains(QStringLiteral("gone=1")));
        QVERIFY(entry(QStringLiteral("careful && slow"))->isChecked());
        QVERIFY(m_model->setAssumption("scale-down-delay", "4h").has_value());
        m_row->showValues();
        QCOMPARE(button()->text(), QStringLiteral("Scenario: careful && slow (changed)"));
        entry(QStringLiteral("careful && slow"))->trigger(); // again: back to its values
        settle();
        QCOMPARE(m_model->assumptions().text("scale-down-delay"), std::string("3h"));
        QCOMPARE(button()->text(), QStringLiteral("Scenario: careful && slow"));
    }

    void afterResetNoScenarioIsInUse()
    {
        open();
        entry(QStringLiteral("careful && slow"))->trigger();
        settle();
        QVERIFY(m_row->resetButton()->isVisible());
        m_row->resetButton()->click();
        settle();
        m_row->showValues();
        QVERIFY(m_model->assumptions().isUsual());
        QVERIFY(m_scenarios->currentName().isEmpty()); // nor in the place
        QCOMPARE(button()->text(), QStringLiteral("Scenario: default assumptions"));
        QVERIFY(!entry(QStringLiteral("careful && slow"))->isChecked());
    }

    void theAssumptionsAreSavedByKeyboard()
    {
        open();
        QVERIFY(m_model->setAssumption("checkpoint-cost", "40s").has_value());
        entry(QStringLiteral("Save as…"))->trigger();
        const QPointer<ui::ScenarioDialog> dialog = button()->dialog();
        QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
        auto *field = dialog->findChild<QLineEdit *>();
        QTRY_VERIFY_WITH_TIMEOUT(field->hasFocus(), kPatience);
        QTest::keyClick(field, Qt::Key_Return); // no name: nothing is saved
        QVERIFY(dialog->isVisible());
        QTest::keyClicks(field, QString(61, QLatin1Char('x')));
        QTest::keyClick(field, Qt::Key_Return); // the service refuses it
        settle();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(hasLabel(*dialog, QStringLiteral("60 bytes")));
        QCOMPARE(m_answers->scenarios.size(), std::size_t{1});
        field->selectAll();
        QTest::keyClicks(field, kCareful);
        QVERIFY(hasLabel(*dialog, QStringLiteral("replaces")));
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral(" dear disks "));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatience);
        settle();
        QCOMPARE(m_answers->scenarios.size(), std::size_t{2});
        QCOMPARE(m_answers->scenarios[1].name, std::string("dear disks"));
        QCOMPARE(m_answers->scenarios[1].assumptions.text("checkpoint-cost"), std::string("40s"));
        QCOMPARE(button()->text(), QStringLiteral("Scenario: dear disks"));
    }

    void deletingAsksAndKeepsTheAssumptions()
    {
        open();
        entry(QStringLiteral("careful && slow"))->trigger();
        settle();
        for (const bool deletes : {false, true}) {
            entry(QStringLiteral("Delete careful && slow…"))->trigger();
            const QPointer<QMessageBox> box = m_row->window()->findChild<QMessageBox *>();
            QVERIFY(box && QTest::qWaitForWindowActive(box));
            if (deletes) {
                for (QAbstractButton *one : box->buttons()) {
                    if (box->buttonRole(one) == QMessageBox::DestructiveRole)
                        one->click();
                }
            } else {
                QTest::keyClick(box, Qt::Key_Return); // Cancel is the default
            }
            QTRY_VERIFY_WITH_TIMEOUT(!box, kPatience);
            settle();
            QCOMPARE(m_answers->scenarios.empty(), deletes);
        }
        QCOMPARE(button()->text(), QStringLiteral("Scenario"));
        QCOMPARE(m_model->assumptions().text("scale-down-delay"), std::string("3h"));
    }

    void aReportOnlyChooses()
    {
        m_answers->isReadOnly = true;
        open();
        QVERIFY(button()->isVisible());
        Q_EMIT button()->menu()->aboutToShow();
        QCOMPARE(button()->menu()->actions().size(), 1);
        {
            const std::lock_guard lock(m_answers->mutex);
            m_answers->scenarios.clear();
        }
        m_scenarios->refresh();
        settle();
        m_row->showValues();
        QVERIFY(!button()->isVisibleTo(m_row.get()));
    }

    void aPlaceNamesItEvenBeforeTheListIsKnown()
    {
        open(false);
        m_scenarios->restore(kCareful);
        QVERIFY(!m_scenarios->current());
        m_scenarios->refresh();
        settle();
        QVERIFY(m_scenarios->current());
        QVERIFY(m_scenarios->isChanged()); // the place did not have its values
        m_scenarios->restore(QStringLiteral("unknown"));
        QVERIFY(!m_scenarios->current());
    }

private:
    void open(bool reads = true)
    {
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_model = std::make_unique<ui::SavingsViewModel>(tests::sampleDesk(m_answers), *m_tasks);
        m_scenarios = std::make_unique<ui::ScenariosViewModel>(tests::sampleDesk(m_answers), *m_model, *m_tasks);
        m_row = std::make_unique<ui::SavingsAssumptions>(m_theme, *m_model, *m_scenarios);
        for (const auto signal : {&ui::ScenariosViewModel::changed, &ui::ScenariosViewModel::currentChanged})
            connect(m_scenarios.get(), signal, m_row.get(), &ui::SavingsAssumptions::showValues);
        m_model->refresh();
        if (reads)
            m_scenarios->refresh();
        m_row->resize(800, 60);
        m_row->show();
        settle();
    }
    void settle()
    {
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && !m_scenarios->isAsking(), kPatience);
        m_row->showValues();
    }
    ScenarioButton *button() const { return m_row->scenarios(); }
    QAction *entry(const QString &text) const
    {
        Q_EMIT button()->menu()->aboutToShow();
        for (QAction *action : button()->menu()->actions()) {
            if (action->text() == text)
                return action;
        }
        qFatal("no such entry");
    }
    static bool hasLabel(const QWidget &widget, const QString &part)
    {
        const auto labels = widget.findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text().contains(part); });
    }

    std::shared_ptr<SampleAnswers> m_answers;
    widgets::Theme m_theme;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SavingsViewModel> m_model;
    std::unique_ptr<ui::ScenariosViewModel> m_scenarios;
    std::unique_ptr<ui::SavingsAssumptions> m_row;
};

GPULEDGER_WINDOW_SUITE(ScenariosTest)

} // namespace tst_scenarios

#include "tst_scenarios.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/state/busysign.h"
#include "widgets/state/skeleton.h"
#include "widgets/state/statepanel.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_statepanel {

using namespace gpuledger::widgets;

class TestStatePanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_theme = std::make_unique<Theme>();
        m_content = new QWidget;
        m_panel = std::make_unique<StatePanel>(*m_theme, m_content);
        m_panel->resize(800, 500);
        m_panel->show();
    }

    void cleanup()
    {
        m_panel.reset();
        m_theme.reset();
    }

    void skeletonComesOnlyAfterAWhile()
    {
        QElapsedTimer timer;
        timer.start();
        m_panel->showLoading();
        QVERIFY(!skeleton()->isVisible());
        QVERIFY(!m_panel->isContentShown());
        QTRY_VERIFY(skeleton()->isVisible());
        QVERIFY(timer.elapsed() >= StatePanel::kSkeletonDelay - 10);
        QCOMPARE(skeleton()->accessibleName(), QStringLiteral("Loading"));
        m_panel->showData();
        QVERIFY(m_content->isVisible());
        QVERIFY(!skeleton()->isVisible());
    }

    void fastAnswersDoNotFlash()
    {
        m_panel->showLoading();
        m_panel->showData();
        QTest::qWait(StatePanel::kSkeletonDelay + 50);
        QVERIFY(m_panel->isContentShown());
    }

    void saysThatNewerDataAreReadOnlyWhereThatTakesAWhile()
    {
        m_panel->showData();
        auto *sign = m_panel->findChild<BusySign *>();
        QVERIFY(sign);
        m_panel->setBusy(true);
        m_panel->setBusy(false);
        QTest::qWait(BusySign::kDelay + 50);
        QVERIFY(!sign->isVisible());
        m_panel->setBusy(true);
        QVERIFY(!sign->isVisible());
        QTRY_VERIFY(sign->isVisible());
        QVERIFY(m_panel->rect().contains(sign->geometry()));
        const int before = sign->x();
        m_panel->resize(600, 500);
        QTRY_VERIFY(sign->x() < before);
        m_panel->setBusy(false);
        QVERIFY(!sign->isVisible());
    }

    void dataStayWhileNewOnesLoad()
    {
        m_panel->showData();
        m_panel->showLoading();
        QCOMPARE(m_panel->state(), StatePanel::State::Loading);
        QVERIFY(m_panel->isContentShown());
        m_panel->forgetData();
        m_panel->showLoading();
        QVERIFY(!m_panel->isContentShown());
        QTRY_VERIFY(skeleton()->isVisible());
    }

    void errorWithoutDataHasThePageToItself()
    {
        QSignalSpy action(m_panel.get(), &StatePanel::actionTriggered);
        m_panel->showLoading();
        m_panel->showError(message());
        QCOMPARE(m_panel->state(), StatePanel::State::Error);
        QVERIFY(!m_panel->isContentShown());
        QVERIFY(label(message().text));
        QVERIFY(label(message().remedy));
        QTest::mouseClick(button(QStringLiteral("Try again")), Qt::LeftButton);
        QCOMPARE(action.count(), 1);
        QTest::qWait(StatePanel::kSkeletonDelay + 50);
        QVERIFY(!skeleton()->isVisible());
    }

    void aShortMessageAfterALongOneTakesLessRoom()
    {
        StateMessage text = message();
        m_panel->showError(text);
        const int height = label(text.text)->height();
        text.text = QStringLiteral("word ").repeated(200).trimmed();
        m_panel->showError(text);
        QVERIFY(label(text.text)->height() > 2 * height);
        text.text = message().text;
        m_panel->showError(text);
        QTRY_COMPARE(label(text.text)->height(), height);
    }

    void errorWithDataKeepsThemDated()
    {
        m_panel->showData();
        m_panel->showError(message(), QStringLiteral("Data from 14:02."));
        QVERIFY(m_content->isVisible());
        bool dated = false;
        for (QLabel *each : m_panel->findChildren<QLabel *>())
            dated = dated
                || (each->isVisible() && each->text().endsWith(QStringLiteral("Data from 14:02."))
                    && each->text().contains(message().text));
        QVERIFY(dated);
        QSignalSpy action(m_panel.get(), &StatePanel::actionTriggered);
        QTest::mouseClick(button(QStringLiteral("Try again")), Qt::LeftButton);
        QCOMPARE(action.count(), 1);
        m_panel->showData();
        QVERIFY(!button(QStringLiteral("Try again")));
    }

    void firstRunOffersTwoWays()
    {
        StateMessage first{QStringLiteral("Nothing is connected"), QStringLiteral("Connect Prometheus."), QString(),
                           QStringLiteral("Add source"), QStringLiteral("Explore the demo fleet")};
        QSignalSpy second(m_panel.get(), &StatePanel::secondActionTriggered);
        m_panel->showFirstRun(first);
        QVERIFY(button(QStringLiteral("Add source")));
        QTest::mouseClick(button(QStringLiteral("Explore the demo fleet")), Qt::LeftButton);
        QCOMPARE(second.count(), 1);
        QCOMPARE(second.at(0).at(0).value<StatePanel::State>(), StatePanel::State::FirstRun);
    }

    void theFirstSyncShowsItsProgress()
    {
        StateMessage syncing{QStringLiteral("Fetching"), QStringLiteral("40 % fetched"), {}, {}, {}};
        m_panel->showProgress(syncing, 0.4);
        auto *bar = m_panel->findChild<QProgressBar *>();
        QVERIFY(bar && bar->isVisible());
        QCOMPARE(bar->value(), 400);
        QCOMPARE(bar->accessibleName(), QStringLiteral("Fetching"));
        QCOMPARE(m_panel->state(), StatePanel::State::FirstRun);
        syncing.text = QStringLiteral("41 % fetched");
        m_panel->showProgress(syncing, 0.41);
        QCOMPARE(bar->value(), 410);
        QCOMPARE(bar->accessibleDescription(), syncing.text);
        m_panel->showProgress(syncing, std::nullopt); // busy, without an end
        QCOMPARE(bar->maximum(), 0);
        for (QPushButton *each : m_panel->findChildren<QPushButton *>())
            QVERIFY(!each->isVisible());
        m_panel->showEmpty(message());
        QVERIFY(!bar->isVisible());
        m_panel->showProgress(syncing, 0.5);
        m_panel->showData();
        QVERIFY(m_panel->isContentShown() && !bar->isVisible());
    }

    void emptyWithoutActionHasNoButton()
    {
        m_panel->showData();
        StateMessage none = message();
        none.action.clear();
        m_panel->showEmpty(none);
        QCOMPARE(m_panel->state(), StatePanel::State::Empty);
        QVERIFY(!m_panel->isContentShown());
        for (QPushButton *each : m_panel->findChildren<QPushButton *>())
            QVERIFY(!each->isVisible());
    }

    // The skeleton of a page has the shape of its content.
    void skeletonsDiffer()
    {
        m_panel->resize(1200, 700);
        QList<QImage> pictures;
        for (const auto shape : {Skeleton::Shape::Matrix, Skeleton::Shape::Table, Skeleton::Shape::Document}) {
            m_panel->setSkeleton(shape);
            QCOMPARE(skeleton()->shape(), shape);
            skeleton()->resize(m_panel->size());
            pictures << skeleton()->grab().toImage();
        }
        QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
    }

    void messagesAreText()
    {
        StateMessage hostile = message();
        hostile.text = QStringLiteral("<img src=file:x> refused");
        m_panel->showError(hostile);
        QVERIFY(label(hostile.text));
        for (QLabel *each : m_panel->findChildren<QLabel *>())
            QCOMPARE(each->textFormat(), Qt::PlainText);
    }

private:
    static StateMessage message()
    {
        return {QStringLiteral("The server did not answer."), QStringLiteral("prometheus-prod timed out after 30 s."),
                QStringLiteral("Check the address under Sources."), QStringLiteral("Try again"), QString()};
    }

    Skeleton *skeleton() const { return m_panel->findChild<Skeleton *>(); }

    QLabel *label(const QString &text) const
    {
        for (QLabel *each : m_panel->findChildren<QLabel *>()) {
            if (each->isVisible() && each->text() == text)
                return each;
        }
        return nullptr;
    }

    QPushButton *button(const QString &text) const
    {
        for (QPushButton *each : m_panel->findChildren<QPushButton *>()) {
            if (each->isVisible() && each->text() == text)
                return each;
        }
        return nullptr;
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<StatePanel> m_panel;
    QWidget *m_content = nullptr;
};

GPULEDGER_WINDOW_SUITE(TestStatePanel)

} // namespace tst_statepanel

#include "tst_statepanel.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "tests/unit/ui/savings/savingssample.h"
#include "ui/pages/overview/overviewfound.h"
#include "ui/window/navigationrail.h"
#include "widgets/cards/keyfigurerow.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace tst_overviewsavings {

using namespace gpuledger;
using ui::OverviewViewModel;
using ui::Span;

namespace {

constexpr int kPatience = 60000;

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

// A data folder with a source that was never read.
struct NewFleet {
    NewFleet()
    {
        model::Settings settings;
        model::SourceSettings source;
        source.name = "demo";
        source.kind = "demo";
        source.options = {{"gpus", "56"}, {"days", "3"}};
        source.firstSync = 3 * base::kDay;
        settings.sources.push_back(source);
        workspace =
            services::Workspace::open(settings, {folder.path().toStdString(), "UTC", false}, *catalog, *secrets, clock)
                .value();
    }
    std::unique_ptr<OverviewViewModel> model(ui::SavingsDesk desk, ui::TaskRunner &tasks)
    {
        return std::make_unique<OverviewViewModel>(workspace->config(), workspace->fleet(), workspace->spend(),
                                                   std::move(desk), tasks);
    }

    QTemporaryDir folder;
    const std::unique_ptr<ports::SourceCatalog> catalog = connectors::makeSourceCatalog();
    const std::unique_ptr<ports::SecretStore> secrets = connectors::makeSecretStore();
    const base::FrozenClock clock{at("2026-11-21T12:00:00Z")};
    std::unique_ptr<services::Workspace> workspace;
};

ui::Scope over(Span span)
{
    ui::Scope scope;
    scope.time.span = span;
    return scope;
}

savings::MoneyBand band(std::int64_t low, std::int64_t middle, std::int64_t high)
{
    return {tests::usd(low), tests::usd(middle), tests::usd(high)};
}

std::size_t asked(tests::SampleAnswers &answers)
{
    const std::lock_guard lock(answers.mutex);
    return answers.asked.size();
}

// A choice and what it really saved.
void accept(tests::SampleAnswers &answers, std::int64_t id, std::int64_t projected, std::optional<std::int64_t> saved)
{
    savings::Choice choice;
    choice.id = id;
    choice.draft.state = savings::ChoiceState::Accepted;
    choice.projected = band(projected, projected, projected);
    answers.choices.push_back(choice);
    savings::Realized realized;
    realized.choice = id;
    if (saved) {
        realized.state = savings::RealizedState::Measured;
        realized.perMonth = band(*saved, *saved, *saved);
    }
    answers.realized.push_back(realized);
}

} // namespace

// What could be saved, on the Overview.
class OverviewSavingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    // The page does not wait for what could be saved, and an answer about another time is dropped.
    void savingsComeLater()
    {
        NewFleet fleet;
        ui::TaskRunner tasks;
        std::atomic<bool> holds{true}, isLate{false};
        ui::SavingsDesk desk = tests::sampleDesk(std::make_shared<tests::SampleAnswers>());
        desk.frame = [](const ui::TimeChoice &time) -> base::Result<ui::SavingsFrame> {
            ui::SavingsFrame frame;
            frame.range = {at("2026-11-01"), at(time.span == Span::Week ? "2026-11-08" : "2026-11-21")};
            return frame;
        };
        // The first question does not heed that it is asked to stop.
        desk.savings = [&](const services::SavingsQuery &query,
                           const std::stop_token &) -> base::Result<savings::SavingsList> {
            const std::int64_t days = query.range->length() / base::kDay;
            while (days == 7 && holds)
                std::this_thread::yield();
            isLate = isLate || days == 7;
            return savings::SavingsList{*query.range, {{"USD", band(days, days, days), {}}}, {}};
        };
        const auto model = fleet.model(desk, tasks);
        QSignalSpy changed(model.get(), &OverviewViewModel::savingsChanged);
        model->setScope(over(Span::Week));
        QTRY_COMPARE_WITH_TIMEOUT(model->state(), ui::PageState::FirstRun, kPatience);
        QVERIFY(model->isAskingSavings() && !model->savings());
        QCOMPARE(ui::overviewFound(*model).detail, QStringLiteral("computing…"));
        QVERIFY(ui::overviewFound(*model).value.isEmpty());
        model->setScope(over(Span::Quarter));
        QTRY_VERIFY_WITH_TIMEOUT(!model->isAskingSavings(), kPatience);
        QCOMPARE(ui::overviewFound(*model).value, QStringLiteral("$20"));
        const auto told = changed.size();
        holds = false;
        QTRY_VERIFY_WITH_TIMEOUT(isLate.load(), kPatience);
        QTest::qWait(100); // for its answer
        QCOMPARE(changed.size(), told);
        QCOMPARE(ui::overviewFound(*model).value, QStringLiteral("$20"));
    }

    void savingsAreAskedOnlyIfNeeded()
    {
        NewFleet fleet;
        ui::TaskRunner tasks;
        const auto answers = std::make_shared<tests::SampleAnswers>();
        const auto model = fleet.model(tests::sampleDesk(answers), tasks);
        const auto idle = [&] { return !model->isAsking() && !model->isAskingSavings(); };
        model->setActive(false); // a hidden page
        model->setScope(over(Span::Week));
        QVERIFY(!model->isAsking());
        model->setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(idle(), kPatience);
        QCOMPARE(asked(*answers), std::size_t{1});
        QCOMPARE(ui::overviewFound(*model).value, QStringLiteral("$1,300"));
        QCOMPARE(ui::overviewFound(*model).detail, QStringLiteral("a month, between 650 and 2.6k"));
        ui::Scope filtered = over(Span::Week);
        filtered.filter.include[insight::Dimension::Team] = {"vision"};
        model->setScope(filtered);
        QTRY_VERIFY_WITH_TIMEOUT(idle(), kPatience);
        QCOMPARE(asked(*answers), std::size_t{1}); // they are of the whole fleet
        QCOMPARE(ui::overviewFound(*model).detail, QStringLiteral("a month, between 650 and 2.6k; of the whole fleet"));
        {
            const std::lock_guard lock(answers->mutex);
            answers->error = base::Error::make(base::ErrorCode::Storage, "the disk is gone");
        }
        model->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(idle(), kPatience);
        QCOMPARE(asked(*answers), std::size_t{2});
        const auto failed = ui::overviewFound(*model);
        QVERIFY(failed.value.isEmpty());
        QVERIFY2(failed.detail.startsWith(QStringLiteral("not known: ")), qPrintable(failed.detail));
        {
            const std::lock_guard lock(answers->mutex);
            answers->error.reset();
        }
        filtered.cost = model::CostView::List;
        model->setScope(filtered);
        QTRY_VERIFY_WITH_TIMEOUT(idle(), kPatience);
        QCOMPARE(asked(*answers), std::size_t{3});
        QCOMPARE(ui::overviewFound(*model).value, QStringLiteral("$1,300"));
    }

    void savingsSayWhatIsKnown()
    {
        ui::OverviewSavings found;
        found.currency = base::Currency::usd();
        const auto detail = [&](bool isFiltered = false) { return ui::overviewFound(found, isFiltered).detail; };
        QCOMPARE(detail(), QStringLiteral("nothing found"));
        QVERIFY(ui::overviewFound(found, false).value.isEmpty());
        found.isTooYoung = true;
        QCOMPARE(detail(true), QStringLiteral("needs 14 days of data"));
        found.isTooYoung = false;
        found.perMonth = band(71000, 88400, 97000);
        found.otherCurrencies = 2;
        found.realized = tests::usd(31200);
        QCOMPARE(ui::overviewFound(found, false).value, QStringLiteral("$88,400"));
        QVERIFY2(detail().startsWith(QStringLiteral("a month, between 71")), qPrintable(detail()));
        QVERIFY2(detail().endsWith(QStringLiteral("; realized $31,200")), qPrintable(detail()));
        QVERIFY2(detail().contains(QStringLiteral("; + 2 more curr")), qPrintable(detail()));
        found.projected = tests::usd(34900);
        QVERIFY2(detail().endsWith(QStringLiteral("; realized $31,200 of $34,900 projected")), qPrintable(detail()));
        found.perMonth = band(5, 5, 5);
        QVERIFY2(detail().startsWith(QStringLiteral("a month; no spread in the past; ")), qPrintable(detail()));
    }

    void realizedSavingsAreThoseMeasured()
    {
        const auto answers = std::make_shared<tests::SampleAnswers>();
        const auto answer = [&](base::Currency currency = base::Currency::usd()) {
            return *ui::askOverviewSavings(tests::sampleDesk(answers), currency, {}, {}).value();
        };
        QVERIFY(!answer().realized);
        accept(*answers, 1, 1000, 900);
        accept(*answers, 2, 500, std::nullopt); // too early
        QCOMPARE(answer().realized, std::optional(tests::usd(900)));
        QCOMPARE(answer().projected, std::optional(tests::usd(1000)));
        accept(*answers, 3, 300, -100); // it cost more
        QCOMPARE(answer().realized, std::optional(tests::usd(800)));
        QCOMPARE(answer().projected, std::optional(tests::usd(1300)));
        answers->choices[2].projected.reset();
        QCOMPARE(answer().realized, std::optional(tests::usd(800)));
        QVERIFY(!answer().projected); // not of all
        answers->choices[0].draft.state = savings::ChoiceState::Dismissed;
        QCOMPARE(answer().realized, std::optional(tests::usd(-100)));
        // Another currency: nothing of it counts, and that of the proposals is another one.
        const auto other = answer(base::Currency::parse("EUR").value());
        QVERIFY(!other.perMonth && !other.realized && !other.isTooYoung);
        QCOMPARE(other.otherCurrencies, 1);
        QVERIFY(ui::overviewFound(other, false).detail.contains(QStringLiteral("only")));
    }

    void theCardOpensTheSavings()
    {
        widgets::Theme theme;
        theme.apply();
        tests::TestWindow test(theme, tests::TestWindow::Fleet::Synced);
        test.open(QStringLiteral("gpuledger://overview"));
        auto cards = test.window().currentPage()->findChildren<widgets::KeyFigureCard *>();
        QCOMPARE(cards.size(), qsizetype{5});
        QCOMPARE(cards.last()->figure().title, QStringLiteral("Savings found"));
        QVERIFY(cards.last()->figure().detail != QStringLiteral("computing…")); // waitUntilSettled() waits for it
        cards.last()->click();
        QCOMPARE(test.window().currentPage()->accessibleName(), QStringLiteral("Savings"));
    }

    // In the narrowest window, also beside the names of the pages.
    void fiveCardsFit()
    {
        widgets::Theme theme;
        theme.apply();
        tests::TestWindow test(theme, tests::TestWindow::Fleet::Synced);
        const QSize least(1024, 640);
        test.open(QStringLiteral("gpuledger://overview"), least);
        auto *rail = test.window().findChild<ui::NavigationRail *>();
        for (const bool isExpanded : {false, true}) {
            rail->setExpanded(isExpanded);
            QCoreApplication::processEvents();
            const QWidget &page = *test.window().currentPage();
            const int room = least.width() - rail->width() - 2 * theme.space(widgets::Space::Large);
            QVERIFY(page.findChild<widgets::KeyFigureRow *>()->minimumSizeHint().width() <= room);
            const auto cards = page.findChildren<widgets::KeyFigureCard *>();
            for (const widgets::KeyFigureCard *card : cards) {
                QVERIFY(page.rect().contains(QRect(card->mapTo(&page, QPoint()), card->size())));
                QVERIFY(std::abs(card->width() - cards.first()->width()) <= 1);
                QCOMPARE(card->y(), cards.first()->y());
            }
        }
    }
};

GPULEDGER_WINDOW_SUITE(OverviewSavingsTest)

} // namespace tst_overviewsavings

#include "tst_overviewsavings.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/ui/savings/savingssample.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "ui/viewmodels/savings/savingsviewmodel.h"
#include "widgets/delegates/roles.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace tst_savingsviewmodel {

using namespace gpuledger;
using savings::ChoiceState;
using savings::Kind;
using tests::SampleAnswers;
using tests::sampleDesk;
using ui::PageState;
using ui::SavingsColumn;
using ui::SavingsViewModel;

namespace {

constexpr int kPatience = 60000;

int col(SavingsColumn column)
{
    return static_cast<int>(column);
}

savings::ChoiceDraft draftOf(const std::string &proposal, ChoiceState state, int days = 10)
{
    savings::ChoiceDraft draft;
    draft.proposal = proposal;
    draft.state = state;
    draft.owner = state == ChoiceState::Accepted ? "ada" : "";
    draft.reason = state == ChoiceState::Dismissed ? "needed" : "";
    draft.day = base::dayOf(base::fromUnix(tests::kSampleNow) + days * base::kDay);
    return draft;
}

} // namespace

// The page's state without a window, over proposals made by hand.
class SavingsViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A locale with another currency, so that amounts have their code.
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom)); }
    void init() { m_answers = std::make_shared<SampleAnswers>(); }

    void listsWhatCountsAndWhatDoesNot()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        const QAbstractItemModelTester tester(&model.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        load(model);
        const auto &rows = *model.table().snapshot();
        QCOMPARE(rows.rowCount(), 3);
        QCOMPARE(rows.groups().size(), std::size_t{2});
        QCOMPARE(rows.groups()[0].id, QStringLiteral("open"));
        QCOMPARE(rows.groups()[1].id, QStringLiteral("excluded"));
        QVERIFY(rows.groups()[1].isLast);
        QCOMPARE(rows.text(0, col(SavingsColumn::What)), QStringLiteral("pool-a"));
        QCOMPARE(std::get<double>(rows.value(0, col(SavingsColumn::Saves))), 1000.0);
        // One scale: 2,000 is the largest p90.
        QCOMPARE(rows.extra(0, col(SavingsColumn::Range), widgets::kRangeHighRole).toDouble(), 1.0);
        QCOMPARE(rows.extra(0, col(SavingsColumn::Range), widgets::kRangeLowRole).toDouble(), 0.25);
        QCOMPARE(rows.extra(1, col(SavingsColumn::Range), widgets::kRangeMiddleRole).toDouble(), 0.15);
        // What does not count has its reason instead of figures.
        const int out = 2;
        QCOMPARE(rows.text(out, col(SavingsColumn::What)), QStringLiteral("train-b"));
        QVERIFY(std::holds_alternative<std::monostate>(rows.value(out, col(SavingsColumn::Saves))));
        QVERIFY(!rows.extra(out, col(SavingsColumn::Range), widgets::kRangeLowRole).isValid());
        QVERIFY(rows.text(out, col(SavingsColumn::State)).contains(QStringLiteral("pool-a")));
        // The heading adds up what counts.
        const int first[] = {0, 1};
        QCOMPARE(std::get<double>(rows.groupValue(0, col(SavingsColumn::Saves), first)), 1300.0);
        QCOMPARE(model.currentId(), rows.id(0)); // the largest one
    }

    void tabsHaveTheirSums()
    {
        const savings::SavingsList list = tests::sampleList();
        const auto all = ui::savingsOfKind(list, std::nullopt);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all.front().toDouble(), 1300.0);
        QCOMPARE(ui::savingsOfKind(list, Kind::Schedule).front().toDouble(), 300.0);
        QVERIFY(ui::savingsOfKind(list, Kind::RightSize).empty()); // its only proposal is counted already
        QCOMPARE(ui::SavingsText::leftOut(list).size(), 1);
        QVERIFY(ui::SavingsText::leftOut(list).front().contains(QStringLiteral("200")));
    }

    void aTabHasItsKindAlone()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        model.setKind(Kind::Schedule);
        QCOMPARE(model.table().snapshot()->rowCount(), 1);
        QCOMPARE(model.current()->target, std::string("notebook-7"));
        QCOMPARE(asked(), std::size_t{1}); // nothing is asked again
        SavingsViewModel other(sampleDesk(m_answers), tasks);
        other.restore(model.place());
        load(other);
        QCOMPARE(other.kind(), std::optional(Kind::Schedule));
    }

    void aChangedAssumptionAsksAgain()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        QVERIFY(model.shownAssumptions().empty()); // of all kinds, only what was changed
        model.setKind(Kind::Capacity);
        QVERIFY(!model.shownAssumptions().empty());
        const savings::AssumptionSpec &spec = *model.shownAssumptions().front();
        const std::string other = std::to_string(spec.least + 3600) + "s";
        QCOMPARE(spec.type, savings::AssumptionType::Duration);
        QSignalSpy changed(&model, &SavingsViewModel::assumptionsChanged);
        QVERIFY(model.setAssumption(spec.name, other).has_value());
        QVERIFY(model.isChanged(spec));
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(asked(), std::size_t{2});
        QCOMPARE(model.snapshot()->assumptions, model.assumptions());
        {
            const std::lock_guard lock(m_answers->mutex);
            QCOMPARE(m_answers->asked.back().assumptions, model.assumptions());
        }
        QVERIFY(!model.setAssumption(spec.name, "soon").has_value());
        QVERIFY(!model.setAssumption("no-such-name", "1").has_value());
        QVERIFY(model.setAssumption(spec.name, other).has_value()); // as it is already
        QCOMPARE(changed.size(), 1);
        // A link has them.
        SavingsViewModel restored(sampleDesk(m_answers), tasks);
        restored.restore(model.place());
        QCOMPARE(restored.assumptions(), model.assumptions());
        model.resetAssumptions();
        QVERIFY(model.assumptions().isUsual());
        QCOMPARE(changed.size(), 2);
    }

    void lateAnswersAreDropped()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        QSignalSpy changed(&model, &SavingsViewModel::changed);
        m_answers->holds = true;
        QVERIFY(model.setAssumption("scale-down-delay", "2h").has_value());
        QVERIFY(model.setAssumption("scale-down-delay", "3h").has_value());
        QVERIFY(model.setAssumption("scale-down-delay", "4h").has_value());
        QCOMPARE(model.snapshot()->assumptions.number("scale-down-delay"), std::int64_t{3600}); // the old answer stays
        m_answers->holds = false;
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(model.snapshot()->assumptions.number("scale-down-delay"), std::int64_t{4 * 3600});
        QCOMPARE(changed.size(), 1);
    }

    void aCurveFollowsTheRowAndTheAssumptions()
    {
        m_answers->curves["capacity:pool-a"] = tests::sampleCurve();
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        QVERIFY(model.curve() && model.curve()->curve);
        QCOMPARE(model.curve()->proposal, std::string("capacity:pool-a"));
        model.setKind(Kind::Capacity); // the same row of the same list
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(askedCurves(), std::size_t{1});
        QVERIFY(model.setAssumption("scale-down-delay", "2h").has_value());
        QVERIFY(model.curve() && !model.isCurvePending()); // the old one stays meanwhile
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(askedCurves(), std::size_t{2});
        {
            const std::lock_guard lock(m_answers->mutex);
            QCOMPARE(m_answers->askedCurves.back().assumptions.number("scale-down-delay"), std::int64_t{7200});
            QCOMPARE(m_answers->askedCurves.back().kind, std::optional(Kind::Capacity));
            QVERIFY(m_answers->askedCurves.back().range == model.snapshot()->frame.range);
        }
        model.setKind(std::nullopt);
        model.setCurrent(QStringLiteral("schedule:notebook-7"));
        QVERIFY(!model.curve() && model.isCurvePending()); // never that of another row
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QVERIFY(model.curve() && !model.curve()->curve); // it has none
    }

    void lateCurvesAreDropped()
    {
        m_answers->curves["capacity:pool-a"] = tests::sampleCurve();
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        m_answers->holdsCurves = true;
        model.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(model.isCurvePending(), kPatience); // of the first row
        QSignalSpy changed(&model, &SavingsViewModel::curveChanged);
        model.setCurrent(QStringLiteral("schedule:notebook-7"));
        m_answers->holdsCurves = false;
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(changed.size(), 1);
        QVERIFY(model.curve() && model.curve()->proposal == "schedule:notebook-7");
        {
            const std::lock_guard lock(m_answers->mutex);
            m_answers->curveError = base::Error::make(base::ErrorCode::StorageFull, "no disk");
        }
        model.setCurrent(QStringLiteral("capacity:pool-a"));
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QVERIFY(!model.curve() && model.curveError() && !model.isCurvePending());
        QCOMPARE(model.state(), PageState::Data); // the list is shown all the same
    }

    void choicesMoveRows()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        QSignalSpy chosen(&model, &SavingsViewModel::chosen);
        choose(model, draftOf("capacity:pool-a", ChoiceState::Accepted));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(groupOf(model, "capacity:pool-a"), QStringLiteral("accepted"));
        QVERIFY(ui::SavingsText::state(*model.choiceOf(QStringLiteral("capacity:pool-a")))
                    .startsWith(QStringLiteral("accepted by ada until ")));
        QCOMPARE(model.table().snapshot()->text(0, col(SavingsColumn::State)), QStringLiteral("ada, by 1 Oct 2026"));
        choose(model, draftOf("schedule:notebook-7", ChoiceState::Dismissed));
        QCOMPARE(groupOf(model, "schedule:notebook-7"), QStringLiteral("dismissed"));
        choose(model, draftOf("schedule:notebook-7", ChoiceState::Open));
        QCOMPARE(groupOf(model, "schedule:notebook-7"), QStringLiteral("open"));
        choose(model, draftOf("schedule:notebook-7", ChoiceState::Later));
        QCOMPARE(groupOf(model, "schedule:notebook-7"), QStringLiteral("later"));
        choose(model, draftOf("schedule:notebook-7", ChoiceState::Later, 0)); // its day has come
        QCOMPARE(groupOf(model, "schedule:notebook-7"), QStringLiteral("open"));
    }

    void whatIsDismissedHasItsGroupAndLeavesItsResources()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        choose(model, draftOf("capacity:pool-a", ChoiceState::Dismissed));
        const auto &rows = *model.table().snapshot();
        QCOMPARE(groupOf(model, "capacity:pool-a"), QStringLiteral("dismissed"));
        QCOMPARE(groupOf(model, "right-size:train-b"), QStringLiteral("open")); // has the resource now
        QCOMPARE(model.snapshot()->list.sums.front().perMonth.p50, tests::usd(500));
        const auto id = QStringLiteral("capacity:pool-a");
        int row = 0;
        while (row < rows.rowCount() && rows.id(row) != id)
            ++row;
        // Its reason is in the state alone; what it would save is still shown.
        QVERIFY(rows.text(row, col(SavingsColumn::State)).contains(QStringLiteral("needed")));
        QVERIFY(!rows.text(row, col(SavingsColumn::Range)).contains(QStringLiteral("needed")));
        QCOMPARE(std::get<double>(rows.value(row, col(SavingsColumn::Saves))), 1000.0);
        choose(model, draftOf("capacity:pool-a", ChoiceState::Open));
        QCOMPARE(groupOf(model, "right-size:train-b"), QStringLiteral("excluded"));
    }

    void aRefusedChoiceChangesNothing()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        m_answers->refusal = base::Error::make(base::ErrorCode::InvalidArgument, "no such day");
        QSignalSpy failed(&model, &SavingsViewModel::chooseFailed);
        choose(model, draftOf("capacity:pool-a", ChoiceState::Accepted));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(groupOf(model, "capacity:pool-a"), QStringLiteral("open"));
        QVERIFY(model.canChoose());
    }

    void aChoiceIsAboutWhatWasShown()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        const auto shown = model.snapshot();
        {
            const std::lock_guard lock(m_answers->mutex);
            std::erase_if(m_answers->list.items, [](const auto &one) { return one.id == "capacity:pool-a"; });
        }
        model.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QVERIFY(!model.proposal(QStringLiteral("capacity:pool-a")));
        model.choose(draftOf("capacity:pool-a", ChoiceState::Accepted), shown);
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(m_answers->choices.size(), std::size_t{1});
        QVERIFY(m_answers->choices[0].projected && m_answers->choices[0].projected->p50 == tests::usd(1000));
    }

    void aReportDecidesNothing()
    {
        m_answers->isReadOnly = true;
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        QVERIFY(!model.canChoose());
        QSignalSpy failed(&model, &SavingsViewModel::chooseFailed);
        model.choose(draftOf("capacity:pool-a", ChoiceState::Accepted));
        QCOMPARE(failed.size(), 1);
        QVERIFY(m_answers->drafts.empty());
    }

    void claimsOnlyWhatWasMeasured()
    {
        ui::SavingsDone done;
        QCOMPARE(ui::SavingsText::realized(done), QStringList{QStringLiteral("Nothing accepted yet")});
        savings::Choice choice;
        choice.id = 7;
        choice.draft = draftOf("capacity:pool-a", ChoiceState::Accepted);
        choice.projected = savings::MoneyBand{tests::usd(500), tests::usd(1000), tests::usd(2000)};
        done.choices = {choice};
        savings::Realized one;
        one.choice = 7;
        one.state = savings::RealizedState::TooEarly;
        done.realized = {one};
        QStringList lines = ui::SavingsText::realized(done);
        QCOMPARE(lines.size(), 1);
        QVERIFY(!lines.front().contains(QStringLiteral("USD")));
        done.realized.front().state = savings::RealizedState::Measured;
        done.realized.front().perMonth = savings::MoneyBand{tests::usd(800), tests::usd(900), tests::usd(950)};
        lines = ui::SavingsText::realized(done);
        QVERIFY(lines.front().startsWith(QStringLiteral("900 USD a month")));
        QVERIFY(lines.join(QLatin1Char('\n')).contains(QStringLiteral("1,000 USD")));
        QVERIFY(lines.join(QLatin1Char('\n')).contains(QStringLiteral("−10 %")));
        done.choices.front().draft.state = ChoiceState::Open; // taken back
        QCOMPARE(ui::SavingsText::realized(done), QStringList{QStringLiteral("Nothing accepted yet")});
    }

    void comparesOnlyWhatWasProjected()
    {
        ui::SavingsDone done;
        for (int i = 0; i < 2; ++i) {
            savings::Choice choice;
            choice.id = i;
            choice.draft = draftOf("capacity:pool-a", ChoiceState::Accepted);
            if (i == 0)
                choice.projected = savings::MoneyBand{tests::usd(500), tests::usd(1000), tests::usd(2000)};
            savings::Realized one;
            one.choice = i;
            one.state = savings::RealizedState::Measured;
            one.perMonth = savings::MoneyBand{tests::usd(900), tests::usd(900), tests::usd(900)};
            done.choices.push_back(choice);
            done.realized.push_back(one);
        }
        const QStringList lines = ui::SavingsText::realized(done);
        QVERIFY2(lines.front().startsWith(QStringLiteral("1,800 USD a month")), qPrintable(lines.front()));
        QVERIFY2(lines.at(1).contains(QStringLiteral("900 USD where 1,000 USD was projected, error −10 %")),
                 qPrintable(lines.at(1)));
    }

    // The stop found the same money, and more of it: the proposal is not in the sum, and so not compared.
    void whatIsNotInTheSumIsNotCompared()
    {
        ui::SavingsDone done;
        savings::Choice choice;
        choice.id = 4;
        choice.draft = draftOf("capacity:pool-a", ChoiceState::Accepted);
        choice.projected = savings::MoneyBand{tests::usd(500), tests::usd(1000), tests::usd(2000)};
        savings::Realized proposal, stop;
        proposal.choice = 4;
        proposal.group = stop.group = 4;
        proposal.state = stop.state = savings::RealizedState::Measured;
        proposal.perMonth = savings::MoneyBand{tests::usd(300), tests::usd(300), tests::usd(300)};
        stop.choice = -1;
        stop.perMonth = savings::MoneyBand{tests::usd(700), tests::usd(700), tests::usd(700)};
        stop.stop = savings::Choice();
        stop.stop->stop = savings::DoneStop{1, {}};
        done.choices = {choice};
        done.realized = {proposal, stop};
        const QStringList lines = ui::SavingsText::realized(done);
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines.front().startsWith(QStringLiteral("700 USD a month")), qPrintable(lines.front()));
    }

    void bandsNameBothEndsInFull()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        const savings::MoneyBand band{tests::usd(650), tests::usd(1300), tests::usd(2600)};
        const savings::MoneyBand loss{tests::usd(-200), tests::usd(-100), tests::usd(-50)};
        const QString gain = ui::SavingsText::range(band), less = ui::SavingsText::range(loss);
        QLocale::setDefault(before);
        QCOMPARE(gain, QStringLiteral("$650 to $2,600"));
        QCOMPARE(less, QStringLiteral("−$200 to −$50.00"));
        QCOMPARE(ui::SavingsText::range(loss), QStringLiteral("−200 USD to −50.00 USD"));
    }

    void saysWhyThereIsNoBand()
    {
        savings::Proposal one = tests::sampleProposal(Kind::Capacity, "pool-a", 1000);
        one.perMonth = savings::MoneyBand{tests::usd(1000), tests::usd(1000), tests::usd(1000)};
        const base::UtcTime end = base::fromUnix(tests::kSampleNow);
        QVERIFY(ui::SavingsText::saves(one, {end - 28 * base::kDay, end}).contains(QStringLiteral("no spread")));
        QVERIFY(ui::SavingsText::saves(one, {end - 14 * base::kDay, end}).contains(QStringLiteral("too short")));
    }

    void amountsSayTheirCurrency()
    {
        ui::TaskRunner tasks;
        {
            SavingsViewModel model(sampleDesk(m_answers), tasks);
            load(model);
            QVERIFY(model.table().columns()[unsigned(col(SavingsColumn::Saves))].title.contains(QStringLiteral("USD")));
            QCOMPARE(model.table().snapshot()->text(1, col(SavingsColumn::Saves)), QStringLiteral("300"));
        }
        savings::Proposal euros = tests::sampleProposal(Kind::Spot, "batch", 12);
        euros.currency = "EUR";
        const base::Currency eur = base::Currency::parse("EUR").value();
        for (base::Money *one : {&euros.perMonth->p10, &euros.perMonth->p50, &euros.perMonth->p90})
            *one = base::Money(one->nanos(), eur);
        m_answers->list.items.push_back(euros);
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        QVERIFY(!model.table().columns()[unsigned(col(SavingsColumn::Saves))].title.contains(QStringLiteral("USD")));
        const auto &rows = *model.table().snapshot();
        QStringList amounts;
        for (int row = 0; row < rows.rowCount(); ++row)
            amounts << rows.text(row, col(SavingsColumn::Saves));
        QVERIFY(amounts.contains(QStringLiteral("12.00 EUR")));
        QVERIFY(amounts.contains(QStringLiteral("1,000 USD")));
    }

    void aTeamNarrowsTheRowsAlone()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        ui::Scope scope;
        scope.filter.include[insight::Dimension::Team] = {"research"};
        model.setScope(scope);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Data, kPatience);
        QCOMPARE(model.table().snapshot()->rowCount(), 1);
        QCOMPARE(ui::savingsOfKind(model.snapshot()->list, std::nullopt).front().toDouble(), 1300.0);
        QVERIFY(ui::SavingsText::filterNote(*model.snapshot()).contains(QStringLiteral("research")));
        scope.filter = {};
        scope.filter.include[insight::Dimension::Cluster] = {"prod"};
        model.setScope(scope);
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(model.table().snapshot()->rowCount(), 3);
        QVERIFY(!ui::SavingsText::filterNote(*model.snapshot()).isEmpty());
    }

    void whatNobodyOwnsIsListedForEveryTeam()
    {
        m_answers->list.items[0].owner.clear();
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        ui::Scope scope;
        scope.filter.include[insight::Dimension::Team] = {"research"};
        model.setScope(scope);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Data, kPatience);
        QVERIFY(model.proposal(QStringLiteral("capacity:pool-a")));
        QVERIFY(!model.proposal(QStringLiteral("right-size:train-b")));
    }

    void aLinkIsFollowedAgain()
    {
        ui::TaskRunner tasks;
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        model.setCurrent(QStringLiteral("schedule:notebook-7"));
        const QUrlQuery place = model.place();
        model.restore(place);
        model.setCurrent(QStringLiteral("right-size:train-b"));
        model.restore(place);
        QCOMPARE(model.currentId(), QStringLiteral("schedule:notebook-7"));
        // Another scope restores the place, too, and leaves the user's row.
        model.setCurrent(QStringLiteral("right-size:train-b"));
        ui::Scope scope;
        scope.cost = model::CostView::List;
        model.setScope(scope);
        model.restore(place);
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
        QCOMPARE(model.currentId(), QStringLiteral("right-size:train-b"));
    }

    void aScaleBelowZeroHasItsZero()
    {
        ui::TaskRunner tasks;
        {
            SavingsViewModel model(sampleDesk(m_answers), tasks);
            load(model);
            QVERIFY(!zero(model).isValid());
        }
        m_answers->list.items[0].perMonth->p10 = tests::usd(-2000);
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        load(model);
        QCOMPARE(zero(model).toDouble(), 0.5); // from -2,000 to 2,000
    }

    void everyAssumptionIsExplained()
    {
        for (const savings::AssumptionSpec &spec : savings::assumptionSpecs())
            QVERIFY2(!ui::SavingsText::assumptionHelp(spec).isEmpty(), std::string(spec.name).c_str());
        QCOMPARE(ui::SavingsText::assumptionValue(*savings::assumptionSpec("off-hours"), "mon-fri 20-7, sat, sun"),
                 QStringLiteral("Mon–Fri 20–7, Sat, Sun"));
    }

    void hasTheStatesOfAPage()
    {
        ui::TaskRunner tasks;
        {
            m_answers->isEmpty = true;
            SavingsViewModel model(sampleDesk(m_answers), tasks);
            model.refresh();
            QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::FirstRun, kPatience);
            QCOMPARE(asked(), std::size_t{0});
        }
        m_answers->isEmpty = false;
        m_answers->list.items.clear();
        SavingsViewModel model(sampleDesk(m_answers), tasks);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Empty, kPatience);
        {
            const std::lock_guard lock(m_answers->mutex);
            m_answers->error = base::Error::make(base::ErrorCode::StorageFull, "no disk");
        }
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Error, kPatience);
    }

private:
    static void load(SavingsViewModel &model)
    {
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Data, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
    }
    static void choose(SavingsViewModel &model, const savings::ChoiceDraft &draft)
    {
        model.choose(draft);
        QTRY_VERIFY_WITH_TIMEOUT(!model.isAsking(), kPatience);
    }
    static QString groupOf(SavingsViewModel &model, const char *proposal)
    {
        const auto &rows = *model.table().snapshot();
        for (int row = 0; row < rows.rowCount(); ++row) {
            if (rows.id(row) == QLatin1String(proposal))
                return rows.groups()[static_cast<std::size_t>(rows.groupOf(row))].id;
        }
        return {};
    }
    static QVariant zero(SavingsViewModel &model)
    {
        return model.table().snapshot()->extra(0, col(SavingsColumn::Range), widgets::kRangeZeroRole);
    }
    std::size_t asked()
    {
        const std::lock_guard lock(m_answers->mutex);
        return m_answers->asked.size();
    }

    std::size_t askedCurves()
    {
        const std::lock_guard lock(m_answers->mutex);
        return m_answers->askedCurves.size();
    }

    std::shared_ptr<SampleAnswers> m_answers;
};

GPULEDGER_SUITE(SavingsViewModelTest)

} // namespace tst_savingsviewmodel

#include "tst_savingsviewmodel.moc"

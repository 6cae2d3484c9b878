// SPDX-License-Identifier: GPL-3.0-or-later
// Which past the savings are replayed on, and that a kind is answered as in the whole list.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/reports/statement/statement.h"
#include "app/services/billing/foundsavings.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/workspace/workspace.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>

namespace tst_savings {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::TimeRange;
using savings::SavingsList;

namespace {

constexpr int kDays = 35;
constexpr base::Seconds kHour{3600};

// One rented machine whose only GPU works by day; it stands idle at night, held by a notebook.
class Notebook {
public:
    explicit Notebook(const model::Settings &settings = pricedSettings())
        : folder(dir.path().toStdString())
        , clock(base::parseTime("2026-11-10T00:00:00Z").value())
        , store(store::LedgerStore::open(folder).value())
        , workspace(
              services::Workspace::open(settings, {folder, "UTC", false, "alex"}, catalog, secrets, clock).value())
    {
    }

    // Without the last `missing` seconds of the last day.
    TimeRange measure(std::int64_t missing = 0)
    {
        const std::int64_t end = kDays * Scenario::kDaySeconds - missing;
        Scenario scenario(kDays, "2026-10-01");
        scenario.batch.covered.end = scenario.at(end);
        const auto node = scenario.node("node-a");
        const auto device = scenario.device("GPU-a");
        const auto label = scenario.label("notebook-0");
        scenario.runs(scenario.pod("notebook-0", "uid-0", "node-a"), 0, end);
        for (int day = 0; day < kDays; ++day) {
            const std::int64_t midnight = day * Scenario::kDaySeconds;
            scenario.reports(device, label, node, midnight, midnight + 8 * kHour.count(), 0);
            scenario.reports(device, label, node, midnight + 8 * kHour.count(), midnight + 18 * kHour.count(), 60);
            scenario.reports(device, label, node, midnight + 18 * kHour.count(),
                             std::min(midnight + Scenario::kDaySeconds, end), 0);
        }
        const auto ledger = ledger::Ledger::create(pricedSettings()).value();
        if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", scenario.batch))
            qFatal("telemetry is refused");
        return scenario.covered();
    }

    base::Result<SavingsList> ask(std::optional<TimeRange> range = {}, std::optional<savings::Kind> kind = {})
    {
        return workspace->savings().savings({kind, range, model::CostView::Effective, {}});
    }

    QTemporaryDir dir;
    std::filesystem::path folder;
    base::FrozenClock clock;
    gpuledger::tests::FakeCatalog catalog;
    gpuledger::tests::NoSecrets secrets;
    std::unique_ptr<store::LedgerStore> store;
    std::unique_ptr<services::Workspace> workspace;
};

} // namespace

class TestSavings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutDataThereIsNoAnswer()
    {
        Notebook notebook;
        const auto list = notebook.ask();
        QVERIFY(!list);
        QVERIFY(list.error().code == base::ErrorCode::InvalidArgument);
        QVERIFY(list.error().text.find("no usage was fetched") != std::string::npos);
    }

    void thePastIsWholeHoursOfTheData()
    {
        Notebook notebook;
        const TimeRange data = notebook.measure();
        QCOMPARE(data.length(), base::Seconds{kDays * base::kDay});
        const auto rangeOf = [&](std::optional<TimeRange> asked) { return notebook.ask(asked).value().range; };
        QVERIFY((rangeOf({}) == TimeRange{data.end - 28 * base::kDay, data.end}));
        QVERIFY((rangeOf(TimeRange{data.start - 10 * base::kDay, data.end + base::kDay}) == data));
        const base::UtcTime noon = data.start + 12 * kHour;
        QVERIFY((rangeOf(TimeRange{noon - base::Seconds{1}, noon + 3 * kHour + base::Seconds{3599}})
                 == TimeRange{noon, noon + 3 * kHour}));
        const base::Seconds minute{60};
        for (const TimeRange &none :
             {TimeRange{noon + minute, noon + kHour + 59 * minute}, TimeRange{noon, noon},
              TimeRange{noon + 3 * kHour, noon}, TimeRange{data.start - 9 * base::kDay, data.start - base::kDay},
              TimeRange{data.end, data.end + base::kDay}}) {
            const auto list = notebook.ask(none);
            QVERIFY(!list);
            QVERIFY(list.error().code == base::ErrorCode::InvalidArgument);
            QVERIFY(list.error().text.find("no whole hour with data") != std::string::npos);
        }
    }

    void thePastHasFourWholeWeeksWhenTheDataEndWithinAnHour()
    {
        Notebook notebook;
        const TimeRange data = notebook.measure(300);
        const TimeRange range = notebook.ask().value().range;
        QVERIFY(range.end == data.end - base::Seconds{3300});
        QCOMPARE(range.length(), base::Seconds{28 * base::kDay});
    }

    void aKindIsAnsweredAsInTheWholeList()
    {
        Notebook notebook;
        notebook.measure();
        const SavingsList whole = notebook.ask().value();
        tests::checked(whole.items);
        std::size_t items = 0, parts = 0, all = 0;
        for (const savings::SavingsSum &sum : whole.sums)
            all += sum.byKind.size();
        for (const savings::Kind kind : savings::kKinds) {
            const SavingsList part = notebook.ask({}, kind).value();
            QVERIFY(part.range == whole.range);
            for (const savings::Proposal &one : part.items) {
                QVERIFY(one.kind == kind);
                QVERIFY(std::any_of(whole.items.begin(), whole.items.end(), [&](const savings::Proposal &other) {
                    return other.id == one.id && tests::said(other.excludedBy) == tests::said(one.excludedBy);
                }));
            }
            for (const savings::SavingsSum &sum : part.sums) {
                QCOMPARE(sum.byKind.size(), std::size_t(1));
                QVERIFY(sum.byKind.front().first == kind);
                QCOMPARE(sum.perMonth.p50.nanos(), sum.byKind.front().second.p50.nanos());
                ++parts;
            }
            items += part.items.size();
        }
        QCOMPARE(items, whole.items.size());
        QCOMPARE(parts, all);
        QVERIFY(items > 0);
    }

    void anEntryForNoPoolIsAWarning()
    {
        model::Settings settings = pricedSettings();
        settings.savings.pools = {{"nowhere", "test", {{"minimum-nodes", "1"}}}};
        for (const bool isConfigured : {false, true}) {
            Notebook notebook(isConfigured ? settings : pricedSettings());
            notebook.measure();
            const SavingsList list = notebook.ask().value();
            const auto found = std::find_if(list.warnings.begin(), list.warnings.end(), [](const savings::Remark &one) {
                return one.text == savings::RemarkText::NoSuchPool;
            });
            QCOMPARE(found != list.warnings.end(), isConfigured);
            if (isConfigured)
                QVERIFY(tests::said(*found).find("an entry for test/nowhere") != std::string::npos);
        }
    }

    void stopsWhenAsked()
    {
        Notebook notebook;
        notebook.measure();
        std::stop_source stop;
        stop.request_stop();
        const auto list = notebook.workspace->savings().savings({}, stop.get_token());
        QVERIFY(!list);
        QVERIFY(list.error().code == base::ErrorCode::Cancelled);
    }

    // Two that may have found the same money count once, also if each is of another team.
    void realizedSumsOfTeamsAddUp()
    {
        services::SavingsOfMonth known;
        const auto add = [&](std::int64_t id, const char *team, std::int64_t group, std::int64_t units) {
            const base::Money amount(units * base::Money::kNanosPerUnit, base::Currency::usd());
            savings::Choice about;
            about.id = id;
            about.team = team;
            savings::Realized &one = known.realized.emplace_back();
            one.choice = id;
            one.group = group;
            one.state = savings::RealizedState::Measured;
            one.perMonth = savings::MoneyBand{amount, amount, amount};
            if (id > 0) {
                known.choices.push_back(about);
                return;
            }
            about.stop = savings::DoneStop{-id, {}};
            one.stop = about;
        };
        add(4, "vision", 4, 100);
        add(-1, "speech", 4, 60);
        add(-2, "speech", 9, 7);
        const auto realizedOf = [&](const std::string &team) {
            auto rows = services::foundSavings(known, {}, team).value().rows;
            std::erase_if(rows, [](const auto &row) { return row.part != reports::StatementSaving::Part::Realized; });
            return rows;
        };
        const auto all = realizedOf({}), vision = realizedOf("vision"), speech = realizedOf("speech");
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(reports::nameOf(all.front()), std::string("realized so far: 1 proposal, 1 stop"));
        QCOMPARE(all.front().perMonth->p50.toDouble(), 107.0);
        QCOMPARE(vision.size(), std::size_t{1});
        QCOMPARE(reports::nameOf(vision.front()), std::string("realized so far: 1 proposal"));
        QCOMPARE(vision.front().perMonth->p50.toDouble(), 100.0);
        QCOMPARE(speech.size(), std::size_t{1});
        QCOMPARE(reports::nameOf(speech.front()), std::string("realized so far: 1 stop"));
        QCOMPARE(speech.front().perMonth->p50.toDouble(), 7.0);
    }

    // Also once the facts are kept, so that only reading what was accepted remains.
    void savingsOfAStatementStopWhenAsked()
    {
        Notebook notebook;
        notebook.measure();
        auto &savings = notebook.workspace->savings();
        reports::Statement statement;
        statement.view = model::CostView::Effective;
        QVERIFY(services::foundSavings(savings, statement, {}));
        std::stop_source stop;
        stop.request_stop();
        const auto found = services::foundSavings(savings, statement, {}, stop.get_token());
        QVERIFY(!found);
        QVERIFY(found.error().code == base::ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(TestSavings)

} // namespace tst_savings

#include "tst_savings.moc"

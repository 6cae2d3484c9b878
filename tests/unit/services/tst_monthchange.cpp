// SPDX-License-Identifier: GPL-3.0-or-later
// Why a month's cost differs from that of the closed previous month: each of six planted causes is found, and no other
// one; planted together, each is found, and all of them add up to the difference, to the nano-unit.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/reports/documents/documents.h"
#include "app/reports/months/monthrecord.h"
#include "app/services/billing/billingservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/values/integrityproblem.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>

namespace tst_monthchange {

using namespace gpuledger;
using namespace gpuledger::tests;
using reports::CostView;
using reports::StatementChange;
using Before = reports::StatementChange::Before;

namespace {

constexpr insight::Month kJanuary{2025, 1}, kFebruary{2025, 2};
constexpr std::int64_t kUsd = 1'000'000'000; // nano-units
constexpr std::int64_t kRounding = 3; // insight::explainChange(): nano-units that three roundings can leave

// A month of three machines with one GPU each: an A100 and an H100 that are billed, and an A100 of the company's own
// that the price book prices. Each runs the given number of days from the start of the month, is held by one team all
// that time, and is returned afterwards: the next month has others of the same kind, because the days in between would
// be unobserved time.
struct Plan {
    int a100Days = 8, h100Days = 4, ownDays = 0;
    int activeHours = 12; // per day; idle for the rest of it
    std::int64_t a100Day = 24, h100Day = 96; // USD billed per day
};

struct Machine {
    std::string name, model;
    bool isBilled = true;
};
const std::array<Machine, 3> kMachines{
    {{"a", "NVIDIA A100-SXM4-40GB"}, {"h", "NVIDIA H100 80GB HBM3"}, {"own", "NVIDIA A100-SXM4-40GB", false}}};

model::Settings rules(const std::string &perGpuHour = "3.6")
{
    model::Settings settings = pricedSettings();
    settings.prices.overrides.front().perGpuHour = perGpuHour;
    model::OwnerRule label;
    label.kind = model::OwnerRule::Kind::Label;
    label.key = "team";
    settings.owners.push_back(label);
    return settings;
}

// The rules of a reorganized company: the namespace names the team.
model::Settings otherOwners()
{
    model::Settings settings = rules();
    settings.owners.front().kind = model::OwnerRule::Kind::Namespace;
    settings.owners.front().key = {};
    settings.owners.front().pattern = "ml";
    settings.owners.front().team = "research";
    return settings;
}

struct Parts {
    std::int64_t difference = 0, price = 0, hours = 0, mix = 0, efficiency = 0, other = 0, policy = 0, late = 0;
    std::int64_t sum() const { return price + hours + mix + efficiency + other + policy + late; }
};

std::string textOf(const Parts &p)
{
    std::string out;
    for (const std::int64_t part : {p.difference, p.price, p.hours, p.mix, p.efficiency, p.other, p.policy, p.late})
        out += std::to_string(part) + ' ';
    return out;
}

class Company {
public:
    Company()
        : folder(dir.path().toStdString())
        , clock(base::parseTime("2025-03-05T00:00:00Z").value())
        , store(store::LedgerStore::open(folder).value())
        , workspace(services::Workspace::open(rules(), {folder, "UTC", false, "alex"}, catalog, secrets, clock).value())
        , ledger(ledger::Ledger::create(rules()).value())
    {
    }

    void use(const model::Settings &settings)
    {
        if (!workspace->apply(settings))
            qFatal("the settings are refused");
        ledger = ledger::Ledger::create(settings).value();
    }

    // Telemetry of each machine for the days [from, …) of a month.
    void measure(const insight::Month &month, const Plan &plan, int from = 0)
    {
        const std::array<int, 3> days{plan.a100Days, plan.h100Days, plan.ownDays};
        for (int day = from; day < *std::max_element(days.begin(), days.end()); ++day) {
            Scenario scenario(1, base::toRfc3339(month.range().start + day * base::kDay).substr(0, 10));
            for (std::size_t i = 0; i < kMachines.size(); ++i) {
                if (day < days[i])
                    run(scenario, kMachines[i], nameOf(kMachines[i], month), plan.activeHours);
            }
            if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", scenario.batch))
                qFatal("telemetry is refused");
        }
    }

    void bill(const insight::Month &month, const Plan &plan)
    {
        ports::BillBatch batch;
        batch.key = {"bill", "account", month.range().start};
        const auto charge = [&](const Machine &machine, int days, std::int64_t amount) {
            for (int day = 0; day < days; ++day) {
                model::BillLine line;
                line.billingAccountId = batch.key.billingAccountId;
                line.billingPeriod = month.range();
                const base::UtcTime start = month.range().start + day * base::kDay;
                line.chargePeriod = {start, start + base::kDay};
                line.billed = line.effective = base::Money(amount * kUsd, base::Currency::usd());
                line.product.provider = "AWS";
                line.product.serviceCategory = "Compute";
                line.consumedQuantity.unit = "Hours";
                line.resource.id = "i-" + nameOf(machine, month);
                batch.lines.push_back(std::move(line));
            }
        };
        charge(kMachines[0], plan.a100Days, plan.a100Day);
        charge(kMachines[1], plan.h100Days, plan.h100Day);
        const std::string hash = "delivery-" + std::to_string(++deliveries);
        auto transaction = store->beginBills("bill", {{"/bills/" + hash, hash, 1}}, clock.now());
        if (!transaction || !(*transaction)->accept(batch)
            || !ledger::LedgerWriter(*store, ledger->rollup()).commit(**transaction))
            qFatal("a bill is refused");
    }

    void tell(const insight::Month &month, const Plan &plan)
    {
        measure(month, plan);
        bill(month, plan);
    }

    void close(const insight::Month &month)
    {
        const auto done = workspace->billing().closeMonth(month, "for the test");
        if (!done || done->outcome != reports::SignOff::Outcome::Done)
            qFatal("the month is not closed");
    }

    reports::Statement february(CostView view = CostView::Billed)
    {
        return workspace->billing().statement(kFebruary, view, {}).value();
    }

    QTemporaryDir dir;
    std::filesystem::path folder;
    base::FrozenClock clock;
    gpuledger::tests::FakeCatalog catalog;
    gpuledger::tests::NoSecrets secrets;
    std::unique_ptr<store::LedgerStore> store;
    std::unique_ptr<services::Workspace> workspace;
    std::unique_ptr<ledger::Ledger> ledger;
    int deliveries = 0;

private:
    static std::string nameOf(const Machine &machine, const insight::Month &month)
    {
        return machine.name + '-' + insight::toString(month);
    }

    static void run(Scenario &scenario, const Machine &machine, const std::string &name, int activeHours)
    {
        const auto node = scenario.node(name);
        if (machine.isBilled) {
            scenario.batch.nodes[node].providerId = "aws:///us-east-1a/i-" + name;
            scenario.batch.nodes[node].cloud = "aws";
        }
        const auto device = scenario.device("GPU-" + name);
        scenario.batch.devices[device].model = machine.model;
        const auto label = scenario.label("train-" + name);
        const auto pod = scenario.pod("train-" + name, "uid-" + name, name);
        scenario.batch.holders[pod].labels = {{"team", "vision"}};
        scenario.runs(pod, 0, Scenario::kDaySeconds);
        const std::int64_t active = std::int64_t{activeHours} * 3600;
        scenario.reports(device, label, node, 0, active, 100);
        if (active < Scenario::kDaySeconds)
            scenario.reports(device, label, node, active, Scenario::kDaySeconds, 0);
    }
};

Parts partsOf(const reports::TeamStatement &team)
{
    const StatementChange &c = team.change.value();
    return {team.total().nanos() - c.before.nanos(),
            c.price.nanos(),
            c.hours.nanos(),
            c.mix.nanos(),
            c.efficiency.nanos(),
            c.other.nanos(),
            c.policy.value().nanos(),
            c.late.value().nanos()};
}

reports::TeamStatement everybody(const reports::Statement &statement)
{
    if (statement.currencies.size() != 1)
        qFatal("one currency is expected");
    return reports::allTeams(statement.currencies.front());
}

// Whether the parts of every team add up.
bool addsUp(const reports::Statement &statement)
{
    for (const reports::CurrencyStatement &currency : statement.currencies) {
        for (const reports::TeamStatement &team : currency.teams) {
            const StatementChange &c = team.change.value();
            const std::int64_t parts = c.price.nanos() + c.hours.nanos() + c.mix.nanos() + c.efficiency.nanos()
                + c.other.nanos() + c.restated.nanos();
            if (c.before.nanos() + parts != team.total().nanos())
                return false;
            if (c.policy && c.late && c.policy->nanos() + c.late->nanos() != c.restated.nanos())
                return false;
        }
    }
    return true;
}

std::string documentsOf(const reports::Statement &statement)
{
    return reports::toCsv(statement) + reports::toHtml(statement) + reports::toXlsx(statement).value();
}

} // namespace

class TestMonthChange : public QObject {
    Q_OBJECT

    // January as it was when it was closed, what became known about it later, and February.
    struct Story {
        Plan closed, january, february;
        std::string priceBefore = "3.6", priceAfter = "3.6"; // per GPU-hour of the company's own machine
    };

    static void live(Company &company, const Story &story)
    {
        company.use(rules(story.priceBefore));
        company.tell(kJanuary, story.closed);
        company.close(kJanuary);
        company.measure(kJanuary, story.january, story.closed.ownDays);
        company.bill(kJanuary, story.january);
        company.use(rules(story.priceAfter));
        company.tell(kFebruary, story.february);
    }

private Q_SLOTS:
    void aPlantedCauseIsFoundAlone_data()
    {
        QTest::addColumn<int>("cause"); // an index into Parts, starting at the price
        QTest::addColumn<int>("sign");
        for (const auto &[name, cause, sign] :
             std::initializer_list<std::tuple<const char *, int, int>>{{"price", 0, 1},
                                                                       {"work", 1, 1},
                                                                       {"mix", 2, 1},
                                                                       {"efficiency", 3, -1},
                                                                       {"rules", 5, 1},
                                                                       {"a restated bill", 6, 1},
                                                                       {"late telemetry", 7, 1}})
            QTest::addRow("%s", name) << cause << sign;
    }
    void aPlantedCauseIsFoundAlone()
    {
        QFETCH(int, cause);
        QFETCH(int, sign);
        Story story;
        switch (cause) {
        case 0:
            story.february.a100Day = 36;
            story.february.h100Day = 144;
            break;
        case 1:
            story.february.a100Days = 16;
            story.february.h100Days = 8;
            break;
        case 2:
            story.february.a100Days = 4;
            story.february.h100Days = 8;
            break;
        case 3:
            story.february.a100Days = 4;
            story.february.h100Days = 2;
            story.february.activeHours = 24;
            break;
        case 5:
            story.closed.ownDays = story.january.ownDays = story.february.ownDays = 5;
            story.priceAfter = "7.2";
            break;
        case 6:
            story.january.a100Day = story.february.a100Day = 36;
            story.january.h100Day = story.february.h100Day = 144;
            break;
        default:
            story.closed.ownDays = 3;
            story.january.ownDays = story.february.ownDays = 5;
            break;
        }
        Company company;
        live(company, story);
        const reports::Statement statement = company.february();
        QVERIFY(addsUp(statement));
        const reports::TeamStatement all = everybody(statement);
        QVERIFY(all.change->state == Before::Closed);
        const Parts parts = partsOf(all);
        const std::array found{parts.price, parts.hours,  parts.mix, parts.efficiency,
                               parts.other, parts.policy, parts.late};
        QCOMPARE(parts.sum(), parts.difference);
        QVERIFY2(parts.difference * sign > kUsd, textOf(parts).c_str());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool isPlanted = i == std::min(static_cast<std::size_t>(cause), found.size() - 1);
            const std::int64_t off = found[i] - (isPlanted ? parts.difference : 0);
            QVERIFY2(std::abs(off) <= kRounding, textOf(parts).c_str());
        }
    }

    // Ownership is a rule too: what moves between teams cancels out in total.
    void otherOwnersMoveCostBetweenTeams()
    {
        Company company;
        company.tell(kJanuary, {});
        company.close(kJanuary);
        company.use(otherOwners());
        company.tell(kFebruary, {});
        const reports::Statement statement = company.february();
        QVERIFY(addsUp(statement));
        QCOMPARE(partsOf(everybody(statement)).policy, 0);
        const std::int64_t whole = (8 * 24 + 4 * 96) * kUsd;
        QCOMPARE(statement.currencies.front().teams.size(), std::size_t{2});
        for (const reports::TeamStatement &team : statement.currencies.front().teams) {
            const Parts parts = partsOf(team);
            QCOMPARE(parts.policy, team.team == "research" ? whole : -whole);
            QCOMPARE(parts.difference, parts.policy);
        }
    }

    void sixCausesTogetherAddUp()
    {
        Story story;
        story.closed.ownDays = 3;
        story.january.ownDays = 5;
        story.priceAfter = "7.2";
        story.february = {6, 12, 5, 16, 36, 144};
        Company company;
        live(company, story);
        for (const CostView view : {CostView::Billed, CostView::Effective}) {
            const reports::Statement statement = company.february(view);
            QVERIFY(addsUp(statement));
            const Parts parts = partsOf(everybody(statement));
            QCOMPARE(parts.sum(), parts.difference);
            for (const std::int64_t part : {parts.price, parts.hours, parts.mix, parts.policy, parts.late})
                QVERIFY2(part > kUsd, textOf(parts).c_str());
            QVERIFY2(parts.efficiency < -kUsd, textOf(parts).c_str());
            QCOMPARE(parts.other, 0);
            // Computed by hand: two days of the own machine arrived late, and all five days of it cost twice as much.
            QCOMPARE(parts.late, 2 * 24 * 36 * kUsd / 10);
            QCOMPARE(parts.policy, 5 * 24 * 36 * kUsd / 10);
        }
    }

    // The same amount is an adjustment in the month in which it is payable; it is in neither total.
    void adjustmentsTellTheSameMoneyOnce()
    {
        Story story;
        story.closed.ownDays = 3;
        story.january.ownDays = story.february.ownDays = 5;
        story.priceAfter = "7.2";
        Company company;
        live(company, story);
        const reports::TeamStatement all = everybody(company.february());
        QCOMPARE(all.change->restated.nanos(), all.adjusted.nanos());
        QCOMPARE(all.change->before.nanos(), (8 * 24 + 4 * 96) * kUsd + 3 * 24 * 36 * kUsd / 10);
        QCOMPARE(all.total().nanos(), (8 * 24 + 4 * 96) * kUsd + 5 * 24 * 72 * kUsd / 10);
    }

    void anOpenMonthBeforeHasNeither()
    {
        Company company;
        company.tell(kJanuary, {});
        company.use(otherOwners());
        company.bill(kJanuary, {.a100Day = 48});
        company.tell(kFebruary, {});
        const reports::Statement statement = company.february();
        QVERIFY(addsUp(statement));
        const reports::TeamStatement all = everybody(statement);
        QVERIFY(all.change->state == Before::Open);
        QCOMPARE(all.change->restated.nanos(), 0);
        QVERIFY(all.change->policy->isZero() && all.change->late->isZero());
        QVERIFY(partsOf(all).price < 0);
        QVERIFY(reports::toHtml(statement).find("late data") == std::string::npos);
    }

    void aClosedMonthKeepsItsReasons()
    {
        Story story;
        story.closed.ownDays = 3;
        story.january.ownDays = story.february.ownDays = 5;
        story.priceAfter = "7.2";
        Company company;
        live(company, story);
        const reports::TeamStatement open = everybody(company.february());
        company.close(kFebruary);
        const reports::TeamStatement closed = everybody(company.february());
        QCOMPARE(textOf(partsOf(closed)), textOf(partsOf(open)));
        const std::string documents = documentsOf(company.february());
        QVERIFY(documents.find("late data") != std::string::npos);
        company.use(otherOwners());
        company.bill(kJanuary, {.a100Day = 77});
        company.bill(kFebruary, {.a100Day = 99});
        QVERIFY(documentsOf(company.february()) == documents);
        QVERIFY(company.workspace->verify()->empty());
    }

    // The currency of the price book is a rule as well: the estimate moves from one currency to the other.
    void anotherCurrencyOfPricesIsARule()
    {
        Company company;
        company.tell(kJanuary, {.ownDays = 5});
        company.close(kJanuary);
        model::Settings settings = rules();
        const auto eur = base::Currency::parse("EUR").value();
        settings.currency = settings.prices.overrides.front().currency = eur;
        company.use(settings);
        company.tell(kFebruary, {.ownDays = 5});
        for (const bool isClosed : {false, true}) {
            if (isClosed)
                company.close(kFebruary);
            const reports::Statement statement = company.february();
            QVERIFY(addsUp(statement));
            QCOMPARE(statement.currencies.size(), std::size_t{2});
            const std::int64_t own = 5 * 24 * 36 * kUsd / 10;
            for (const reports::CurrencyStatement &currency : statement.currencies) {
                const Parts parts = partsOf(reports::allTeams(currency));
                QCOMPARE(parts.policy, currency.currency == eur ? own : -own);
                QCOMPARE(parts.difference, parts.policy);
            }
        }
    }

    // A month that was closed before rules were stored, or by a version with prices that this one does not have.
    void withoutItsRulesBothAreOnePart_data()
    {
        QTest::addColumn<QByteArray>("change");
        for (const char *change : {"no rules", "other rules", "unreadable rules"})
            QTest::addRow("%s", change) << QByteArray(change);
    }
    void withoutItsRulesBothAreOnePart()
    {
        QFETCH(QByteArray, change);
        Company first;
        first.tell(kJanuary, {.ownDays = 3});
        first.close(kJanuary);
        auto rows = first.store->months().closedRows("2025-01", store::MonthStore::Rows::All).value();
        std::size_t figures = reports::figureCountOf(rows.front()).value();
        std::string &kept = rows[figures - 1];
        QVERIFY(kept.starts_with("[\"rules\""));
        const auto replace = [](std::string &in, const std::string &from, const std::string &to) {
            const std::size_t at = in.find(from);
            QVERIFY2(at != std::string::npos, from.c_str());
            in.replace(at, from.size(), to);
        };
        if (change == "no rules") {
            const std::string then = "\"figures\":" + std::to_string(figures);
            rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(figures) - 1);
            --figures;
            replace(rows.front(), then, "\"figures\":" + std::to_string(figures));
            replace(rows.front(), "\"form\":5", "\"form\":1");
        } else if (change == "other rules") {
            kept = "[\"rules\",\"0123456789abcdef\"" + kept.substr(kept.find(',', kept.find(',') + 1));
        } else {
            kept = "[\"rules\",\"0123456789abcdef\",\"owners: [what\"]";
        }
        Company company;
        company.tell(kJanuary, {.ownDays = 3});
        const store::AuditEvent event{company.clock.now(), "alex", store::kCloseMonth, "2025-01", "{}"};
        QVERIFY(company.store->months().close({"2025-01", rows, figures}, event, company.store->generation().value())
                == store::MonthStore::Outcome::Done);
        company.measure(kJanuary, {.ownDays = 5}, 3);
        company.use(rules("7.2"));
        company.tell(kFebruary, {.ownDays = 5});
        const reports::Statement statement = company.february();
        QVERIFY(addsUp(statement));
        const reports::TeamStatement all = everybody(statement);
        QVERIFY(all.change->state == Before::Closed);
        QVERIFY(!all.change->policy && !all.change->late);
        QCOMPARE(all.change->restated.nanos(), all.total().nanos() - all.change->before.nanos());
        QVERIFY(reports::toHtml(statement).find("other rules or late data") != std::string::npos);
    }
};

GPULEDGER_SUITE(TestMonthChange)

} // namespace tst_monthchange

#include "tst_monthchange.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is billed, restated, measured late, reviewed and closed, in whatever order: the statements of all months,
// with their adjustments, add up to the currently known bills, to the nano-unit, in each currency and in both views;
// and the statement of a closed month never changes.
#include "app/base/text/text.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/reports/documents/documents.h"
#include "app/services/billing/billingservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/values/integrityproblem.h"
#include "tests/support/detailtext.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_monthlaw {

using namespace gpuledger;
using namespace gpuledger::tests;
using reports::CostView;

namespace {

constexpr int kYear = 2025, kSteps = 80;
constexpr unsigned kLastMonth = 8;

class MovingClock final : public base::Clock {
public:
    base::UtcTime time{};
    base::UtcTime now() const override { return time; }
};

model::Settings rules()
{
    model::Settings settings = pricedSettings();
    model::OwnerRule tag;
    tag.kind = model::OwnerRule::Kind::CloudTag;
    tag.key = "team";
    settings.owners.push_back(tag);
    return settings;
}

struct Sum {
    std::int64_t billed = 0, effective = 0, estimated = 0;
    bool operator==(const Sum &) const = default;
};
using Sums = std::map<base::Currency, Sum>;

Sums withoutZeros(Sums sums)
{
    std::erase_if(sums, [](const auto &entry) { return entry.second == Sum{}; });
    return sums;
}

class Company {
public:
    explicit Company(std::uint64_t seed)
        : random(seed)
        , ledger(ledger::Ledger::create(rules()).value())
    {
        clock.time = insight::Month{kYear, 1}.range().end + base::kDay;
        const std::filesystem::path folder = dir.path().toStdString();
        store = store::LedgerStore::open(folder).value();
        workspace = services::Workspace::open(rules(), {folder, "UTC", false, "alex"}, catalog, secrets, clock).value();
    }

    unsigned current() const { return static_cast<unsigned>(std::stoi(base::toRfc3339(clock.time).substr(5, 2))); }
    insight::Month month() { return {kYear, static_cast<unsigned>(pick(random, 1, current()))}; }

    // A part of a bill, new or restated; of any month so far, including closed ones.
    base::Result<void> bill()
    {
        ports::BillBatch batch;
        const base::TimeRange period = month().range();
        batch.key = {"bill", "account-" + std::to_string(pick(random, 0, 2)), period.start};
        for (std::int64_t n = pick(random, 1, 12); n > 0; --n) {
            model::BillLine line;
            line.billingAccountId = batch.key.billingAccountId;
            line.billingPeriod = period;
            const base::UtcTime start = period.start + base::Seconds{pick(random, 0, 26 * 86400)};
            // Some of them extend into the next month.
            line.chargePeriod = {start, start + base::Seconds{pick(random, 1, 6 * 86400)}};
            if (oneIn(random, 20))
                line.chargePeriod = {base::fromUnix(-50'000'000'000), base::fromUnix(90'000'000'000)}; // unexplained
            const auto currency = oneIn(random, 3) ? base::Currency::parse("EUR").value() : base::Currency::usd();
            line.billed = base::Money(pick(random, -2'000'000'000, 90'000'000'000'000), currency);
            line.effective = oneIn(random, 2) ? line.billed : base::Money(pick(random, 0, 9'000'000'000), currency);
            line.category = oneIn(random, 5) ? model::ChargeCategory::Credit : model::ChargeCategory::Usage;
            line.product.provider = "AWS";
            line.product.serviceCategory = oneIn(random, 2) ? "Storage" : "Network";
            line.tags["team"] = "team-" + std::to_string(pick(random, 0, 4));
            batch.lines.push_back(std::move(line));
        }
        const std::string hash = std::to_string(++deliveries);
        auto transaction = store->beginBills("bill", {{"/bills/" + hash, hash, 1}}, clock.now());
        GPULEDGER_TRY(transaction);
        GPULEDGER_TRY((*transaction)->accept(batch));
        const auto done = ledger::LedgerWriter(*store, ledger->rollup()).commit(**transaction);
        GPULEDGER_TRY(done);
        return {};
    }

    // A day of telemetry, however late.
    base::Result<void> measure()
    {
        const std::string start =
            base::toRfc3339(month().range().start + pick(random, 0, 27) * base::kDay).substr(0, 10);
        Scenario day(1, start);
        const auto node = day.node("n1");
        const auto device = day.device("GPU-1");
        const auto label = day.label("train");
        day.runs(day.pod("train", "u1", "n1"), 0, Scenario::kDaySeconds);
        day.reports(device, label, node, 0, pick(random, 1, 24) * 3600, static_cast<double>(pick(random, 0, 100)));
        return ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", day.batch);
    }

    base::Result<void> close()
    {
        const insight::Month which = month();
        const auto done = workspace->billing().closeMonth(which, "a random test");
        GPULEDGER_TRY(done);
        if (done->outcome == reports::SignOff::Outcome::Done) {
            const auto documents = documentsOf(which);
            GPULEDGER_TRY(documents);
            closed[which] = *documents;
        }
        return {};
    }

    base::Result<std::string> documentsOf(const insight::Month &which)
    {
        std::string all;
        for (const CostView view : {CostView::Billed, CostView::Effective}) {
            const auto statement = workspace->billing().statement(which, view, {});
            GPULEDGER_TRY(statement);
            all += reports::toCsv(*statement) + reports::toHtml(*statement);
            const auto detail = workspace->billing().statementDetail(which, view);
            GPULEDGER_TRY(detail);
            all += textBeside(*detail);
        }
        return all;
    }

    base::Result<Sums> told()
    {
        Sums sums;
        const auto months = workspace->billing().months();
        GPULEDGER_TRY(months);
        for (const reports::MonthStatus &status : *months) {
            for (const CostView view : {CostView::Billed, CostView::Effective}) {
                const auto statement = workspace->billing().statement(status.month, view, {});
                GPULEDGER_TRY(statement);
                for (const reports::CurrencyStatement &one : statement->currencies) {
                    Sum &sum = sums[one.currency];
                    const std::int64_t cost = one.cost.nanos() + one.adjustedCost.nanos();
                    (view == CostView::Billed ? sum.billed : sum.effective) += cost;
                    if (view == CostView::Billed)
                        sum.estimated += one.estimated.nanos() + one.adjustedEstimate.nanos();
                    adjustments += one.adjustments.size();
                    std::int64_t listed = 0;
                    for (const reports::StatementAdjustment &adjustment : one.adjustments)
                        listed += adjustment.cost.nanos() + adjustment.estimated.nanos();
                    if (listed != one.adjusted().nanos())
                        return base::fail(base::ErrorCode::Internal, "the list of adjustments is not their sum");
                }
            }
        }
        return withoutZeros(std::move(sums));
    }

    base::Result<Sums> known()
    {
        Sums sums;
        const base::Day first{0}, last{40'000};
        const auto bills = store->billTotals(first, last, store::LedgerStore::BillCheck::Recomputed);
        GPULEDGER_TRY(bills);
        for (const auto &[currency, amounts] : *bills)
            sums[currency] = {amounts.billed, amounts.effective, 0};
        auto cube = store->cube();
        GPULEDGER_TRY(cube);
        GPULEDGER_TRY((*cube)->ledger(first, last,
                                      [&](base::Day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) {
                                          if (key.origin == model::LedgerOrigin::Priced)
                                              sums[base::Currency::usd()].estimated += amounts.priced;
                                          return base::Result<void>();
                                      }));
        return withoutZeros(std::move(sums));
    }

    Random random;
    MovingClock clock;
    gpuledger::tests::FakeCatalog catalog;
    gpuledger::tests::NoSecrets secrets;
    QTemporaryDir dir;
    std::unique_ptr<ledger::Ledger> ledger;
    std::unique_ptr<store::LedgerStore> store;
    std::unique_ptr<services::Workspace> workspace;
    std::map<insight::Month, std::string> closed;
    std::size_t adjustments = 0;
    int deliveries = 0;
};

} // namespace

class TestMonthLaw : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statementsAddUpToTheBills_data()
    {
        QTest::addColumn<int>("seed");
        // For more of them: GPULEDGER_HISTORIES=first-last.
        const QList<QByteArray> range = qgetenv("GPULEDGER_HISTORIES").split('-');
        const int first = range.size() == 2 ? range[0].toInt() : 1, last = range.size() == 2 ? range[1].toInt() : 3;
        for (int seed = first; seed <= last; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void statementsAddUpToTheBills()
    {
        QFETCH(int, seed);
        Company company(static_cast<std::uint64_t>(seed));
        for (int step = 0; step < kSteps; ++step) {
            const auto done = [&]() -> base::Result<void> {
                switch (pick(company.random, 0, 7)) {
                case 0:
                    if (company.current() < kLastMonth)
                        company.clock.time += base::Seconds{pick(company.random, 15, 60) * 86400};
                    return {};
                case 1:
                case 2:
                    return company.close();
                case 3:
                    return company.measure();
                case 4: {
                    const auto review = company.workspace->billing().reviewMonth(company.month());
                    GPULEDGER_TRY(review);
                    return {};
                }
                default:
                    return company.bill();
                }
            }();
            QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
            const auto told = company.told(), known = company.known();
            QVERIFY2(told.has_value(), told ? "" : told.error().text.c_str());
            QVERIFY(known.has_value());
            QVERIFY2(*told == *known, qPrintable(QStringLiteral("step %1").arg(step)));
        }
        // The test is not vacuous.
        QVERIFY(company.closed.size() >= 2);
        QVERIFY(company.adjustments > 0);
        for (const auto &[month, documents] : company.closed) {
            const auto now = company.documentsOf(month);
            QVERIFY(now.has_value());
            QVERIFY2(*now == documents, insight::toString(month).c_str());
        }
        const auto problems = company.workspace->verify();
        QVERIFY(problems.has_value());
        QVERIFY2(problems->empty(), problems->empty() ? "" : problems->front().what.c_str());
    }

    void whatWasLookedAtIsWhatIsClosed()
    {
        Company company(7);
        QVERIFY(company.bill());
        company.clock.time = insight::Month{kYear, kLastMonth}.range().start;
        const insight::Month january{kYear, 1};
        const auto seen = company.workspace->billing().monthStatus(january);
        QVERIFY(seen.has_value());
        QVERIFY(!seen->figures.empty());
        for (int i = 0; company.workspace->billing().monthStatus(january)->figures == seen->figures && i < 1000; ++i)
            QVERIFY(company.bill());
        const auto refused = company.workspace->billing().closeMonth(january, "reason", seen->figures);
        QVERIFY(refused.has_value());
        QCOMPARE(refused->outcome, reports::SignOff::Outcome::FiguresChanged);
        const auto done = company.workspace->billing().closeMonth(january, " a\nreason ", refused->status.figures);
        QVERIFY(done.has_value());
        QCOMPARE(done->outcome, reports::SignOff::Outcome::Done);
        const auto status = company.workspace->billing().monthStatus(january);
        QVERIFY(status->state == reports::MonthState::Closed);
        QCOMPARE(status->by, std::string("alex"));
        QCOMPARE(status->reason, std::string("a reason"));
        QCOMPARE(status->hash, done->status.hash);
        QVERIFY(status->objections.empty());
        QVERIFY(status->figures.empty());
    }

    // Includes the details next to the statement, whatever happens to earlier months, which are open and closed later.
    void earlierMonthsDoNotMoveAClosedOne()
    {
        Company company(5);
        company.clock.time = insight::Month{kYear, 5}.range().start;
        for (int i = 0; i < 30; ++i)
            QVERIFY(company.bill());
        for (int i = 0; i < 30; ++i)
            QVERIFY(company.measure());
        const insight::Month april{kYear, 4};
        QCOMPARE(company.workspace->billing().closeMonth(april, "reason")->outcome, reports::SignOff::Outcome::Done);
        const std::string before = company.documentsOf(april).value();
        const auto january = company.workspace->billing().statementDetail({kYear, 1}, CostView::Billed).value();
        for (int i = 0; i < 30; ++i)
            QVERIFY(company.bill());
        for (int i = 0; i < 30; ++i)
            QVERIFY(company.measure());
        QVERIFY(textBeside(company.workspace->billing().statementDetail({kYear, 1}, CostView::Billed).value())
                != textBeside(january)); // something did change
        QVERIFY(company.documentsOf(april).value() == before);
        for (unsigned number = 1; number < april.number; ++number)
            QCOMPARE(company.workspace->billing().closeMonth({kYear, number}, "late")->outcome,
                     reports::SignOff::Outcome::Done);
        QVERIFY(company.documentsOf(april).value() == before);
        model::Settings other = rules();
        other.owners.clear();
        company.workspace = services::Workspace::open(other, {company.dir.path().toStdString(), "UTC", false, "alex"},
                                                      company.catalog, company.secrets, company.clock)
                                .value();
        QVERIFY(company.documentsOf(april).value() == before);
        QVERIFY(company.workspace->verify().value().empty());
    }

    void historyOfAClosedMonthStays()
    {
        Company company(11);
        while (company.workspace->billing().months()->empty())
            QVERIFY(company.bill());
        const insight::Month january{kYear, 1};
        company.clock.time = insight::Month{kYear, 3}.range().start;
        QCOMPARE(company.workspace->billing().closeMonth(january, "reason")->outcome, reports::SignOff::Outcome::Done);
        const auto totals = [&] {
            std::map<base::Currency, std::int64_t> sums;
            const auto history =
                company.workspace->billing().statementDetail({kYear, 3}, CostView::Billed).value().history;
            for (const auto &currency : {base::Currency::usd(), base::Currency::parse("EUR").value()}) {
                if (const auto *lines = history.findAll(currency, january)) {
                    for (const auto &[line, amount] : *lines)
                        sums[currency] += amount.nanos();
                }
            }
            return sums;
        };
        const auto before = totals();
        QVERIFY(!before.empty());
        for (int i = 0; i < 20; ++i)
            QVERIFY(company.bill());
        QVERIFY(totals() == before);
    }
};

GPULEDGER_SUITE(TestMonthLaw)

} // namespace tst_monthlaw

#include "tst_monthlaw.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Stored days of savings are compared with the same made from their facts: all hold after a question, one that differs
// is found in a check of all days, and it is gone once it was dropped.
#include "app/services/savings/savingsservice.h"
#include "app/services/savingsinputs/capacitypools.h"
#include "app/services/savingsinputs/days/hourrecorder.h"
#include "app/services/savingsinputs/days/keptdays.h"
#include "app/services/savingsinputs/keptcheck.h"
#include "app/services/workspace/workspace.h"
#include "app/store/dayfacts/dayfactstore.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace tst_keptcheck {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

// What is stored in the cache of a company, under its rules.
class StoredDays {
public:
    explicit StoredDays(Company &company)
        : m_store(store::LedgerStore::open(company.folder).value())
        , m_settings(companyRules())
        , m_ledger(ledger::Ledger::create(m_settings).value())
        , m_rules(services::keptDayRules(*m_ledger, m_settings))
    {
    }

    // As a question does.
    void walk()
    {
        const std::int64_t generation = m_store->generation().value();
        const auto facts = m_store->facts().value();
        const auto attribution = m_ledger->attribution(*facts);
        const auto kept = services::KeptDays::open(*m_store, generation, *m_ledger, m_settings, *attribution).value();
        const base::TimeRange known = facts->coveredRange().value();
        const auto pools = services::capacityCollector(
            {base::ceilTo(known.start, base::Seconds{3600}), base::floorTo(known.end, base::Seconds{3600})});
        const std::array<services::DayCollector *, 1> all{pools.get()};
        QVERIFY(services::collectDays(*attribution, all, {}, kept.get()));
    }

    std::vector<base::Day> days()
    {
        const base::TimeRange known = m_store->facts().value()->coveredRange().value();
        std::vector<base::Day> out;
        for (base::Day day = base::dayOf(known.start); day.end() <= known.end; ++day.number) {
            if (read(day))
                out.push_back(day);
        }
        return out;
    }
    std::optional<std::string> read(base::Day day)
    {
        return m_store->dayFacts().read(day, m_rules, m_store->generation().value()).value();
    }
    void put(base::Day day, const std::string &blob)
    {
        QVERIFY(m_store->dayFacts().put({{day, blob}}, m_rules, m_store->generation().value()).value());
    }
    // As it would be if other activity counted as use: whole, and wrong.
    std::string otherwise(base::Day day)
    {
        const auto facts = m_store->facts().value();
        const auto attribution = m_ledger->attribution(*facts);
        services::HourRecorder recorder(day, model::toShare(0.99));
        std::int64_t pieces = 0;
        const auto walked =
            attribution->walk(day, day, {}, [&](const model::DeviceAttribution &device) -> base::Result<void> {
                if (++pieces > 1) // the first device is missing
                    recorder.add(device);
                return {};
            });
        return walked ? recorder.take().value_or("") : std::string();
    }

private:
    const std::unique_ptr<store::LedgerStore> m_store;
    const model::Settings m_settings;
    const std::unique_ptr<ledger::Ledger> m_ledger;
    const std::string m_rules;
};

services::KeptCheck checked(Company &company, std::optional<std::size_t> most = std::nullopt)
{
    return company.workspace->savings().checkStoredDays(most).value();
}

} // namespace

class TestKeptCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsStoredHolds()
    {
        std::size_t all = 0;
        for (std::uint64_t seed = 31; seed <= 34; ++seed) {
            Company company(seed, static_cast<Telling>(seed % 3));
            QCOMPARE(checked(company).compared, std::size_t{0});
            StoredDays stored(company);
            stored.walk();
            const services::KeptCheck check = checked(company);
            QVERIFY2(check.wrong.empty(), std::to_string(seed).c_str());
            QCOMPARE(check.compared, stored.days().size());
            QCOMPARE(checked(company, 1).compared, std::min<std::size_t>(1, check.compared));
            all += check.compared;
        }
        QVERIFY(all > 2);
    }

    void oneThatDiffersIsFoundAndDropped()
    {
        Company company(38, Telling::Tidy);
        StoredDays stored(company);
        stored.walk();
        const std::vector<base::Day> days = stored.days();
        QVERIFY(!days.empty());
        const base::Day last = days.back();
        const std::string right = stored.read(last).value_or("");
        const std::string wrong = stored.otherwise(last);
        QVERIFY(!wrong.empty() && wrong != right);
        stored.put(last, wrong);
        QCOMPARE(checked(company).wrong, std::vector<base::Day>{last});
        QCOMPARE(checked(company, 1).wrong, std::vector<base::Day>{last}); // the newest is in every sample
        QVERIFY(company.workspace->savings().dropStoredDays({last}));
        QVERIFY(!stored.read(last));
        const services::KeptCheck after = checked(company);
        QVERIFY(after.wrong.empty());
        QCOMPARE(after.compared, days.size() - 1);
        stored.put(last, right);
        QVERIFY(checked(company).wrong.empty());
        stored.put(last, right.substr(0, right.size() / 2)); // damaged: no question uses it
        QCOMPARE(checked(company).wrong, std::vector<base::Day>{last});
    }
};

GPULEDGER_SUITE(TestKeptCheck)

} // namespace tst_keptcheck

#include "tst_keptcheck.moc"

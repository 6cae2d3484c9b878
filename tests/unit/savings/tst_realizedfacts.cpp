// SPDX-License-Identifier: GPL-3.0-or-later
// What is compared before and after a choice, read from the facts of a small fleet.
#include "app/services/savings/realizedfacts.h"
#include "tests/support/scenario.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cmath>

using namespace gpuledger;
using namespace gpuledger::tests;
using savings::Choice;
using savings::Kind;
using savings::Realized;
using savings::RealizedPast;
using savings::RealizedState;

namespace {

constexpr int kDays = 50, kBegun = 28;
constexpr double kPerDay = 24 * 3.6; // of a device: pricedSettings()

// Machines with one GPU each, in node groups "a" and "b". By default they exist for the whole time.
class Company {
public:
    Company()
        : m_fleet(kDays)
    {
    }

    void machine(const std::string &name, const std::string &group, int from = 0, int to = kDays)
    {
        const auto node = m_fleet.node(name, {{"eks_amazonaws_com_nodegroup", group}}, false);
        m_fleet.batch.nodeSpans.push_back({node, {m_fleet.at(second(from)), m_fleet.at(second(to))}});
        m_machines[name] = {node, m_fleet.device("GPU-" + name)};
    }

    // `percent` of activity for eight hours a day, and else none. Without a name, nobody holds it.
    void used(const std::string &machine, const std::string &workload, int from, int to, double percent)
    {
        const auto &[node, device] = m_machines.at(machine);
        std::uint32_t label = Scenario::kNone;
        if (!workload.empty()) {
            const std::string uid = "uid-" + workload + machine;
            label = m_fleet.label(workload + "-0", uid);
            const auto pod = m_fleet.pod(workload + "-0", uid, machine);
            m_fleet.batch.holders[pod].ownerKind = "Notebook";
            m_fleet.batch.holders[pod].ownerName = workload;
            m_fleet.runs(pod, second(from), second(to));
        }
        for (int day = from; day < to; ++day) {
            m_fleet.reports(device, label, node, second(day), second(day) + 8 * 3600, percent);
            m_fleet.reports(device, label, node, second(day) + 8 * 3600, second(day + 1), 0);
        }
    }

    Choice choice(const std::string &id, Kind kind, const std::vector<std::string> &machines)
    {
        Choice one;
        one.id = 5;
        one.kind = kind;
        one.draft.proposal = id;
        one.draft.day = m_fleet.day(kBegun);
        one.at = m_fleet.at(second(kBegun) + 3600);
        for (const std::string &name : machines)
            one.resources.push_back(std::to_string(idOf("GPU-" + name)));
        return one;
    }

    std::vector<RealizedPast> pasts(const std::vector<Choice> &choices, base::TimeRange known)
    {
        const auto ledger = ledger::Ledger::create(pricedSettings()).value();
        MemoryFacts facts;
        facts.add(m_fleet.batch);
        return services::realizedPasts(*ledger->attribution(facts), choices, known, base::Currency::usd(), {}).value();
    }
    std::vector<RealizedPast> pasts(const std::vector<Choice> &choices) { return pasts(choices, m_fleet.covered()); }
    Realized measured(const Choice &choice) { return savings::measureRealized(pasts({choice}).front(), choice.id, 1); }
    base::UtcTime at(std::int64_t instant) const { return m_fleet.at(instant); }
    static std::int64_t second(int day) { return day * Scenario::kDaySeconds; }

private:
    std::int64_t idOf(const std::string &uuid)
    {
        const auto ledger = ledger::Ledger::create(pricedSettings()).value();
        MemoryFacts facts;
        facts.add(m_fleet.batch);
        std::int64_t id = 0;
        const auto walked =
            ledger->attribution(facts)->walk(m_fleet.day(), m_fleet.day(kDays - 1), {},
                                             [&](const model::DeviceAttribution &device) -> base::Result<void> {
                                                 if (device.device->uuid == uuid)
                                                     id = device.device->id.value;
                                                 return {};
                                             });
        if (!walked || id == 0)
            qFatal("there is no such device");
        return id;
    }

    Scenario m_fleet;
    std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> m_machines; // node and device
};

double perDay(const Realized &one)
{
    return one.perMonth->p50.toDouble() * 24 / static_cast<double>(savings::kHoursPerMonth);
}

QByteArray textOf(RealizedState state)
{
    return QByteArray(toString(state).data());
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 0.01 * kPerDay;
}

} // namespace

class TestRealizedFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // An idle machine of group a goes; group b works on.
    void poolThatShrinks()
    {
        Company company;
        company.machine("idle", "a", 0, kBegun + 1);
        company.used("idle", "", 0, kBegun + 1, 0);
        company.machine("busy", "b");
        company.used("busy", "train", 0, kDays, 90);
        const Choice choice = company.choice("capacity:prod/a", Kind::Capacity, {"idle"});
        const auto past = company.pasts({choice}).front();
        QVERIFY(isNear(static_cast<double>(past.target[3].nanos) * 1e-9, kPerDay));
        QCOMPARE(past.target[3].active, std::int64_t{0});
        QCOMPARE(past.target[kBegun + 2].nanos, std::int64_t{0});
        QVERIFY(isNear(static_cast<double>(past.control[3].nanos) * 1e-9, kPerDay));
        QVERIFY(past.control[3].active > 0);
        const Realized got = company.measured(choice);
        QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
        QVERIFY2(isNear(perDay(got), kPerDay), qPrintable(QString::number(perDay(got))));
    }

    // The same machine under another name is no saving.
    void machineThatComesBackUnderAnotherName()
    {
        Company company;
        company.machine("old", "a", 0, kBegun + 1);
        company.used("old", "", 0, kBegun + 1, 0);
        company.machine("new", "a", kBegun + 1, kDays);
        company.used("new", "", kBegun + 1, kDays, 0);
        company.machine("busy", "b");
        company.used("busy", "train", 0, kDays, 90);
        const Realized got = company.measured(company.choice("capacity:prod/a", Kind::Capacity, {"old"}));
        QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
        QVERIFY2(isNear(perDay(got), 0), qPrintable(QString::number(perDay(got))));
    }

    // A workload moves from two machines to one that works twice as hard; whatever the old ones do then is counted only
    // while nobody uses them.
    void workloadThatMoves_data()
    {
        QTest::addColumn<bool>("gone");
        QTest::addColumn<bool>("reused");
        QTest::addColumn<double>("saved"); // machines
        QTest::newRow("old ones end") << true << false << 1.0;
        QTest::newRow("old ones stay, unused") << false << false << -1.0;
        QTest::newRow("old ones stay, others use them") << false << true << 1.0;
    }
    void workloadThatMoves()
    {
        QFETCH(bool, gone);
        QFETCH(bool, reused);
        QFETCH(double, saved);
        Company company;
        for (const char *name : {"one", "two"}) {
            company.machine(name, "a", 0, gone ? kBegun + 1 : kDays);
            company.used(name, "chat", 0, kBegun + 1, 90);
            if (!gone)
                company.used(name, reused ? std::string("other") + name : std::string(), kBegun + 1, kDays,
                             reused ? 90 : 0);
        }
        company.machine("three", "b", kBegun + 1, kDays);
        company.used("three", "chat", kBegun + 1, kDays, 90);
        company.used("three", "chat", kBegun + 1, kDays, 90);
        company.machine("busy", "b");
        company.used("busy", "train", 0, kDays, 90);
        auto past = company.pasts({company.choice("right-size:prod/ml/Notebook/chat", Kind::RightSize, {"one", "two"})})
                        .front();
        for (std::size_t day = kBegun + 1; day < past.target.size(); ++day)
            past.target[day].active *= 2; // the work is the same
        const Realized got = savings::measureRealized(past, 5, 1);
        QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
        QVERIFY2(isNear(perDay(got), saved * kPerDay), qPrintable(QString::number(perDay(got))));
    }

    void controlIsUntouchedByAnyChoice()
    {
        Company company;
        for (const char *name : {"x", "y", "z"}) {
            company.machine(name, "a");
            company.used(name, std::string("work") + name, 0, kDays, 90);
        }
        const Choice x = company.choice("schedule:prod/ml/Notebook/workx", Kind::Schedule, {"x"});
        const Choice y = company.choice("schedule:prod/ml/Notebook/worky", Kind::Schedule, {"y"});
        const auto one = company.pasts({x});
        QVERIFY(isNear(static_cast<double>(one[0].control[3].nanos) * 1e-9, 2 * kPerDay));
        const auto both = company.pasts({x, y});
        QCOMPARE(both.size(), std::size_t(2));
        for (const RealizedPast &past : both) {
            QVERIFY(isNear(static_cast<double>(past.target[3].nanos) * 1e-9, kPerDay));
            QVERIFY(isNear(static_cast<double>(past.control[3].nanos) * 1e-9, kPerDay));
        }
    }

    void onlyWholeDaysAndThoseOfTheWindows()
    {
        Company company;
        company.machine("x", "a");
        company.used("x", "work", 0, kDays, 90);
        Choice choice = company.choice("schedule:prod/ml/Notebook/work", Kind::Schedule, {"x"});
        const auto past =
            company.pasts({choice}, {company.at(3600), company.at(Company::second(kDays) - 3600)}).front();
        QVERIFY(past.first == base::dayOf(company.at(Company::second(1))));
        QCOMPARE(past.target.size(), std::size_t(kDays - 2));
        choice.draft.day = base::Day{past.begun.number + 10}; // to be done later: the time between is left out
        const auto slow = company.pasts({choice}).front();
        QVERIFY(slow.begun == past.begun);
        QCOMPARE(slow.done.number, past.begun.number + 10);
        QCOMPARE(slow.target[kBegun + 3].nanos, std::int64_t{0});
        QVERIFY(slow.target[kBegun + 11].nanos > 0);
    }

    void noDeviceIsNoBefore()
    {
        Company company;
        company.machine("x", "a");
        company.used("x", "work", 0, kDays, 90);
        Choice choice = company.choice("commitments:aws/1/eu/p4d/USD", Kind::Commitments, {});
        choice.resources = {"bill:aws/1/eu/p4d", "999999"};
        QCOMPARE(textOf(company.measured(choice).state), textOf(RealizedState::NoBefore));
    }
};

GPULEDGER_PLAIN_SUITE(TestRealizedFacts)
#include "tst_realizedfacts.moc"

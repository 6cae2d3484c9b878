// SPDX-License-Identifier: GPL-3.0-or-later
// What is compared before and after a choice, read from the facts of a small fleet.
#include "app/services/savings/realizedfacts.h"
#include "app/services/savings/savingschoices.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cmath>

namespace tst_realizedfacts {

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

    void machine(const std::string &name, const std::string &group, int from = 0, int to = kDays, int gpus = 1,
                 const std::string &purchase = {})
    {
        model::Labels labels{{"eks_amazonaws_com_nodegroup", group}};
        if (!purchase.empty())
            labels["eks_amazonaws_com_capacityType"] = purchase;
        const auto node = m_fleet.node(name, labels, false);
        m_fleet.batch.nodeSpans.push_back({node, {m_fleet.at(second(from)), m_fleet.at(second(to))}});
        m_machines[name] = {node, {}};
        for (int i = 0; i < gpus; ++i)
            m_machines[name].second.push_back(
                m_fleet.device("GPU-" + name + (i == 0 ? std::string() : std::to_string(i)), i));
    }

    // `percent` of activity for eight hours a day, and else none. Without a name, nobody holds it.
    void used(const std::string &machine, const std::string &workload, int from, int to, double percent,
              const std::string &kind = "Notebook")
    {
        const auto &[node, devices] = m_machines.at(machine);
        std::uint32_t label = Scenario::kNone;
        if (!workload.empty()) {
            const std::string uid = "uid-" + workload + machine;
            label = m_fleet.label(workload + "-0", uid);
            const auto pod = m_fleet.pod(workload + "-0", uid, machine, static_cast<std::int64_t>(devices.size()));
            m_fleet.batch.holders[pod].ownerKind = kind;
            m_fleet.batch.holders[pod].ownerName = workload;
            m_fleet.runs(pod, second(from), second(to));
        }
        for (const std::uint32_t device : devices) {
            for (int day = from; day < to; ++day) {
                m_fleet.reports(device, label, node, second(day), second(day) + 8 * 3600, percent);
                m_fleet.reports(device, label, node, second(day) + 8 * 3600, second(day + 1), 0);
            }
        }
    }

    Choice choice(const std::string &id, Kind kind, const std::vector<std::string> &machines)
    {
        Choice one;
        one.id = 5;
        one.kind = kind;
        one.draft.proposal = id;
        one.draft.day = m_fleet.day(kBegun);
        one.at = one.since = m_fleet.at(second(kBegun) + 3600);
        for (const std::string &name : machines) {
            for (const std::uint32_t device : m_machines.at(name).second)
                one.resources.push_back(services::deviceResource(m_fleet.batch.devices[device]));
        }
        return one;
    }

    // Its devices are found from the facts.
    Choice stop(const std::string &id)
    {
        Choice one = choice(id, Kind::Schedule, {});
        one.draft.day.reset();
        one.id = -3;
        one.stop = savings::DoneStop{3, {}};
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
    Scenario m_fleet;
    std::map<std::string, std::pair<std::uint32_t, std::vector<std::uint32_t>>> m_machines; // node and devices
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
    // An idle notebook was stopped. Its machine goes, stays, or goes until the stop was undone.
    void stopOfAnIdleWorkload()
    {
        for (const bool isGone : {true, false}) {
            Company company;
            company.machine("idle", "a", 0, isGone ? kBegun + 1 : kDays);
            company.used("idle", "eva", 0, kBegun, 0);
            company.used("idle", "", kBegun, isGone ? kBegun + 1 : kDays, 0);
            company.machine("busy", "b");
            company.used("busy", "train", 0, kDays, 90);
            Choice choice = company.stop("schedule:prod/ml/Notebook/eva");
            const Realized got = company.measured(choice);
            QCOMPARE(textOf(got.state), textOf(isGone ? RealizedState::Measured : RealizedState::StillPaid));
            QVERIFY(got.perMonth.has_value() == isGone);
            if (isGone)
                QVERIFY2(isNear(perDay(got), kPerDay), qPrintable(QString::number(perDay(got))));
            choice.stop->undone = company.at(Company::second(kBegun + 9));
            QCOMPARE(company.pasts({choice}).front().ended->number, company.pasts({choice}).front().done.number + 9);
            const Realized ended = company.measured(choice);
            if (isGone)
                QVERIFY(ended.after.length() == 7 * base::kDay);
        }
    }

    // Another machine of the pool comes instead: nothing is claimed. If one comes for three, p10 counts two.
    void stopWhoseMachineIsReplaced()
    {
        for (const int machines : {1, 3}) {
            Company company;
            for (int i = 0; i < machines; ++i) {
                const std::string name = "idle" + std::to_string(i);
                company.machine(name, "a", 0, kBegun + 1);
                company.used(name, "eva", 0, kBegun + 1, 0);
            }
            company.machine("new", "a", kBegun + 1, kDays);
            company.used("new", "", kBegun + 1, kDays, 0);
            company.machine("busy", "b");
            company.used("busy", "train", 0, kDays, 90);
            const Realized got = company.measured(company.stop("schedule:prod/ml/Notebook/eva"));
            QCOMPARE(textOf(got.state), textOf(machines > 1 ? RealizedState::Measured : RealizedState::StillPaid));
            if (machines == 1)
                continue;
            QVERIFY2(isNear(perDay(got), 3 * kPerDay), qPrintable(QString::number(perDay(got))));
            QVERIFY(got.perMonth->p10.toDouble() < 0.68 * got.perMonth->p50.toDouble());
        }
    }

    // One of two stopped machines goes. If half of all other work and machines went too, the fleet merely fell.
    void stopInAFleetThatMerelyFell()
    {
        for (const bool isFallen : {true, false}) {
            Company company;
            for (const char *name : {"stays", "goes"}) {
                const int end = name == std::string("goes") ? kBegun + 1 : kDays;
                company.machine(name, "a", 0, end);
                company.used(name, "eva", 0, kBegun, 0);
                company.used(name, "", kBegun, end, 0);
            }
            for (const char *name : {"w", "x", "y", "z"}) {
                const int end = isFallen && name < std::string("y") ? kBegun + 1 : kDays;
                company.machine(name, "b", 0, end);
                company.used(name, std::string("train") + name, 0, end, 90);
            }
            const Realized got = company.measured(company.stop("schedule:prod/ml/Notebook/eva"));
            QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
            QVERIFY2(isNear(perDay(got), isFallen ? 0 : kPerDay), qPrintable(QString::number(perDay(got))));
        }
    }

    // A cluster of which nothing is known any more may have lost its source: that is no saving.
    void clusterThatIsNotSeenAnyMore()
    {
        for (const bool isSeen : {true, false}) {
            Company company;
            company.machine("idle", "a", 0, kBegun + 1);
            company.used("idle", "eva", 0, kBegun + 1, 0);
            company.machine("busy", "b", 0, isSeen ? kDays : kBegun + 1);
            company.used("busy", "train", 0, isSeen ? kDays : kBegun + 1, 90);
            for (const Choice &choice : {company.stop("schedule:prod/ml/Notebook/eva"),
                                         company.choice("capacity:prod/a", Kind::Capacity, {"idle"})})
                QCOMPARE(textOf(company.measured(choice).state),
                         textOf(isSeen ? RealizedState::Measured : RealizedState::TooEarly));
        }
    }

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
            past.target[day].runs *= 2; // the work is the same
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
        choice.resources = {"0", "1", "2"}; // ids, which may be of another device by now
        QCOMPARE(textOf(company.measured(choice).state), textOf(RealizedState::NoBefore));
    }

    // Two GPUs before and one after, which work as long: half of the active time, but the same work.
    void rightSizedToHalfTheGpus()
    {
        Company company;
        company.machine("big", "a", 0, kBegun + 1, 2);
        company.used("big", "chat", 0, kBegun + 1, 90);
        company.machine("small", "b", kBegun + 1, kDays);
        company.used("small", "chat", kBegun + 1, kDays, 90);
        company.machine("busy", "b");
        company.used("busy", "train", 0, kDays, 90);
        const Choice choice = company.choice("right-size:prod/ml/Notebook/chat", Kind::RightSize, {"big"});
        const auto past = company.pasts({choice}).front();
        QCOMPARE(past.target[3].active, 2 * past.target[3].runs);
        QCOMPARE(past.target[kBegun + 3].runs, past.target[3].runs);
        const Realized got = company.measured(choice);
        QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
        QVERIFY2(isNear(perDay(got), kPerDay), qPrintable(QString::number(perDay(got))));
    }

    // The runs of slices are those of everybody in the pool.
    void poolOfSlices()
    {
        Company company;
        company.machine("x", "a", 0, kDays, 2);
        company.used("x", "one", 0, kDays, 90);
        company.machine("y", "a");
        company.used("y", "two", 0, kDays, 90);
        const auto past = company.pasts({company.choice("right-size:slices:prod/a", Kind::RightSize, {"x"})}).front();
        QCOMPARE(past.target[3].active, 3 * past.target[3].runs / 2);
        QVERIFY(past.target[3].runs > 0);
    }

    // Every job of a series has a name of its own.
    void jobsOfASpotProposal()
    {
        Company company;
        company.machine("od", "a", 0, kBegun + 1);
        company.used("od", "train-x7k2p", 0, kBegun + 1, 90, "Job");
        company.machine("spot", "b", kBegun + 1, kDays);
        company.used("spot", "train-b4d5f", kBegun + 1, kDays, 90, "Job");
        company.machine("busy", "b");
        company.used("busy", "other-c8d9f", 0, kDays, 90, "Job");
        const Choice choice = company.choice("spot:prod/ml/Job/train", Kind::Spot, {"od"});
        const auto past = company.pasts({choice}).front();
        QVERIFY(isNear(static_cast<double>(past.target[3].nanos) * 1e-9, kPerDay));
        QVERIFY(isNear(static_cast<double>(past.target[kBegun + 3].nanos) * 1e-9, kPerDay));
        QCOMPARE(past.target[kBegun + 3].runs, past.target[3].runs);
        QVERIFY(isNear(static_cast<double>(past.control[3].nanos) * 1e-9, kPerDay));
        QCOMPARE(textOf(company.measured(choice).state), textOf(RealizedState::Measured));
    }

    void choicesThatFindTheSameMoney()
    {
        Company company;
        for (const auto &[name, group] : {std::pair{"x", "a"}, std::pair{"y", "a"}, std::pair{"z", "b"}}) {
            company.machine(name, group);
            company.used(name, std::string("work") + name, 0, kDays, 90);
        }
        std::vector<Choice> choices{company.choice("schedule:prod/ml/Notebook/workz", Kind::Schedule, {"z"}),
                                    company.choice("schedule:prod/ml/Notebook/workx", Kind::Schedule, {"x"}),
                                    company.choice("schedule:prod/ml/Notebook/worky", Kind::Schedule, {"y"}),
                                    company.choice("right-size:prod/ml/Notebook/worky", Kind::RightSize, {}),
                                    company.choice("capacity:prod/a", Kind::Capacity, {"x"})};
        for (std::size_t i = 0; i < choices.size(); ++i)
            choices[i].id = static_cast<std::int64_t>(i) + 10;
        const auto all = company.pasts(choices);
        QCOMPARE(all[0].group, std::int64_t{10});
        for (std::size_t i = 1; i < all.size(); ++i) // the pool has both, and the other workload is the same
            QCOMPARE(all[i].group, std::int64_t{11});
        choices.pop_back();
        const auto apart = company.pasts(choices);
        QVERIFY(apart[1].group != apart[2].group); // of one pool, but each has its own machine
        QCOMPARE(apart[2].group, apart[3].group);
        QCOMPARE(savings::measureRealized(apart[3], 13, 1).group, apart[2].group);
    }

    void pricesOfOthersByPurchase()
    {
        Company company;
        company.machine("x", "a");
        company.used("x", "work", 0, kDays, 90);
        for (const char *purchase : {"SPOT", "ON_DEMAND"}) {
            company.machine(purchase, "b", 0, kDays, 1, purchase);
            company.used(purchase, "", 0, kDays, 90);
        }
        const auto past =
            company.pasts({company.choice("schedule:prod/ml/Notebook/work", Kind::Schedule, {"x"})}).front();
        QCOMPARE(past.prices.size(), std::size_t(2));
        for (const auto &days : past.prices)
            QVERIFY(isNear(static_cast<double>(days[3].nanos) * 1e-9, kPerDay));
    }

    // Accepted again later, it is measured from the first time.
    void acceptedAgain()
    {
        Company company;
        company.machine("x", "a");
        company.used("x", "work", 0, kDays, 90);
        Choice choice = company.choice("schedule:prod/ml/Notebook/work", Kind::Schedule, {"x"});
        choice.at += 10 * base::kDay;
        const auto past = company.pasts({choice}).front();
        QVERIFY(past.begun == base::dayOf(choice.since) && past.done == past.begun);
    }
};

GPULEDGER_PLAIN_SUITE(TestRealizedFacts)

} // namespace tst_realizedfacts

#include "tst_realizedfacts.moc"

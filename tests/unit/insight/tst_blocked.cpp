// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs that were free and could not be given to the pods that waited, on fleets made by hand.
#include "app/insight/proof/blockedproof.h"
#include "app/insight/proof/idleproof.h"
#include "app/insight/queue/blocked.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <memory>

namespace tst_blocked {

using namespace gpuledger;
using insight::BlockedItem;
using insight::BlockedList;
using insight::Blocker;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600, kDay = 86400, kAt = 10 * kHour;
constexpr std::int64_t kNanosPerHour = 3'600'000'000; // of pricedSettings()
constexpr const char *kH100 = "NVIDIA H100 80GB HBM3";

class FactsWithWaits final : public MemoryFacts {
public:
    base::Result<store::PastWaiting> pastWaiting(base::TimeRange) override { return past; }
    store::PastWaiting past;
};

// Nodes with GPUs of which the first ones are held by a pod that works, and the others by nobody.
struct Fleet {
    Scenario made{1};
    store::PastWaiting past;

    Fleet() { past.known = {{"prod", made.covered()}}; }
    std::uint32_t add(const std::string &name, int held, int free, const char *model = nullptr)
    {
        const auto node = made.node(name);
        const auto label = held > 0 ? hold(name, held) : Scenario::kNone;
        for (int i = 0; i < held + free; ++i) {
            const auto gpu = made.device(name + "-" + std::to_string(i), i);
            if (model)
                made.batch.devices[gpu].model = model;
            made.reports(gpu, i < held ? label : Scenario::kNone, node, 0, kDay, i < held ? 80 : 0);
        }
        return node;
    }
    std::uint32_t hold(const std::string &node, int gpus)
    {
        made.runs(made.pod("on-" + node, "uid-" + node, node, gpus), 0, kDay);
        return made.label("on-" + node);
    }
    // From and to: hours.
    void wait(std::int64_t gpus, const std::string &resource = "nvidia_com_gpu", const std::string &node = {},
              double from = 8, double to = 12, const std::string &cluster = "prod")
    {
        const auto second = [](double hour) { return static_cast<std::int64_t>(hour * kHour); };
        const std::string name = "job-" + std::to_string(past.waits.size());
        past.waits.push_back(
            {cluster, "ml", name, "uid-" + name, resource, gpus, node, {made.at(second(from)), made.at(second(to))}});
    }
};

// What one fleet answers about one moment, and about the proofs of it.
class Asked {
public:
    explicit Asked(const Fleet &fleet)
        : m_settings(tests::pricedSettings())
        , m_ledger(ledger::Ledger::create(m_settings).value())
    {
        m_facts.add(fleet.made.batch);
        m_facts.past = fleet.past;
        m_reader = m_ledger->attribution(m_facts);
        m_at = fleet.made.at(kAt);
    }
    BlockedList list(const insight::Filter &filter = {})
    {
        return insight::blockedAt(*m_reader, m_at, filter, base::Currency::usd()).value();
    }
    base::Result<insight::Proof> proof(const insight::Figure &figure)
    {
        return insight::idleProof(*m_reader, figure, m_settings.idle, base::Currency::usd());
    }
    FactsWithWaits &facts() { return m_facts; }

private:
    model::Settings m_settings;
    std::unique_ptr<ledger::Ledger> m_ledger;
    FactsWithWaits m_facts;
    std::unique_ptr<store::AttributionReader> m_reader;
    base::UtcTime m_at;
};

// "n1 scattered: n1-2 n1-3", one line an item, by id.
QString linesOf(const BlockedList &list)
{
    QStringList lines;
    for (const BlockedItem &item : list.items) {
        QString line = QString::fromStdString(item.node + ' ' + std::string(toString(item.blocker)) + ':');
        for (const std::string &device : item.devices)
            line += QLatin1Char(' ') + QString::fromStdString(device);
        lines << line;
    }
    lines.sort();
    return lines.join(QLatin1Char('\n'));
}

QString linesOf(const Fleet &fleet)
{
    return linesOf(Asked(fleet).list());
}

// One device of 7 parts: two slices of 3 parts, of which a pod holds the first, and a rest of one part.
Fleet cutFleet()
{
    Fleet fleet;
    const auto node = fleet.made.node("n1");
    const auto gpu = fleet.made.device("cut");
    for (const char *instance : {"1", "2"}) {
        fleet.made.slice(gpu, instance, {3, 7});
        fleet.made.batch.devices[gpu].slices.back().profile = "3g.20gb";
    }
    fleet.made.runs(fleet.made.pod("a", "uid-a", "n1", 1, "nvidia_com_mig_3g_20gb"), 0, kDay);
    fleet.made.reports(gpu, fleet.made.label("a"), node, 0, kDay, 80, "1");
    fleet.made.reports(gpu, Scenario::kNone, node, 0, kDay, 0, "2");
    return fleet;
}

} // namespace

class TestBlocked : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tooFewOnTheNode()
    {
        Fleet fleet;
        fleet.add("n1", 2, 2);
        fleet.add("n2", 4, 0);
        fleet.wait(4);
        const BlockedList list = Asked(fleet).list();
        QCOMPARE(linesOf(list), QStringLiteral("n1 scattered: n1-2 n1-3"));
        const BlockedItem &item = list.items.front();
        QCOMPARE(item.id, std::string("prod/n1/scattered"));
        QCOMPARE(item.gpus, 2.0);
        QCOMPARE(item.ratePerHour->nanos(), 2 * kNanosPerHour);
        QCOMPARE(item.perMonth->nanos(), 2 * 730 * kNanosPerHour);
        QCOMPARE(item.waits.size(), std::size_t{1});
        QCOMPARE(item.waits.front().name, std::string("job-0"));
        QCOMPARE(base::toUnix(item.waits.front().range.start), base::toUnix(fleet.made.at(8 * kHour)));
        QCOMPARE(list.known, std::vector<std::string>{"prod"});
        QVERIFY(list.unknown.empty() && list.undecidedGpus == 0);
        QCOMPARE(list.sum.items, std::size_t{1});
        QVERIFY(list.sum.perMonth == item.perMonth->nanos() && list.sum.undecided == list.sum.perMonth);
        QVERIFY(list.sum.avoidable == 0 && list.sum.sunk == 0);
    }

    void onlyWhatWaitedThenAndThereForThatKind_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<QString>("cluster");
        QTest::addColumn<QString>("resource");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<bool>("isBlocked");
        const QString gpu = QStringLiteral("nvidia_com_gpu"), here = QStringLiteral("prod");
        QTest::newRow("during") << 8.0 << 12.0 << here << gpu << 4 << true;
        QTest::newRow("until the last minute") << 8.0 << 9.95 << here << gpu << 4 << true;
        QTest::newRow("since the last minute") << 9.99 << 12.0 << here << gpu << 4 << true;
        QTest::newRow("before") << 2.0 << 9.9 << here << gpu << 4 << false;
        QTest::newRow("after") << 10.0 << 12.0 << here << gpu << 4 << false;
        QTest::newRow("elsewhere") << 8.0 << 12.0 << QStringLiteral("other") << gpu << 4 << false;
        QTest::newRow("another vendor") << 8.0 << 12.0 << here << QStringLiteral("amd_com_gpu") << 4 << false;
        QTest::newRow("a share") << 8.0 << 12.0 << here << QStringLiteral("nvidia_com_gpu_shared") << 4 << false;
        QTest::newRow("not a GPU") << 8.0 << 12.0 << here << QStringLiteral("example_com_thing") << 4 << false;
        QTest::newRow("a slice of it") << 8.0 << 12.0 << here << QStringLiteral("nvidia_com_mig_1g_5gb") << 1 << false;
        QTest::newRow("it would have fitted") << 8.0 << 12.0 << here << gpu << 2 << false;
        QTest::newRow("more than any node has") << 8.0 << 12.0 << here << gpu << 5 << false;
    }
    void onlyWhatWaitedThenAndThereForThatKind()
    {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(QString, cluster);
        QFETCH(QString, resource);
        QFETCH(int, gpus);
        QFETCH(bool, isBlocked);
        Fleet fleet;
        fleet.add("n1", 2, 2);
        fleet.add("n2", 4, 0);
        fleet.wait(gpus, resource.toStdString(), {}, from, to, cluster.toStdString());
        const BlockedList list = Asked(fleet).list();
        QCOMPARE(list.items.size(), std::size_t{isBlocked});
        QCOMPARE(list.undecidedGpus, 0.0);
    }

    // Nobody knows why it waited, so it blocks nothing, on no node. CPU, memory, taints or quota may have kept it from
    // the node that had enough: whether its GPUs were blocked is not known.
    void whatSomeNodeCouldServeBlocksNothing()
    {
        Fleet fleet;
        fleet.add("n1", 2, 2);
        fleet.add("n2", 0, 4);
        QCOMPARE(Asked(fleet).list().unexplainedGpus, 0.0);
        fleet.wait(4);
        QCOMPARE(linesOf(fleet), QString());
        QCOMPARE(Asked(fleet).list().unexplainedGpus, 4.0);
        fleet.wait(3);
        QCOMPARE(linesOf(fleet), QString());
        QCOMPARE(Asked(fleet).list().unexplainedGpus, 4.0);
        insight::Filter filter;
        filter.include[insight::Dimension::Node] = {"n1"};
        QCOMPARE(Asked(fleet).list(filter).unexplainedGpus, 0.0);
        filter.include[insight::Dimension::Node] = {"n2"};
        QCOMPARE(Asked(fleet).list(filter).unexplainedGpus, 4.0);
        // A known reason tells why the others were of no use to another pod.
        fleet.add("n3", 0, 5);
        fleet.add("n4", 6, 0);
        fleet.wait(6);
        QCOMPARE(linesOf(fleet),
                 QStringLiteral("n1 scattered: n1-2 n1-3\nn2 scattered: n2-0 n2-1 n2-2 n2-3\n"
                                "n3 scattered: n3-0 n3-1 n3-2 n3-3 n3-4"));
        QCOMPARE(Asked(fleet).list().unexplainedGpus, 0.0);
    }

    void whatIsHeldIsNotFree()
    {
        Fleet fleet;
        const auto node = fleet.add("n1", 2, 1);
        fleet.add("n2", 4, 0);
        const auto idle = fleet.made.device("held-idle", 3);
        fleet.made.runs(fleet.made.pod("idler", "uid-idler", "n1"), 0, kDay);
        fleet.made.reports(idle, fleet.made.label("idler"), node, 0, kDay, 0);
        fleet.wait(4);
        QCOMPARE(linesOf(fleet), QStringLiteral("n1 scattered: n1-2"));
    }

    void unknownStaysUnknown()
    {
        Fleet fleet;
        fleet.add("n1", 2, 2);
        fleet.add("n2", 4, 0);
        fleet.wait(4);
        for (const auto &known : {base::TimeRange{}, base::TimeRange{fleet.made.at(0), fleet.made.at(kAt - 1)},
                                  base::TimeRange{fleet.made.at(kAt - 299), fleet.made.at(kDay)}}) {
            fleet.past.known = {{"prod", known}};
            const BlockedList list = Asked(fleet).list();
            QVERIFY(list.items.empty() && list.known.empty());
            QCOMPARE(list.unknown, std::vector<std::string>{"prod"});
        }
        fleet.past.known = {{"prod", {fleet.made.at(kAt - 300), fleet.made.at(kAt)}}};
        QCOMPARE(Asked(fleet).list().items.size(), std::size_t{1});
    }

    void sharedNodesSayNothing()
    {
        Fleet fleet;
        const auto node = fleet.add("n1", 2, 2);
        fleet.add("n2", 4, 0);
        fleet.made.batch.nodes[node].sharedGpus = true;
        fleet.wait(4);
        QCOMPARE(linesOf(fleet), QString());
    }

    // The node on which a pod was placed tells its model; else there must be only one.
    void theModelMustBeKnown()
    {
        Fleet fleet;
        fleet.add("n1", 2, 2);
        fleet.add("n2", 4, 0);
        fleet.add("h1", 1, 3, kH100);
        fleet.add("h2", 4, 0, kH100);
        fleet.wait(4);
        QCOMPARE(linesOf(fleet), QString());
        QCOMPARE(Asked(fleet).list().undecidedGpus, 5.0);
        fleet.past.waits.front().node = "h2";
        QCOMPARE(linesOf(fleet), QStringLiteral("h1 scattered: h1-1 h1-2 h1-3"));
        QCOMPARE(Asked(fleet).list().undecidedGpus, 0.0);
        fleet.past.waits.front().node = "elsewhere";
        QCOMPARE(Asked(fleet).list().undecidedGpus, 5.0);
        // One that may have fitted on h1 leaves only n1 to the other.
        fleet.past.waits.front().node = "n2";
        fleet.wait(3);
        QCOMPARE(linesOf(fleet), QStringLiteral("n1 scattered: n1-2 n1-3"));
        QCOMPARE(Asked(fleet).list().unexplainedGpus, 3.0); // of h1, if it asked for them
        // The same pod from two sources counts once.
        fleet.past.waits.push_back(fleet.past.waits.front());
        QCOMPARE(Asked(fleet).list().items.front().waits.size(), std::size_t{1});
    }

    void slicesOfAnotherSize()
    {
        Fleet fleet = cutFleet();
        fleet.wait(1, "nvidia_com_mig_1g_5gb");
        const BlockedList list = Asked(fleet).list();
        QCOMPARE(linesOf(list), QStringLiteral("n1 mig-leftovers: cut cut:2"));
        QCOMPARE(qRound64(list.items.front().gpus * 7), 4);
        QCOMPARE(list.items.front().ratePerHour->nanos(), kNanosPerHour * 3 / 7 + kNanosPerHour / 7 + 1); // rounded up
        for (const char *resource : {"nvidia_com_mig_3g_20gb", // the second slice would have served it
                                     "nvidia_com_mig_7g_80gb", // no device here has that much memory
                                     "nvidia_com_gpu"}) { // which model is not known: each one is cut
            Fleet other = cutFleet();
            other.wait(1, resource);
            QVERIFY2(linesOf(other).isEmpty(), resource);
        }
        fleet = cutFleet();
        fleet.add("n2", 1, 0); // the same model, not cut
        fleet.wait(1);
        QCOMPARE(linesOf(fleet), QStringLiteral("n1 mig-leftovers: cut cut:2"));
    }

    void filters()
    {
        Fleet fleet;
        fleet.add("n1", 2, 2);
        fleet.add("n2", 3, 1);
        fleet.wait(4);
        insight::Filter filter;
        filter.include[insight::Dimension::Node] = {"n2"};
        QCOMPARE(linesOf(Asked(fleet).list(filter)), QStringLiteral("n2 scattered: n2-3"));
        filter.include[insight::Dimension::Node] = {"n3"};
        QVERIFY(Asked(fleet).list(filter).items.empty());
    }

    void isProved()
    {
        Fleet fleet = cutFleet();
        fleet.add("n2", 2, 2);
        fleet.add("n3", 4, 0);
        fleet.wait(4);
        Asked asked(fleet);
        const BlockedList list = asked.list();
        QCOMPARE(list.items.size(), std::size_t{2});
        std::vector<insight::Figure> figures{insight::blockedFigure(list, nullptr, "per-month")};
        for (const BlockedItem &item : list.items) {
            for (const char *measure : {"rate-per-hour", "per-month"})
                figures.push_back(insight::blockedFigure(list, &item, measure));
        }
        for (const insight::Figure &figure : figures) {
            const auto read = insight::figureFromString(toString(figure));
            QVERIFY(read && *read == figure);
            const auto proof = asked.proof(figure);
            QVERIFY(proof);
            QVERIFY2(proof->agrees, toString(figure).c_str());
            QVERIFY(proof->shown.isKnown() && proof->shown == proof->recomputed);
            QVERIFY(!proof->usage.empty());
            for (const insight::UsageRow &row : proof->usage)
                QCOMPARE(row.state, std::string("unallocated"));
        }
        QCOMPARE(asked.proof(figures.front())->shown,
                 insight::FigureValue::of(base::Money(*list.sum.perMonth, base::Currency::usd())));
        for (const char *measure : {"wasted", "idle-hours"})
            QVERIFY(!asked.proof(insight::blockedFigure(list, &list.items.front(), measure)));
        QVERIFY(!asked.proof(insight::blockedFigure(list, nullptr, "rate-per-hour")));
        asked.facts().past.waits.clear();
        QVERIFY(!asked.proof(figures.front())); // it is blocked no longer
    }
};

GPULEDGER_SUITE(TestBlocked)

} // namespace tst_blocked

#include "tst_blocked.moc"

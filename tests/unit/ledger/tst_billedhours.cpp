// SPDX-License-Identifier: GPL-3.0-or-later
// A bill charges for hours that telemetry did not see: the rate of a machine is its cost per billed hour, and the other
// hours keep their money, unobserved.
#include "tests/support/suite.h"
#include "tests/unit/ledger/allocatedcache.h"

#include <utility>

namespace tst_billedhours {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kHourTicks = kHour * base::GpuTime::kTicksPerSecond;
constexpr std::int64_t kGpus = 4;
constexpr std::int64_t kPerHour = 5'760'000'000; // what the bill charges for an hour of the machine, in nano-units

struct Charge {
    std::string hours; // empty: the bill does not say
    std::int64_t nanos = 0;
    std::string sku = "box";
    int day = 0;
    std::string type = "g5.12xlarge"; // empty: not given
    std::string source = "bill";
    std::string provider = "AWS";
    std::string unit = "Hours";
    std::string gpus{}; // the SKU's number of GPUs
    std::string machine = "i-n1"; // empty: not named
    std::string account = "acc";
    std::string service{};
};

// The machine of oneNode(), seen in [from, to) seconds.
Scenario seen(std::int64_t from, std::int64_t to, int devices = kGpus)
{
    Scenario fleet;
    fleet.batch.covered = {fleet.at(from), fleet.at(to)};
    const auto node = fleet.node("n1");
    fleet.batch.nodes[node].cloud = "aws";
    fleet.batch.nodes[node].instanceType = "g5.12xlarge";
    fleet.batch.nodes[node].providerId = "aws:///us-east-1a/i-n1";
    for (int i = 0; i < devices; ++i)
        fleet.reports(fleet.device("GPU-" + std::to_string(i), i), Scenario::kNone, node, from, to, 0);
    return fleet;
}

model::Settings rules()
{
    model::Settings settings = pricedSettings();
    model::OwnerRule rule;
    rule.kind = model::OwnerRule::Kind::CloudTag;
    rule.key = "team";
    settings.owners.push_back(rule);
    return settings;
}

class Billed : public Cache {
public:
    Billed(const Scenario &fleet, const std::vector<Charge> &charges, const model::Settings &settings = rules())
        : Cache(settings)
        , m_fleet(fleet)
    {
        facts(fleet);
        for (const std::string source : {"bill", "other"})
            accept(source, charges);
    }

    // Nano-units of the effective cost, and ticks.
    std::pair<std::int64_t, std::int64_t> in(const std::string &state, int day = 0) const
    {
        std::pair<std::int64_t, std::int64_t> sum;
        for (const Line &line : lines()) {
            if (line.day != m_fleet.day(day) || (!state.empty() && line.key.state != state))
                continue;
            sum.first += line.amounts.effective;
            sum.second += line.amounts.ticks;
        }
        return sum;
    }
    // What an hour of a GPU costs on a day, rounded to the nano-unit.
    std::int64_t rate(int day = 0) const
    {
        const auto reader = store->facts().value();
        const auto walk = ledger->attribution(*reader);
        std::int64_t nanos = -1;
        must(walk->walk(m_fleet.day(day), m_fleet.day(day), {},
                        [&](const model::DeviceAttribution &device) -> base::Result<void> {
                            nanos = device.rate.nanosPerHour();
                            return {};
                        }));
        return nanos;
    }
    const Line *unobserved()
    {
        m_lines = lines();
        const auto it =
            std::find_if(m_lines.begin(), m_lines.end(), [](const Line &l) { return l.key.state == "unobserved"; });
        return it == m_lines.end() ? nullptr : &*it;
    }

private:
    void accept(const std::string &source, const std::vector<Charge> &charges)
    {
        ports::BillBatch batch;
        batch.key = {source, "acc", m_fleet.day().start()};
        for (const Charge &charge : charges) {
            if (charge.source != source)
                continue;
            model::BillLine line;
            line.billingAccountId = "acc";
            line.billingPeriod = {m_fleet.day().start(), m_fleet.day(30).end()};
            line.chargePeriod = {m_fleet.day(charge.day).start(), m_fleet.day(charge.day).end()};
            line.billed = base::Money(2 * charge.nanos, base::Currency::usd());
            line.effective = base::Money(charge.nanos, base::Currency::usd());
            line.product.provider = charge.provider;
            line.product.serviceCategory = "Compute";
            line.product.skuId = charge.sku;
            line.product.serviceName = charge.service;
            line.subAccountId = charge.account;
            line.resource.id = charge.machine;
            line.tags["team"] = "vision";
            if (!charge.gpus.empty())
                line.product.skuDetails["GpuCount"] = charge.gpus;
            if (charge.nanos < 0)
                line.chargeClass = model::ChargeClass::Correction;
            if (!charge.type.empty())
                line.product.skuDetails["InstanceType"] = charge.type;
            line.consumedQuantity.unit = charge.unit;
            if (!charge.hours.empty())
                line.consumedQuantity.amount = base::Decimal::parse(charge.hours).value();
            batch.lines.push_back(line);
        }
        if (batch.lines.empty())
            return;
        const std::string hash(64, source.front());
        auto transaction = store->beginBills(source, {{"/" + source, hash, 1}}, base::fromUnix(1)).value();
        must(transaction->accept(batch));
        if (!writer().commit(*transaction))
            qFatal("the bill is refused");
    }

    Scenario m_fleet;
    std::vector<Line> m_lines;
};

} // namespace

class TestBilledHours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRateIsThatOfTheBilledHours_data();
    void theRateIsThatOfTheBilledHours();
    void theRestIsOfTheMachineAndOfTheBillsOwner();
    void theDayAfterIsAllUnobserved();
    void twoSourcesSeeTheWholeDay();
    void severalMeters_data();
    void severalMeters();
    void aMachineThatStopsAndStarts();
    void aDeviceThatChangesItsNode();
    void refundedHours();
    void impossiblyManyGpus();
    void theRestIsOfTheNodesOwner();
    void theBillsTypeStays();
    void theAllocatorsTotalIsComparedWithAllOfTheBill();
    void linesOfATypeAreSettledTogether_data();
    void linesOfATypeAreSettledTogether();
};

void TestBilledHours::theRateIsThatOfTheBilledHours_data()
{
    QTest::addColumn<QString>("billed");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::addColumn<int>("unobserved");
    QTest::newRow("telemetry began at 14:00") << "24" << 14 << 24 << 14;
    QTest::newRow("telemetry ended at 10:00") << "24" << 0 << 10 << 14;
    QTest::newRow("the machine lived for ten hours") << "10" << 14 << 24 << 0;
    QTest::newRow("seen for five of its ten hours") << "10" << 0 << 5 << 5;
    QTest::newRow("all day") << "24" << 0 << 24 << 0;
    QTest::newRow("seen for longer than billed") << "23" << 0 << 24 << 0;
}

void TestBilledHours::theRateIsThatOfTheBilledHours()
{
    QFETCH(QString, billed);
    QFETCH(int, from);
    QFETCH(int, to);
    QFETCH(int, unobserved);
    const std::int64_t cost = billed.toInt() * kPerHour;
    const Billed cache(seen(from * kHour, to * kHour), {{billed.toStdString(), cost}});
    const std::int64_t seenHours = to - from;
    QCOMPARE(cache.rate(), unobserved > 0 ? kPerHour / kGpus : cost / (seenHours * kGpus));
    const auto [money, ticks] = cache.in("unobserved");
    QCOMPARE(money, unobserved * kPerHour);
    QCOMPARE(ticks, unobserved * kGpus * kHourTicks);
    QCOMPARE(cache.in({}).first, cost);
    QCOMPARE(cache.in({}).second, (seenHours + unobserved) * kGpus * kHourTicks);
    QVERIFY(cache.isWhole());
}

void TestBilledHours::theRestIsOfTheMachineAndOfTheBillsOwner()
{
    Billed cache(seen(0, 10 * kHour), {{"24", 24 * kPerHour}});
    const Line *rest = cache.unobserved();
    QVERIFY(rest);
    QCOMPARE(rest->key.team, std::string("vision"));
    QCOMPARE(rest->key.cluster, std::string("prod"));
    QVERIFY(!rest->key.gpuModel.empty());
    QVERIFY(rest->key.match == model::LedgerMatch::None && rest->key.category == model::LedgerCategory::Gpu);
    QCOMPARE(rest->amounts.billed, 2 * 14 * kPerHour);
    QCOMPARE(rest->amounts.unpricedTicks, rest->amounts.ticks);
    QCOMPARE(rest->amounts.unknownTime, std::int64_t{0});
}

// The machine was seen before midnight only; the bill goes on.
void TestBilledHours::theDayAfterIsAllUnobserved()
{
    const Billed cache(seen(14 * kHour, 24 * kHour), {{"24", 24 * kPerHour}, {"24", 24 * kPerHour, "box", 1}});
    QCOMPARE(cache.rate(), kPerHour / kGpus);
    QCOMPARE(cache.in("unobserved").first, 14 * kPerHour);
    QCOMPARE(cache.in("unobserved", 1), std::pair(24 * kPerHour, 24 * kGpus * kHourTicks));
    QVERIFY(cache.isWhole());
}

void TestBilledHours::twoSourcesSeeTheWholeDay()
{
    Billed cache(seen(0, 10 * kHour), {{"24", 24 * kPerHour}});
    QCOMPARE(cache.in("unobserved").first, 14 * kPerHour);
    Cache::must(cache.writer().commit("second", seen(10 * kHour, 24 * kHour).batch));
    QCOMPARE(cache.in("unobserved").first, std::int64_t{0});
    QCOMPARE(cache.rate(), kPerHour / kGpus);
    QCOMPARE(cache.in({}), std::pair(24 * kPerHour, 24 * kGpus * kHourTicks));
    QVERIFY(cache.isWhole());
}

// The machine was seen for ten hours, and costs 24 units in all.
void TestBilledHours::severalMeters_data()
{
    QTest::addColumn<QString>("lines"); // each: hours, SKU, type, source, unit, provider
    QTest::addColumn<int>("unobserved"); // units of money
    QTest::addColumn<int>("hours");
    const auto row = [](const char *name, int money, int hours, const char *lines) {
        QTest::newRow(name) << QString::fromLatin1(lines) << money << hours;
    };
    row("partly under a commitment", 14, 14, "14,box;10,box");
    row("ten hours and their licence", 0, 0, "10,box;10,licence");
    row("a day and its licence", 14, 14, "24,box;24,licence");
    row("two sources of the same bill", 0, 0, "10,box;10,box,g5.12xlarge,other");
    row("a part without hours", 14, 14, "24,box;,fee");
    row("no hours", 0, 0, ",box");
    row("hours of processors", 0, 0, "480,cores");
    row("processors beside the machine", 14, 14, "24,box;480,cores");
    row("no type", 14, 14, "24,box,-");
    row("no type, of a cloud that may count GPUs", 0, 0, "20,box,-,bill,Hours,Lambda");
    row("seconds", 14, 14, "86400,box,g5.12xlarge,bill,Seconds");
    row("within a fiftieth", 0, 0, "10.2,box");
    row("a licence for each processor", 0, 0, "10,box;20,licence,-");
    row("a machine that was resized", 14, 14, "14,box;10,small,g4dn.12xlarge");
    row("four GPUs of eight", 19, 38, "24,box,g5.48xlarge");
}

void TestBilledHours::severalMeters()
{
    QFETCH(QString, lines);
    QFETCH(int, unobserved);
    QFETCH(int, hours);
    std::vector<Charge> charges;
    Scenario fleet = seen(0, 10 * kHour);
    const QStringList texts = lines.split(QLatin1Char(';'));
    for (const QString &text : texts) {
        const QStringList parts = text.split(QLatin1Char(','));
        Charge charge;
        charge.hours = parts[0].toStdString();
        charge.nanos = 24 * kUnit / texts.size();
        charge.sku = parts[1].toStdString();
        if (parts.size() > 2)
            charge.type = parts[2] == QLatin1String("-") ? std::string() : parts[2].toStdString();
        if (parts.size() > 3)
            charge.source = parts[3].toStdString();
        if (parts.size() > 4)
            charge.unit = parts[4].toStdString();
        if (parts.size() > 5) {
            charge.provider = parts[5].toStdString();
            fleet.batch.nodes[0].cloud.clear();
        }
        charges.push_back(charge);
    }
    const Billed cache(fleet, charges);
    QCOMPARE(cache.in("unobserved").first, unobserved * kUnit);
    QCOMPARE(cache.in("unobserved").second, hours * kGpus * kHourTicks);
    QCOMPARE(cache.in({}).first, 24 * kUnit);
    QCOMPARE(cache.rate(), (24 - unobserved) * kUnit / (10 * kGpus));
    QVERIFY(cache.isWhole());
}

// It keeps its id, and gets other GPUs.
void TestBilledHours::aMachineThatStopsAndStarts()
{
    Scenario fleet = seen(0, 24 * kHour, 0);
    fleet.batch.nodeSpans = {{0, {fleet.at(0), fleet.at(10 * kHour)}},
                             {0, {fleet.at(12 * kHour), fleet.at(24 * kHour)}}};
    for (int i = 0; i < kGpus; ++i) {
        fleet.reports(fleet.device("A-" + std::to_string(i), i), Scenario::kNone, 0, 0, 10 * kHour, 0);
        fleet.reports(fleet.device("B-" + std::to_string(i), i), Scenario::kNone, 0, 12 * kHour, 24 * kHour, 0);
    }
    const Billed cache(fleet, {{"22", 22 * kPerHour}});
    QCOMPARE(cache.in({}), std::pair(22 * kPerHour, 22 * kGpus * kHourTicks));
    QCOMPARE(cache.in("unobserved").second, std::int64_t{0});
    QCOMPARE(cache.rate(), kPerHour / kGpus);
    QVERIFY(cache.isWhole());
}

void TestBilledHours::aDeviceThatChangesItsNode()
{
    Scenario fleet = seen(0, 24 * kHour, 0);
    const auto later = fleet.node("n2");
    fleet.batch.nodeSpans = {{0, {fleet.at(0), fleet.at(10 * kHour)}},
                             {later, {fleet.at(10 * kHour), fleet.at(24 * kHour)}}};
    for (int i = 0; i < kGpus; ++i) {
        const auto device = fleet.device("GPU-" + std::to_string(i), i);
        fleet.reports(device, Scenario::kNone, 0, 0, 10 * kHour, 0);
        fleet.reports(device, Scenario::kNone, later, 10 * kHour, 24 * kHour, 0);
    }
    const Billed cache(fleet, {{"24", 24 * kPerHour}});
    QCOMPARE(cache.in({}), std::pair(24 * kPerHour, 24 * kGpus * kHourTicks));
    QCOMPARE(cache.in("unobserved").second, std::int64_t{0});
    QVERIFY(cache.isWhole());
}

void TestBilledHours::refundedHours()
{
    const Billed cache(seen(0, 10 * kHour), {{"24", 24 * kPerHour}, {"14", -14 * kPerHour}});
    QCOMPARE(cache.in("unobserved").second, std::int64_t{0});
    QCOMPARE(cache.in({}), std::pair(10 * kPerHour, 10 * kGpus * kHourTicks));
    QVERIFY(cache.isWhole());
}

void TestBilledHours::impossiblyManyGpus()
{
    Charge charge{"24", 24 * kPerHour, "box", 0, {}};
    charge.gpus = "9000000000000000000";
    const Billed cache(seen(0, 10 * kHour), {charge});
    QCOMPARE(cache.in("unobserved").second, std::int64_t{0});
    QCOMPARE(cache.in({}).first, 24 * kPerHour);
    QVERIFY(cache.isWhole());
}

void TestBilledHours::theRestIsOfTheNodesOwner()
{
    Scenario fleet = seen(0, 10 * kHour);
    fleet.batch.nodes[0].labels = {{"node_pool", "speech-pool"}};
    model::Settings settings = rules();
    model::OwnerRule pool;
    pool.kind = model::OwnerRule::Kind::NodePool;
    pool.pattern = "speech-pool";
    pool.team = "speech";
    settings.owners.push_back(pool);
    Billed cache(fleet, {{"24", 24 * kPerHour}}, settings);
    QVERIFY(cache.unobserved());
    QCOMPARE(cache.unobserved()->key.team, std::string("speech"));
    // No rule reads the bill, and none the node.
    Billed open(seen(0, 10 * kHour), {{"24", 24 * kPerHour}}, pricedSettings());
    QCOMPARE(open.unobserved()->key.team, std::string("shared"));
}

void TestBilledHours::theBillsTypeStays()
{
    Scenario fleet = seen(0, 10 * kHour);
    fleet.batch.nodes[0].instanceType.clear();
    const Billed cache(fleet, {{"24", 24 * kPerHour}});
    model::LineDetail detail;
    detail.instanceTypes = true;
    std::string type = "no line";
    const auto facts = cache.store->facts().value();
    Cache::must(cache.ledger->linesInDetail(fleet.day(), fleet.day(), detail, *facts,
                                            [&](base::Day, const model::LedgerKey &key, const model::LedgerAmounts &) {
                                                if (key.state == "unobserved")
                                                    type = key.instanceType;
                                                return base::Result<void>();
                                            }));
    QCOMPARE(type, std::string("g5.12xlarge"));
}

void TestBilledHours::theAllocatorsTotalIsComparedWithAllOfTheBill()
{
    const Scenario fleet = seen(0, 10 * kHour);
    AllocatedNode node = told();
    node.total = 24 * kPerHour;
    Billed same(fleet, {{"24", 24 * kPerHour}});
    same.put(dayOf(fleet, {node}));
    QVERIFY(!same.found(AllocationReason::Bill));
    Billed other(fleet, {{"24", 30 * kPerHour}});
    other.put(dayOf(fleet, {node}));
    const AllocationFinding *found = other.found(AllocationReason::Bill);
    QVERIFY(found);
    QCOMPARE(*found->theirs, 24 * kPerHour);
    QCOMPARE(*found->ours, 30 * kPerHour);
}

// They name no machine. One machine of the type was seen for twelve hours; each line costs 24 units.
void TestBilledHours::linesOfATypeAreSettledTogether_data()
{
    QTest::addColumn<QString>("lines"); // each: hours, SKU, service, account, source; "-12": twelve hours are refunded
    QTest::addColumn<int>("percent"); // of the cost of each line that is not a refund, unobserved
    QTest::addColumn<int>("hours"); // of a machine, unobserved
    const auto row = [](const char *name, int percent, int hours, const char *lines) {
        QTest::newRow(name) << QString::fromLatin1(lines) << percent << hours;
    };
    row("one line, all seen", 0, 0, "12,box,EC2,a");
    row("one line, half seen", 50, 12, "24,box,EC2,a");
    row("on demand and spot", 50, 12, "12,box,EC2,a;12,spot,EC2,a");
    row("two accounts", 75, 36, "24,box,EC2,a;24,box,EC2,b");
    row("a licence of the same hours", 0, 0, "12,box,EC2,a;12,licence,Marketplace,a");
    row("more machines, and their licence", 50, 12, "24,box,EC2,a;24,licence,Marketplace,a");
    row("two sources of the same bill", 50, 12, "24,box,EC2,a;24,box,EC2,a,other");
    row("hours that were taken back", 0, 0, "24,box,EC2,a;-12,box,EC2,a");
    row("some were taken back", 60, 18, "24,box,EC2,a;12,spot,EC2,a;-6,spot,EC2,a");
    row("who knows how many were taken back", 0, 0, "24,box,EC2,a;-,box,EC2,a");
    row("within a fiftieth", 0, 0, "12,box,EC2,a;0.2,spot,EC2,a");
}

void TestBilledHours::linesOfATypeAreSettledTogether()
{
    QFETCH(QString, lines);
    QFETCH(int, percent);
    QFETCH(int, hours);
    std::vector<Charge> charges;
    int charged = 0, refunds = 0;
    for (const QString &text : lines.split(QLatin1Char(';'))) {
        const QStringList parts = text.split(QLatin1Char(','));
        const bool isRefund = parts[0].startsWith(QLatin1Char('-'));
        Charge charge{parts[0].mid(isRefund ? 1 : 0).toStdString(), isRefund ? -kUnit : 24 * kUnit,
                      parts[1].toStdString()};
        charge.service = parts[2].toStdString();
        charge.account = parts[3].toStdString();
        charge.machine.clear();
        if (parts.size() > 4)
            charge.source = parts[4].toStdString();
        charges.push_back(charge);
        ++(isRefund ? refunds : charged);
    }
    const Billed cache(seen(0, 12 * kHour), charges);
    QCOMPARE(cache.in("unobserved").first, charged * percent * 24 * kUnit / 100);
    QCOMPARE(cache.in("unobserved").second, hours * kGpus * kHourTicks);
    QCOMPARE(cache.in({}).first, (24 * charged - refunds) * kUnit);
    QCOMPARE(cache.rate(), (100 - percent) * 24 * kUnit * charged / 100 / (12 * kGpus));
    QVERIFY(cache.isWhole());
}

GPULEDGER_SUITE(TestBilledHours)

} // namespace tst_billedhours

#include "tst_billedhours.moc"

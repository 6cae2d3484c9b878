// SPDX-License-Identifier: GPL-3.0-or-later
// Days: cut exactly where a price or a node changes, and independent of what else is read.
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>

namespace tst_attributiondays {

using namespace gpuledger;
using tests::attributed;
using tests::PartRow;
using tests::pricedSettings;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::uint32_t kNone = Scenario::kNone;

// One node, one device, all day.
struct OneDevice : Scenario {
    std::uint32_t node, device;
    explicit OneDevice(int days = 1)
        : Scenario(days)
        , node(Scenario::node("n1"))
        , device(Scenario::device("GPU-1"))
    {
    }
    std::vector<PartRow> rows(const model::Settings &settings = pricedSettings(), int first = 0, int last = 0) const
    {
        return attributed(*this, settings, first, last);
    }
};

} // namespace

class TestAttributionDays : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void priceThatChangesWithinADaySplitsItExactly();
    void deviceMayComeBackToItsNode();
    void dayIsTheSameWhateverElseIsRead();
};

void TestAttributionDays::priceThatChangesWithinADaySplitsItExactly()
{
    OneDevice s(2);
    s.runs(s.pod("a", "ua", "n1"), 0, 2 * kDay);
    s.reports(s.device, s.label("a"), s.node, 0, 2 * kDay, 50);
    model::Settings settings = pricedSettings();
    const base::Currency euro = base::Currency::parse("EUR").value();
    settings.prices.overrides.front().currency = euro;
    constexpr std::int64_t kChange = 36'120; // 10:02, within a bucket
    settings.prices.exchangeRates = {{euro, base::Currency::usd(), "1", s.at(-kDay)},
                                     {euro, base::Currency::usd(), "2", s.at(kChange)}};
    std::int64_t cost = 0, bucket = 0, after = 0;
    for (const PartRow &row : s.rows(settings, 0, 1)) {
        cost += row.part.costNanos;
        bucket += row.bucket == kChange / 300 ? row.part.costNanos : 0;
        after += row.bucket == kChange / 300 + 1 ? row.part.costNanos : 0;
    }
    QCOMPARE(bucket, (120 + 2 * 180) * std::int64_t{1'000'000});
    QCOMPARE(after, 600 * std::int64_t{1'000'000});
    QCOMPARE(cost, (kChange + 2 * (2 * kDay - kChange)) * std::int64_t{1'000'000});
}

void TestAttributionDays::deviceMayComeBackToItsNode()
{
    OneDevice s(2);
    const auto second = s.Scenario::node("n2");
    s.reports(s.device, kNone, s.node, 0, 10 * kHour, 0);
    s.reports(s.device, kNone, second, 10 * kHour, 20 * kHour, 0);
    s.reports(s.device, kNone, s.node, 20 * kHour, 2 * kDay, 0);
    std::map<std::string, double> seconds;
    for (const PartRow &row : s.rows(pricedSettings(), 0, 1)) {
        QCOMPARE(row.node, std::string(row.bucket >= 120 && row.bucket < 240 ? "n2" : "n1"));
        seconds[row.node] += static_cast<double>(row.part.ticks) / base::GpuTime::kTicksPerSecond;
    }
    QCOMPARE(seconds["n1"], 38.0 * kHour);
    QCOMPARE(seconds["n2"], 10.0 * kHour);
}

// An exporter without names, pods that appear days later, records with gaps: each is read once together with the
// surrounding days and once alone.
void TestAttributionDays::dayIsTheSameWhateverElseIsRead()
{
    constexpr int kDays = 6;
    OneDevice s(kDays);
    const auto other = s.Scenario::device("GPU-2", 1), lone = s.Scenario::device("GPU-3");
    const auto third = s.Scenario::node("n3", {}, false);
    s.reports(s.device, kNone, s.node, 0, kDays * kDay, 40);
    s.reports(other, kNone, s.node, 0, kDays * kDay, 3);
    s.reports(lone, s.label("early"), third, 0, kDay, 70); // long before any record
    s.reports(lone, s.label("late"), third, 2 * kDay + 9 * kHour, 4 * kDay, 70);
    s.runs(s.pod("late", "u-late", "n3"), 3 * kDay + 6 * kHour, 4 * kDay);
    s.runs(s.pod("one", "u1", "n1"), kHour, 2 * kDay + kHour);
    const auto two = s.pod("two", "u2", "n1");
    s.runs(two, 5 * kHour, kDay);
    s.runs(two, 3 * kDay, 5 * kDay);
    s.runs(s.pod("three", "u3", "n1"), 2 * kDay + 2 * kHour, 4 * kDay + 600);
    const auto text = [](const PartRow &row) {
        return row.device + ' ' + std::to_string(row.bucket) + ' ' + row.holder + ' ' + row.uid + ' ' + row.team + ' '
            + std::to_string(static_cast<int>(row.part.state)) + ' ' + std::to_string(row.part.ticks) + ' '
            + std::to_string(row.part.costNanos) + (row.inferred ? " inferred" : "");
    };
    std::vector<std::string> together, alone;
    for (const PartRow &row : s.rows(pricedSettings(), 0, kDays - 1))
        together.push_back(text(row));
    for (int day = 0; day < kDays; ++day) {
        for (const PartRow &row : s.rows(pricedSettings(), day, day))
            alone.push_back(text(row));
    }
    QVERIFY(together.size() > 1000);
    for (std::size_t i = 0; i < std::min(together.size(), alone.size()); ++i)
        QCOMPARE(QString::fromStdString(together[i]), QString::fromStdString(alone[i]));
    QCOMPARE(together.size(), alone.size());
}

GPULEDGER_PLAIN_SUITE(TestAttributionDays)

} // namespace tst_attributiondays

#include "tst_attributiondays.moc"

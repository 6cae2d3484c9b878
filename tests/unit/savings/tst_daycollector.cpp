// SPDX-License-Identifier: GPL-3.0-or-later
// Collectors that share a walk: each gets its own days, in order, and each day's end once, however days are grouped.
#include "app/services/savingsinputs/days/daycollector.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace tst_daycollector {

using namespace gpuledger;

namespace {

constexpr std::int32_t kFirst = 20000;

// Two devices a day, except on the days that have none.
class SomeDays final : public store::AttributionReader {
public:
    explicit SomeDays(std::vector<std::int32_t> without)
        : m_without(std::move(without))
    {
    }
    base::Result<void> walk(base::Day first, base::Day last, std::span<const base::DeviceId>,
                            const Visitor &visit) override
    {
        for (base::Day day = first; day <= last; ++day.number) {
            if (std::find(m_without.begin(), m_without.end(), day.number - kFirst) != m_without.end())
                continue;
            model::DeviceAttribution device;
            device.day = day;
            GPULEDGER_TRY(visit(device));
            GPULEDGER_TRY(visit(device));
        }
        return {};
    }

private:
    const std::vector<std::int32_t> m_without;
};

// Days as offsets: "3" for a device, "3." for the end of the day.
class Noting final : public services::DayCollector {
public:
    Noting(std::int32_t first, std::int32_t last)
        : m_range{base::Day{kFirst + first}.start() + base::kCell, base::Day{kFirst + last}.end() - base::kCell}
    {
    }
    base::TimeRange range() const override { return m_range; }
    base::Result<void> add(const model::DeviceAttribution &device) override
    {
        text += std::to_string(device.day.number - kFirst) + ' ';
        return {};
    }
    void endDay(base::Day day) override { text += std::to_string(day.number - kFirst) + ". "; }

    std::string text;

private:
    const base::TimeRange m_range;
};

} // namespace

class TestDayCollector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void daysComeInOrderAndEndOnce();
};

void TestDayCollector::daysComeInOrderAndEndOnce()
{
    const std::vector<std::int32_t> without{0, 6, 7, 12, 16}; // also the first, the last, and at the edges of weeks
    const auto expected = [&](std::int32_t first, std::int32_t last) {
        std::string text;
        for (std::int32_t day = first; day <= last; ++day) {
            const std::string name = std::to_string(day);
            if (std::find(without.begin(), without.end(), day) == without.end())
                text.append(name).append(" ").append(name).append(" ");
            text.append(name).append(". ");
        }
        return QString::fromStdString(text);
    };
    SomeDays days(without);
    Noting all(0, 16), within(3, 4), acrossWeeks(5, 9), late(12, 16);
    const std::array<services::DayCollector *, 4> collectors{&late, &within, &all, &acrossWeeks};
    QVERIFY(services::collectDays(days, collectors, {}).has_value());
    QCOMPARE(QString::fromStdString(all.text), expected(0, 16));
    QCOMPARE(QString::fromStdString(within.text), expected(3, 4));
    QCOMPARE(QString::fromStdString(acrossWeeks.text), expected(5, 9));
    QCOMPARE(QString::fromStdString(late.text), expected(12, 16));
}

GPULEDGER_PLAIN_SUITE(TestDayCollector)

} // namespace tst_daycollector

#include "tst_daycollector.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What counts in the sum of savings: use that ends first, commitments for what remains, against a brute force over the
// hours of random fleets.
#include "app/savings/commitments/commitmentlevel.h"
#include "app/savings/commitments/remainingdemand.h"
#include "app/savings/proposals/proposal.h"
#include "app/savings/proposals/seededrandom.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tst_counting {

using namespace gpuledger;
using namespace gpuledger::savings;
using base::GpuTime;
using base::Money;

namespace {

constexpr std::int64_t kUnit = Money::kNanosPerUnit;
constexpr std::int64_t kHours = 14 * 24; // two weeks: p10, p50 and p90 of a commitment are equal
constexpr std::int64_t kOnDemand = 10 * kUnit; // a machine-hour
constexpr base::Seconds kHour{3600};
const base::TimeRange kRange{base::fromUnix(0), base::fromUnix(kHours * 3600)};

Money usdNanos(std::int64_t nanos)
{
    return {nanos, base::Currency::usd()};
}

std::int64_t perMonth(std::int64_t nanos)
{
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>(Wide{nanos} * kHoursPerMonth / kHours);
}

GpuTime machineHours(std::int64_t count)
{
    return GpuTime::wholeDevice(kHour * count);
}

HourlyDemand demandOf(const std::vector<std::int64_t> &machines)
{
    HourlyDemand out;
    for (const std::int64_t count : machines)
        out.emplace_back(machineHours(count));
    return out;
}

CommitmentInput inputOf(const HourlyDemand &hours, std::vector<std::string> devices, std::int64_t committed = 6 * kUnit)
{
    CommitmentDemand demand;
    demand.cloud = "aws"; // allowed: a cloud
    demand.instanceType = "p5.48xlarge";
    demand.region = "us-east-1";
    demand.onDemand = base::Rate(kOnDemand, base::Currency::usd());
    demand.hours = hours;
    demand.coveredCost = usdNanos(0);
    demand.unusedPerMonth = usdNanos(0);
    demand.offers = {
        {"Compute Savings Plan", 12, UpfrontPayment::None, base::Rate(committed, base::Currency::usd()), true, {}}};
    demand.resources = std::move(devices);
    CommitmentInput input;
    input.until = kRange.end;
    input.demand = {demand};
    return input;
}

std::shared_ptr<const std::vector<FreedTime>> freedOf(std::vector<std::string> devices, std::vector<GpuTime> hours)
{
    return std::make_shared<const std::vector<FreedTime>>(
        std::vector{FreedTime{std::move(devices), kRange.start, std::move(hours)}});
}

// That saves `nanos` of the past, and at most `most`.
Proposal saving(Kind kind, const std::string &name, std::int64_t nanos, std::int64_t most,
                std::vector<std::string> devices)
{
    Proposal one;
    one.id = std::string(toString(kind)) + ':' + name;
    one.kind = kind;
    one.currency = "USD";
    one.perMonth = MoneyBand{usdNanos(perMonth(nanos / 2)), usdNanos(perMonth(nanos)), usdNanos(perMonth(most))};
    one.avoidable = usdNanos(perMonth(most));
    one.resources = std::move(devices);
    return one;
}

SavingsList counted(std::vector<Proposal> others, const CommitmentInput &input)
{
    const auto whole = proposeCommitments(input).value();
    others.insert(others.end(), whole.begin(), whole.end());
    return withoutDoubleCounting(kRange, std::move(others),
                                 [&](std::span<const FreedTime *const> freed) {
                                     return proposeCommitments(remainingDemand(input, freed));
                                 })
        .value();
}

const Proposal &ofKind(const SavingsList &list, Kind kind)
{
    const auto found =
        std::find_if(list.items.begin(), list.items.end(), [&](const Proposal &one) { return one.kind == kind; });
    Q_ASSERT(found != list.items.end());
    return *found;
}

std::int64_t sumOf(const HourlyDemand &hours)
{
    std::int64_t ticks = 0;
    for (const auto &hour : hours)
        ticks += hour ? hour->ticks : 0;
    return ticks;
}

// Machines of one type, on or off in each hour, and proposals about some of them.
struct Fleet {
    std::vector<std::vector<bool>> on;
    std::vector<Proposal> proposals;

    explicit Fleet(SeededRandom &random)
        : on(static_cast<std::size_t>(1 + random.below(6)), std::vector<bool>(kHours, false))
    {
        for (auto &machine : on) {
            const std::int64_t share = 1 + random.below(4);
            for (std::size_t hour = 0; hour < machine.size(); ++hour)
                machine[hour] = random.below(4) < share;
        }
        const std::array kinds{Kind::Capacity, Kind::Schedule, Kind::RightSize, Kind::Spot};
        for (std::int64_t i = random.below(6); i > 0; --i)
            add(random, kinds[static_cast<std::size_t>(random.below(4))], std::to_string(i));
    }

    static std::string device(std::size_t machine) { return "gpu-" + std::to_string(machine); }

    // Takes some or all hours in which its machines are on, and saves some or all of their money.
    void add(SeededRandom &random, Kind kind, const std::string &name)
    {
        std::vector<std::string> devices;
        std::vector<GpuTime> freed(kHours);
        std::int64_t hours = 0;
        const bool takesAll = kind == Kind::RightSize || kind == Kind::Spot;
        for (std::size_t machine = 0; machine < on.size(); ++machine) {
            if (random.below(2) == 0)
                continue;
            devices.push_back(device(machine));
            for (std::size_t hour = 0; hour < freed.size(); ++hour) {
                if (!on[machine][hour] || (!takesAll && random.below(3) == 0))
                    continue;
                freed[hour] += machineHours(1);
                ++hours;
            }
        }
        Proposal one = saving(kind, name, hours * kOnDemand * (1 + random.below(4)) / 4, hours * kOnDemand, devices);
        one.frees = freedOf(std::move(devices), std::move(freed));
        proposals.push_back(std::move(one));
    }

    std::vector<std::int64_t> demand() const
    {
        std::vector<std::int64_t> out(kHours, 0);
        for (const auto &machine : on) {
            for (std::size_t hour = 0; hour < out.size(); ++hour)
                out[hour] += machine[hour] ? 1 : 0;
        }
        return out;
    }

    std::vector<std::string> devices() const
    {
        std::vector<std::string> out;
        for (std::size_t machine = 0; machine < on.size(); ++machine)
            out.push_back(device(machine));
        return out;
    }
};

// The most that any number of machines would save in these hours.
std::int64_t bestLevelSaves(const std::vector<std::int64_t> &machines, std::int64_t committed)
{
    std::int64_t best = 0;
    for (std::int64_t level = 1; level <= 8; ++level) {
        std::int64_t gain = 0;
        for (const std::int64_t hour : machines)
            gain += kOnDemand * std::min(hour, level) - committed * level;
        best = std::max(best, gain);
    }
    return best;
}

} // namespace

class TestCounting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeIsTakenHourByHour()
    {
        HourlyDemand demand = demandOf({3, 3, 3, 3});
        demand[3] = std::nullopt;
        const FreedTime part{{"a", "b"}, base::fromUnix(3600), {machineHours(1), machineHours(2), machineHours(1)}};
        const FreedTime other{{"z"}, base::fromUnix(0), {machineHours(3)}};
        const std::vector<const FreedTime *> parts{&part, &other};
        const std::vector<std::string> own{"b", "c"}, none{"c"};
        QVERIFY(takeFreed(parts, own, base::fromUnix(0), demand));
        QVERIFY((demand == HourlyDemand{machineHours(3), machineHours(2), machineHours(1), std::nullopt}));
        QVERIFY(!takeFreed(parts, none, base::fromUnix(0), demand));
        QVERIFY(demand[0] == machineHours(3));
    }

    // Two workloads that share a machine and are both scheduled.
    void whatSeveralEndTogetherIsTakenOnce()
    {
        HourlyDemand demand = demandOf({5, 5});
        const FreedTime first{{"a"}, base::fromUnix(0), {machineHours(1), machineHours(1)}, "0 1 "};
        const FreedTime again{{"b"}, base::fromUnix(0), {machineHours(1), machineHours(1)}, "0 1 "};
        const FreedTime other{{"b"}, base::fromUnix(0), {machineHours(1), machineHours(1)}, "1 2 "};
        const FreedTime alone{{"b"}, base::fromUnix(0), {machineHours(1)}};
        const std::vector<const FreedTime *> parts{&first, &again, &other, &alone, &alone};
        const std::vector<std::string> own{"a", "b"}, second{"b"};
        QVERIFY(takeFreed(parts, own, base::fromUnix(0), demand));
        QVERIFY((demand == HourlyDemand{machineHours(1), machineHours(3)}));
        demand = demandOf({5, 5});
        QVERIFY(takeFreed(parts, second, base::fromUnix(0), demand)); // the first part has none of these devices
        QVERIFY((demand == HourlyDemand{machineHours(1), machineHours(3)}));
    }

    // Half past the hour, as the hours of some time zones; and before the demand begins.
    void anHourThatLiesInTwoIsSplit()
    {
        HourlyDemand demand = demandOf({3, 3, 3});
        const FreedTime part{{"a"}, base::fromUnix(-1800), {machineHours(1), machineHours(2)}};
        const std::vector<const FreedTime *> parts{&part};
        const std::vector<std::string> own{"a"};
        takeFreed(parts, own, base::fromUnix(0), demand);
        const GpuTime half = GpuTime::wholeDevice(kHour / 2);
        QVERIFY((demand == HourlyDemand{machineHours(2) - half, machineHours(2), machineHours(3)}));
    }

    // Bills spread a day over its hours, so a machine that stops by night has less than it frees in these hours.
    void whatAnHourLacksIsTakenFromItsDayThenFromOthers()
    {
        std::vector<std::int64_t> even(48, 1);
        HourlyDemand demand = demandOf(even);
        FreedTime part{{"a"}, base::fromUnix(0), std::vector<GpuTime>(24)};
        for (std::size_t hour = 0; hour < 6; ++hour)
            part.hours[hour] = machineHours(2); // 12, of which these hours have 6
        const std::vector<const FreedTime *> parts{&part};
        const std::vector<std::string> own{"a"};
        takeFreed(parts, own, base::fromUnix(0), demand);
        QCOMPARE(sumOf(demand), machineHours(36).ticks);
        QVERIFY(demand[0]->ticks == 0 && demand[23] == demand[6]);
        QVERIFY(demand[24] == machineHours(1));

        demand = demandOf(even);
        part.hours.assign(24, machineHours(1));
        part.hours[0] = machineHours(13); // 36, of which the first day has 24
        takeFreed(parts, own, base::fromUnix(0), demand);
        QCOMPARE(sumOf(demand), machineHours(12).ticks);
        QVERIFY(demand[23]->ticks == 0);

        part.hours[0] = machineHours(1000);
        takeFreed(parts, own, base::fromUnix(0), demand);
        QCOMPARE(sumOf(demand), std::int64_t{0});
    }

    void neverTooMuchRemains()
    {
        SeededRandom random(22, 5);
        for (int round = 0; round < 500; ++round) {
            HourlyDemand demand;
            FreedTime part{{"a"}, base::fromUnix(random.below(2) * 1800), {}};
            std::int64_t freed = 0;
            for (int hour = 0; hour < 72; ++hour)
                demand.emplace_back(GpuTime{random.below(1'000'000)});
            for (int hour = 0; hour < 60; ++hour) {
                part.hours.push_back({random.below(3) == 0 ? random.below(2'000'000) : 0});
                freed += part.hours.back().ticks;
            }
            const HourlyDemand before = demand;
            const std::vector<const FreedTime *> parts{&part};
            const std::vector<std::string> own{"a"};
            takeFreed(parts, own, base::fromUnix(0), demand);
            const std::int64_t most = std::max<std::int64_t>(sumOf(before) - freed, 0);
            QVERIFY(sumOf(demand) <= most && sumOf(demand) >= most - 300); // a tick for each rounding
            for (std::size_t hour = 0; hour < demand.size(); ++hour)
                QVERIFY(demand[hour]->ticks >= 0 && *demand[hour] <= *before[hour]);
        }
    }

    // Usage goes first, even if it saves less.
    void usageIsDecidedBeforeRates()
    {
        const auto at = [](Kind kind, const char *name, std::int64_t units, std::vector<std::string> devices) {
            return saving(kind, name, units * kUnit, units * kUnit, std::move(devices));
        };
        const SavingsList list = withoutDoubleCounting(
            kRange,
            {at(Kind::Spot, "s", 900, {"1"}), at(Kind::Schedule, "n", 100, {"1"}), at(Kind::Capacity, "c", 50, {"1"}),
             at(Kind::Spot, "t", 10, {"2"}), at(Kind::Commitments, "k", 5000, {"2"})});
        const auto ids = [&] {
            std::set<std::string> out;
            for (const Proposal &one : list.items) {
                if (!one.excludedBy)
                    out.insert(one.id);
            }
            return out;
        }();
        QVERIFY((ids == std::set<std::string>{"schedule:n", "spot:t"}));
    }

    void aCommitmentCountsForWhatRemains()
    {
        const CommitmentInput input = inputOf(demandOf(std::vector<std::int64_t>(kHours, 4)), {"1", "2", "3", "4"});
        Proposal pool = saving(Kind::Capacity, "pool", kHours * kOnDemand, kHours * kOnDemand, {"1"});
        pool.frees = freedOf({"1"}, std::vector<GpuTime>(kHours, machineHours(1)));
        const SavingsList list = counted({pool}, input);
        const Proposal one = tests::checked(ofKind(list, Kind::Commitments));
        QVERIFY(!one.excludedBy && one.counted);
        QCOMPARE(one.perMonth->p50.nanos(), perMonth(kHours * 16 * kUnit)); // four machines, 4 USD less an hour
        QCOMPARE(one.counted->p50.nanos(), perMonth(kHours * 12 * kUnit));
        QCOMPARE(list.sums.front().perMonth.p50.nanos(), perMonth(kHours * 22 * kUnit));
        QCOMPARE(list.sums.front().byKind.back().second.p50.nanos(), one.counted->p50.nanos());
        QVERIFY(tests::hasRisk(one, RemarkText::BuyForTheRest));
        QCOMPARE(tests::evidenceOf(one, "machine-hours on demand that they leave"),
                 ui::valueOf(hoursTerm(machineHours(kHours * 3))).english());
        // Pool and rest save more than the whole commitment alone, so nothing is said about the order.
        for (const Proposal &item : list.items) {
            for (const Evidence &line : item.evidence)
                QVERIFY(line.label.text != RemarkText::OrderSavesLess);
        }
    }

    void whatTheOrderCostsIsSaid()
    {
        const CommitmentInput input = inputOf(demandOf(std::vector<std::int64_t>(kHours, 2)), {"1", "2"}, 2 * kUnit);
        Proposal size = saving(Kind::RightSize, "small", kHours * kUnit, kHours * kOnDemand, {"1"}); // 1 USD an hour
        size.frees = freedOf({"1"}, std::vector<GpuTime>(kHours, machineHours(1)));
        const SavingsList list = counted({size}, input);
        QCOMPARE(list.sums.front().perMonth.p50.nanos(), perMonth(kHours * kUnit) + perMonth(kHours * 8 * kUnit));
        for (const Kind kind : {Kind::RightSize, Kind::Commitments}) {
            const Proposal one = tests::checked(ofKind(list, kind));
            QVERIFY(!one.excludedBy);
            const auto line = std::find_if(one.evidence.begin(), one.evidence.end(), [](const Evidence &e) {
                return e.label.text == RemarkText::OrderSavesLess;
            });
            QVERIFY(line != one.evidence.end());
            QVERIFY(std::abs(line->value.nanos - perMonth(kHours * 7 * kUnit)) <= 1); // 16 instead of 1 + 8
        }
    }

    // Two commitments that may be for the same machine. What one would save for its whole demand is compared with all
    // that it would displace, after it is decided which of them is bought.
    void whatTheOrderCostsCountsTheCommitmentThatIsBought()
    {
        const auto moreSaid = [](const SavingsList &list, const char *about, const char *by) {
            std::int64_t nanos = 0;
            for (const Proposal &one : list.items) {
                if (one.id != by)
                    continue;
                for (const Evidence &line : one.evidence)
                    nanos += line.label.text == RemarkText::OrderSavesLess && line.label.terms.front().text == about
                        ? line.value.nanos
                        : 0;
            }
            return nanos;
        };
        const auto listOf = [](std::int64_t boughtUnits) {
            Proposal pool = saving(Kind::Capacity, "pool", 3 * kUnit, 3 * kUnit, {"1"});
            pool.frees = freedOf({"1"}, std::vector<GpuTime>(kHours));
            std::vector<Proposal> all{pool, saving(Kind::Commitments, "large", 20 * kUnit, 20 * kUnit, {"1", "2"}),
                                      saving(Kind::Commitments, "bought", boughtUnits * kUnit, 20 * kUnit, {"2"})};
            return withoutDoubleCounting(
                       kRange, std::move(all),
                       [](std::span<const FreedTime *const>) -> base::Result<std::vector<Proposal>> {
                           return std::vector{saving(Kind::Commitments, "large", 5 * kUnit, 20 * kUnit, {"1", "2"})};
                       })
                .value();
        };
        const SavingsList list = listOf(10);
        const auto named = [](const SavingsList &in, const char *id) -> const Proposal & {
            return *std::find_if(in.items.begin(), in.items.end(), [&](const Proposal &one) { return one.id == id; });
        };
        QVERIFY(tests::isExcludedBy(named(list, "commitments:large"), RemarkText::CountedAlready));
        const std::int64_t more = perMonth(20 * kUnit) - perMonth(3 * kUnit) - perMonth(10 * kUnit);
        for (const char *id : {"commitments:large", "commitments:bought", "capacity:pool"})
            QCOMPARE(moreSaid(list, "commitments:large", id), more);
        // With one that saves more than it would add, nothing is said: 20 is less than 3 + 18.
        const SavingsList dear = listOf(18);
        QVERIFY(!named(dear, "commitments:bought").excludedBy);
        for (const char *id : {"commitments:large", "commitments:bought", "capacity:pool"})
            QCOMPARE(moreSaid(dear, "commitments:large", id), std::int64_t{0});
        // One that loses to the other counts with nothing, and so does what it would have displaced.
        const SavingsList cheap = listOf(4);
        QVERIFY(tests::isExcludedBy(named(cheap, "commitments:bought"), RemarkText::CountedAlready));
        QCOMPARE(moreSaid(cheap, "commitments:large", "commitments:large"),
                 perMonth(20 * kUnit) - perMonth(5 * kUnit) - perMonth(3 * kUnit));
    }

    void nothingRemains()
    {
        const CommitmentInput input = inputOf(demandOf(std::vector<std::int64_t>(kHours, 1)), {"1"});
        Proposal spot = saving(Kind::Spot, "all", kHours * kUnit, kHours * kOnDemand, {"1"});
        spot.frees = freedOf({"1"}, std::vector<GpuTime>(kHours, machineHours(1)));
        const SavingsList list = counted({spot}, input);
        const Proposal one = tests::checked(ofKind(list, Kind::Commitments));
        QVERIFY(tests::isExcludedBy(one, RemarkText::TooLittleRemains) && !one.counted && !countsWith(one));
        QCOMPARE(list.sums.front().byKind.size(), std::size_t{1});
        // What is put aside takes nothing away.
        spot.excludedBy = Remark{RemarkText::Dismissed, {textTerm("no")}};
        const SavingsList aside = counted({spot}, input);
        QVERIFY(!ofKind(aside, Kind::Commitments).excludedBy && !ofKind(aside, Kind::Commitments).counted);
    }

    void withoutItsMachineTimeNoCommitmentCountsBesideIt()
    {
        const CommitmentInput input = inputOf(demandOf(std::vector<std::int64_t>(kHours, 4)), {"1", "2"});
        const SavingsList list =
            counted({saving(Kind::Capacity, "pool", kHours * kUnit, kHours * kUnit, {"1"})}, input);
        QVERIFY(tests::isExcludedBy(ofKind(list, Kind::Commitments), RemarkText::CountedAlready));
        const SavingsList apart =
            counted({saving(Kind::Capacity, "pool", kHours * kUnit, kHours * kUnit, {"9"})}, input);
        QVERIFY(!ofKind(apart, Kind::Commitments).excludedBy && !ofKind(apart, Kind::Commitments).counted);
    }

    // A machine that costs more than the mean of its type: both together never exceed the type's money.
    void neverMoreThanTheRestOfTheMoney()
    {
        const CommitmentInput input = inputOf(demandOf(std::vector<std::int64_t>(kHours, 2)), {"1", "2"}, kUnit);
        Proposal pool = saving(Kind::Capacity, "dear", kHours * 15 * kUnit, kHours * 15 * kUnit, {"1"});
        pool.frees = freedOf({"1"}, std::vector<GpuTime>(kHours, machineHours(1)));
        const SavingsList list = counted({pool}, input);
        QCOMPARE(ofKind(list, Kind::Commitments).counted->p50.nanos(),
                 ofKind(list, Kind::Commitments).avoidable->nanos() - perMonth(kHours * 15 * kUnit));
        QCOMPARE(list.sums.front().perMonth.p90.nanos(), ofKind(list, Kind::Commitments).avoidable->nanos());
    }

    void failsAsTheRestDoes()
    {
        Proposal pool = saving(Kind::Capacity, "pool", kUnit, kUnit, {"1"});
        pool.frees = freedOf({"1"}, {});
        const auto none =
            withoutDoubleCounting(kRange, {pool, saving(Kind::Commitments, "k", kUnit, kUnit, {"1"})},
                                  [](std::span<const FreedTime *const>) -> base::Result<std::vector<Proposal>> {
                                      return base::fail(base::ErrorCode::Overflow, "too large");
                                  });
        QVERIFY(!none && none.error().code == base::ErrorCode::Overflow);
    }

    void randomFleetsAreAsTheirHoursSay()
    {
        SeededRandom random(22, 6);
        int partly = 0, gone = 0;
        for (int round = 0; round < 400; ++round) {
            const Fleet fleet(random);
            std::vector<std::int64_t> rest = fleet.demand();
            std::int64_t paid = 0;
            for (const std::int64_t hour : rest)
                paid += hour * kOnDemand;
            const std::int64_t committed = (3 + random.below(7)) * kUnit;
            const SavingsList list = counted(fleet.proposals, inputOf(demandOf(rest), fleet.devices(), committed));
            std::set<std::string> taken;
            std::int64_t usage = 0;
            for (const Proposal &one : list.items) {
                tests::checked(one);
                if (one.excludedBy || one.kind == Kind::Commitments)
                    continue;
                for (const std::string &device : one.resources)
                    QVERIFY(taken.insert(device).second);
                usage += one.perMonth->p50.nanos();
                for (std::size_t hour = 0; hour < rest.size(); ++hour)
                    rest[hour] -= one.frees->front().hours[hour].ticks / machineHours(1).ticks;
            }
            QVERIFY(std::all_of(rest.begin(), rest.end(), [](std::int64_t hour) { return hour >= 0; }));
            const std::int64_t best = perMonth(bestLevelSaves(rest, committed));
            const Proposal &commitment = ofKind(list, Kind::Commitments);
            const auto counts = countsWith(commitment);
            QCOMPARE(counts ? counts->p50.nanos() : 0, best);
            partly += commitment.counted ? 1 : 0;
            gone += tests::isExcludedBy(commitment, RemarkText::TooLittleRemains) ? 1 : 0;
            const bool any = usage + best > 0;
            QCOMPARE(list.sums.size(), std::size_t(any ? 1 : 0));
            if (!any)
                continue;
            const MoneyBand &sum = list.sums.front().perMonth;
            QCOMPARE(sum.p50.nanos(), usage + best);
            QVERIFY(sum.p10.nanos() <= sum.p50.nanos() && sum.p50.nanos() <= sum.p90.nanos());
            QVERIFY(sum.p90.nanos() <= perMonth(paid));
        }
        QVERIFY(partly > 50 && gone > 20);
    }
};

GPULEDGER_PLAIN_SUITE(TestCounting)

} // namespace tst_counting

#include "tst_counting.moc"

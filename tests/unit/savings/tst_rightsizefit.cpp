// SPDX-License-Identifier: GPL-3.0-or-later
// What holds a workload: by hand and, against an exhaustive search, on random catalogues and loads; layouts of slices
// against a search of places.
#include "app/base/time/gputime.h"
#include "app/savings/proposals/seededrandom.h"
#include "app/savings/rightsize/rightsizefit.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace tst_rightsizefit {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000;
constexpr std::int64_t kHourTicks = base::GpuTime::kTicksPerSecond * 3600;

RightSizeGpu gpu(const char *model, std::int64_t gib, double tflops, const char *capability, double bandwidth = 1000)
{
    RightSizeGpu one;
    one.model = model;
    one.vendor = "nvidia";
    one.memoryMib = gib * 1024;
    one.fp16Tflops = tflops;
    one.bandwidthGbs = bandwidth;
    one.nvlinkGbs = 0;
    one.capability = capability;
    return one;
}

RightSizeGpu a100()
{
    RightSizeGpu one = gpu("A100 80GB", 80, 312, "8.0", 2000);
    one.nvlinkGbs = 600;
    one.slices = 7;
    one.profiles = {"1g.10gb", "1g.10gb+me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"};
    return one;
}

RightSizeOffer offer(const char *type, const RightSizeGpu &model, int gpus, double usd)
{
    return {type, model, gpus, base::Rate(static_cast<std::int64_t>(usd * kUsd), base::Currency::usd()), "list", 0, 0};
}

// Memory in GiB and activity in percent, in so many hours.
void addLoad(RightSizeLoads &loads, std::int64_t gib, int activity, std::int64_t hours)
{
    loads[{static_cast<std::int32_t>(gib * 1024 / kRightSizeMemoryUnit), activity}] += hours * kHourTicks;
}

// The load of each hour, ascending by one of its values.
std::vector<std::int64_t> sorted(const RightSizeLoads &loads, bool memory)
{
    std::vector<std::int64_t> all;
    for (const auto &[load, ticks] : loads)
        all.insert(all.end(), static_cast<std::size_t>(ticks / kHourTicks),
                   memory ? load.memory * kRightSizeMemoryUnit : load.activity);
    std::sort(all.begin(), all.end());
    return all;
}

std::int64_t ranked(const std::vector<std::int64_t> &values, std::size_t percent)
{
    return values[(values.size() * percent + 99) / 100 - 1];
}

// Where a profile may begin among the 8 memory slices of a card, by its compute and memory slices.
std::vector<int> placesOf(const MigPart &part)
{
    if (part.compute >= 4)
        return {0};
    if (part.compute == 3)
        return {0, 4};
    if (part.compute == 2)
        return {0, 2, 4};
    return part.memory == 2 ? std::vector<int>{0, 2, 4, 6} : std::vector<int>{0, 1, 2, 3, 4, 5, 6};
}

bool canPlace(const std::vector<MigPart> &parts, std::size_t at, unsigned taken)
{
    if (at == parts.size())
        return true;
    for (const int place : placesOf(parts[at])) {
        const unsigned mask = ((1U << parts[at].memory) - 1U) << place;
        if ((mask & taken) == 0 && place + parts[at].memory <= 8 && canPlace(parts, at + 1, taken | mask))
            return true;
    }
    return false;
}

} // namespace

class TestRightSizeFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void loadsAreThoseOfAMap()
    {
        SeededRandom random(3, 0);
        std::map<RightSizeLoad, std::int64_t> all;
        RightSizeLoads loads;
        for (int i = 0; i < 500; ++i) {
            const RightSizeLoad load{static_cast<std::int32_t>(random.below(12)),
                                     static_cast<std::int32_t>(random.below(9))};
            const auto ticks = static_cast<std::int64_t>(random.below(100)) + 1;
            all[load] += ticks;
            loads[load] += ticks;
            QCOMPARE(loads.size(), all.size());
            QVERIFY(std::equal(loads.begin(), loads.end(), all.begin(), all.end(), [](const auto &a, const auto &b) {
                return a.first == b.first && a.second == b.second;
            }));
        }
        loads.clear();
        QVERIFY(loads.empty());
        const RightSizeLoads some{{{2, 1}, 5}, {{1, 9}, 6}, {{2, 1}, 7}};
        QCOMPARE(some.size(), std::size_t{2});
        QCOMPARE(some.begin()->second, std::int64_t{6});
        QCOMPARE((some.begin() + 1)->second, std::int64_t{12});
    }

    void needIsP99OfMemoryAndP95OfActivity()
    {
        RightSizeLoads loads;
        addLoad(loads, 10, 20, 94);
        addLoad(loads, 12, 50, 5); // p99 of memory, p95 of activity
        addLoad(loads, 70, 100, 1);
        const RightSizeNeed need = rightSizeNeed(loads, a100(), true, false);
        QCOMPARE(need.p99Memory, std::int64_t(12 * 1024));
        QCOMPARE(need.memory, std::int64_t(14746)); // 12288 x 1.2 = 14745.6
        QCOMPARE(need.p95Activity, 50);
        QVERIFY(std::abs(*need.tflops - 187.2) < 1e-9);
        QVERIFY(std::abs(*need.bandwidth - 1200) < 1e-9);
        QVERIFY(!rightSizeNeed(loads, a100(), false, false).bandwidth);
    }

    void theChoiceIsThatOfAnExhaustiveSearch()
    {
        SeededRandom random(7, 0);
        const std::array<const char *, 7> capabilities{"7.5", "8.0", "8.9", "9.0", "10.0", "12.0", ""};
        int found = 0;
        for (int round = 0; round < 600; ++round) {
            const auto any = [&](std::int64_t n) { return static_cast<int>(random.below(n)); };
            std::vector<RightSizeGpu> models;
            for (int i = 0; i < 6; ++i) {
                RightSizeGpu one = gpu("", 8 << any(4), 50 + any(400), capabilities[static_cast<std::size_t>(any(7))],
                                       300 + any(2000));
                one.model = (any(5) == 0 ? "GH200 " : "model ") + std::to_string(i);
                if (any(3) == 0)
                    one.fp8Tflops = 500;
                if (any(8) == 0)
                    one.fp16Tflops.reset();
                one.nvlinkGbs = any(4) == 0 ? std::nullopt : std::optional(any(3) * 300.0);
                models.push_back(std::move(one));
            }
            std::vector<RightSizeOffer> offers;
            for (int i = 0; i < 12; ++i)
                offers.push_back(offer("type", models[static_cast<std::size_t>(any(6))], 1 << any(4), 1 + any(40)));
            const RightSizeGpu &present = models[0];
            RightSizeLoads loads;
            for (int i = 0; i < 5; ++i)
                addLoad(loads, 1 + any(static_cast<int>(present.memoryMib / 1024)), any(101), 1 + any(100));
            const bool inference = any(2) == 0, linked = any(3) == 0;
            const WorkTier tier = any(2) == 0 ? WorkTier::Production : WorkTier::Batch;
            const int presentGpus = 1 << any(4), used = 1 + any(presentGpus);
            const auto memory = sorted(loads, true), activity = sorted(loads, false);
            const RightSizeOffer *best = nullptr;
            for (const RightSizeOffer &o : offers) {
                std::int64_t small = 0;
                if (o.gpu.model != present.model) {
                    const bool known = o.gpu.fp16Tflops && present.fp16Tflops;
                    const auto version = [](const RightSizeGpu &g) {
                        return g.capability.empty() ? 0.0 : std::stod(g.capability);
                    };
                    if (!known || version(o.gpu) == 0 || version(present) == 0 || version(o.gpu) < version(present)
                        || (present.fp8Tflops && !o.gpu.fp8Tflops)
                        || (version(o.gpu) == 12 && (version(present) == 9 || version(present) == 10))
                        || o.gpu.model.starts_with("GH200") != present.model.starts_with("GH200"))
                        continue;
                    if (linked && (!o.gpu.nvlinkGbs || !present.nvlinkGbs || *o.gpu.nvlinkGbs < *present.nvlinkGbs))
                        continue;
                    const double share = static_cast<double>(ranked(activity, 95)) * 1.2 / 100;
                    if (ranked(memory, 99) * 1200 > o.gpu.memoryMib * 930
                        || *present.fp16Tflops * share > *o.gpu.fp16Tflops
                        || (inference && *present.bandwidthGbs * share > *o.gpu.bandwidthGbs))
                        continue;
                    for (const auto &[load, ticks] : loads) {
                        const bool fits = load.memory * kRightSizeMemoryUnit * 100 <= o.gpu.memoryMib * 93
                            && *present.fp16Tflops * load.activity <= *o.gpu.fp16Tflops * 100
                            && (!inference || *present.bandwidthGbs * load.activity <= *o.gpu.bandwidthGbs * 100);
                        small += fits ? 0 : ticks;
                    }
                    QCOMPARE(tooSmallTicks(o.gpu, present, loads, inference), small);
                } else if (o.gpus >= presentGpus) {
                    continue;
                }
                const auto all = static_cast<std::int64_t>(memory.size()) * kHourTicks;
                if (o.gpus < used || small * 100 > all * (tier == WorkTier::Production ? 1 : 5))
                    continue;
                if (!best || o.perHour.nanosPerHour() < best->perHour.nanosPerHour()
                    || (o.perHour == best->perHour && o.gpus < best->gpus))
                    best = &o;
            }
            const RightSizeNeed need = rightSizeNeed(loads, present, inference, linked);
            QCOMPARE(cheapestFit(offers, present, presentGpus, used, need, loads, mostTooSmallPermille(tier)), best);
            found += best ? 1 : 0;
        }
        QVERIFY2(found > 50 && found < 550, qPrintable(QString::number(found)));
    }

    void capabilitiesAreNoLadder()
    {
        const auto replaces = [](const char *capability, const char *present) {
            return hasFeatures(gpu("new", 80, 1, capability), gpu("old", 80, 1, present), false);
        };
        QVERIFY(replaces("8.9", "8.0") && replaces("9.0", "8.9") && replaces("10.3", "9.0") && replaces("12.0", "8.9"));
        QVERIFY(!replaces("12.0", "9.0") && !replaces("12.1", "10.0") && !replaces("12.0", "10.3"));
        QVERIFY(!replaces("8.0", "8.6") && !replaces("9.0", "10.0"));
        const auto isSlow = [](const char *capability, const char *present) {
            return hasSlowDoubles(gpu("new", 80, 1, capability), gpu("old", 80, 1, present));
        };
        QVERIFY(isSlow("8.6", "8.0") && isSlow("8.9", "9.0") && isSlow("12.0", "8.0"));
        QVERIFY(!isSlow("9.0", "8.0") && !isSlow("8.9", "8.6") && !isSlow("10.0", "9.0") && !isSlow("", "8.0"));
    }

    void hostsKeepTheirArchitecture()
    {
        QVERIFY(isArm("GH200") && isArm("GB200") && isArm("GB300") && isArm("T4G") && isArm("GH200 144GB"));
        QVERIFY(!isArm("H200") && !isArm("T4") && !isArm("B200") && !isArm("GH2000") && !isArm(""));
        RightSizeLoads loads;
        addLoad(loads, 8, 10, 10);
        const std::vector<RightSizeOffer> offers{offer("g5g", gpu("T4G", 16, 65, "7.5"), 1, 0.4),
                                                 offer("g4dn", gpu("T4", 16, 65, "7.5"), 1, 0.5)};
        const auto chosen = [&](const char *present) {
            const RightSizeGpu old = gpu(present, 32, 100, "7.5");
            const auto *fit = cheapestFit(offers, old, 1, 1, rightSizeNeed(loads, old, false, false), loads,
                                          mostTooSmallPermille(WorkTier::Production));
            return fit ? fit->instanceType : std::string();
        };
        QCOMPARE(chosen("V100"), std::string("g4dn"));
        QCOMPARE(chosen("GH200"), std::string("g5g"));
    }

    void nominalMemoryIsNotAllUsable()
    {
        const RightSizeGpu card = gpu("L4", 24, 121, "8.9"); // 22855 MiB usable
        RightSizeNeed need;
        need.tflops = 1;
        need.memory = 22855;
        QVERIFY(holdsNeed(card, a100(), need));
        need.memory = 22856;
        QVERIFY(!holdsNeed(card, a100(), need));
        QVERIFY(holdsNeed(card, card, need));
        RightSizeLoads loads;
        addLoad(loads, 23, 1, 2);
        addLoad(loads, 22, 1, 3);
        QCOMPARE(tooSmallTicks(card, a100(), loads, false), 2 * kHourTicks);
    }

    void slicesAreTheSmallestThatHold()
    {
        const auto sliceOf = [](std::int64_t gib, int activity) {
            RightSizeLoads loads;
            addLoad(loads, gib, activity, 1);
            const auto part = smallestSlice(a100(), rightSizeNeed(loads, a100(), false, false));
            return part ? part->profile : std::string();
        };
        QCOMPARE(sliceOf(8, 11), std::string("1g.10gb")); // 9.6 GiB, 13.2 % of 14.3 %
        QCOMPARE(sliceOf(9, 11), std::string("1g.20gb"));
        QCOMPARE(sliceOf(8, 12), std::string("2g.20gb")); // 14.4 %
        QCOMPARE(sliceOf(30, 20), std::string("3g.40gb"));
        QCOMPARE(sliceOf(30, 45), std::string("4g.40gb"));
        QCOMPARE(sliceOf(34, 1), std::string());
        RightSizeLoads loads;
        addLoad(loads, 1, 1, 1);
        QVERIFY(!smallestSlice(gpu("T4", 16, 65, "7.5"), rightSizeNeed(loads, a100(), false, false)));
    }

    void packedCardsAreLayoutsThatExist()
    {
        const std::array<MigPart, 5> kinds{
            {{"1g.10gb", 1, 1}, {"1g.20gb", 1, 2}, {"2g.20gb", 2, 2}, {"3g.40gb", 3, 4}, {"4g.40gb", 4, 4}}};
        SeededRandom random(11, 0);
        for (int round = 0; round < 500; ++round) {
            std::vector<MigPart> slices;
            for (std::int64_t i = 1 + random.below(14); i > 0; --i)
                slices.push_back(kinds[static_cast<std::size_t>(random.below(5))]);
            const auto layouts = packedSlices(a100(), slices);
            std::multiset<std::string> placed, wanted;
            for (const MigPart &slice : slices)
                wanted.insert(slice.profile);
            for (const std::string &layout : layouts) {
                std::vector<MigPart> parts;
                for (const QString &name : QString::fromStdString(layout).split(QStringLiteral(", "))) {
                    parts.push_back(*std::find_if(kinds.begin(), kinds.end(), [&](const MigPart &kind) {
                        return kind.profile == name.toStdString();
                    }));
                    placed.insert(parts.back().profile);
                }
                int compute = 0;
                for (const MigPart &part : parts)
                    compute += part.compute;
                QVERIFY2(compute <= 7 && canPlace(parts, 0, 0), layout.c_str());
            }
            QVERIFY(placed == wanted);
        }
    }

    // Each slice, largest first, is on the first card with room for it.
    void packedCardsAreThoseOfTheFirstFit()
    {
        const std::array<MigPart, 5> kinds{
            {{"1g.10gb", 1, 1}, {"1g.20gb", 1, 2}, {"2g.20gb", 2, 2}, {"3g.40gb", 3, 4}, {"4g.40gb", 4, 4}}};
        SeededRandom random(12, 0);
        for (int round = 0; round < 100; ++round) {
            std::vector<MigPart> slices;
            for (std::int64_t i = 1 + random.below(150); i > 0; --i)
                slices.push_back(kinds[static_cast<std::size_t>(random.below(5))]);
            const auto layouts = packedSlices(a100(), slices);
            std::stable_sort(slices.begin(), slices.end(), [](const MigPart &a, const MigPart &b) {
                return std::tuple(b.memory, b.compute, a.profile) < std::tuple(a.memory, a.compute, b.profile);
            });
            std::vector<std::pair<int, int>> rooms; // compute and memory slices that are left
            std::vector<std::string> expected;
            for (const MigPart &slice : slices) {
                auto room = std::find_if(rooms.begin(), rooms.end(), [&](const auto &one) {
                    return one.first >= slice.compute && one.second >= slice.memory;
                });
                if (room == rooms.end()) {
                    room = rooms.insert(rooms.end(), {7, 8});
                    expected.emplace_back();
                }
                room->first -= slice.compute;
                room->second -= slice.memory;
                std::string &layout = expected[static_cast<std::size_t>(room - rooms.begin())];
                layout += (layout.empty() ? "" : ", ") + slice.profile;
            }
            QVERIFY(layouts == expected);
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestRightSizeFit)

} // namespace tst_rightsizefit

#include "tst_rightsizefit.moc"

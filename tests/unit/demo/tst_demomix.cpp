// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/pricebook.h"
#include "connectors/connectorregistry.h"
#include "connectors/demo/demosource.h"
#include "connectors/demo/fleet/teams.h"
#include "resources/resources.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"
#include "tests/unit/demo/demofacts.h"
#include "ui/format/phrases/phrase.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <thread>
#include <tuple>

namespace tst_demomix {

using namespace gpuledger;
using namespace gpuledger::tests;

// What the demo fleet looks like: mix of states, rhythm, traps and what is left behind.
class DemoMixTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hasABelievableMix()
    {
        const Facts &facts = fourWeeks();
        const Mix mix = mixOf(facts);
        qInfo(
            "%zu GPUs, %zu nodes, %zu holders, %llu samples: held %.1f %% of paid, idle %.1f %% of held, free %.1f %%, "
            "utilization %.1f %%",
            facts.devices.size(), facts.nodes.size(), facts.holders.size(),
            static_cast<unsigned long long>(facts.samples), 100 * mix.held() / mix.paid, 100 * mix.idle / mix.held(),
            100 * mix.free / mix.paid, 100 * mix.busySum / mix.held());
        std::map<std::string, std::set<std::string>> podsByKind;
        for (const auto &[key, h] : facts.holders)
            podsByKind[h.holder.ownerKind].insert(h.holder.nameSpace + '/' + h.holder.name);
        for (const auto &[kind, pods] : podsByKind) {
            const Mix part = mixOf(facts, [&pods = pods](const std::string &pod) { return pods.contains(pod); });
            qInfo("%-12s held %5.1f %%, idle %5.1f %%, utilization %5.1f %%", kind.c_str(),
                  100 * part.held() / mix.held(), 100 * part.idle / part.held(), 100 * part.busySum / part.held());
        }
        std::set<std::string> training;
        for (const auto &[key, h] : facts.holders) {
            if (h.holder.ownerKind == "Job" || h.holder.ownerKind == "PyTorchJob")
                training.insert(h.holder.nameSpace + '/' + h.holder.name);
        }
        const Mix trained = mixOf(facts, [&](const std::string &pod) { return training.contains(pod); });
        QVERIFY(mix.held() / mix.paid > 0.60 && mix.held() / mix.paid < 0.75);
        QVERIFY(mix.idle / mix.held() > 0.10 && mix.idle / mix.held() < 0.20);
        QVERIFY(mix.busySum / mix.held() > 0.60 && mix.busySum / mix.held() < 0.85);
        qInfo("training: utilization %.1f %%, idle %.1f %%", 100 * trained.busySum / trained.held(),
              100 * trained.idle / trained.held());
        QVERIFY(trained.busySum / trained.held() > 0.75 && trained.busySum / trained.held() < 0.90);
    }

    void followsDayAndWeek()
    {
        // Requests by night and by day of the team at UTC-5, Monday to Friday; and interactive use on weekends.
        const Facts &facts = fourWeeks();
        double night = 0, nights = 0, day = 0, days = 0, weekday = 0, weekend = 0;
        for (const auto &[key, buckets] : facts.series) {
            const std::string &pod = std::get<3>(key);
            const bool serving = pod.find("recsys/feed-ranker") == 0 || pod.find("recsys/home-rec") == 0
                || pod.find("recsys/similar-items") == 0 || pod.find("recsys/candidates") == 0;
            const bool people = pod.starts_with("ml-research/ablation-lab-") && pod != "ml-research/ablation-lab-0";
            for (const auto &[number, b] : buckets) {
                const std::int64_t hour = (number / 12 + 24 - 5) % 24;
                const std::int64_t weekdayNumber = (number / 288 + 3) % 7;
                if (serving && hour >= 1 && hour < 5) {
                    night += b.observed * model::shareToDouble(b.activity);
                    nights += b.observed;
                } else if (serving && hour >= 12 && hour < 20) {
                    day += b.observed * model::shareToDouble(b.activity);
                    days += b.observed;
                }
                if (people)
                    (weekdayNumber >= 5 ? weekend : weekday) += b.observed;
            }
        }
        QVERIFY(nights > 0 && days > 0);
        QVERIFY(day / days > 4 * night / nights);
        QVERIFY(weekday / 5 > 2 * weekend / 2);
    }

    // People work by day, jobs of one's own by night, and long training runs always.
    void keepsTheHoursOfItsPeople()
    {
        struct Hours {
            double day = 0, night = 0, weekday = 0, weekend = 0; // GPU-seconds of work
        };
        const Facts &facts = fourWeeks();
        std::map<std::string, std::string> kinds; // of owners, by pod
        for (const auto &[key, h] : facts.holders)
            kinds[h.holder.nameSpace + '/' + h.holder.name] = h.holder.ownerKind;
        std::map<std::string, Hours> work;
        for (const auto &[key, buckets] : facts.series) {
            const std::string &pod = std::get<3>(key);
            const auto team = std::find_if(demo::kTeams.begin(), demo::kTeams.end(), [&](const demo::Team &t) {
                return pod.starts_with(std::string(t.nameSpace) + '/');
            });
            if (team == demo::kTeams.end() || std::get<4>(key) == static_cast<int>(model::SeriesRole::CopyPerHolder))
                continue;
            for (Hours *hours : {&work[kinds[pod]], &work["all"]}) {
                for (const auto &[number, b] : buckets) {
                    const auto local = demo::localTime(*team, number * 300);
                    const double busy = b.observed * model::shareToDouble(b.activity);
                    (local.hour >= 8 && local.hour < 20 ? hours->day : hours->night) += busy;
                    (local.weekend ? hours->weekend : hours->weekday) += busy;
                }
            }
        }
        for (const auto &[kind, h] : work)
            qInfo("%-12s night/day %.2f, weekend/weekday %.2f", kind.c_str(), h.night / h.day,
                  h.weekend / 2 / (h.weekday / 5));
        const Hours &people = work.at("StatefulSet"), &batch = work.at("CronJob"), &endpoints = work.at("Deployment");
        QVERIFY(people.day > 4 * people.night);
        QVERIFY(people.weekday / 5 > 3 * people.weekend / 2);
        QVERIFY(batch.night > 1.5 * batch.day);
        QVERIFY(endpoints.day > 1.3 * endpoints.night);
        const Hours &jobs = work.at("PyTorchJob"), &all = work.at("all");
        QVERIFY(jobs.night > 0.7 * jobs.day);
        QVERIFY(all.weekend / 2 < 0.95 * all.weekday / 5);
        QVERIFY(all.weekend / 2 > 0.4 * all.weekday / 5);
    }

    void holdsWhatItSays()
    {
        // Holders have the time that their devices report, and never two at a time on an exclusive device.
        const Facts &facts = fourWeeks();
        const std::int64_t begin = base::toUnix(base::floorTo(kNow - 28 * base::kDay, base::kBucket)) / 300;
        std::map<std::pair<std::string, std::string>, std::vector<int>> seconds;
        for (const auto &[key, buckets] : facts.series) {
            const auto &[device, instance, node, pod, role] = key;
            if (role != static_cast<int>(model::SeriesRole::Slice))
                continue;
            auto &sums = seconds[{device, instance}];
            sums.resize(28 * 288);
            for (const auto &[number, b] : buckets)
                sums[static_cast<std::size_t>(number - begin)] += b.observed;
        }
        for (const auto &[key, sums] : seconds)
            QVERIFY(*std::max_element(sums.begin(), sums.end()) <= 300);
        for (const auto &[key, h] : facts.holders) {
            QVERIFY(h.seconds > 0);
            QCOMPARE(h.seen.length().count(), h.seconds);
            QVERIFY(*h.holder.startedAt <= h.seen.start);
            QVERIFY(!h.holder.completedAt || *h.holder.completedAt == h.seen.end);
            QVERIFY(facts.nodes.contains(h.holder.node));
        }
    }

    void hasEveryTrap()
    {
        const Facts &facts = fourWeeks();
        std::set<std::string> models, teams, environments, resources, kinds;
        int unlabelled = 0, byNamespace = 0, protectedOnes = 0;
        std::map<std::string, std::set<std::string>> uidsByName;
        for (const auto &[key, h] : facts.holders) {
            const bool pod = h.holder.labels.contains("team"), space = h.holder.namespaceLabels.contains("team");
            teams.insert(pod ? h.holder.labels.at("team") : space ? h.holder.namespaceLabels.at("team") : "unowned");
            unlabelled += !pod && !space;
            byNamespace += !pod && space;
            if (h.holder.labels.contains("env"))
                environments.insert(h.holder.labels.at("env"));
            const auto mark = h.holder.labels.find("gpuledger_io_protect");
            protectedOnes += mark != h.holder.labels.end() && mark->second == "true";
            for (const auto &[resource, count] : h.holder.gpuRequests)
                resources.insert(resource);
            kinds.insert(h.holder.ownerKind);
            uidsByName[h.holder.nameSpace + '/' + h.holder.name].insert(h.holder.uid);
        }
        for (const auto &[uuid, d] : facts.devices)
            models.insert(d.model);
        QCOMPARE(teams.size(), std::size_t{8});
        QVERIFY(unlabelled > 10 && byNamespace > 10 && protectedOnes >= 2);
        QCOMPARE(environments, (std::set<std::string>{"dev", "prod", "staging"}));
        QCOMPARE(kinds, (std::set<std::string>{"", "CronJob", "Deployment", "Job", "PyTorchJob", "StatefulSet"}));
        QCOMPARE(resources,
                 (std::set<std::string>{"amd_com_gpu", "nvidia_com_gpu", "nvidia_com_gpu_shared",
                                        "nvidia_com_mig_1g_5gb", "nvidia_com_mig_2g_10gb", "nvidia_com_mig_3g_20gb"}));
        for (const char *name : {"NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-80GB",
                                 "Tesla V100-SXM2-32GB", "NVIDIA L4", "AMD Instinct MI300X", "Tesla P40"})
            QVERIFY2(models.contains(name), name);
        // A notebook that was recreated under its name is another pod.
        QVERIFY(std::any_of(uidsByName.begin(), uidsByName.end(), [](const auto &p) { return p.second.size() > 5; }));
        sharesDevices(facts);
        losesTelemetry(facts);
    }

    void isPricedButForOneModel()
    {
        const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value());
        const auto book = ledger::PriceBook::create({}, base::Currency::usd(),
                                                    resources::find("prices/instances.csv").value(), catalog.value());
        const Facts &facts = fourWeeks();
        std::set<std::string> unpriced, exact;
        for (const auto &[uuid, device] : facts.devices) {
            const model::Node &node = facts.nodes.at(facts.nodeOfDevice.at(uuid));
            const auto price = book->priceOf(device, &node, kNow);
            if (!price)
                unpriced.insert(device.model);
            else if (price->source.starts_with("price book") && !price->source.ends_with(')'))
                exact.insert(node.instanceType);
        }
        QCOMPARE(unpriced, std::set<std::string>{"Tesla P40"});
        QCOMPARE(exact,
                 (std::set<std::string>{"a2-highgpu-4g", "g2-standard-48", "g2-standard-96", "p4d.24xlarge",
                                        "p5.48xlarge"}));
    }

    void leavesThingsBehind_data()
    {
        QTest::addColumn<QString>("now");
        for (const char *now : {"2026-10-14T13:20:00Z", "2026-01-01T00:00:00Z", "2026-03-08T23:55:00Z",
                                "2026-06-30T06:10:00Z", "2026-11-21T11:00:00Z", "2027-02-28T17:35:00Z"})
            QTest::newRow(now) << QString::fromLatin1(now);
    }
    void leavesThingsBehind()
    {
        QFETCH(QString, now);
        const base::UtcTime end = at(now.toStdString());
        const Facts facts = fetched(end, {end - 2 * base::kDay, end});
        int seventyGib = 0, notebooks = 0, endpoints = 0, hung = 0, unknown = 0;
        const auto lastHour = recent(facts, end, 1);
        const auto lastDay = recent(facts, end, 24);
        for (const auto &[pod, r] : recent(facts, end, 12)) {
            const bool seen = lastHour.at(pod).observed >= 0.9;
            unknown += lastHour.at(pod).idle && !seen;
            seventyGib += r.idle && r.observed > 0.9 && r.memory == 70 * 1024;
            notebooks += r.idle && seen && pod.ends_with("-0") && pod.find("ml-research/") == 0;
            endpoints += lastDay.at(pod).idle && lastDay.at(pod).observed > 0.9
                && (pod.find("demo-endpoint") != std::string::npos || pod.find("thumbnailer-v1") != std::string::npos);
        }
        // The hung job holds memory and draws power far above idle, but its SMs do nothing.
        for (const auto &[key, buckets] : facts.series) {
            const model::UsageBucket &last = buckets.back().second;
            hung += buckets.back().first >= base::toUnix(end) / 300 - 12 && !std::get<3>(key).empty()
                && last.signal == model::ActivitySignal::SmActive && last.activity < 300 && last.activity > 60
                && last.powerDeciwatt > 1500 && last.powerDeciwatt != model::kNoPower;
        }
        QVERIFY(seventyGib >= 1);
        QVERIFY(notebooks >= 1);
        QVERIFY(endpoints >= 1);
        QVERIFY(hung >= 2);
        QVERIFY(unknown >= 1);
    }

    void holdsRentedMachinesWhole_data() { leavesThingsBehind_data(); }
    void holdsRentedMachinesWhole()
    {
        QFETCH(QString, now);
        const base::UtcTime end = at(now.toStdString());
        const Facts facts =
            fetched(end, {end - base::kDay / 2, end}, {{"gpus", "56"}, {"days", "2"}, {"held-whole", "1"}});
        QCOMPARE(facts.devices.size(), std::size_t{81});
        struct Machine {
            std::set<std::string> devices, held;
            std::set<std::string> pods;
            bool isIdle = true;
        };
        std::map<std::string, Machine> machines;
        const std::int64_t last = base::toUnix(end) / 300;
        for (const auto &[key, buckets] : facts.series) {
            const auto &[device, instance, node, pod, role] = key;
            Machine &machine = machines[node];
            machine.devices.insert(device);
            if (pod.empty() || buckets.back().first < last - 12)
                continue;
            machine.held.insert(device);
            machine.pods.insert(pod);
            for (const auto &[number, b] : buckets)
                machine.isIdle = machine.isIdle && model::shareToDouble(b.activity) < kIdleThreshold;
        }
        int whole = 0; // at times one of them has just begun again
        for (const auto &[name, pods] :
             std::map<std::string, std::size_t>{{"gpu-a100-0002", 1}, {"gpu-a10g-0001", 1}, {"l4-old-0001", 2}}) {
            const Machine &machine = machines.at(name);
            whole += machine.isIdle && machine.held == machine.devices && machine.pods.size() == pods;
        }
        QVERIFY2(whole >= 2, std::to_string(whole).c_str());
    }

    // Two machines of jobs that write checkpoints, one of them a spot machine, and an endpoint that is small for its
    // GPU but not idle.
    void rentsMachinesForOneWorkloadEach()
    {
        const base::UtcTime end = at("2026-10-14"); // a Wednesday: the endpoint is taken down at the end of the week
        const Facts facts = fetched(end, {end - base::kDay, end}, {{"gpus", "56"}, {"days", "2"}, {"held-whole", "1"}});
        const auto mostly = [&](const std::string &wanted, const char *workload, std::uint16_t devices) {
            std::set<std::string> held;
            std::int64_t seconds = 0;
            double least = 1, most = 0, memory = 0;
            for (const auto &[key, buckets] : facts.series) {
                const auto &[device, instance, node, pod, role] = key;
                if (node != wanted || pod.find(workload) == std::string::npos)
                    continue;
                held.insert(device);
                for (const auto &[number, b] : buckets) {
                    seconds += b.observed;
                    least = std::min(least, model::shareToDouble(b.activity));
                    most = std::max(most, model::shareToDouble(b.activity));
                    memory = std::max(memory, static_cast<double>(b.memoryMaxMib));
                }
            }
            const bool isHeld = held.size() == devices && seconds > devices * base::kDay.count() * 8 / 10;
            return std::tuple(isHeld, least, most, memory);
        };
        QVERIFY(std::get<0>(mostly("gpu-a10g-train-0001", "ads/ctr-distill-", 4)));
        QVERIFY(std::get<0>(mostly("gpu-a10g-train-0002", "ads/bid-distill-", 4)));
        const auto [isHeld, least, most, memory] = mostly("a2-embed-0001", "llm-platform/embeddings-mini-", 1);
        QVERIFY(isHeld && least > kIdleThreshold && most < 0.13 && memory < 0.25 * 40960);
        int labelled = 0;
        for (const auto &[key, h] : facts.holders) {
            if (const auto every = h.holder.labels.find("gpu_ledger_io_checkpoint_every");
                every != h.holder.labels.end()) {
                QVERIFY(h.holder.node.starts_with("gpu-a10g-train-") && every->second == "30m");
                ++labelled;
            }
        }
        QVERIFY(labelled >= 2);
    }

    // Every few days for some minutes: its pod ends with the reason, and the next one of the same job begins with the
    // machine that takes its name.
    void theSpotMachineIsTakenAway()
    {
        const base::UtcTime end = at("2026-10-14");
        const TimeRange range{end - 28 * base::kDay, end};
        const std::map<std::string, std::string> options{{"gpus", "56"}, {"days", "28"}, {"held-whole", "1"}};
        const Facts facts = fetched(end, range, options);
        const std::string spot = "gpu-a10g-train-0002";
        QCOMPARE(facts.nodes.at(spot).labels.at("eks_amazonaws_com_capacityType"), std::string("SPOT"));
        std::vector<const Facts::HolderFacts *> pods;
        for (const auto &[key, h] : facts.holders) {
            if (h.holder.node == spot)
                pods.push_back(&h);
            else
                QVERIFY(!h.holder.endReason);
        }
        std::sort(pods.begin(), pods.end(), [](const auto *a, const auto *b) { return a->seen.start < b->seen.start; });
        int cut = 0;
        base::Seconds away{0};
        for (std::size_t i = 0; i + 1 < pods.size(); ++i) {
            const Facts::HolderFacts &one = *pods[i], &next = *pods[i + 1];
            QVERIFY(one.seen.end <= next.seen.start && one.holder.uid != next.holder.uid);
            if (!one.holder.endReason)
                continue;
            QVERIFY(*one.holder.endReason == model::EndReason::NodeShutdown && !one.holder.completedAt);
            const base::Seconds gap = next.seen.start - one.seen.end;
            if (one.holder.ownerName == next.holder.ownerName) {
                QVERIFY(gap == base::Seconds{600} || gap == base::Seconds{900});
                QVERIFY(one.holder.name != next.holder.name);
                away += gap;
                ++cut;
            }
        }
        QVERIFY2(cut >= 7 && cut <= 10, std::to_string(cut).c_str());
        QCOMPARE(facts.nodeSeconds.at("gpu-a10g-train-0001"), range.length().count());
        const std::int64_t gone = range.length().count() - facts.nodeSeconds.at(spot);
        QVERIFY(gone >= away.count() && gone <= 10 * 900);
        // The same however it is fetched, also if that is cut while the machine is away.
        std::vector<base::UtcTime> cuts;
        for (const Facts::HolderFacts *one : pods) {
            if (one->holder.endReason && one->seen.end + base::kBucket < end)
                cuts.push_back(one->seen.end + base::kBucket);
        }
        const Facts pieces = fetched(end, range, options, cuts);
        QVERIFY(pieces.holders == facts.holders && pieces.nodeSeconds == facts.nodeSeconds);
        QVERIFY(pieces.series == facts.series);
    }

    void theOthersAreTheSameWithoutThem()
    {
        const TimeRange range{at("2026-10-12"), at("2026-10-13")};
        const Facts with = fetched(kNow, range, {{"gpus", "56"}, {"held-whole", "1"}});
        const Facts without = fetched(kNow, range, {{"gpus", "56"}});
        QCOMPARE(without.devices.size(), std::size_t{56});
        for (const auto &[key, buckets] : without.series)
            QVERIFY2(with.series.contains(key) && with.series.at(key) == buckets, std::get<3>(key).c_str());
    }

private:
    static void sharesDevices(const Facts &facts)
    {
        std::map<std::pair<std::string, std::int64_t>, std::set<int>> copies;
        std::map<std::pair<std::string, std::int64_t>, int> sharers;
        int slices = 0;
        for (const auto &[key, buckets] : facts.series) {
            slices += !std::get<1>(key).empty();
            if (std::get<4>(key) != static_cast<int>(model::SeriesRole::CopyPerHolder))
                continue;
            for (const auto &[number, b] : buckets) {
                copies[{std::get<0>(key), number}].insert(b.activity);
                ++sharers[{std::get<0>(key), number}];
            }
        }
        QVERIFY(slices > 24);
        QVERIFY(!copies.empty());
        for (const auto &[key, values] : copies)
            QCOMPARE(values.size(), std::size_t{1});
        QVERIFY(std::any_of(sharers.begin(), sharers.end(), [](const auto &s) { return s.second >= 3; }));
        for (const auto &[uuid, d] : facts.devices) {
            std::int64_t sevenths = 0;
            for (const model::MigSlice &slice : d.slices)
                sevenths += slice.fraction.part;
            QVERIFY(sevenths == 0 || sevenths == 6); // one seventh is stranded
        }
    }

    static void losesTelemetry(const Facts &facts)
    {
        // A node of prod-us was silent for hours at a stretch, with pods on it.
        std::map<std::string, std::set<std::int64_t>> heard;
        for (const auto &[key, buckets] : facts.series) {
            for (const auto &[number, b] : buckets)
                heard[std::get<2>(key)].insert(number);
        }
        std::int64_t longest = 0;
        for (const auto &[node, numbers] : heard) {
            std::int64_t previous = *numbers.begin();
            for (const std::int64_t n : numbers) {
                longest = std::max(longest, n - previous - 1);
                previous = n;
            }
        }
        QVERIFY(longest >= 5 * 12 && longest <= 12 * 12);
    }
};

GPULEDGER_PLAIN_SUITE(DemoMixTest)

} // namespace tst_demomix

#include "tst_demomix.moc"

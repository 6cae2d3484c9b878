// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/pricebook.h"
#include "connectors/connectorregistry.h"
#include "connectors/demo/demosource.h"
#include "connectors/demo/teams.h"
#include "resources/resources.h"
#include "tests/support/nosecrets.h"
#include "tests/support/suite.h"
#include "ui/format/phrase.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <thread>
#include <tuple>

using namespace gpuledger;
using base::TimeRange;
using ports::FactBatch;

namespace {

constexpr double kIdleThreshold = 0.05;

base::UtcTime at(std::string_view text)
{
    return base::parseTime(text).value();
}

// Facts by their natural keys, so that batches cut in any way can be compared.
class Facts final : public ports::FactSink {
public:
    using SeriesKey = std::tuple<std::string, std::string, std::string, std::string, int>; // device … role
    struct HolderFacts {
        model::Holder holder;
        std::int64_t seconds = 0;
        TimeRange seen;
        bool operator==(const HolderFacts &o) const
        {
            return holder.labels == o.holder.labels && holder.namespaceLabels == o.holder.namespaceLabels
                && holder.ownerKind == o.holder.ownerKind && holder.ownerName == o.holder.ownerName
                && holder.node == o.holder.node && holder.startedAt == o.holder.startedAt
                && holder.gpuRequests == o.holder.gpuRequests && holder.completedAt == o.holder.completedAt
                && seconds == o.seconds && seen == o.seen;
        }
    };

    using Track = std::vector<std::pair<std::int64_t, model::UsageBucket>>; // ascending
    std::map<SeriesKey, Track> series;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, HolderFacts> holders; // by natural key
    std::map<std::string, model::Device> devices;
    std::map<std::string, model::Node> nodes;
    std::map<std::string, std::int64_t> nodeSeconds;
    std::map<std::string, std::string> nodeOfDevice;
    std::map<model::HourSignal, std::vector<std::int64_t>> signals; // values
    std::uint64_t samples = 0;
    int batches = 0;
    base::UtcTime doneTo{};

    base::Result<void> accept(FactBatch batch) override
    {
        ++batches;
        for (const auto &d : batch.devices)
            devices[d.uuid] = d;
        for (const auto &n : batch.nodes)
            nodes[n.name] = n;
        for (const auto &s : batch.nodeSpans)
            nodeSeconds[batch.nodes[s.node].name] += s.range.length().count();
        for (const auto &span : batch.holderSpans) {
            const model::Holder &h = batch.holders[span.holder];
            auto [it, fresh] = holders.try_emplace({h.cluster, h.nameSpace, h.name, h.uid}, HolderFacts{h, 0, h.seen});
            HolderFacts &known = it->second;
            known.seconds += span.range.length().count();
            if (h.completedAt)
                known.holder.completedAt = h.completedAt;
            known.seen = {std::min(known.seen.start, h.seen.start), std::max(known.seen.end, h.seen.end)};
            if (!batch.covered.contains(span.range.start) || span.range.end > batch.covered.end)
                qFatal("a span lies outside its batch");
        }
        for (const auto &s : batch.series)
            addSeries(batch, s);
        for (const auto &s : batch.signals) {
            const base::UtcTime start = base::fromUnix(s.hour.hour * 3600);
            if (start >= batch.covered.end || start + base::Seconds{s.hour.seconds} > batch.covered.end
                || s.hour.seconds <= 0 || s.hour.seconds > 3600)
                qFatal("a signal lies outside its batch");
            signals[s.signal].push_back(s.hour.value);
        }
        return {};
    }
    void progress(const ports::FetchProgress &progress) override { doneTo = progress.doneTo; }

private:
    void addSeries(const FactBatch &batch, const FactBatch::Series &s)
    {
        const bool held = s.subject != FactBatch::kNone;
        const std::string pod =
            held ? batch.subjects[s.subject].nameSpace + '/' + batch.subjects[s.subject].name : std::string();
        nodeOfDevice[batch.devices[s.device].uuid] = batch.nodes[s.node].name;
        auto &track = series[{batch.devices[s.device].uuid, s.gpuInstance, batch.nodes[s.node].name, pod,
                              static_cast<int>(s.role)}];
        if (s.buckets.size() != s.bucketNumbers.size() || s.buckets.empty())
            qFatal("a series is not parallel");
        for (std::size_t i = 0; i < s.buckets.size(); ++i) {
            const base::UtcTime start = base::fromUnix(s.bucketNumbers[i] * 300);
            if (!batch.covered.contains(start) || (!track.empty() && track.back().first >= s.bucketNumbers[i]))
                qFatal("a bucket is out of order, outside its batch or there twice");
            track.emplace_back(s.bucketNumbers[i], s.buckets[i]);
        }
        samples += s.buckets.size();
    }
};

Facts fetched(base::UtcTime now, TimeRange range, std::map<std::string, std::string> options = {},
              const std::vector<base::UtcTime> &cuts = {})
{
    const base::FrozenClock clock(now);
    model::SourceSettings settings;
    settings.name = "demo";
    settings.kind = "demo";
    settings.options = std::move(options);
    auto source = demo::DemoSource::create(settings, clock);
    if (!source)
        qFatal("%s", source.error().text.c_str());
    Facts facts;
    base::UtcTime from = range.start;
    std::vector<base::UtcTime> ends = cuts;
    ends.push_back(range.end);
    for (const base::UtcTime end : ends) {
        if (const auto done = (*source)->fetch({from, end}, facts, {}); !done)
            qFatal("%s", done.error().text.c_str());
        from = end;
    }
    return facts;
}

// GPU-seconds by state, summed here from nothing but the series.
struct Mix {
    double paid = 0, active = 0, idle = 0, free = 0, busySum = 0;
    double held() const { return active + idle; }
};

Mix mixOf(const Facts &facts, const std::function<bool(const std::string &)> &wanted = nullptr)
{
    Mix mix;
    for (const auto &[node, seconds] : facts.nodeSeconds) {
        for (const auto &[device, home] : facts.nodeOfDevice)
            mix.paid += home == node ? static_cast<double>(seconds) : 0;
    }
    for (const auto &[key, buckets] : facts.series) {
        const auto &[device, instance, node, pod, role] = key;
        if (role == static_cast<int>(model::SeriesRole::CopyPerHolder) || (wanted && !wanted(pod)))
            continue;
        double part = 1;
        for (const model::MigSlice &slice : facts.devices.at(device).slices) {
            if (slice.gpuInstance == instance)
                part = static_cast<double>(slice.fraction.part) / static_cast<double>(slice.fraction.of);
        }
        for (const auto &[number, b] : buckets) {
            const double activity = model::shareToDouble(b.activity);
            const double seconds = part * b.observed;
            (pod.empty() ? mix.free : activity < kIdleThreshold ? mix.idle : mix.active) += seconds;
            mix.busySum += pod.empty() ? 0 : activity * seconds;
        }
    }
    return mix;
}

const base::UtcTime kNow = at("2026-10-14T13:20:00Z");

const Facts &fourWeeks()
{
    static const Facts facts = fetched(kNow, {kNow - 28 * base::kDay, kNow});
    return facts;
}

// The last `hours` of a pod's devices: whether it was below the threshold throughout, and the observed share.
struct Recent {
    bool idle = true;
    double observed = 0;
    std::uint32_t memory = 0;
    int devices = 0;
};

std::map<std::string, Recent> recent(const Facts &facts, base::UtcTime now, int hours)
{
    std::map<std::string, Recent> out;
    const std::int64_t last = base::toUnix(now) / 300, first = last - hours * 12;
    for (const auto &[key, buckets] : facts.series) {
        const std::string &pod = std::get<3>(key);
        if (pod.empty() || buckets.back().first < last - 12)
            continue;
        Recent &r = out[pod];
        double seconds = 0;
        for (const auto &[number, b] : buckets) {
            if (number < first)
                continue;
            seconds += b.observed;
            r.idle = r.idle && model::shareToDouble(b.activity) < kIdleThreshold;
            r.memory = std::max(r.memory, b.memoryMaxMib);
        }
        r.observed = std::max(r.observed, seconds / (hours * 3600.0));
        ++r.devices;
    }
    return out;
}

} // namespace

class DemoSourceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isTheSameForAnyChunking()
    {
        const TimeRange range{at("2026-10-01T07:05:00Z"), at("2026-10-04T18:40:00Z")};
        const Facts whole = fetched(kNow, range);
        const Facts cut = fetched(kNow, range, {},
                                  {at("2026-10-01T07:10:00Z"), at("2026-10-02T00:00:00Z"), at("2026-10-03T11:55:00Z")});
        QVERIFY(whole.samples > 300'000);
        QVERIFY(whole.series == cut.series);
        QVERIFY(whole.holders == cut.holders);
        QVERIFY(whole.nodeSeconds == cut.nodeSeconds);
    }

    void isTheSameForAnyNow()
    {
        const TimeRange range{at("2026-10-01T00:00:00Z"), at("2026-10-03T00:00:00Z")};
        const Facts early = fetched(at("2026-10-03T00:00:00Z"), range);
        const Facts late = fetched(at("2026-11-20T04:13:09Z"), range);
        QVERIFY(early.series == late.series);
        QVERIFY(early.holders == late.holders);
    }

    // Something waits for input, something doesn't, and an endpoint serves nothing.
    void tellsWhyItIdles()
    {
        const Facts facts = fetched(kNow, {kNow - 3 * base::kDay, kNow});
        const auto &pcie = facts.signals.at(model::HourSignal::PcieBytes);
        QVERIFY(std::any_of(pcie.begin(), pcie.end(), [](std::int64_t v) { return v > 20'000'000; }));
        QVERIFY(std::any_of(pcie.begin(), pcie.end(), [](std::int64_t v) { return v < 1'000'000; }));
        const auto &requests = facts.signals.at(model::HourSignal::Requests);
        QVERIFY(std::count(requests.begin(), requests.end(), 0) >= 24);
    }

    void dependsOnTheSeed()
    {
        const TimeRange range{at("2026-10-01"), at("2026-10-02")};
        const Facts one = fetched(kNow, range, {{"seed", "1"}});
        const Facts again = fetched(kNow, range, {{"seed", "1"}});
        const Facts two = fetched(kNow, range, {{"seed", "2"}});
        QVERIFY(one.series == again.series);
        QVERIFY(one.series != two.series);
    }

    void honoursTheWindow()
    {
        // Nothing before 60 days ago and nothing after now, whatever range is requested.
        const Facts facts = fetched(kNow, {kNow - 90 * base::kDay, base::ceilTo(kNow + base::kDay, base::kDay)},
                                    {{"gpus", "1"}, {"days", "2"}});
        QVERIFY(facts.doneTo == base::ceilTo(kNow + base::kDay, base::kDay));
        std::int64_t first = INT64_MAX, last = 0;
        for (const auto &[key, buckets] : facts.series) {
            first = std::min(first, buckets.front().first);
            last = std::max(last, buckets.back().first);
        }
        QVERIFY(base::fromUnix(first * 300) == at("2026-10-12"));
        QVERIFY(base::fromUnix(last * 300 + 300) == kNow);
        const base::FrozenClock clock(kNow);
        demo::DemoSource source("demo", {}, clock);
        Facts sink;
        QVERIFY(source.fetch({kNow + base::Seconds{1}, kNow + base::kDay}, sink, {}).error().code
                == base::ErrorCode::InvalidArgument);
    }

    void scalesWithTheOption()
    {
        for (const int gpus : {100, 1000}) {
            const Facts facts =
                fetched(kNow, {at("2026-10-13"), at("2026-10-13T01:00:00Z")}, {{"scale", std::to_string(gpus)}});
            QVERIFY(facts.devices.size() >= static_cast<std::size_t>(gpus));
            QVERIFY(facts.devices.size() < static_cast<std::size_t>(gpus) + 8);
        }
    }

    void refusesWrongOptions()
    {
        const base::FrozenClock clock(kNow);
        const std::map<std::string, std::string> wrong[] = {
            {{"gpus", "0"}}, {{"gpus", "many"}}, {{"days", "-1"}}, {{"seed", ""}}, {{"colour", "red"}}};
        for (const auto &options : wrong) {
            model::SourceSettings settings;
            settings.options = options;
            const auto made = demo::DemoSource::create(settings, clock);
            QVERIFY(!made);
            QVERIFY(made.error().code == base::ErrorCode::InvalidConfig);
        }
    }

    void stopsAtOnce()
    {
        const base::FrozenClock clock(kNow);
        demo::DemoSource source("demo", {1, 10'000, 60}, clock);
        Facts sink;
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::jthread asker([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const auto done = source.fetch({kNow - base::kDay, kNow}, sink, stop.get_token());
        const auto ended = std::chrono::steady_clock::now();
        asker.join();
        QVERIFY(done.error().code == base::ErrorCode::Cancelled);
        QVERIFY(ended - asked < std::chrono::milliseconds(200));
        QVERIFY(source.probe(stop.get_token()).error().code == base::ErrorCode::Cancelled);
    }

    void isReachedThroughTheRegistry()
    {
        tests::NoSecrets secrets;
        const base::FrozenClock clock(kNow);
        const auto catalog = connectors::makeSourceCatalog();
        model::SourceSettings settings;
        settings.name = "show";
        settings.kind = "demo";
        auto source = catalog->create(settings, {}, secrets, clock);
        QVERIFY(source);
        QCOMPARE((*source)->name(), std::string("show"));
        const auto report = (*source)->probe({});
        QVERIFY(report && report->usable);
        QVERIFY(ui::textOf(report->findings.front()).english().find("3 clusters, 92 days") != std::string::npos);
        settings.kind = "crystal-ball";
        QVERIFY(catalog->create(settings, {}, secrets, clock).error().code == base::ErrorCode::Unsupported);
    }

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
                                 "Tesla V100-SXM2-32GB", "NVIDIA L4", "AMD Instinct MI300X", "NVIDIA TITAN RTX"})
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
        QCOMPARE(unpriced, std::set<std::string>{"NVIDIA TITAN RTX"});
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

GPULEDGER_PLAIN_SUITE(DemoSourceTest)
#include "tst_demosource.moc"

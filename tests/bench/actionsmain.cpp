// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-action-bench: what stopping costs against a cluster whose every answer takes 20 ms (tests/support/
// kubeserver.py, a fake), and what it costs to watch 10,000 pods; JSON on stdout. gpuledger-bench runs it.
#include "app/actions/planner.h"
#include "app/actions/runner.h"
#include "app/store/ledgerstore.h"
#include "connectors/kubernetes/watchcache.h"
#include "tests/bench/figure.h"
#include "tests/unit/kubernetes/kubetest.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

namespace gpuledger::bench {

namespace {

constexpr double kLatency = 0.02; // seconds of each answer

[[noreturn]] void give(const char *what, const std::string &why)
{
    std::fprintf(stderr, "bench: %s: %s\n", what, why.c_str());
    std::exit(1);
}

// One cluster, whose telemetry says at once that everything is quiet: the platform's own time is measured.
class BenchWorld final : public actions::ActionEnvironment {
public:
    explicit BenchWorld(ports::ActionTarget &target)
        : m_target(target)
    {
        m_settings.actions.maxPerAction = m_settings.actions.maxPerHour = 1000;
        m_settings.actions.maxTeamShare = 1;
    }
    std::string add(const tests::Json &pod)
    {
        insight::IdleItem item;
        item.name = pod["metadata"]["name"];
        item.nameSpace = "ml";
        item.cluster = "prod";
        item.node = "node-1";
        item.owner = "vision";
        item.devices = {"GPU-" + item.name};
        item.gpus = 1;
        item.observed = 1;
        item.id = actions::idOf(tests::holder(pod));
        m_list.items.push_back(item);
        return item.id;
    }

    const base::Clock &clock() const override { return m_clock; }
    bool wait(std::chrono::milliseconds time, std::stop_token stop) const override
    {
        std::this_thread::sleep_for(time);
        return !stop.stop_requested();
    }
    base::Result<insight::IdleList> idleNow(std::stop_token) override
    {
        insight::IdleList list = m_list;
        list.at = base::floorTo(m_clock.now(), base::kBucket);
        return list;
    }
    base::Result<actions::Liveness> liveness(const std::vector<insight::IdleItem> &items, const actions::LiveQuestion &,
                                             std::stop_token) override
    {
        actions::Liveness answer;
        answer.newest = m_clock.now();
        for (const insight::IdleItem &item : items)
            answer.holders[item.id] = {actions::Liveness::Kind::Quiet, answer.newest, {}};
        return answer;
    }
    std::optional<double> writesOf(const insight::IdleItem &, std::stop_token) override { return 0; }
    base::Result<std::map<std::string, double>> heldGpus() override
    {
        return std::map<std::string, double>{{"vision", 1000}};
    }
    base::Result<std::vector<actions::Platform>> platformsOf(const model::HolderKey &) override
    {
        return std::vector<actions::Platform>{{&m_target, true}};
    }
    base::Result<actions::Platform> platformNamed(const std::string &) override
    {
        return actions::Platform{&m_target, true};
    }
    const model::Settings &settings() const override { return m_settings; }
    std::string actor() const override { return "bench"; }

private:
    ports::ActionTarget &m_target;
    base::SystemClock m_clock;
    insight::IdleList m_list;
    model::Settings m_settings;
};

tests::Json putWorkload(tests::KubeServer &server, const std::string &name)
{
    const tests::Json deployment = server.put(tests::object("apps/v1", "Deployment", name.c_str(), {{"replicas", 1}}));
    const tests::Json set =
        server.put(tests::object("apps/v1", "ReplicaSet", (name + "-1").c_str(), {{"replicas", 1}}, deployment));
    return server.put(tests::gpuPod((name + "-1-a").c_str(), set));
}

// From the click to the last "verified": the dialog's plan, and the run of it.
Figure stopFigure(tests::KubeServer &server, const QTemporaryDir &folder, int count)
{
    server.steer("reset");
    const tests::TargetAt target(server, folder);
    BenchWorld world(*target.target);
    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i)
        ids.push_back(world.add(putWorkload(server, "w" + std::to_string(i))));
    server.flag("delay", 0);
    server.flag("latency", kLatency);
    const QTemporaryDir dir;
    auto cache = store::LedgerStore::open(dir.path().toStdString());
    if (!cache)
        give("open", cache.error().text);
    store::ActionStore log = (*cache)->actions();
    actions::ClockWatch clock;
    (void)server.requests();
    base::Result<std::vector<model::ActionRecord>> done;
    const double ms = millisecondsOf([&] {
        const auto plan = actions::makePlan({ids, true}, world, log, clock, {});
        if (!plan)
            give("plan", plan.error().text);
        actions::Engine engine{world, log, clock, {}};
        const std::optional<int> typed =
            plan->blast.needsTypedCount() ? std::optional(plan->blast.objects) : std::nullopt;
        done = actions::runPlan(*plan, {actions::hashOf(plan->stops), "bench", typed}, engine, {});
    });
    if (!done)
        give("stop", done.error().text);
    for (const model::ActionRecord &record : *done) {
        if (record.state != model::ActionState::Verified)
            give("stop", record.result);
    }
    const std::size_t calls = server.requests().size();
    return {"Stop " + std::to_string(count) + (count == 1 ? " workload" : " workloads") + ", click to verified",
            ms,
            "ms",
            "sum of its " + std::to_string(calls) + " calls of 20 ms",
            static_cast<double>(calls) * kLatency * 1000,
            1.5,
            std::to_string(done->size()) + " verified; telemetry answers at once"};
}

// What following 10,000 pods costs: to list them, and an event of a tenth of them.
std::vector<Figure> watchFigures(tests::KubeServer &server)
{
    constexpr int kPods = 10'000, kTouched = 1'000;
    server.steer("reset");
    tests::Json last;
    for (int i = 0; i < kPods; ++i)
        last = server.put(tests::gpuPod(("pod-" + std::to_string(i)).c_str()));
    const double wire = static_cast<double>(last.dump().size()) * kPods / 1e6;
    tests::NoSecrets secrets;
    const base::SystemClock clock;
    auth::KubeAccess access;
    access.server = server.url();
    kubernetes::KubeApi api(std::make_shared<auth::KubeCredentials>(std::move(access), secrets, clock), server.client);
    // What joins a pod with its GPU and its owner.
    kubernetes::WatchCache cache(api, "/api/v1/pods", [](const tests::Json &pod) {
        return std::optional(tests::Json{pod["metadata"]["namespace"], pod["metadata"]["name"], pod["spec"]["nodeName"],
                                         pod["metadata"]["labels"]});
    });
    resetPeak();
    const double before = residentMb();
    std::jthread thread;
    const auto waitUntil = [](const std::function<bool()> &done) {
        while (!done())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    const double listing = cpuMillisecondsOf([&] {
        thread = std::jthread([&](const std::stop_token &stop) { cache.run(stop); });
        waitUntil([&] { return cache.isComplete() && cache.objects().size() == kPods; });
    });
    const double peak = peakResidentMb() - before;
    const double following = cpuMillisecondsOf([&] {
        for (int i = 0; i < kTouched; ++i)
            server.put(tests::gpuPod(("new-" + std::to_string(i)).c_str()));
        waitUntil([&] { return cache.objects().size() == kPods + kTouched; });
    });
    char note[96];
    std::snprintf(note, sizeof note, "%.1f MB on the wire; CPU of 1,000 events, and of making them: %.0f ms", wire,
                  following);
    return {{"Watch 10,000 pods, listing them, CPU", listing, "ms", "1 s", 1000, 1.0, note},
            {"Watch 10,000 pods, memory", peak, "MB", "64 MB", 64, 1.0, "peak RSS over idle, with the list's pages"}};
}

} // namespace

std::vector<Figure> actionFigures()
{
    tests::KubeServer server;
    const QTemporaryDir folder;
    if (!server.start())
        give("the fake cluster", "it does not start");
    std::vector<Figure> figures;
    for (const int count : {1, 100})
        figures.push_back(stopFigure(server, folder, count));
    for (Figure &figure : watchFigures(server))
        figures.push_back(std::move(figure));
    return figures;
}

} // namespace gpuledger::bench

int main()
{
    std::printf("%s\n", gpuledger::bench::toJson(gpuledger::bench::actionFigures()).c_str());
    return 0;
}

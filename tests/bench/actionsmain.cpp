// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-action-bench: the time that stopping takes against a cluster that answers each request after 20 ms (a fake:
// tests/support/kubeserver.py); JSON on stdout. gpuledger-bench runs it.
#include "app/actions/plan/planner.h"
#include "app/actions/run/runner.h"
#include "app/store/ledgerstore.h"
#include "tests/bench/figure.h"
#include "tests/unit/kubernetes/kubetest.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

namespace gpuledger::bench {

namespace {

constexpr double kLatency = 0.02; // seconds per answer

[[noreturn]] void give(const char *what, const std::string &why)
{
    std::fprintf(stderr, "bench: %s: %s\n", what, why.c_str());
    std::exit(1);
}

// A cluster with telemetry that reports every workload as quiet without delay: only the platform's own time is
// measured.
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

// From the click to the last "verified": planning in the dialog, then the run.
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
        actions::ActionContext engine{world, log, clock, {}};
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

} // namespace

std::vector<Figure> actionFigures()
{
    tests::KubeServer server;
    const QTemporaryDir folder;
    if (!server.start())
        give("the fake cluster", "it did not start");
    std::vector<Figure> figures;
    for (const int count : {1, 100})
        figures.push_back(stopFigure(server, folder, count));
    return figures;
}

} // namespace gpuledger::bench

int main()
{
    std::printf("%s\n", gpuledger::bench::toJson(gpuledger::bench::actionFigures()).c_str());
    return 0;
}

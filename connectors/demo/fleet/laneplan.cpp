// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/fleet/demorandom.h"
#include "connectors/demo/fleet/teams.h"
#include "connectors/demo/fleet/workloadplan.h"

#include <algorithm>
#include <span>

// Assigns devices to teams: the lanes of every kind of node.
namespace gpuledger::demo {

namespace {

constexpr std::int64_t kHour = 3600, kDay = 86400;

class LaneMaker {
public:
    LaneMaker(const FleetPlan &plan, const Options &options)
        : m_plan(plan)
        , m_options(options)
    {
    }

    std::vector<Lane> make()
    {
        std::vector<std::size_t> big;
        for (std::size_t n = 0; n < m_plan.nodes.size(); ++n) {
            const PlannedNode &node = m_plan.nodes[n];
            if (node.role == NodeRole::Training && node.node.instanceType == "p5.48xlarge")
                big.push_back(n);
            else
                addNode(n);
        }
        addLargeJobs(big);
        addLeftovers(); // late, so that the lanes before keep their names
        addElsewhere();
        return std::move(m_lanes);
    }

private:
    Lane &lane(TeamIndex team, Pattern pattern, std::int64_t frame, std::int64_t phase = 0)
    {
        Lane l;
        l.key = key(m_options.seed, 0x6C616E65, m_lanes.size());
        l.team = &kTeams[team];
        l.pattern = pattern;
        l.frame = frame;
        l.phase = phase - l.team->utcOffsetHours * kHour;
        const std::size_t pick = l.key % 4;
        const bool serving = pattern == Pattern::Serving || pattern == Pattern::ElasticServing;
        const bool notebook = pattern == Pattern::Notebook || pattern == Pattern::Development;
        l.workload = serving ? l.team->serving[pick] : notebook ? l.team->notebooks[pick] : l.team->training[pick];
        if (notebook || pattern == Pattern::Batch)
            l.workload += '-' + std::to_string(m_lanes.size()); // unique, because a notebook's pod keeps its name
        if (serving)
            l.workload += '-' + std::to_string(l.key % 97);
        l.environment = serving ? (l.key % 5 == 0 ? "staging" : "prod")
            : notebook          ? "dev"
            : l.key % 3 == 0    ? "prod"
                                : "dev";
        if (team == Unowned)
            l.environment.clear();
        return m_lanes.emplace_back(std::move(l));
    }

    void place(Lane &l, std::size_t node, int first, int count, int slice = -1)
    {
        Lane::Member member;
        member.node = node;
        for (int i = 0; i < count; ++i)
            member.slots.push_back({m_plan.nodes[node].firstDevice + static_cast<std::size_t>(first + i), slice});
        l.members.push_back(std::move(member));
    }

    TeamIndex next(std::span<const TeamIndex> teams) { return teams[m_turn++ % teams.size()]; }

    std::int64_t trainingFrame(int gpus)
    {
        static constexpr std::int64_t kSmall[] = {6 * kHour, 12 * kHour, kDay, 2 * kDay, 3 * kDay};
        static constexpr std::int64_t kLarge[] = {kDay, 3 * kDay, 5 * kDay, 7 * kDay};
        const std::uint64_t k = key(m_options.seed, 0x6672616D, m_lanes.size());
        return gpus >= 8 ? kLarge[k % 4] : kSmall[k % 5];
    }

    // Groups of four nodes, then of two, then single nodes, repeatedly.
    void addLargeJobs(const std::vector<std::size_t> &nodes)
    {
        static constexpr TeamIndex kWho[] = {Llm, Vision, Ads, Llm, Speech, Recsys};
        static constexpr std::size_t kGroups[] = {4, 2, 1, 2, 1};
        m_turn = 0;
        std::size_t at = 0;
        for (std::size_t turn = 0; at < nodes.size(); ++turn) {
            const std::size_t size = std::min(kGroups[turn % 5], nodes.size() - at);
            Lane &l = lane(next(kWho), Pattern::Training, size == 1 ? 2 * kDay : 7 * kDay, size * kDay);
            for (std::size_t i = 0; i < size; ++i)
                place(l, nodes[at + i], 0, m_plan.nodes[nodes[at + i]].gpus);
            at += size;
        }
    }

    void addNode(std::size_t n)
    {
        switch (m_plan.nodes[n].role) {
        case NodeRole::Training:
        case NodeRole::LostTelemetry:
        case NodeRole::Amd:
        case NodeRole::Unpriced:
            return addTraining(n);
        case NodeRole::Notebooks:
            return addNotebooks(n);
        case NodeRole::Serving:
            return addServing(n);
        case NodeRole::FlakyExporter:
            return addFlaky(n);
        case NodeRole::Mig:
            return addMig(n);
        case NodeRole::TimeSliced:
            return addTimeSliced(n);
        case NodeRole::Forgotten:
            return addForgotten(n);
        case NodeRole::ForgottenServing:
            return addForgottenServing(n);
        case NodeRole::HeldWhole:
        case NodeRole::Continual:
        case NodeRole::ContinualSpot:
        case NodeRole::Oversized:
        case NodeRole::Burst:
        case NodeRole::Elsewhere:
            return; // with the leftovers
        }
    }

    void addTraining(std::size_t n)
    {
        static constexpr TeamIndex kCloud[] = {Vision, Recsys, Speech, Ads, Vision, Recsys, Unowned};
        static constexpr TeamIndex kOwn[] = {Research, Robotics, Research, Speech, Research, Unowned};
        static constexpr int kSplits[][4] = {{8, 0, 0, 0}, {4, 4, 0, 0}, {4, 2, 1, 1}, {8, 0, 0, 0}, {2, 2, 2, 1}};
        const PlannedNode &node = m_plan.nodes[n];
        const auto teams =
            node.node.cluster == "research" ? std::span<const TeamIndex>(kOwn) : std::span<const TeamIndex>(kCloud);
        int first = 0;
        for (const int wanted : kSplits[node.key % 5]) {
            const int size = std::min(wanted, node.gpus - first);
            if (size == 0)
                continue;
            const bool batch = size <= 2 && m_turn % 3 == 0;
            const TeamIndex team = next(teams);
            place(lane(team, batch ? Pattern::Batch : Pattern::Training, batch ? 4 * kHour : trainingFrame(size)), n,
                  first, size);
            first += size;
        }
    }

    void addNotebooks(std::size_t n)
    {
        static constexpr TeamIndex kWho[] = {Research, Robotics, Research, Speech, Vision, Research, Llm, Unowned};
        const PlannedNode &node = m_plan.nodes[n];
        for (int i = 0; i + 1 < node.gpus; ++i) // the last one remains free
            place(lane(next(kWho), i % 4 == 3 ? Pattern::Development : Pattern::Notebook, kDay), n, i, 1);
    }

    void addServing(std::size_t n)
    {
        static constexpr TeamIndex kWho[] = {Ads, Recsys, Llm, Vision, Speech, Recsys, Robotics, Ads, Llm, Unowned};
        const PlannedNode &node = m_plan.nodes[n];
        const int size = node.gpu->memoryMib > 30'000 ? (node.key % 2 == 0 ? 4 : 2) : 1;
        for (int i = 0; i + size <= node.gpus; i += size) {
            const bool elastic = (static_cast<std::uint64_t>(i) + node.key) % 5 < 2;
            place(lane(next(kWho), elastic ? Pattern::ElasticServing : Pattern::Serving, elastic ? kDay : 10 * kDay,
                       elastic ? 0 : static_cast<std::int64_t>(node.key % 240) * kHour),
                  n, i, size);
        }
    }

    void addFlaky(std::size_t n)
    {
        for (int i = 0; i < 3; ++i) {
            Lane &l = lane(i == 1 ? Robotics : Research, Pattern::IdleNotebook, 12 * kDay, i * 4 * kDay);
            l.workload = l.team->notebooks[i];
            l.environment = "dev";
            place(l, n, i, 1);
        }
        place(lane(Research, Pattern::Training, kDay), n, 4, 4);
    }

    void addMig(std::size_t n)
    {
        static constexpr TeamIndex kWho[] = {Speech, Vision, Recsys, Ads, Research, Llm};
        for (int i = 0; i < m_plan.nodes[n].gpus; ++i) {
            place(lane(next(kWho), Pattern::Serving, 10 * kDay, i * kDay), n, i, 1, 0);
            const TeamIndex developer = next(kWho);
            if (i % 4 == 3)
                addIdleSlice(n, i, developer);
            else
                place(lane(developer, Pattern::Development, kDay), n, i, 1, 1);
            if (i % 2 == 0) // every other small slice remains free
                place(lane(next(kWho), Pattern::Notebook, kDay), n, i, 1, 2);
        }
    }

    void addTimeSliced(std::size_t n)
    {
        static constexpr TeamIndex kWho[] = {Vision, Speech, Recsys, Unowned, Ads};
        for (int i = 0; i < m_plan.nodes[n].gpus; ++i) {
            for (int replica = 0; replica < kReplicas - i % 2; ++replica) {
                Lane &l = lane(next(kWho), replica % 2 == 0 ? Pattern::Serving : Pattern::ElasticServing,
                               replica % 2 == 0 ? 10 * kDay : kDay);
                l.shared = true;
                place(l, n, i, 1);
            }
        }
    }

    // The phases differ, so that at any time some of each kind have been idle for long.
    void addForgotten(std::size_t n)
    {
        Lane &loaded = lane(Unowned, Pattern::IdleLoaded, 28 * kDay, 3 * kDay);
        loaded.workload = "cuda-test";
        place(loaded, n, 0, 1);
        Lane &second = lane(Research, Pattern::IdleLoaded, 28 * kDay, 17 * kDay);
        second.workload = "checkpoint-viewer";
        place(second, n, 1, 1);
        for (int i = 0; i < 2; ++i) {
            Lane &l = lane(Research, Pattern::IdleNotebook, 14 * kDay, i * 7 * kDay);
            l.workload = kTeams[Research].notebooks[2 * i + 1];
            l.environment = "dev";
            l.protectedByLabel = i == 1;
            place(l, n, 2 + i, 1);
        }
        for (int i = 0; i < 2; ++i) {
            Lane &l = lane(i == 0 ? Research : Llm, Pattern::HungJob, 14 * kDay, i * 7 * kDay);
            place(l, n, 4 + 2 * i, 2);
        }
    }

    void addForgottenServing(std::size_t n)
    {
        for (int i = 0; i < 2; ++i) {
            Lane &l = lane(i == 0 ? Unowned : Vision, Pattern::ForgottenEndpoint, 90 * kDay, i * 45 * kDay);
            l.workload = i == 0 ? "demo-endpoint" : "thumbnailer-v1";
            place(l, n, 2 * i, 2);
        }
        Lane &kept = lane(Llm, Pattern::ForgottenEndpoint, 90 * kDay, 20 * kDay);
        kept.workload = "llama-canary";
        kept.environment = "staging";
        kept.protectedByLabel = true;
        place(kept, n, 4, 1);
        place(lane(Ads, Pattern::Serving, 10 * kDay), n, 5, 1);
        place(lane(Recsys, Pattern::ElasticServing, kDay), n, 6, 1); // and the last one remains free
    }

    // On a machine under the commitment. One of the two has always been idle for days.
    void addIdleSlice(std::size_t n, int device, TeamIndex team)
    {
        const bool first = device < 4;
        Lane &l = lane(team, Pattern::IdleNotebook, 14 * kDay, first ? 0 : 7 * kDay);
        l.workload = first ? "slice-lab" : "profile-notes";
        l.environment = "dev";
        place(l, n, device, 1, 1);
    }

    void addLeftovers()
    {
        for (std::size_t n = 0; n < m_plan.nodes.size(); ++n) {
            const NodeRole role = m_plan.nodes[n].role;
            const int last = m_plan.nodes[n].gpus - 1;
            if (role == NodeRole::Amd) {
                addLeftover(n, last, Robotics, Pattern::Sleeping, "rollout-shell");
                addLeftover(n, last - 1, Robotics, Pattern::Trickle, "perception-old");
            } else if (role == NodeRole::Unpriced) {
                addLeftover(n, last, Robotics, Pattern::IdleNotebook, "bench-cam");
            } else if (role == NodeRole::LostTelemetry) {
                addLeftover(n, last, Vision, Pattern::IdleNotebook, "pixel-archive");
            } else if (role == NodeRole::HeldWhole) {
                addHeldWhole(n);
            } else if (role == NodeRole::Continual) {
                addContinual(n, "ctr-distill");
            } else if (role == NodeRole::ContinualSpot) {
                addContinual(n, "bid-distill");
            } else if (role == NodeRole::Oversized) {
                addOversized(n);
            } else if (role == NodeRole::Burst && m_plan.nodes[n - 1].role != NodeRole::Burst) {
                addBurst(n);
            }
        }
    }

    // A machine of two jobs and a forgotten notebook, and one of a single large job.
    void addElsewhere()
    {
        for (std::size_t n = 0; n < m_plan.nodes.size(); ++n) {
            const PlannedNode &node = m_plan.nodes[n];
            if (node.role != NodeRole::Elsewhere)
                continue;
            if (node.node.cloud == "coreweave") {
                place(lane(Llm, Pattern::Training, 5 * kDay), n, 0, node.gpus);
                continue;
            }
            place(lane(Robotics, Pattern::Training, 2 * kDay), n, 0, 2);
            place(lane(Robotics, Pattern::Batch, 4 * kHour), n, 2, 1);
            addLeftover(n, 3, Robotics, Pattern::IdleNotebook, "sim-debug-aks");
        }
    }

    // The first machine of the pool has one GPU in use, for half a week at a time; the others are empty.
    void addBurst(std::size_t n)
    {
        Lane &l = lane(Research, Pattern::Development, 7 * kDay, 4 * kDay); // frames of a week begin on Thursdays
        l.workload = "sweep-console";
        l.until = m_plan.nodes[n].until;
        place(l, n, 0, 1);
    }

    // One machine of each cloud's kind: a weekly job that hangs half a day after its start (Monday evening), a
    // notebook, and two old versions of endpoints, whose cost only ends together.
    void addHeldWhole(std::size_t n)
    {
        const auto add = [&](TeamIndex team, Pattern pattern, std::int64_t frame, std::int64_t phase, const char *name,
                             const char *environment) -> Lane & {
            Lane &l = lane(team, pattern, frame, phase);
            l.workload = name;
            l.environment = environment;
            return l;
        };
        const PlannedNode &node = m_plan.nodes[n];
        if (node.node.instanceType == "p4d.24xlarge") {
            constexpr std::int64_t kMonday = 4 * kDay + 18 * kHour; // frames of a week begin on Thursdays
            place(add(Recsys, Pattern::HungJob, 7 * kDay, kMonday, "rec-embed-weekly", "prod"), n, 0, node.gpus);
        } else if (node.node.cloud == "aws") {
            place(add(Vision, Pattern::IdleNotebook, 28 * kDay, 5 * kDay, "label-review-4x", "dev"), n, 0, node.gpus);
        } else {
            const int half = node.gpus / 2;
            place(add(Vision, Pattern::Trickle, 28 * kDay, 15 * kDay, "ocr-api-v1", "prod"), n, 0, half);
            place(add(Speech, Pattern::Trickle, 28 * kDay, 22 * kDay, "captions-v1", "prod"), n, half, half);
        }
    }

    // Runs of four days; each writes checkpoints and says so.
    void addContinual(std::size_t n, const char *workload)
    {
        Lane &l = lane(Ads, Pattern::Continual, 4 * kDay, static_cast<std::int64_t>(n % 4) * kDay);
        l.workload = workload;
        l.environment = "prod";
        l.checkpointEvery = "30m";
        if (m_plan.nodes[n].isReclaimed())
            l.spotMachine = m_plan.nodes[n].key;
        place(l, n, 0, m_plan.nodes[n].gpus);
    }

    // Taken down at the end of the week, while its index is rebuilt elsewhere.
    void addOversized(std::size_t n)
    {
        Lane &l = lane(Llm, Pattern::SmallServing, 7 * kDay, 4 * kDay); // frames of a week begin on Thursdays
        l.workload = "embeddings-mini";
        l.environment = "prod";
        place(l, n, 0, m_plan.nodes[n].gpus);
    }

    // The training job that has the device does without it; a job on this device alone makes room.
    void addLeftover(std::size_t n, int device, TeamIndex team, Pattern pattern, const char *workload)
    {
        const std::size_t wanted = m_plan.nodes[n].firstDevice + static_cast<std::size_t>(device);
        const auto holds = [&](const Lane &l) {
            return std::any_of(l.members.begin(), l.members.end(),
                               [&](const Lane::Member &m) { return m.slots.back().device == wanted; });
        };
        const auto holder = std::find_if(m_lanes.begin(), m_lanes.end(), holds);
        if (holder != m_lanes.end()) {
            auto &slots = holder->members.front().slots;
            slots.pop_back();
            if (slots.empty())
                m_lanes.erase(holder);
        }
        Lane &made = lane(team, pattern, 28 * kDay, 9 * kDay);
        made.workload = workload;
        made.environment = pattern == Pattern::Trickle ? "prod" : "dev";
        made.isScaled = pattern == Pattern::Trickle;
        place(made, n, device, 1);
    }

    const FleetPlan &m_plan;
    const Options &m_options;
    std::vector<Lane> m_lanes;
    std::size_t m_turn = 0;
};

} // namespace

std::vector<Lane> makeLanes(const FleetPlan &plan, const Options &options)
{
    return LaneMaker(plan, options).make();
}

} // namespace gpuledger::demo

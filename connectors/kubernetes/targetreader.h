// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "connectors/kubernetes/surroundings.h"

namespace gpuledger::kubernetes {

// Reads what is to be stopped, as it is now. One object a question; one thread. Errors: as ports::ActionTarget.
class TargetReader {
public:
    TargetReader(KubeApi &api, Discovery &discovery, const base::Clock &clock, std::string source, std::string cluster)
        : m_api(api)
        , m_discovery(discovery)
        , m_clock(clock)
        , m_source(std::move(source))
        , m_cluster(std::move(cluster))
        , m_walk(api, discovery)
    {
    }

    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, const std::stop_token &stop);
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &ref, const std::stop_token &stop);
    // As read(), without what surrounds it.
    [[nodiscard]] base::Result<model::TargetState> standing(const model::TargetRef &ref, const std::stop_token &stop);
    // The object itself; NotFound when another one has its name.
    [[nodiscard]] base::Result<Subject> subjectOf(const model::TargetRef &ref, const std::stop_token &stop);
    [[nodiscard]] base::Result<StopPlan> planFor(const Subject &subject, const std::stop_token &stop);

private:
    // What a question has found so far.
    struct Found {
        Subject subject; // that is changed
        std::optional<Subject> managed; // by the subject, where a queue or an autoscaler is changed instead
        StopPlan plan;
        std::set<std::string> anchors; // UIDs above the pods that it stops
        std::optional<model::Obstacle> obstacle; // stronger than the plan's
        std::optional<Json> asked; // pod
    };
    base::Result<Found> choose(Chain chain, Surroundings &around, const std::stop_token &stop);
    base::Result<void> addAnchors(Found &found, const std::stop_token &stop);
    // The object with its plan and what stands for it above its pods.
    base::Result<Found> readFound(const model::TargetRef &ref, const std::stop_token &stop);
    // The object and who holds GPUs through it.
    base::Result<model::TargetState> describe(const Found &found, std::vector<HeldPod> &pods,
                                              const std::stop_token &stop);
    base::Result<model::TargetState> describeAll(const Found &found, Surroundings &around, const std::stop_token &stop);
    base::Result<void> addNameSpace(model::TargetState &state, Surroundings &around, const std::stop_token &stop);

    KubeApi &m_api;
    Discovery &m_discovery;
    const base::Clock &m_clock;
    std::string m_source, m_cluster;
    OwnerWalk m_walk;
};

} // namespace gpuledger::kubernetes

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "connectors/kubernetes/stop/surroundings.h"

namespace gpuledger::kubernetes {

// Reads the current state of what is to be stopped. One object per query; one thread. Errors: as ports::ActionTarget.
class TargetReader {
public:
    TargetReader(KubeApi &api, Discovery &discovery, const base::Clock &clock, std::string source, std::string cluster)
        : m_api(api)
        , m_discovery(discovery)
        , m_clock(clock)
        , m_source(std::move(source))
        , m_cluster(std::move(cluster))
        , m_walk(api, discovery, clock.now())
    {
    }

    [[nodiscard]] base::Result<model::TargetState> find(const model::HolderKey &holder, const std::stop_token &stop);
    [[nodiscard]] base::Result<model::TargetState> read(const model::TargetRef &ref, const std::stop_token &stop);
    // As read(), without the surroundings.
    [[nodiscard]] base::Result<model::TargetState> standing(const model::TargetRef &ref, const std::stop_token &stop);
    // The object itself; NotFound if another object now has its name.
    [[nodiscard]] base::Result<Subject> subjectOf(const model::TargetRef &ref, const std::stop_token &stop);
    [[nodiscard]] base::Result<StopPlan> planFor(const Subject &subject, const std::stop_token &stop);

private:
    // The intermediate results of a query.
    struct Found {
        Subject subject; // the object to be changed
        std::optional<Subject> managed; // controlled by the subject, if a queue or an autoscaler is changed instead
        StopPlan plan;
        std::set<std::string> anchors; // UIDs of the owners of the pods that it stops
        std::optional<model::Obstacle> obstacle; // takes precedence over the plan's obstacle
        std::optional<Json> asked; // the pod that was asked about
    };
    base::Result<Found> choose(Chain chain, Surroundings &around, const std::stop_token &stop);
    base::Result<void> addAnchors(Found &found, const std::stop_token &stop);
    // The object with its plan and the owners of its pods.
    base::Result<Found> readFound(const model::TargetRef &ref, const std::stop_token &stop);
    // The object and the pods that hold GPUs on its behalf.
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

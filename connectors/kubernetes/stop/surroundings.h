// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/stop/ownerwalk.h"

namespace gpuledger::kubernetes {

// Finds what else reads or writes an object that is to be stopped: what would revert the stop, and what needs the
// object to stay up. One thread; errors as KubeApi::list, except that a list without permission becomes a caution.
class Surroundings {
public:
    Surroundings(KubeApi &api, Discovery &discovery, std::string nameSpace)
        : m_api(api)
        , m_discovery(discovery)
        , m_nameSpace(std::move(nameSpace))
    {
    }

    // The Kueue or KEDA object that has to be changed instead; std::nullopt if there is none. `obstacle` is set if one
    // must exist but cannot be read.
    [[nodiscard]] base::Result<std::optional<Subject>> actInstead(const Subject &subject, model::StopVerb verb,
                                                                  std::optional<model::Obstacle> &obstacle,
                                                                  const std::stop_token &stop);
    // Adds the HPAs of the object, except those owned by the object with this uid.
    [[nodiscard]] base::Result<void> addAutoscalers(const Subject &subject, const std::string &butOf,
                                                    const std::stop_token &stop);
    [[nodiscard]] base::Result<void> addBudgets(const std::vector<HeldPod> &pods, const std::stop_token &stop);
    void addGitOps(const Subject &subject);
    std::vector<model::Caution> cautions;
    std::set<std::string> managers; // see model::TargetState

private:
    // std::nullopt if the kind is not installed; adds a caution if it may not be listed.
    base::Result<std::optional<Resource>> forEach(const char *group, const char *kind,
                                                  const std::function<void(const Json &)> &visit,
                                                  const std::stop_token &stop);
    base::Result<std::optional<Subject>> workloadOf(const Subject &subject, std::optional<model::Obstacle> &obstacle,
                                                    const std::stop_token &stop);
    void addFieldManager(const Subject &subject, const Json &entry);
    void addManager(const std::string &who, const std::string &name);
    base::Result<std::optional<Subject>> scaledObjectOf(const Subject &subject, const std::stop_token &stop);

    KubeApi &m_api;
    Discovery &m_discovery;
    std::string m_nameSpace;
};

} // namespace gpuledger::kubernetes

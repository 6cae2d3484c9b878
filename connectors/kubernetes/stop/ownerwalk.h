// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/api/objects.h"
#include "connectors/kubernetes/stop/kinds.h"

#include <map>
#include <set>

namespace gpuledger::kubernetes {

inline constexpr int kMostOwners = 8; // levels above a pod

// A pod and its owners, the topmost last.
struct Chain {
    std::vector<Subject> objects;
    std::optional<model::Obstacle> broken; // why the chain ends below the topmost owner
};

// A pod that holds GPUs on behalf of an object.
struct HeldPod {
    model::HolderKey key;
    model::Labels labels, annotations;
    bool hasLocalDisk = false;
};

// Follows owners upwards and finds the pods below an object. Within one query each owner is read once, many of one kind
// through one metadata list; create a new walk for the next query. One thread. Errors: as KubeApi::get; an owner that
// cannot be read sets Chain::broken instead.
class OwnerWalk {
public:
    OwnerWalk(KubeApi &api, Discovery &discovery, base::UtcTime now)
        : m_api(api)
        , m_discovery(discovery)
        , m_now(now)
    {
    }

    [[nodiscard]] base::Result<Chain> above(Subject pod, const std::stop_token &stop);
    // Every pod of the namespace that holds GPUs and is one of `uids` or has one of them as an owner. `protectedBy` is
    // set to the protection mark found on the way, unless it is already set.
    [[nodiscard]] base::Result<std::vector<HeldPod>> below(const std::string &nameSpace,
                                                           const std::set<std::string> &uids,
                                                           std::optional<model::ProtectMark> &protectedBy,
                                                           const std::stop_token &stop);

private:
    struct Read {
        std::optional<Subject> subject;
        std::optional<model::Obstacle> broken;
    };
    using Owners = std::map<std::string, OwnerRef>; // by uid
    base::Result<Chain> climb(Subject pod, bool isMetadataEnough, const std::stop_token &stop);
    base::Result<Read> readOwner(const OwnerRef &owner, const std::string &nameSpace, const std::stop_token &stop);
    // Reads the owners of all pods level by level, through a list where that is cheaper than reading them one by one.
    base::Result<void> listOwners(const std::vector<Json> &pods, const std::string &nameSpace,
                                  const std::stop_token &stop);
    base::Result<void> listKind(const Owners &wanted, const std::string &nameSpace, const std::stop_token &stop);

    KubeApi &m_api;
    Discovery &m_discovery;
    const base::UtcTime m_now;
    std::map<std::string, Read> m_read; // by uid
    std::map<std::string, Read> m_listed; // by uid, metadata only
};

// Whether an object is marked as protected, or as kept until later than `now`, and where. `kind` is the object's kind.
std::optional<model::ProtectMark> protectionOf(const Json &object, const std::string &kind, base::UtcTime now);

} // namespace gpuledger::kubernetes

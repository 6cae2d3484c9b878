// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/kinds.h"
#include "connectors/kubernetes/objects.h"

#include <map>
#include <set>

namespace gpuledger::kubernetes {

inline constexpr int kMostOwners = 8; // steps above a pod

// A pod and its owners, the topmost last.
struct Chain {
    std::vector<Subject> objects;
    std::optional<model::Obstacle> broken; // why it ends before its top
};

// A pod that holds GPUs through an object.
struct HeldPod {
    model::HolderKey key;
    model::Labels labels, annotations;
    bool hasLocalDisk = false;
};

// Follows owners upwards, and finds the pods below an object. Each owner is read once for one question, many of one
// kind by one list of their metadata; make a new walk for the next. One thread. Errors: as KubeApi::get; what can't be
// read of an owner is Chain::broken instead.
class OwnerWalk {
public:
    OwnerWalk(KubeApi &api, Discovery &discovery)
        : m_api(api)
        , m_discovery(discovery)
    {
    }

    [[nodiscard]] base::Result<Chain> above(Subject pod, const std::stop_token &stop);
    // Every pod of the namespace that holds GPUs and has one of `uids` above it, or is one. `protectedBy` is what asks
    // to be left alone on the way, where nothing did before.
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
    // Reads the owners of all of them, level by level, where a list is less to ask for than each.
    base::Result<void> listOwners(const std::vector<Json> &pods, const std::string &nameSpace,
                                  const std::stop_token &stop);
    base::Result<void> listKind(const Owners &wanted, const std::string &nameSpace, const std::stop_token &stop);

    KubeApi &m_api;
    Discovery &m_discovery;
    std::map<std::string, Read> m_read; // by uid
    std::map<std::string, Read> m_listed; // by uid, with metadata alone
};

// Whether an object asks to be left alone, and where that is written. `kind` is how it is called.
std::optional<model::ProtectMark> protectionOf(const Json &object, const std::string &kind);

} // namespace gpuledger::kubernetes

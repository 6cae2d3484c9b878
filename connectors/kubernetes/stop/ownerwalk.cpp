// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/stop/ownerwalk.h"

#include <algorithm>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using model::Obstacle;

namespace {

constexpr std::size_t kWorthAList = 4; // owners of one kind; fewer are read one by one

Obstacle brokenAt(const std::string &text)
{
    return {Obstacle::Kind::BrokenChain, text};
}

std::string shownName(const OwnerRef &owner)
{
    return shown(owner.kind + ' ' + owner.name);
}

} // namespace

std::optional<model::ProtectMark> protectionOf(const Json &object, const std::string &kind, base::UtcTime now)
{
    using Place = model::ProtectMark::Place;
    const std::string space = text(object, {"metadata", "namespace"});
    const std::string name = shown(kind + ' ' + (space.empty() ? "" : space + '/') + nameOf(object));
    for (const auto &[map, place] : {std::pair("labels", Place::Label), std::pair("annotations", Place::Annotation)}) {
        const model::Labels marks = labelsAt(object, {"metadata", map});
        if (model::isProtectedBy(marks))
            return model::ProtectMark{place, name};
        if (const std::string kept = model::keptUntil(marks, now); !kept.empty())
            return model::ProtectMark{place, name + " (" + kept + ')'};
    }
    return std::nullopt;
}

Result<OwnerWalk::Read> OwnerWalk::readOwner(const OwnerRef &owner, const std::string &nameSpace,
                                             const std::stop_token &stop)
{
    if (const auto known = m_read.find(owner.uid); known != m_read.end())
        return known->second;
    Read read;
    const auto resource = m_discovery.find(groupOf(owner.apiVersion), owner.kind, stop);
    if (!resource && resource.error().code == ErrorCode::Forbidden) {
        read.broken =
            brokenAt("the kind of its owner " + shownName(owner) + " can't be looked up: " + resource.error().text);
        return m_read[owner.uid] = read;
    }
    GPULEDGER_TRY(resource);
    if (!*resource) {
        read.broken = brokenAt("the cluster has no kind of its owner " + shownName(owner));
        return m_read[owner.uid] = read;
    }
    auto object = m_api.get((*resource)->path(nameSpace, owner.name), stop);
    if (!object && object.error().code != ErrorCode::Forbidden && object.error().code != ErrorCode::NotFound)
        return base::fail(std::move(object).error());
    if (!object)
        read.broken = brokenAt(
            "its owner " + shownName(owner)
            + (object.error().code == ErrorCode::NotFound ? " is gone" : " can't be read: " + object.error().text));
    else if (uidOf(*object) != owner.uid)
        read.broken = brokenAt("its owner " + shownName(owner) + " was replaced by another one of the same name");
    else
        read.subject = Subject{**resource, std::move(*object)};
    return m_read[owner.uid] = std::move(read);
}

Result<Chain> OwnerWalk::above(Subject pod, const std::stop_token &stop)
{
    return climb(std::move(pod), false, stop);
}

Result<Chain> OwnerWalk::climb(Subject pod, bool isMetadataEnough, const std::stop_token &stop)
{
    Chain chain;
    const std::string nameSpace = text(pod.object, {"metadata", "namespace"});
    std::set<std::string> seen{uidOf(pod.object)};
    chain.objects.push_back(std::move(pod));
    for (int step = 0;; ++step) {
        bool isUnclear = false;
        const auto owner = ownerOf(chain.objects.back().object, isUnclear);
        if (isUnclear)
            chain.broken = brokenAt("several owners claim " + shown(nameOf(chain.objects.back().object)));
        if (!owner)
            return chain;
        if (step == kMostOwners || !seen.insert(owner->uid).second) {
            chain.broken = brokenAt("its owners form a circle, or more than 8 steps");
            return chain;
        }
        const auto listed = isMetadataEnough ? m_listed.find(owner->uid) : m_listed.end();
        const auto read = listed != m_listed.end() ? listed->second : readOwner(*owner, nameSpace, stop);
        GPULEDGER_TRY(read);
        if (!read->subject) {
            chain.broken = read->broken;
            return chain;
        }
        chain.objects.push_back(*read->subject);
    }
}

namespace {

// The part of a listed pod that is kept while the others are read.
Json slimmed(const Json &pod)
{
    Json slim{{"metadata", at(pod, {"metadata"})}};
    slim["metadata"].erase("managedFields");
    slim["spec"]["nodeName"] = at(pod, {"spec", "nodeName"});
    slim["localDisk"] = hasLocalDisk(pod);
    return slim;
}

HeldPod heldPod(const Json &pod, const std::string &nameSpace)
{
    HeldPod held;
    held.key.nameSpace = nameSpace;
    held.key.name = nameOf(pod);
    held.key.uid = uidOf(pod);
    held.key.node = text(pod, {"spec", "nodeName"});
    held.labels = labelsAt(pod, {"metadata", "labels"});
    held.annotations = labelsAt(pod, {"metadata", "annotations"});
    held.hasLocalDisk = isTrue(pod, {"localDisk"});
    return held;
}

} // namespace

Result<void> OwnerWalk::listKind(const Owners &wanted, const std::string &nameSpace, const std::stop_token &stop)
{
    const OwnerRef &first = wanted.begin()->second;
    const auto resource = m_discovery.find(groupOf(first.apiVersion), first.kind, stop);
    if (!resource || !*resource || !(*resource)->isNamespaced)
        return {}; // each of them records its reason
    std::map<std::string, Read> found;
    const auto listed = m_api.listMetadata(
        (*resource)->listPath(nameSpace),
        [&](const Json &object) {
            if (wanted.count(uidOf(object)) > 0)
                found[uidOf(object)].subject = Subject{**resource, Json{{"metadata", at(object, {"metadata"})}}};
        },
        stop);
    if (!listed && (listed.error().code == ErrorCode::Forbidden || listed.error().code == ErrorCode::NotFound))
        return {}; // without the right to list, single reads may still be allowed
    GPULEDGER_TRY(listed);
    for (const auto &[uid, owner] : wanted) {
        if (found.count(uid) == 0)
            found[uid].broken = brokenAt("its owner " + shownName(owner) + " is gone");
    }
    m_listed.merge(found);
    return {};
}

Result<void> OwnerWalk::listOwners(const std::vector<Json> &pods, const std::string &nameSpace,
                                   const std::stop_token &stop)
{
    std::vector<const Json *> level;
    for (const Json &pod : pods)
        level.push_back(&pod);
    for (int step = 0; step < kMostOwners && !level.empty(); ++step) {
        std::map<std::string, Owners> kinds;
        for (const Json *object : level) {
            bool isUnclear = false;
            const auto owner = ownerOf(*object, isUnclear);
            if (owner && m_read.count(owner->uid) == 0 && m_listed.count(owner->uid) == 0)
                kinds[owner->apiVersion + '/' + owner->kind].emplace(owner->uid, *owner);
        }
        level.clear();
        for (const auto &[kind, owners] : kinds) {
            if (owners.size() < kWorthAList)
                continue;
            GPULEDGER_TRY(listKind(owners, nameSpace, stop));
            for (const auto &[uid, owner] : owners) {
                if (const auto read = m_listed.find(uid); read != m_listed.end() && read->second.subject)
                    level.push_back(&read->second.subject->object);
            }
        }
    }
    return {};
}

Result<std::vector<HeldPod>> OwnerWalk::below(const std::string &nameSpace, const std::set<std::string> &uids,
                                              std::optional<model::ProtectMark> &protectedBy,
                                              const std::stop_token &stop)
{
    std::vector<Json> pods;
    const Resource resource{"", "v1", "Pod", "pods", true, {}};
    const auto listed = m_api.list(
        resource.listPath(nameSpace),
        [&](const Json &pod) {
            if (requestsGpus(pod) && !isOver(pod))
                pods.push_back(slimmed(pod));
        },
        stop);
    GPULEDGER_TRY(listed);
    GPULEDGER_TRY(listOwners(pods, nameSpace, stop));
    std::vector<HeldPod> held;
    for (const Json &pod : pods) {
        const auto chain = climb({resource, pod}, true, stop);
        GPULEDGER_TRY(chain);
        const auto isAsked = [&](const Subject &subject) { return uids.count(uidOf(subject.object)) > 0; };
        const auto top = std::find_if(chain->objects.begin(), chain->objects.end(), isAsked);
        if (top == chain->objects.end())
            continue;
        for (auto subject = chain->objects.begin(); subject != chain->objects.end() && !protectedBy; ++subject)
            protectedBy = protectionOf(subject->object, subject->resource.kind, m_now);
        held.push_back(heldPod(pod, nameSpace));
    }
    return held;
}

} // namespace gpuledger::kubernetes

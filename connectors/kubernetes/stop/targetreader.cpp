// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/stop/targetreader.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"
#include "connectors/kubernetes/api/access.h"
#include "connectors/kubernetes/stop/kinds.h"
#include "connectors/kubernetes/stop/patch.h"

#include <algorithm>
#include <utility>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using model::Caution;
using model::HolderKey;
using model::Obstacle;
using model::TargetState;

namespace {

tl::unexpected<base::Error> gone(const std::string &what)
{
    return base::fail(ErrorCode::NotFound, what, base::Remedy::CheckWhatRuns);
}

Result<void> checkSamePod(const Json &pod, const HolderKey &holder)
{
    const std::string name = shown(holder.nameSpace + '/' + holder.name);
    if (!holder.uid.empty() && uidOf(pod) != holder.uid)
        return gone("pod " + name + " was replaced by another one of the same name");
    const std::string node = text(pod, {"spec", "nodeName"});
    if (!holder.node.empty() && !node.empty() && node != holder.node)
        return gone("pod " + name + " runs on a different node than the one that was checked");
    if (isOver(pod))
        return gone("pod " + name + " has ended");
    return {};
}

HolderKey keyOf(const Json &pod, const std::string &cluster)
{
    HolderKey key;
    key.cluster = cluster;
    key.nameSpace = text(pod, {"metadata", "namespace"});
    key.name = nameOf(pod);
    key.uid = uidOf(pod);
    key.node = text(pod, {"spec", "nodeName"});
    return key;
}

void addAbsent(model::Labels &to, const model::Labels &from)
{
    to.insert(from.begin(), from.end());
}

} // namespace

Result<StopPlan> TargetReader::planFor(const Subject &subject, const std::stop_token &stop)
{
    const std::string nameSpace = text(subject.object, {"metadata", "namespace"}), name = nameOf(subject.object);
    const Resource &resource = subject.resource;
    if (resource.group.empty() && resource.kind == "Pod") {
        const auto evict = mayI(m_api, rightOn(kPods, "create", "eviction", nameSpace, name), stop);
        GPULEDGER_TRY(evict);
        if (*evict)
            return podPlan(subject.object, true);
        const auto remove = mayI(m_api, rightOn(kPods, "delete", "", nameSpace, name), stop);
        GPULEDGER_TRY(remove);
        return podPlan(subject.object, !*remove);
    }
    StopPlan none;
    none.obstacle = neverStopped(subject);
    if (none.obstacle)
        return none;
    if (auto plan = planOf(subject, m_clock.now()))
        return *plan;
    if (resource.subresources.count("scale") > 0) {
        const auto scale = m_api.get(resource.path(nameSpace, name, "scale"), stop);
        GPULEDGER_TRY(scale);
        return scalePlan(*scale);
    }
    none.obstacle = Obstacle{Obstacle::Kind::UnknownKind,
                             "no way to stop a " + shown(resource.kind + " of " + resource.apiVersion())
                                 + " is known, and what is below it would be started again"};
    return none;
}

Result<TargetReader::Found> TargetReader::choose(Chain chain, Surroundings &around, const std::stop_token &stop)
{
    Found found;
    found.obstacle = chain.broken;
    const Subject &top = chain.objects.back();
    std::size_t index = chain.objects.size() - 1;
    if (index > 0 && top.resource.group == "batch" && top.resource.kind == "CronJob") {
        around.cautions.push_back(
            {Caution::Kind::FutureRuns, "CronJob " + shown(nameOf(top.object)) + " starts it again on its schedule"});
        --index; // the current run; the schedule is a separate object
    }
    found.subject = chain.objects[index];
    found.anchors = {uidOf(found.subject.object)};
    auto plan = planFor(found.subject, stop);
    GPULEDGER_TRY(plan);
    found.plan = std::move(*plan);
    if (found.obstacle || found.plan.obstacle)
        return found;
    auto instead = around.actInstead(found.subject, found.plan.verb, found.obstacle, stop);
    GPULEDGER_TRY(instead);
    if (!*instead)
        return found;
    found.managed = std::exchange(found.subject, std::move(**instead));
    found.plan = planOf(found.subject, m_clock.now()).value_or(StopPlan{});
    return found;
}

Result<TargetState> TargetReader::find(const HolderKey &holder, const std::stop_token &stop)
{
    const std::string name = shown(holder.nameSpace + '/' + holder.name);
    if (!m_cluster.empty() && holder.cluster != m_cluster)
        return gone("pod " + name + " is in cluster " + shown(holder.cluster) + ", and this source reaches "
                    + shown(m_cluster));
    if (holder.nameSpace.empty() || holder.name.empty())
        return gone("the holder is not named like a pod");
    auto pod = m_api.get(kPods.path(holder.nameSpace, holder.name), stop);
    if (!pod && pod.error().code == ErrorCode::NotFound)
        return gone("pod " + name + " no longer exists");
    GPULEDGER_TRY(pod);
    GPULEDGER_TRY(checkSamePod(*pod, holder));
    auto chain = m_walk.above({kPods, *pod}, stop);
    GPULEDGER_TRY(chain);
    Surroundings around(m_api, m_discovery, holder.nameSpace);
    if (text(*pod, {"metadata", "labels", "component"}) == "singleuser-server")
        around.cautions.push_back({Caution::Kind::Other, "JupyterHub started it; stopping it there keeps its records"});
    auto found = choose(std::move(*chain), around, stop);
    GPULEDGER_TRY(found);
    found->asked = std::move(*pod);
    return describeAll(*found, around, stop);
}

Result<Subject> TargetReader::subjectOf(const model::TargetRef &ref, const std::stop_token &stop)
{
    const auto resource = m_discovery.find(groupOf(ref.apiVersion), ref.kind, stop);
    GPULEDGER_TRY(resource);
    const std::string name = shown(ref.kind + ' ' + ref.nameSpace + '/' + ref.name);
    if (!*resource)
        return gone("the cluster has no kind of " + name);
    auto object = m_api.get((*resource)->path(ref.nameSpace, ref.name), stop);
    if (!object && object.error().code == ErrorCode::NotFound)
        return gone(name + " no longer exists");
    GPULEDGER_TRY(object);
    if (uidOf(*object) != ref.uid)
        return gone(name + " was replaced by another one of the same name");
    return Subject{**resource, std::move(*object)};
}

Result<void> TargetReader::addAnchors(Found &found, const std::stop_token &stop)
{
    const Subject &subject = found.subject;
    std::set<std::string> uids{uidOf(subject.object)};
    if (subject.resource.group == "kueue.x-k8s.io") {
        const Json &owners = at(subject.object, {"metadata", "ownerReferences"});
        for (std::size_t i = 0; owners.is_array() && i < owners.size(); ++i)
            uids.insert(format::textOf(owners[i], "uid"));
    }
    if (subject.resource.group == "keda.sh") {
        const Json &target = at(subject.object, {"spec", "scaleTargetRef"});
        const std::string version = format::textOf(target, "apiVersion"), kind = format::textOf(target, "kind");
        const auto resource =
            m_discovery.find(version.empty() ? "apps" : groupOf(version), kind.empty() ? "Deployment" : kind, stop);
        GPULEDGER_TRY(resource);
        if (*resource) {
            auto scaled = m_api.get(
                (*resource)->path(text(subject.object, {"metadata", "namespace"}), format::textOf(target, "name")),
                stop);
            GPULEDGER_TRY(scaled);
            uids.insert(uidOf(*scaled));
            found.managed = Subject{**resource, std::move(*scaled)};
        }
    }
    uids.erase(std::string());
    found.anchors = std::move(uids);
    return {};
}

Result<TargetReader::Found> TargetReader::readFound(const model::TargetRef &ref, const std::stop_token &stop)
{
    if (!m_cluster.empty() && ref.cluster != m_cluster)
        return gone(shown(ref.kind + ' ' + ref.name)
                    + " is in a different cluster than the one that this source reaches");
    auto subject = subjectOf(ref, stop);
    GPULEDGER_TRY(subject);
    Found found;
    auto plan = planFor(*subject, stop);
    GPULEDGER_TRY(plan);
    found.plan = std::move(*plan);
    found.subject = std::move(*subject);
    GPULEDGER_TRY(addAnchors(found, stop));
    return found;
}

Result<TargetState> TargetReader::standing(const model::TargetRef &ref, const std::stop_token &stop)
{
    const auto found = readFound(ref, stop);
    GPULEDGER_TRY(found);
    std::vector<HeldPod> pods;
    return describe(*found, pods, stop);
}

Result<TargetState> TargetReader::read(const model::TargetRef &ref, const std::stop_token &stop)
{
    auto found = readFound(ref, stop);
    GPULEDGER_TRY(found);
    Surroundings around(m_api, m_discovery, ref.nameSpace);
    const auto instead = around.actInstead(found->subject, found->plan.verb, found->obstacle, stop);
    GPULEDGER_TRY(instead);
    if (*instead && !found->obstacle)
        found->obstacle = Obstacle{Obstacle::Kind::ManagedElsewhere,
                                   "it is run through " + (*instead)->resource.kind + ' '
                                       + shown(nameOf((*instead)->object)) + "; choose it again from its pod"};
    return describeAll(*found, around, stop);
}

Result<void> TargetReader::addNameSpace(TargetState &state, Surroundings &around, const std::stop_token &stop)
{
    if (state.ref.nameSpace.empty())
        return {};
    const auto space = m_api.get("/api/v1/namespaces/" + segment(state.ref.nameSpace), stop);
    if (space) {
        if (!state.protectedBy)
            state.protectedBy = protectionOf(*space, "Namespace", m_clock.now());
        state.nameSpaceLabels = labelsAt(*space, {"metadata", "labels"});
        addAbsent(state.nameSpaceLabels, labelsAt(*space, {"metadata", "annotations"}));
        return {};
    }
    if (space.error().code != ErrorCode::Forbidden)
        return base::fail(space.error());
    around.cautions.push_back(
        {Caution::Kind::Other,
         "its namespace can't be read, so it is not known whether it is protected: " + space.error().text});
    return {};
}

Result<TargetState> TargetReader::describe(const Found &found, std::vector<HeldPod> &pods, const std::stop_token &stop)
{
    const Subject &subject = found.subject;
    const StopPlan &plan = found.plan;
    TargetState state;
    state.ref = {m_source,
                 m_cluster,
                 subject.resource.apiVersion(),
                 subject.resource.kind,
                 text(subject.object, {"metadata", "namespace"}),
                 nameOf(subject.object),
                 uidOf(subject.object)};
    state.version = versionOf(subject.object);
    state.created = base::parseTime(text(subject.object, {"metadata", "creationTimestamp"})).value_or(base::UtcTime{});
    state.readAt = m_clock.now();
    state.verb = plan.verb;
    state.field = plan.fieldName();
    state.value = plan.value();
    state.stoppedValue = plan.stoppedValue();
    state.isStopped = plan.isStopped();
    state.isReversible = plan.isReversible;
    state.losses = plan.losses;
    state.labels = labelsAt(subject.object, {"metadata", "labels"});
    state.annotations = labelsAt(subject.object, {"metadata", "annotations"});
    state.mark = markOf(subject.object);
    state.obstacle = found.obstacle ? found.obstacle : plan.obstacle;
    if (!state.obstacle && state.isStopped)
        state.obstacle = Obstacle{Obstacle::Kind::AlreadyStopped, "it is already stopped"};
    if (!plan.isReversible && subject.resource.kind == "Pod")
        state.manifest = manifestOf(subject.object).dump(-1, ' ', false, Json::error_handler_t::replace);
    state.protectedBy = protectionOf(subject.object, subject.resource.kind, m_clock.now());
    if (!state.protectedBy && found.managed)
        state.protectedBy = protectionOf(found.managed->object, found.managed->resource.kind, m_clock.now());
    if (!state.protectedBy && found.asked)
        state.protectedBy = protectionOf(*found.asked, "Pod", m_clock.now());
    auto below = m_walk.below(state.ref.nameSpace, found.anchors, state.protectedBy, stop);
    GPULEDGER_TRY(below);
    pods = std::move(*below);
    bool hasDisk = false;
    for (HeldPod &pod : pods) {
        pod.key.cluster = m_cluster;
        state.holders.push_back(pod.key);
        addAbsent(state.labels, pod.labels);
        hasDisk |= pod.hasLocalDisk;
    }
    // Telemetry may report a holder that never requested a GPU.
    if (found.asked) {
        const HolderKey asked = keyOf(*found.asked, m_cluster);
        if (std::find(state.holders.begin(), state.holders.end(), asked) == state.holders.end())
            state.holders.push_back(asked);
        addAbsent(state.labels, labelsAt(*found.asked, {"metadata", "labels"}));
        hasDisk |= hasLocalDisk(*found.asked);
    }
    if (hasDisk)
        state.losses.push_back(model::Loss::LocalDisk);
    return state;
}

Result<TargetState> TargetReader::describeAll(const Found &found, Surroundings &around, const std::stop_token &stop)
{
    std::vector<HeldPod> pods;
    auto state = describe(found, pods, stop);
    GPULEDGER_TRY(state);
    GPULEDGER_TRY(addNameSpace(*state, around, stop));
    const Subject &scaled = found.managed ? *found.managed : found.subject;
    const bool isKeda = found.subject.resource.group == "keda.sh";
    if (found.plan.verb == model::StopVerb::ScaleToZero || isKeda)
        GPULEDGER_TRY(around.addAutoscalers(scaled, isKeda ? uidOf(found.subject.object) : std::string(), stop));
    if (isKeda)
        around.managers.insert("keda:" + shown(nameOf(found.subject.object)));
    GPULEDGER_TRY(around.addBudgets(pods, stop));
    around.addGitOps(found.subject);
    if (found.managed)
        around.addGitOps(*found.managed);
    state->cautions = std::move(around.cautions);
    state->managers.assign(around.managers.begin(), around.managers.end());
    return state;
}

} // namespace gpuledger::kubernetes

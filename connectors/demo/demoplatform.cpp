// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/demoplatform.h"

#include "app/base/remedy.h"
#include "connectors/demo/fleet/demooptions.h"
#include "connectors/demo/fleet/demorandom.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gpuledger::demo {

using base::ErrorCode;
using base::Result;
using model::StopVerb;
using model::TargetState;
using ports::WriteOutcome;

namespace {

constexpr std::string_view kScaler = "keda:"; // before the name of the workload that it scales

std::int64_t realSeconds()
{
    return base::toUnix(base::SystemClock().now());
}

// The way in which objects of a kind are stopped.
struct Way {
    const char *apiVersion, *kind;
    StopVerb verb;
    const char *field, *value, *stopped;
};

Way wayOf(const Lane &lane, const model::Holder &pod)
{
    if (pod.ownerKind == "PyTorchJob")
        return {"kubeflow.org/v1", "PyTorchJob", StopVerb::Suspend, "spec.runPolicy.suspend", "false", "true"};
    if (pod.ownerKind == "Job" || pod.ownerKind == "CronJob")
        return {"batch/v1", "Job", StopVerb::Suspend, "spec.suspend", "false", "true"};
    if (lane.pattern == Pattern::Notebook || lane.pattern == Pattern::IdleNotebook)
        return {
            "kubeflow.org/v1", "Notebook", StopVerb::Annotate, "metadata.annotations.kubeflow-resource-stopped", "null",
            "\"stopped\""};
    if (pod.ownerKind == "StatefulSet")
        return {"apps/v1", "StatefulSet", StopVerb::ScaleToZero, "spec.replicas", "", "0"};
    if (pod.ownerKind == "Deployment")
        return {"apps/v1", "Deployment", StopVerb::ScaleToZero, "spec.replicas", "", "0"};
    return {"v1", "Pod", StopVerb::Delete, "metadata.uid", "", "null"};
}

void addLosses(TargetState &state, const Lane &lane, const model::Holder &pod)
{
    using model::Caution;
    using model::Loss;
    state.losses.push_back(Loss::ProcessMemory);
    if (state.verb == StopVerb::Suspend)
        state.losses.push_back(Loss::ProgressSinceCheckpoint);
    if (state.ref.kind == "Deployment")
        state.losses.push_back(Loss::Endpoint);
    if (lane.pattern == Pattern::ElasticServing) {
        state.cautions.push_back({Caution::Kind::Autoscaler, lane.workload});
        state.managers = {"hpa:" + lane.workload};
    }
    if (lane.isScaled) {
        state.cautions.push_back({Caution::Kind::Keda, lane.workload});
        state.managers = {std::string(kScaler) + lane.workload};
    }
    if (pod.ownerKind == "CronJob")
        state.cautions.push_back({Caution::Kind::FutureRuns, "CronJob " + lane.workload});
    if (state.verb == StopVerb::Delete) {
        state.isReversible = false;
        state.losses.push_back(Loss::Manifest);
        state.losses.push_back(Loss::LocalDisk);
    }
}

WriteOutcome answer(WriteOutcome::Kind kind, std::string text)
{
    WriteOutcome outcome;
    outcome.kind = kind;
    outcome.text = std::move(text);
    return outcome;
}

} // namespace

Result<std::unique_ptr<ports::ActionTarget>> DemoPlatform::create(const model::SourceSettings &settings,
                                                                  const base::Clock &clock)
{
    const auto options = optionsOf(settings);
    GPULEDGER_TRY(options);
    if (settings.path.empty())
        return base::fail(ErrorCode::Unsupported, "this demo source has no path to keep the state of its platform in",
                          base::Remedy::SetDemoPath);
    return std::make_unique<DemoPlatform>(settings.name, *options, settings.path, clock);
}

DemoPlatform::DemoPlatform(std::string source, const Options &options, std::filesystem::path file,
                           const base::Clock &clock)
    : m_source(std::move(source))
    , m_file(std::move(file))
    , m_clock(clock)
    , m_ending(options.ending)
    , m_simulation(options)
{
}

template <typename Matches>
std::optional<DemoPlatform::Found> DemoPlatform::findRun(base::TimeRange range, const SimulatedActions &deeds,
                                                         const Matches &matches) const
{
    for (const Lane &lane : m_simulation.lanes()) {
        std::optional<Found> found; // of several parts of a run, the last
        for (const Run &run : runsIn(lane, range)) {
            if (found ? run.key == found->run.key : matches(lane, run, deedOf(deeds, lane, run)))
                found = Found{&lane, run};
        }
        if (found)
            return found;
    }
    return std::nullopt;
}

TargetState DemoPlatform::stateOf(const Found &found, const SimulatedActions &deeds) const
{
    const Lane &lane = *found.lane;
    const SimulatedAction *deed = deedOf(deeds, lane, found.run);
    const model::Holder first = holderOf(lane, 0, found.run, m_simulation.plan());
    const Way way = wayOf(lane, first);
    TargetState state;
    state.ref = {m_source,
                 first.cluster,
                 way.apiVersion,
                 way.kind,
                 first.nameSpace,
                 first.ownerKind == "CronJob" || first.ownerName.empty() ? first.name : first.ownerName,
                 objectUid(lane, found.run)};
    state.version = std::to_string(deed ? deed->version : 1);
    state.created = found.run.range.start;
    state.readAt = m_clock.now();
    state.verb = way.verb;
    state.field = way.field;
    const std::string natural = *way.value ? way.value
        : way.verb == StopVerb::Delete     ? '"' + state.ref.uid + '"'
                                           : std::to_string(lane.members.size());
    state.value = deed && !deed->value.empty() ? deed->value : natural;
    state.stoppedValue = way.stopped;
    state.isStopped = deed && deed->isPaused();
    state.labels["app"] = lane.workload;
    if (lane.protectedByLabel)
        state.labels["gpu-ledger.io/protect"] = "true";
    if (deed) {
        state.mark = deed->mark;
        state.annotations = deed->annotations;
    }
    addLosses(state, lane, first);
    if (deed && !deed->manager.empty()) {
        state.managers.push_back(deed->manager);
        std::sort(state.managers.begin(), state.managers.end());
    }
    if (state.isStopped)
        state.obstacle = model::Obstacle{model::Obstacle::Kind::AlreadyStopped, "it is already stopped"};
    state.manifest = way.verb == StopVerb::Delete
        ? nlohmann::json{{"kind", "Pod"}, {"metadata", {{"name", first.name}, {"namespace", first.nameSpace}}}}.dump()
        : std::string();
    const bool ending = state.isStopped && realSeconds() < deed->changedAt + m_ending;
    const std::vector<Run> pieces = piecesOf(found.run, deed);
    for (const Run &piece : pieces) {
        const bool runsNow = piece.range.start <= m_clock.now() && m_clock.now() < piece.range.end;
        const bool isLast = &piece == &pieces.back();
        if (!(runsNow && !state.isStopped) && !(ending && isLast))
            continue;
        for (std::size_t m = 0; m < lane.members.size(); ++m) {
            const model::Holder pod = holderOf(lane, m, piece, m_simulation.plan());
            state.holders.push_back({pod.cluster, pod.nameSpace, pod.name, pod.uid, pod.node, {}});
        }
    }
    return state;
}

// Permissions can only be reported while the file with the changes is readable.
Result<ports::ProbeReport> DemoPlatform::probe(std::stop_token)
{
    GPULEDGER_TRY(readDeeds(m_file));
    ports::ProbeReport report;
    report.product = "GPU Ledger demo";
    report.usable = true;
    return report;
}

Result<TargetState> DemoPlatform::find(const model::HolderKey &holder, std::stop_token)
{
    const auto deeds = readDeeds(m_file);
    GPULEDGER_TRY(deeds);
    const base::UtcTime now = m_clock.now();
    const auto found = findRun({now - base::kBucket, now + base::Seconds{1}}, *deeds,
                               [&](const Lane &lane, const Run &run, const SimulatedAction *deed) {
                                   if (lane.team->nameSpace != holder.nameSpace)
                                       return false;
                                   for (const Run &piece : piecesOf(run, deed)) {
                                       for (std::size_t m = 0; m < lane.members.size(); ++m) {
                                           const auto pod = holderOf(lane, m, piece, m_simulation.plan());
                                           if (pod.name == holder.name && pod.cluster == holder.cluster
                                               && (holder.uid.empty() || pod.uid == holder.uid))
                                               return true;
                                       }
                                   }
                                   return false;
                               });
    if (!found)
        return base::fail(ErrorCode::NotFound, "pod " + holder.nameSpace + '/' + holder.name + " no longer exists");
    return stateOf(*found, *deeds);
}

Result<TargetState> DemoPlatform::read(const model::TargetRef &target, std::stop_token)
{
    const auto deeds = readDeeds(m_file);
    GPULEDGER_TRY(deeds);
    const base::UtcTime now = m_clock.now();
    const auto found = findRun(
        {now - 2 * base::kDay, now + base::Seconds{1}}, *deeds,
        [&](const Lane &lane, const Run &run, const SimulatedAction *) { return objectUid(lane, run) == target.uid; });
    auto state = found ? std::optional(stateOf(*found, *deeds)) : std::nullopt;
    const bool deleted = state && state->verb == StopVerb::Delete && state->isStopped && state->holders.empty();
    if (!state || deleted)
        return base::fail(ErrorCode::NotFound, target.kind + ' ' + target.name + " no longer exists");
    return std::move(*state);
}

Result<ports::Permission> DemoPlatform::permission(const TargetState &, bool, std::stop_token)
{
    return ports::Permission{true, {}};
}

Result<ports::Rehearsal> DemoPlatform::rehearse(const TargetState &target, const model::StopMark &,
                                                std::stop_token stop)
{
    const auto now = read(target.ref, std::move(stop));
    GPULEDGER_TRY(now);
    if (now->version != target.version)
        return ports::Rehearsal{ports::Rehearsal::Kind::Refused, "the object has changed", {}};
    return ports::Rehearsal{ports::Rehearsal::Kind::Accepted, {}, {}};
}

WriteOutcome DemoPlatform::stop(const TargetState &target, const model::StopMark &mark, std::stop_token)
{
    std::string version;
    const bool isSetBack = std::any_of(target.managers.begin(), target.managers.end(),
                                       [](const std::string &manager) { return manager.starts_with(kScaler); });
    const auto done = changeDeed(m_file, target.ref.uid, [&](SimulatedAction &deed) {
        if (std::to_string(deed.version) != target.version || deed.isPaused())
            return false;
        if (isSetBack) { // by the time anyone looks, the scaler has done so
            deed.version += 2;
            version = std::to_string(deed.version);
            return true;
        }
        deed.pauses.push_back({m_clock.now(), std::nullopt});
        deed.value = target.stoppedValue;
        deed.mark = mark;
        deed.changedAt = realSeconds();
        version = std::to_string(++deed.version);
        return true;
    });
    if (!done)
        return answer(WriteOutcome::Kind::Unknown, done.error().text); // the file may have been replaced nevertheless
    WriteOutcome outcome = answer(*done ? WriteOutcome::Kind::Done : WriteOutcome::Kind::Changed,
                                  *done ? "" : "the object has changed since it was checked");
    outcome.version = version;
    outcome.receipt = *done ? "demo-" + target.ref.uid.substr(0, 8) + '-' + version : "";
    return outcome;
}

WriteOutcome DemoPlatform::announce(const TargetState &target, const std::optional<model::StopNotice> &notice,
                                    std::stop_token)
{
    const auto done = changeDeed(m_file, target.ref.uid, [&](SimulatedAction &deed) {
        if (std::to_string(deed.version) != target.version)
            return false;
        deed.annotations.erase(model::kStopAtNote);
        deed.annotations.erase(model::kStopReasonNote);
        if (notice) {
            deed.annotations[model::kStopAtNote] = base::toRfc3339(notice->at);
            deed.annotations[model::kStopReasonNote] = notice->reason;
        }
        ++deed.version;
        return true;
    });
    if (!done)
        return answer(WriteOutcome::Kind::Unknown, done.error().text); // the file may have been replaced nevertheless
    return answer(*done ? WriteOutcome::Kind::Done : WriteOutcome::Kind::Changed,
                  *done ? "" : "the object has changed since it was checked");
}

WriteOutcome DemoPlatform::undo(const TargetState &target, const model::StopMark &mark, const std::string &,
                                std::stop_token)
{
    std::string version;
    const auto done = changeDeed(m_file, target.ref.uid, [&](SimulatedAction &deed) {
        if (!deed.isPaused() || !deed.mark || deed.mark->key != mark.key)
            return false;
        deed.pauses.back().until = m_clock.now();
        deed.value = mark.oldValue;
        deed.mark.reset();
        deed.changedAt = realSeconds();
        version = std::to_string(++deed.version);
        return true;
    });
    if (!done)
        return answer(WriteOutcome::Kind::Unknown, done.error().text); // the file may have been replaced nevertheless
    WriteOutcome outcome = answer(*done ? WriteOutcome::Kind::Done : WriteOutcome::Kind::Changed,
                                  *done ? "" : "someone else has changed it since");
    // A deleted pod is recreated; here it keeps its uid.
    outcome.version = target.version.empty() ? target.ref.uid : version;
    return outcome;
}

} // namespace gpuledger::demo

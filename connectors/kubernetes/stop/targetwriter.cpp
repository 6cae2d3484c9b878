// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/kubernetes/stop/targetwriter.h"

#include "connectors/format/json.h"
#include "connectors/kubernetes/api/access.h"
#include "connectors/kubernetes/stop/kinds.h"
#include "connectors/kubernetes/stop/patch.h"

#include <algorithm>

namespace gpuledger::kubernetes {

using base::ErrorCode;
using base::Result;
using model::StopVerb;
using model::TargetState;
using ports::WriteOutcome;
using Kind = ports::WriteOutcome::Kind;

namespace {

constexpr const char *kJsonPatch = "application/json-patch+json";

bool removesPod(const TargetState &target)
{
    return target.verb == StopVerb::Evict || target.verb == StopVerb::Delete;
}

tl::unexpected<WriteOutcome> outcome(Kind kind, std::string text)
{
    WriteOutcome out;
    out.kind = kind;
    out.text = std::move(text);
    return tl::unexpected<WriteOutcome>(std::move(out));
}

// Reports a failure before the call: nothing was sent.
tl::unexpected<WriteOutcome> notSent(const base::Error &error)
{
    switch (error.code) {
    case ErrorCode::NotFound:
        return outcome(Kind::Gone, error.text);
    case ErrorCode::Timeout:
    case ErrorCode::Network:
    case ErrorCode::Server:
    case ErrorCode::RateLimited:
        return outcome(Kind::TryLater, "nothing was sent: " + error.text);
    default:
        return outcome(Kind::Refused, "nothing was sent: " + error.text);
    }
}

// One new value for each field of the plan; std::nullopt removes the field.
std::vector<std::optional<Json>> valuesOf(const StopPlan &plan, const std::string &jsonText)
{
    const auto json = format::parseJson(jsonText);
    const auto orAbsent = [](const Json &value) { return value.is_null() ? std::nullopt : std::optional(value); };
    std::vector<std::optional<Json>> values;
    for (const Field &field : plan.fields) {
        if (!json)
            return {};
        if (plan.fields.size() == 1)
            values.push_back(orAbsent(*json));
        else if (json->is_object() && json->contains(field.pointer))
            values.push_back(orAbsent((*json)[field.pointer]));
        else
            return {};
    }
    return values;
}

// The Scale of an object that uses the standard field, as far as a patch needs it: reading the real one takes a
// separate permission, which a user who may patch it need not have. A Scale omits a count of 0.
Json scaleOf(const Json &object)
{
    Json scale{{"metadata", {{"uid", uidOf(object)}, {"resourceVersion", versionOf(object)}}},
               {"spec", Json::object()}};
    if (const Json &replicas = at(object, {"spec", "replicas"}); replicas.is_number_integer() && replicas != Json(0))
        scale["spec"]["replicas"] = replicas;
    return scale;
}

Json preconditionsOf(const TargetState &target)
{
    return {{"uid", target.ref.uid}, {"resourceVersion", target.version}};
}

WriteCall podCall(const TargetState &target, bool dryRun)
{
    WriteCall call;
    const std::string path = kPods.path(target.ref.nameSpace, target.ref.name);
    if (target.verb == StopVerb::Delete) {
        call.method = "DELETE";
        call.path = path;
        call.hasFieldQuery = false; // a DELETE with a body ignores its query, including dryRun
        call.body = {{"apiVersion", "v1"},
                     {"kind", "DeleteOptions"},
                     {"preconditions", preconditionsOf(target)},
                     {"propagationPolicy", "Background"}};
        if (dryRun)
            call.body["dryRun"] = Json::array({"All"});
        return call;
    }
    call.method = "POST";
    call.path = path + "/eviction";
    call.isDryRun = dryRun;
    Json options{{"preconditions", preconditionsOf(target)}};
    if (dryRun)
        options["dryRun"] = Json::array({"All"});
    call.body = {{"apiVersion", "policy/v1"},
                 {"kind", "Eviction"},
                 {"metadata", {{"name", target.ref.name}, {"namespace", target.ref.nameSpace}}},
                 {"deleteOptions", std::move(options)}};
    return call;
}

} // namespace

Result<ports::Permission> TargetWriter::permission(const TargetState &target, bool undo, const std::stop_token &stop)
{
    const auto found = m_discovery.find(groupOf(target.ref.apiVersion), target.ref.kind, stop);
    GPULEDGER_TRY(found);
    if (!*found)
        return base::fail(ErrorCode::NotFound, "the cluster has no kind " + shown(target.ref.kind));
    const Resource &resource = **found;
    const std::string &space = target.ref.nameSpace, &name = target.ref.name;
    std::vector<AccessQuestion> anyOf;
    if (resource.kind == "Pod" && undo)
        anyOf.push_back(rightOn(resource, "create", "", space, name));
    else if (target.verb == StopVerb::Evict)
        anyOf.push_back(rightOn(resource, "create", "eviction", space, name));
    else if (target.verb == StopVerb::Delete)
        anyOf.push_back(rightOn(resource, "delete", "", space, name));
    else
        anyOf.push_back(rightOn(resource, "patch", "", space, name));
    if (target.verb == StopVerb::ScaleToZero && resource.subresources.count("scale") > 0)
        anyOf.push_back(rightOn(resource, "patch", "scale", space, name));
    ports::Permission permission;
    for (const AccessQuestion &question : anyOf) {
        const auto allowed = mayI(m_api, question, stop);
        GPULEDGER_TRY(allowed);
        permission.isAllowed |= *allowed;
    }
    if (!permission.isAllowed)
        permission.missing = anyOf.back().shownRight(); // the last one is the narrower permission
    return permission;
}

TargetWriter::Ready TargetWriter::prepareFields(const Subject &subject, const StopPlan &plan,
                                                const std::vector<std::optional<Json>> &newValues,
                                                const model::StopMark *mark, const std::stop_token &stop)
{
    const std::string space = text(subject.object, {"metadata", "namespace"}), name = nameOf(subject.object);
    Prepared prepared;
    prepared.isScale = plan.onlyScale;
    if (plan.verb == StopVerb::ScaleToZero && !plan.onlyScale && subject.resource.subresources.count("scale") > 0) {
        const auto whole = mayI(m_api, rightOn(subject.resource, "patch", "", space, name), stop);
        if (!whole)
            return notSent(whole.error());
        prepared.isScale = !*whole;
    }
    Json object = subject.object;
    if (prepared.isScale && !plan.onlyScale) {
        object = scaleOf(subject.object);
    } else if (prepared.isScale) {
        auto scale = m_api.get(subject.resource.path(space, name, "scale"), stop);
        if (!scale)
            return notSent(scale.error());
        if (uidOf(*scale) != uidOf(object) || versionOf(*scale) != versionOf(object))
            return outcome(Kind::Changed, "it changed while it was being checked");
        object = std::move(*scale);
    }
    Patch patch(object);
    for (const Field &field : plan.fields)
        patch.expect(field.pointer, prepared.isScale ? valueAt(object, field.pointer) : field.value);
    for (std::size_t i = 0; i < plan.fields.size(); ++i) {
        prepared.fields.emplace_back(plan.fields[i].pointer, newValues[i]);
        if (!newValues[i])
            patch.remove(plan.fields[i].pointer);
        else if (!patch.set(plan.fields[i].pointer, *newValues[i]))
            return outcome(Kind::Refused, "what is above its field " + shown(plan.fields[i].pointer) + " is not a map");
    }
    prepared.hasMark = mark && !prepared.isScale;
    if (prepared.hasMark && !patch.addMark(*mark))
        return outcome(Kind::Refused, "its annotations are not a map");
    if (!prepared.hasMark && !prepared.isScale)
        patch.removeMark();
    if (!prepared.isScale)
        patch.removeNotice(); // it is stopped now, or wanted back
    prepared.call.method = "PATCH";
    prepared.call.path = subject.resource.path(space, name, prepared.isScale ? "scale" : "");
    prepared.call.contentType = kJsonPatch;
    prepared.call.body = patch.operations();
    return prepared;
}

TargetWriter::Ready TargetWriter::prepareStop(const TargetState &target, const model::StopMark &mark, bool dryRun,
                                              const std::stop_token &stop)
{
    if (target.obstacle)
        return outcome(Kind::Refused, target.obstacle->text);
    if (removesPod(target)) {
        Prepared prepared;
        prepared.call = podCall(target, dryRun);
        return prepared;
    }
    const auto subject = m_reader.subjectOf(target.ref, stop);
    if (!subject)
        return notSent(subject.error());
    const auto plan = m_reader.planFor(*subject, stop);
    if (!plan)
        return notSent(plan.error());
    if (versionOf(subject->object) != target.version || plan->verb != target.verb || plan->value() != target.value)
        return outcome(Kind::Changed, "it changed after it was checked");
    if (plan->obstacle || plan->isStopped() || plan->fields.empty())
        return outcome(Kind::Refused, plan->obstacle ? plan->obstacle->text : "it is already stopped");
    const auto values = valuesOf(*plan, target.stoppedValue);
    if (values.size() != plan->fields.size())
        return outcome(Kind::Refused, "the value to set can't be read");
    auto prepared = prepareFields(*subject, *plan, values, &mark, stop);
    if (prepared)
        prepared->call.isDryRun = dryRun;
    return prepared;
}

TargetWriter::Ready TargetWriter::prepareUndo(const TargetState &target, const model::StopMark &mark,
                                              const std::stop_token &stop)
{
    const auto subject = m_reader.subjectOf(target.ref, stop);
    if (!subject)
        return notSent(subject.error());
    const auto plan = m_reader.planFor(*subject, stop);
    if (!plan)
        return notSent(plan.error());
    if (versionOf(subject->object) != target.version)
        return outcome(Kind::Changed, "it changed while it was being checked");
    if (plan->value() != target.value || !plan->isStopped())
        return outcome(Kind::Changed, "it is now " + shown(plan->value()) + ", which the stop did not set");
    if (target.ref.kind == "RayCluster" && !hasCondition(subject->object, "RayClusterSuspended", "True"))
        return outcome(Kind::TryLater, "it is still being suspended");
    const auto values = valuesOf(*plan, mark.oldValue);
    if (values.empty() || values.size() != plan->fields.size())
        return outcome(Kind::Refused, "the old value can't be read");
    return prepareFields(*subject, *plan, values, nullptr, stop);
}

void TargetWriter::takeMarkAway(const TargetState &target, const std::stop_token &stop)
{
    const auto subject = m_reader.subjectOf(target.ref, stop);
    if (!subject)
        return;
    Patch patch(subject->object);
    patch.removeMark();
    WriteCall call;
    call.method = "PATCH";
    call.path = subject->resource.path(target.ref.nameSpace, target.ref.name);
    call.contentType = kJsonPatch;
    call.body = patch.operations();
    (void)m_api.write(call, stop); // best effort: the object keeps running either way
}

WriteOutcome TargetWriter::send(const Prepared &prepared, const TargetState &target, const std::stop_token &stop)
{
    WriteAnswer answer = m_api.write(prepared.call, stop);
    if (answer.outcome.kind != Kind::Done)
        return std::move(answer.outcome);
    for (const auto &[pointer, wanted] : prepared.fields) {
        auto is = valueAt(answer.object, pointer);
        if (prepared.isScale && !is)
            is = Json(0);
        if (is == wanted)
            continue;
        answer.outcome.kind = Kind::Refused;
        answer.outcome.text = "the cluster accepted the call, but dropped the field " + shown(pointer)
            + ": this version of the operator does not know it";
        if (prepared.hasMark && !prepared.call.isDryRun)
            takeMarkAway(target, stop);
        break;
    }
    return std::move(answer.outcome);
}

Result<ports::Rehearsal> TargetWriter::rehearse(const TargetState &target, const model::StopMark &mark,
                                                const std::stop_token &stop)
{
    auto prepared = prepareStop(target, mark, true, stop);
    const WriteOutcome out = prepared ? send(*prepared, target, stop) : prepared.error();
    ports::Rehearsal rehearsal;
    rehearsal.text = out.text;
    rehearsal.warnings = out.warnings;
    switch (out.kind) {
    case Kind::Done:
        rehearsal.kind = ports::Rehearsal::Kind::Accepted;
        return rehearsal;
    case Kind::Gone:
        return base::fail(ErrorCode::NotFound, out.text);
    case Kind::Unknown:
        return base::fail(stop.stop_requested() ? ErrorCode::Cancelled : ErrorCode::Server, out.text);
    case Kind::TryLater:
    case Kind::Changed:
    case Kind::Refused:
        break;
    }
    const bool isUnable = out.text.find("dry run") != std::string::npos || out.text.find("dryRun") != std::string::npos;
    rehearsal.kind = isUnable ? ports::Rehearsal::Kind::Impossible : ports::Rehearsal::Kind::Refused;
    return rehearsal;
}

WriteOutcome TargetWriter::stop(const TargetState &target, const model::StopMark &mark, const std::stop_token &stop)
{
    auto prepared = prepareStop(target, mark, false, stop);
    return prepared ? send(*prepared, target, stop) : prepared.error();
}

WriteOutcome TargetWriter::announce(const TargetState &target, const std::optional<model::StopNotice> &notice,
                                    const std::stop_token &stop)
{
    const auto subject = m_reader.subjectOf(target.ref, stop);
    if (!subject)
        return notSent(subject.error()).value();
    if (versionOf(subject->object) != target.version)
        return outcome(Kind::Changed, "it changed after it was checked").value();
    Patch patch(subject->object);
    if (notice && !patch.addNotice(*notice))
        return outcome(Kind::Refused, "its annotations are not a map").value();
    if (!notice)
        patch.removeNotice();
    WriteCall call;
    call.method = "PATCH";
    call.path = subject->resource.path(target.ref.nameSpace, target.ref.name);
    call.contentType = kJsonPatch;
    call.body = patch.operations();
    WriteAnswer answer = m_api.write(call, stop);
    if (answer.outcome.kind == Kind::Done && notice
        && text(answer.object, {"metadata", "annotations", model::kStopAtNote}).empty()) {
        answer.outcome.kind = Kind::Refused;
        answer.outcome.text = "the cluster accepted the call, but dropped the annotation";
    }
    return std::move(answer.outcome);
}

WriteOutcome TargetWriter::makeAgain(const TargetState &target, const std::string &manifest,
                                     const std::stop_token &stop)
{
    const auto json = format::parseJson(manifest);
    if (!json || text(*json, {"kind"}) != "Pod" || nameOf(*json) != target.ref.name
        || text(*json, {"metadata", "namespace"}) != target.ref.nameSpace)
        return outcome(Kind::Refused, "what was kept of the pod can't be read").value();
    WriteCall call;
    call.method = "POST";
    call.path = kPods.listPath(target.ref.nameSpace);
    call.body = manifestOf(*json);
    WriteAnswer answer = m_api.write(call, stop);
    if (answer.outcome.kind == Kind::Done) {
        answer.outcome.version = uidOf(answer.object);
    } else if (answer.status == 409) {
        const auto now = m_api.get(kPods.path(target.ref.nameSpace, target.ref.name), stop);
        const bool isEnding = now && uidOf(*now) == target.ref.uid;
        answer.outcome.kind = isEnding ? Kind::TryLater : Kind::Changed;
        answer.outcome.text = isEnding ? "the old pod is still ending" : "another pod has its name";
    }
    return std::move(answer.outcome);
}

WriteOutcome TargetWriter::undo(const TargetState &target, const model::StopMark &mark, const std::string &manifest,
                                const std::stop_token &stop)
{
    if (target.ref.kind == "Pod" && groupOf(target.ref.apiVersion).empty())
        return makeAgain(target, manifest, stop);
    auto prepared = prepareUndo(target, mark, stop);
    return prepared ? send(*prepared, target, stop) : prepared.error();
}

} // namespace gpuledger::kubernetes

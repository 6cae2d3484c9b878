// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/instances.h"

#include "app/base/text/text.h"
#include "connectors/auth/changes.h"
#include "connectors/aws/instancemark.h"

#include <algorithm>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using ports::Rehearsal;
using ports::WriteOutcome;
using Kind = WriteOutcome::Kind;

namespace {

constexpr int kMaxLooks = 3; // at an instance before a change, if answers are slow
constexpr int kMaxPages = 50;

tl::unexpected<base::Error> gone(const std::string &what)
{
    return base::fail(ErrorCode::NotFound, "there is no such EC2 instance: " + base::printable(what, 100));
}

Result<format::XmlNode> treeOf(const Result<Answer> &answer)
{
    GPULEDGER_TRY(answer);
    return format::parseXml(answer->body);
}

// Describes what someone else has changed.
std::string difference(const model::TargetState &then, const InstanceFacts &now)
{
    if (then.value != jsonOf(now.state))
        return "the machine is " + (now.state.empty() ? "in an unknown state" : now.state) + " now";
    if (then.labels != now.tags)
        return "its tags were changed since it was checked";
    return "it was started again or changed since it was checked";
}

model::Labels withoutMark(model::Labels tags)
{
    std::erase_if(tags, [](const auto &tag) { return isMarkTag(tag.first); });
    return tags;
}

// The instance's state before the call; "" if the answer does not contain it.
std::string previousState(const Answer &answer, const std::string &id)
{
    const auto root = format::parseXml(answer.body);
    if (!root)
        return {};
    for (const format::XmlNode &item : root->listAt("instancesSet")) {
        if (item.textAt("instanceId") == id)
            return stateName(item.textAt("previousState/code"));
    }
    return {};
}

// The outcome of a change that was answered with success.
WriteOutcome doneOutcome(const Answer &answer, const std::string &id, std::string_view expected)
{
    WriteOutcome out;
    if (const auto root = format::parseXml(answer.body))
        out.receipt = base::printable(root->textAt("requestId"), 100);
    const std::string before = previousState(answer, id);
    if (before.empty()) {
        out.text = "the response does not contain the new state of the machine";
    } else if (before != expected) {
        out.kind = Kind::Changed;
        out.text = "the machine was " + before + " already when the call arrived: someone else did it";
    } else {
        out.kind = Kind::Done;
    }
    return out;
}

} // namespace

Instances::Instances(AwsApi &api, std::string source, std::string cluster)
    : m_api(api)
    , m_source(std::move(source))
    , m_cluster(std::move(cluster))
{
}

Result<InstanceFacts> Instances::describe(const std::string &id, Try how, const std::stop_token &stop)
{
    const Call call = queryCall("ec2", "DescribeInstances", {{"InstanceId.1", id}});
    const auto root = treeOf(m_api.read(call, stop, how));
    GPULEDGER_TRY(root);
    auto all = instancesIn(*root);
    if (!all)
        return base::fail(std::move(all).error());
    const auto it = std::find_if(all->begin(), all->end(), [&](const InstanceFacts &one) { return one.id == id; });
    if (it == all->end() || it->state == "terminated")
        return gone(id);
    return std::move(*it);
}

Result<InstanceFacts> Instances::describeNode(const std::string &node, const std::stop_token &stop)
{
    std::vector<InstanceFacts> found;
    std::string token;
    for (int page = 0; page < kMaxPages; ++page) {
        http::Parameters parameters{
            {"Filter.1.Name", "private-dns-name"}, {"Filter.1.Value.1", node}, {"MaxResults", "1000"}};
        if (!token.empty())
            parameters.emplace_back("NextToken", token);
        const auto root = treeOf(m_api.read(queryCall("ec2", "DescribeInstances", std::move(parameters)), stop));
        GPULEDGER_TRY(root);
        auto all = instancesIn(*root);
        if (!all)
            return base::fail(std::move(all).error());
        // Names of terminated instances are reused.
        std::copy_if(all->begin(), all->end(), std::back_inserter(found),
                     [&](const InstanceFacts &one) { return one.privateName == node && one.state != "terminated"; });
        const std::string next = root->textAt("nextToken");
        if (next.empty())
            break;
        if (next == token || page + 1 == kMaxPages)
            return base::fail(ErrorCode::Server, "EC2's list of the instances with this name does not end");
        token = next;
    }
    if (found.size() > 1)
        return base::fail(ErrorCode::Refused,
                          "several machines have the private name " + base::printable(node, 100)
                              + "; it is not clear which one is meant");
    if (found.empty())
        return gone(node);
    return std::move(found.front());
}

std::optional<bool> Instances::isProtected(const InstanceFacts &facts, const std::stop_token &stop)
{
    const auto root = treeOf(m_api.read(
        queryCall("ec2", "DescribeInstanceAttribute", {{"InstanceId", facts.id}, {"Attribute", "disableApiStop"}}),
        stop));
    const format::XmlNode *value = root ? root->at("disableApiStop/value") : nullptr;
    return value ? std::optional(value->text == "true") : std::nullopt;
}

std::optional<bool> Instances::hasLocalDisks(const std::string &type, const std::stop_token &stop)
{
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_localDisks.find(type); known != m_localDisks.end())
            return known->second;
    }
    const auto root = treeOf(m_api.read(queryCall("ec2", "DescribeInstanceTypes", {{"InstanceType.1", type}}), stop));
    if (!root)
        return std::nullopt;
    for (const format::XmlNode &item : root->listAt("instanceTypeSet")) {
        const std::string supported = item.textAt("instanceStorageSupported");
        if (item.textAt("instanceType") != type || supported.empty())
            continue;
        const std::lock_guard lock(m_mutex);
        return m_localDisks[type] = supported == "true";
    }
    return std::nullopt;
}

std::string Instances::spotKind(const InstanceFacts &facts, const std::stop_token &stop)
{
    if (facts.spotRequest.empty())
        return {};
    const auto root = treeOf(m_api.read(
        queryCall("ec2", "DescribeSpotInstanceRequests", {{"SpotInstanceRequestId.1", facts.spotRequest}}), stop));
    return root ? root->textAt("spotInstanceRequestSet/item/type") : std::string();
}

model::HolderKey Instances::holderOf(const InstanceFacts &facts) const
{
    model::HolderKey holder;
    holder.cluster = m_cluster;
    holder.name = facts.id;
    holder.node = facts.privateName;
    holder.instanceId = facts.id;
    holder.kind = model::SubjectKind::Machine;
    return holder;
}

Result<model::TargetState> Instances::complete(const InstanceFacts &facts, const std::stop_token &stop)
{
    InstanceExtras extras;
    extras.isProtected = isProtected(facts, stop);
    extras.hasLocalDisks = hasLocalDisks(facts.type, stop);
    if (facts.lifecycle == "spot")
        extras.spotKind = spotKind(facts, stop);
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "cancelled");
    model::TargetState state = stateOf(facts, extras, m_api.region(), m_api.now());
    state.ref.source = m_source;
    return state;
}

Result<model::TargetState> Instances::find(const model::HolderKey &holder, const std::stop_token &stop)
{
    if (holder.instanceId.empty() && holder.node.empty())
        return gone(holder.name);
    const bool isId = holder.instanceId.starts_with("i-");
    const auto facts = isId ? describe(holder.instanceId, Try::Again, stop)
                            : describeNode(holder.instanceId.empty() ? holder.node : holder.instanceId, stop);
    GPULEDGER_TRY(facts);
    auto state = complete(*facts, stop);
    if (!state)
        return state;
    if (!state->isStopped) {
        state->holders = {holder};
        state->holders.front().instanceId = facts->id;
    }
    if (!state->obstacle && holder.kind != model::SubjectKind::Machine)
        state->obstacle = auth::heldElsewhere(holder.kind);
    return state;
}

Result<model::TargetState> Instances::read(const model::TargetRef &target, const std::stop_token &stop)
{
    const auto facts = describe(target.name, Try::Again, stop);
    GPULEDGER_TRY(facts);
    if (arnOf(*facts, m_api.region()) != target.uid)
        return gone(target.uid);
    auto state = complete(*facts, stop);
    if (state && !state->isStopped)
        state->holders = {holderOf(*facts)};
    return state;
}

Result<ports::Permission> Instances::permission(const model::TargetState &target, bool undo,
                                                const std::stop_token &stop)
{
    const Call call = queryCall("ec2", undo ? "StartInstances" : "StopInstances",
                                {{"InstanceId.1", target.ref.name}, {"DryRun", "true"}});
    const auto answer = m_api.ask(call, stop);
    GPULEDGER_TRY(answer);
    ports::Permission out;
    switch (faultOf(*answer)) {
    case Fault::DryRun:
        out.isAllowed = true;
        return out;
    case Fault::Denied:
        out.missing = call.action + " on " + target.ref.uid;
        return out;
    case Fault::None:
        return base::fail(ErrorCode::Parse, call.action + " did not answer as a dry run should");
    default:
        return base::fail(errorOf(*answer, call.action));
    }
}

Result<Rehearsal> Instances::rehearse(const model::TargetState &target, const std::stop_token &stop)
{
    const auto now = describe(target.ref.name, Try::Again, stop);
    GPULEDGER_TRY(now);
    Rehearsal out;
    out.kind = Rehearsal::Kind::Refused;
    if (target.obstacle) {
        out.text = target.obstacle->text;
        return out;
    }
    if (arnOf(*now, m_api.region()) != target.ref.uid || versionOf(*now) != target.version) {
        out.text = difference(target, *now);
        return out;
    }
    const auto allowed = permission(target, false, stop);
    GPULEDGER_TRY(allowed);
    if (!allowed->isAllowed) {
        out.text = allowed->missing + " is not allowed";
        return out;
    }
    out.kind = Rehearsal::Kind::Accepted;
    const auto mark = m_api.ask(queryCall("ec2", "CreateTags",
                                          {{"ResourceId.1", target.ref.name},
                                           {"Tag.1.Key", std::string(kMarkTags[0])},
                                           {"Tag.1.Value", ""},
                                           {"DryRun", "true"}}),
                                stop);
    if (mark && faultOf(*mark) == Fault::Denied)
        out.warnings.push_back("ec2:CreateTags on " + target.ref.uid
                               + " is not allowed: who stopped it can't be left at the machine");
    return out;
}

tl::expected<InstanceFacts, WriteOutcome> Instances::unchanged(const model::TargetState &target,
                                                               const std::stop_token &stop)
{
    for (int look = 0; look < kMaxLooks; ++look) {
        const http::Milliseconds begin = m_api.steadyNow();
        auto now = describe(target.ref.name, Try::Once, stop);
        if (!now)
            return tl::unexpected(notSent(now.error()));
        if (arnOf(*now, m_api.region()) != target.ref.uid || versionOf(*now) != target.version)
            return tl::unexpected(notSent(Kind::Changed, difference(target, *now)));
        if (stop.stop_requested())
            return tl::unexpected(notSent(Kind::TryLater, "cancelled before anything was sent"));
        if (m_api.steadyNow() - begin <= kFresh)
            return std::move(*now);
    }
    return tl::unexpected(notSent(Kind::TryLater, "EC2 responds too slowly to be sure of what would be stopped"));
}

void Instances::leaveMark(const std::string &id, const model::StopMark &mark, WriteOutcome &out,
                          const std::stop_token &stop)
{
    http::Parameters parameters{{"ResourceId.1", id}};
    int number = 0;
    for (const auto &[key, value] : tagsOf(mark)) {
        const std::string tag = "Tag." + std::to_string(++number);
        parameters.emplace_back(tag + ".Key", key);
        parameters.emplace_back(tag + ".Value", value);
    }
    const Call call = queryCall("ec2", "CreateTags", std::move(parameters));
    const auto answer = m_api.once(call, stop);
    if (!answer || answer->isError())
        out.warnings.push_back("who stopped it could not be left at the machine: "
                               + (answer ? errorOf(*answer, call.action) : answer.error()).text);
}

void Instances::takeMark(const std::string &id, WriteOutcome &out, const std::stop_token &stop)
{
    http::Parameters parameters{{"ResourceId.1", id}};
    int number = 0;
    for (const std::string_view key : kMarkTags)
        parameters.emplace_back("Tag." + std::to_string(++number) + ".Key", std::string(key));
    const Call call = queryCall("ec2", "DeleteTags", std::move(parameters));
    const auto answer = m_api.once(call, stop);
    if (!answer || answer->isError())
        out.warnings.push_back("the note of who stopped it could not be taken from the machine: "
                               + (answer ? errorOf(*answer, call.action) : answer.error()).text);
}

void Instances::readBack(const InstanceFacts &before, WriteOutcome &out, const std::stop_token &stop)
{
    const auto now = describe(before.id, Try::Once, stop);
    if (!now) {
        out.warnings.push_back("the machine could not be read back: " + now.error().text);
        return;
    }
    out.version = versionOf(*now);
    if (withoutMark(now->tags) != withoutMark(before.tags))
        out.warnings.push_back("its tags were changed in the very moment of the call");
}

WriteOutcome Instances::stop(const model::TargetState &target, const model::StopMark &mark, const std::stop_token &stop)
{
    if (target.obstacle)
        return notSent(Kind::Refused, target.obstacle->text);
    const auto before = unchanged(target, stop);
    if (!before)
        return before.error();
    if (before->state != "running")
        return notSent(Kind::Changed, difference(target, *before));
    const Call call = queryCall("ec2", "StopInstances", {{"InstanceId.1", before->id}});
    const auto answer = m_api.once(call, stop);
    if (auto failure = failureOf(answer, call, target.ref.uid))
        return std::move(*failure);
    WriteOutcome out = doneOutcome(*answer, before->id, "running");
    if (out.kind != Kind::Done)
        return out;
    leaveMark(before->id, mark, out, stop);
    readBack(*before, out, stop);
    return out;
}

WriteOutcome Instances::undo(const model::TargetState &target, const model::StopMark &mark, const std::stop_token &stop)
{
    if (stateOf(mark.oldValue) != "running")
        return notSent(Kind::Refused, "the machine was not running before: there is nothing to set back");
    const auto before = unchanged(target, stop);
    if (!before)
        return before.error();
    if (before->state != "stopped")
        return notSent(Kind::Changed, difference(target, *before));
    if (const auto left = markIn(before->tags); left && left->key != mark.key)
        return notSent(Kind::Changed, "it was stopped again by " + base::printable(left->actor, 100) + " since");
    const Call call = queryCall("ec2", "StartInstances", {{"InstanceId.1", before->id}});
    const auto answer = m_api.once(call, stop);
    if (auto failure = failureOf(answer, call, target.ref.uid))
        return std::move(*failure);
    WriteOutcome out = doneOutcome(*answer, before->id, "stopped");
    if (out.kind != Kind::Done)
        return out;
    if (markIn(before->tags))
        takeMark(before->id, out, stop);
    readBack(*before, out, stop);
    return out;
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/notebooks.h"

#include "app/base/text/text.h"
#include "connectors/aws/instancemark.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using model::Caution;
using model::Loss;
using model::Obstacle;
using nlohmann::json;
using ports::WriteOutcome;
using Kind = WriteOutcome::Kind;

namespace {

constexpr int kMaxNotebookLooks = 3;
constexpr int kMaxNotebookPages = 200;
constexpr std::string_view kArnMiddle = ":notebook-instance/";

std::string nameIn(const std::string &arn)
{
    const std::size_t at = arn.find(kArnMiddle);
    return at == std::string::npos ? std::string() : arn.substr(at + kArnMiddle.size());
}

// SageMaker writes the name in an ARN in lower case.
bool sameArn(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Converts fractional seconds since 1970 to milliseconds.
std::string instantAt(const json &object, const char *key)
{
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number())
        return {};
    const double seconds = it->get<double>();
    return std::isfinite(seconds) && std::abs(seconds) < 1e11 ? std::to_string(std::llround(seconds * 1000))
                                                              : std::string();
}

Result<json> objectIn(const Result<Answer> &answer)
{
    GPULEDGER_TRY(answer);
    auto parsed = format::parseJson(answer->body);
    if (parsed && !parsed->is_object())
        return base::fail(ErrorCode::Parse, "SageMaker's response is not a JSON object");
    return parsed;
}

Result<NotebookFacts> notebookFactsIn(const json &object)
{
    NotebookFacts out;
    out.name = format::textOf(object, "NotebookInstanceName");
    out.arn = format::textOf(object, "NotebookInstanceArn");
    out.status = format::textOf(object, "NotebookInstanceStatus");
    out.type = format::textOf(object, "InstanceType");
    out.created = instantAt(object, "CreationTime");
    out.modified = instantAt(object, "LastModifiedTime");
    if (out.name.empty() || out.arn.empty() || out.status.empty() || out.created.empty())
        return base::fail(ErrorCode::Parse,
                          "SageMaker described a notebook instance without a name, ARN, status or creation time");
    return out;
}

std::string uidOf(const NotebookFacts &facts)
{
    return facts.arn + '@' + facts.created;
}

std::string versionOf(const NotebookFacts &facts)
{
    VersionHash hash;
    for (const std::string *part : {&facts.arn, &facts.created, &facts.modified, &facts.status, &facts.type})
        hash.add(*part);
    hash.add(facts.tags ? "tags" : "none");
    hash.add(facts.tags.value_or(model::Labels{}));
    return hash.hex();
}

// "123456789012/us-east-1" of arn:aws:sagemaker:us-east-1:123456789012:notebook-instance/x
std::string placeInArn(const std::string &arn)
{
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= arn.size();) {
        const std::size_t end = std::min(arn.size(), arn.find(':', from));
        parts.push_back(arn.substr(from, end - from));
        from = end + 1;
    }
    return parts.size() > 4 ? parts[4] + '/' + parts[3] : std::string();
}

std::optional<Obstacle> obstacleByStatus(const std::string &status)
{
    if (status == "InService")
        return std::nullopt;
    if (status == "Stopped" || status == "Stopping")
        return Obstacle{Obstacle::Kind::AlreadyStopped, status == "Stopped" ? "it is stopped" : "it is being stopped"};
    if (status == "Failed" || status == "Deleting")
        return Obstacle{Obstacle::Kind::Finished, status == "Failed" ? "it has failed" : "it is being deleted"};
    return Obstacle{Obstacle::Kind::Other, "its status is " + base::printable(status, 60)};
}

std::string callBody(const std::string &name)
{
    return json{{"NotebookInstanceName", name}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

WriteOutcome done()
{
    WriteOutcome out;
    out.kind = Kind::Done;
    return out;
}

} // namespace

Notebooks::Notebooks(AwsApi &api, std::string source, std::string cluster)
    : m_api(api)
    , m_source(std::move(source))
    , m_cluster(std::move(cluster))
{
}

bool Notebooks::isArn(std::string_view text)
{
    return text.starts_with("arn:") && text.find(":sagemaker:") != std::string_view::npos
        && text.find(kArnMiddle) != std::string_view::npos;
}

Result<model::Labels> Notebooks::tagsOf(const std::string &arn, Try how, const std::stop_token &stop)
{
    model::Labels tags;
    std::string token;
    for (int page = 0; page < kMaxNotebookPages; ++page) {
        json body{{"ResourceArn", arn}};
        if (!token.empty())
            body["NextToken"] = token;
        const auto answer = objectIn(m_api.read(sageMakerCall("ListTags", body.dump()), stop, how));
        GPULEDGER_TRY(answer);
        if (const auto list = answer->find("Tags"); list != answer->end() && list->is_array()) {
            for (const json &tag : *list)
                tags[format::textOf(tag, "Key")] = format::textOf(tag, "Value");
        }
        const std::string next = format::textOf(*answer, "NextToken");
        if (next.empty())
            return tags;
        if (next == token)
            break;
        token = next;
    }
    return base::fail(ErrorCode::Server, "SageMaker's list of tags does not end");
}

Result<NotebookFacts> Notebooks::describe(const std::string &name, Try how, const std::stop_token &stop)
{
    const auto answer = objectIn(m_api.read(sageMakerCall("DescribeNotebookInstance", callBody(name)), stop, how));
    GPULEDGER_TRY(answer);
    auto facts = notebookFactsIn(*answer);
    if (!facts)
        return facts;
    auto tags = tagsOf(facts->arn, how, stop);
    if (tags)
        facts->tags = std::move(*tags);
    else if (tags.error().code != ErrorCode::Forbidden)
        return base::fail(std::move(tags).error());
    return facts;
}

Result<std::string> Notebooks::nameOf(const std::string &arn, const std::stop_token &stop)
{
    std::string token;
    for (int page = 0; page < kMaxNotebookPages; ++page) {
        json body{{"MaxResults", 100}};
        if (!token.empty())
            body["NextToken"] = token;
        const auto answer = objectIn(m_api.read(sageMakerCall("ListNotebookInstances", body.dump()), stop, Try::Again));
        GPULEDGER_TRY(answer);
        if (const auto list = answer->find("NotebookInstances"); list != answer->end() && list->is_array()) {
            for (const json &one : *list) {
                if (sameArn(format::textOf(one, "NotebookInstanceArn"), arn))
                    return format::textOf(one, "NotebookInstanceName");
            }
        }
        const std::string next = format::textOf(*answer, "NextToken");
        if (next.empty() || next == token)
            break;
        token = next;
    }
    return base::fail(ErrorCode::NotFound, "there is no such notebook instance: " + base::printable(arn, 200));
}

model::TargetState Notebooks::stateOf(const NotebookFacts &facts) const
{
    model::TargetState out;
    out.ref.source = m_source;
    out.ref.cluster = placeInArn(facts.arn);
    out.ref.kind = kNotebookKind;
    out.ref.name = facts.name;
    out.ref.uid = uidOf(facts);
    out.version = versionOf(facts);
    out.created = base::fromUnix(base::parseInt(facts.created).value_or(0) / 1000);
    out.readAt = m_api.now();
    out.verb = model::StopVerb::StopInstance;
    out.field = "NotebookInstanceStatus";
    out.value = jsonOf(facts.status);
    out.stoppedValue = jsonOf("Stopped");
    out.isStopped = facts.status == "Stopped";
    out.isChanging = facts.status == "Pending" || facts.status == "Stopping";
    out.labels = facts.tags.value_or(model::Labels{});
    out.annotations = {{"instance-type", facts.type}};
    out.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::LocalDisk, Loss::Capacity};
    out.cautions = {{Caution::Kind::Unguarded,
                     "can't be guarded by the platform: SageMaker stops by name alone; it is compared right before and "
                     "afterwards"},
                    {Caution::Kind::StaysBilled,
                     "its volume stays billed and keeps what lies below SageMaker; everything else is lost"}};
    if (!facts.tags)
        out.cautions.push_back({Caution::Kind::Other,
                                "its tags could not be read (sagemaker:ListTags), so neither its owner nor a "
                                "protection that they tell"});
    out.obstacle = obstacleByStatus(facts.status);
    out.mark = markIn(out.labels);
    if (!out.isStopped) {
        model::HolderKey holder;
        holder.cluster = m_cluster;
        holder.name = facts.name;
        holder.instanceId = facts.arn;
        holder.kind = model::SubjectKind::Machine;
        out.holders = {holder};
    }
    return out;
}

Result<model::TargetState> Notebooks::find(const model::HolderKey &holder, const std::stop_token &stop)
{
    const std::string &arn = holder.instanceId;
    auto facts = describe(nameIn(arn), Try::Again, stop);
    if (!facts && facts.error().code != ErrorCode::NotFound)
        return base::fail(std::move(facts).error());
    if (!facts || !sameArn(facts->arn, arn)) {
        const auto name = nameOf(arn, stop);
        GPULEDGER_TRY(name);
        facts = describe(*name, Try::Again, stop);
        GPULEDGER_TRY(facts);
    }
    if (!sameArn(facts->arn, arn))
        return base::fail(ErrorCode::NotFound, "there is no such notebook instance: " + base::printable(arn, 200));
    model::TargetState state = stateOf(*facts);
    if (!state.isStopped) {
        state.holders = {holder};
        state.holders.front().instanceId = facts->arn;
    }
    return state;
}

Result<model::TargetState> Notebooks::read(const model::TargetRef &target, const std::stop_token &stop)
{
    const auto facts = describe(target.name, Try::Again, stop);
    GPULEDGER_TRY(facts);
    if (uidOf(*facts) != target.uid)
        return base::fail(ErrorCode::NotFound,
                          "another notebook instance now has the name " + base::printable(target.name, 100) + " now");
    return stateOf(*facts);
}

Result<ports::Permission> Notebooks::permission() const
{
    return ports::Permission{true, {}};
}

Result<ports::Rehearsal> Notebooks::rehearse(const model::TargetState &target, const std::stop_token &stop)
{
    const auto now = describe(target.ref.name, Try::Again, stop);
    GPULEDGER_TRY(now);
    ports::Rehearsal out;
    out.kind = ports::Rehearsal::Kind::Refused;
    if (target.obstacle) {
        out.text = target.obstacle->text;
    } else if (uidOf(*now) != target.ref.uid || versionOf(*now) != target.version) {
        out.text = "the notebook was changed since it was checked";
    } else {
        out.kind = ports::Rehearsal::Kind::Impossible;
        out.text = "SageMaker has no dry run; only the stop itself shows whether it is permitted";
    }
    return out;
}

tl::expected<NotebookFacts, WriteOutcome> Notebooks::unchanged(const model::TargetState &target,
                                                               const std::stop_token &stop)
{
    for (int look = 0; look < kMaxNotebookLooks; ++look) {
        const http::Milliseconds begin = m_api.steadyNow();
        auto now = describe(target.ref.name, Try::Once, stop);
        if (!now)
            return tl::unexpected(notSent(now.error()));
        if (uidOf(*now) != target.ref.uid)
            return tl::unexpected(notSent(Kind::Changed, "another notebook has this name now"));
        if (versionOf(*now) != target.version)
            return tl::unexpected(
                notSent(Kind::Changed,
                        "the notebook was changed since it was checked; it is " + base::printable(now->status, 60)));
        if (stop.stop_requested())
            return tl::unexpected(notSent(Kind::TryLater, "cancelled before anything was sent"));
        if (m_api.steadyNow() - begin <= kFresh)
            return std::move(*now);
    }
    return tl::unexpected(notSent(Kind::TryLater, "SageMaker responds too slowly to be sure of what would be stopped"));
}

void Notebooks::changeTags(const std::string &action, const std::string &body, const char *warning, WriteOutcome &out,
                           const std::stop_token &stop)
{
    const auto answer = m_api.read(sageMakerCall(action, body), stop, Try::Once);
    if (!answer)
        out.warnings.push_back(std::string(warning) + ": " + answer.error().text);
}

void Notebooks::compareAfter(const NotebookFacts &before, WriteOutcome &out, const std::stop_token &stop)
{
    const auto now = describe(before.name, Try::Once, stop);
    if (!now) {
        out.warnings.push_back("the notebook could not be read back: " + now.error().text);
        return;
    }
    out.version = versionOf(*now);
    if (uidOf(*now) != uidOf(before))
        out.warnings.push_back("another notebook took this name in the very moment of the call: it may be the one that "
                               "was stopped or started");
}

WriteOutcome Notebooks::stop(const model::TargetState &target, const model::StopMark &mark, const std::stop_token &stop)
{
    if (target.obstacle)
        return notSent(Kind::Refused, target.obstacle->text);
    const auto before = unchanged(target, stop);
    if (!before)
        return before.error();
    const Call call = sageMakerCall("StopNotebookInstance", callBody(before->name));
    const auto answer = m_api.once(call, stop);
    if (auto failure = failureOf(answer, call, before->arn))
        return std::move(*failure);
    WriteOutcome out = done();
    json tags = json::array();
    for (const auto &[key, value] : aws::tagsOf(mark))
        tags.push_back({{"Key", key}, {"Value", value}});
    const json body{{"ResourceArn", before->arn}, {"Tags", std::move(tags)}};
    changeTags("AddTags", body.dump(), "who stopped it could not be left at the notebook", out, stop);
    compareAfter(*before, out, stop);
    return out;
}

WriteOutcome Notebooks::undo(const model::TargetState &target, const model::StopMark &mark, const std::stop_token &stop)
{
    if (aws::stateOf(mark.oldValue) != "InService")
        return notSent(Kind::Refused, "the notebook was not running before: there is nothing to set back");
    const auto before = unchanged(target, stop);
    if (!before)
        return before.error();
    if (before->status != "Stopped")
        return notSent(Kind::Changed, "the notebook is " + base::printable(before->status, 60) + " now");
    const auto left = markIn(before->tags.value_or(model::Labels{}));
    if (left && left->key != mark.key)
        return notSent(Kind::Changed, "it was stopped again by " + base::printable(left->actor, 100) + " since");
    const Call call = sageMakerCall("StartNotebookInstance", callBody(before->name));
    const auto answer = m_api.once(call, stop);
    if (auto failure = failureOf(answer, call, before->arn))
        return std::move(*failure);
    WriteOutcome out = done();
    if (left) {
        json keys = json::array();
        for (const std::string_view key : kMarkTags)
            keys.push_back(std::string(key));
        const json body{{"ResourceArn", before->arn}, {"TagKeys", std::move(keys)}};
        changeTags("DeleteTags", body.dump(), "the note of who stopped it could not be taken from the notebook", out,
                   stop);
    }
    compareAfter(*before, out, stop);
    return out;
}

} // namespace gpuledger::aws

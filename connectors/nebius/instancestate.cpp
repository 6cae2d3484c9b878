// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/instancestate.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/changes.h"
#include "connectors/auth/keyedtarget.h"
#include "connectors/nebius/grpcanswer.h"

#include <nebius.pb.h>

#include <algorithm>

namespace gpuledger::nebius {

using model::Caution;
using model::Loss;
using model::Obstacle;
using ports::WriteOutcome;
using Ended = WriteOutcome::Kind;

namespace {

constexpr std::size_t kShownFailure = 300, kShownOperation = 100; // bytes
// Where a key may have no slash, as elsewhere.
constexpr std::string_view kOwnPrefix = "gpu-ledger_", kOwnLabels = "gpu-ledger.io/";

std::string lowerText(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return text;
}

model::Labels withOwnLabels(const model::Labels &labels)
{
    model::Labels out;
    for (const auto &[key, value] : labels)
        out[key.starts_with(kOwnPrefix) ? std::string(kOwnLabels) + key.substr(kOwnPrefix.size()) : key] = value;
    return out;
}

std::optional<Obstacle> obstacleOf(const InstanceFacts &facts)
{
    const std::string state = "it is " + std::string(wordOf(facts.state));
    if (facts.state == InstanceState::Stopped || facts.state == InstanceState::Stopping)
        return Obstacle{Obstacle::Kind::AlreadyStopped, state};
    if (facts.state != InstanceState::Running)
        return Obstacle{Obstacle::Kind::Other, state};
    if (facts.isInCluster())
        return Obstacle{Obstacle::Kind::ManagedElsewhere,
                        "a node of a cluster is stopped through it: scale its node group down instead"};
    if (facts.isBusy)
        return Obstacle{Obstacle::Kind::Other, "an operation on it goes on"};
    return std::nullopt;
}

std::vector<Caution> cautionsOf(const InstanceFacts &facts)
{
    std::vector<Caution> all{
        {Caution::Kind::Unguarded,
         "Nebius has no precondition: the machine is compared right before it is stopped, and read back"},
        {Caution::Kind::StaysBilled, "its disks and any static address stay billed"},
        {Caution::Kind::Other, "a dynamic address is given back"}};
    if (!facts.reservation.empty())
        all.push_back({Caution::Kind::StaysBilled,
                       "its GPUs are of the reservation " + facts.reservation
                           + ", which keeps them and is paid for whether it runs or not"});
    if (facts.isPreemptible)
        all.push_back({Caution::Kind::Other, "a preemptible machine: Nebius may not start it again for its price"});
    if (!facts.gpuCluster.empty())
        all.push_back({Caution::Kind::Other,
                       "it is a member of the GPU cluster " + facts.gpuCluster
                           + ", in which there may be no place for it when it starts"});
    if (!facts.nvlinkGroup.empty())
        all.push_back({Caution::Kind::Other, "it is a member of the NVLink group " + facts.nvlinkGroup});
    return all;
}

// What a status means for a change: only where the service says that it did nothing, nothing was done.
Ended endedBy(GrpcCode code)
{
    switch (code) {
    case GrpcCode::NotFound:
        return Ended::Gone;
    case GrpcCode::AlreadyExists:
    case GrpcCode::FailedPrecondition:
    case GrpcCode::Aborted:
        return Ended::Changed;
    case GrpcCode::ResourceExhausted:
        return Ended::TryLater;
    case GrpcCode::InvalidArgument:
    case GrpcCode::PermissionDenied:
    case GrpcCode::OutOfRange:
    case GrpcCode::Unimplemented:
    case GrpcCode::Unauthenticated:
        return Ended::Refused;
    case GrpcCode::Ok:
    case GrpcCode::Cancelled:
    case GrpcCode::Unknown:
    case GrpcCode::DeadlineExceeded:
    case GrpcCode::Internal:
    case GrpcCode::Unavailable:
    case GrpcCode::DataLoss:
        break;
    }
    return Ended::Unknown;
}

// An operation that is over has its status.
std::string failureOf(const wire::Operation &operation)
{
    if (!operation.has_status() || operation.status().code() == 0)
        return {};
    const std::string words =
        base::printableLine(base::log::redacted(base::repairedUtf8(operation.status().message())), kShownFailure);
    const int code = operation.status().code();
    const bool isNamed = code > 0 && code <= static_cast<int>(GrpcCode::Unauthenticated);
    return std::string(isNamed ? nameOf(static_cast<GrpcCode>(code)) : "the operation failed")
        + (words.empty() ? "" : ": ") + words;
}

WriteOutcome operationOutcome(const std::string &body)
{
    WriteOutcome out;
    const auto message = messageIn(body);
    wire::Operation operation;
    if (!message || !operation.ParseFromString(*message) || operation.id().empty()) {
        out.text = "Nebius' answer names no operation";
        return out; // unknown
    }
    out.text = failureOf(operation);
    out.kind = out.text.empty() ? Ended::Done : Ended::Refused;
    out.receipt = base::printable(operation.id(), kShownOperation);
    return out;
}

} // namespace

std::string versionOf(const InstanceFacts &facts)
{
    std::vector<std::string> parts{facts.id,
                                   std::string(wordOf(facts.state)),
                                   facts.revision,
                                   facts.type(),
                                   facts.reservation,
                                   facts.isBusy ? "busy" : "",
                                   facts.isToBeStopped ? "to be stopped" : ""};
    for (const auto &[key, value] : facts.labels) {
        parts.push_back(key);
        parts.push_back(value);
    }
    return auth::versionOf(parts);
}

model::TargetState stateOf(const InstanceFacts &facts, const std::string &project)
{
    model::TargetState out;
    out.ref.cluster = project;
    out.ref.kind = "Instance";
    out.ref.name = facts.id;
    out.ref.uid = facts.id;
    out.version = versionOf(facts);
    out.created = facts.created.value_or(base::UtcTime{});
    out.verb = model::StopVerb::StopInstance;
    out.field = "state";
    out.value = auth::stateValue(wordOf(facts.state));
    out.stoppedValue = auth::stateValue(wordOf(InstanceState::Stopped));
    out.isStopped = facts.state == InstanceState::Stopped;
    out.isChanging = facts.state == InstanceState::Creating || facts.state == InstanceState::Updating
        || facts.state == InstanceState::Starting || facts.state == InstanceState::Stopping;
    out.labels = withOwnLabels(facts.labels);
    out.annotations = {{"instance-type", facts.type()}, {"instance-name", facts.name}};
    out.isReversible = !facts.hasLocalDisk;
    if (model::isProtectedBy(out.labels))
        out.protectedBy = model::ProtectMark{model::ProtectMark::Place::Label, "Instance " + facts.id};
    out.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint};
    if (facts.hasLocalDisk)
        out.losses.push_back(Loss::LocalDisk);
    if (facts.reservation.empty())
        out.losses.push_back(Loss::Capacity);
    out.cautions = cautionsOf(facts);
    out.obstacle = obstacleOf(facts);
    return out;
}

bool bears(const InstanceFacts &facts, const std::string &wanted)
{
    const std::string host = lowerText(facts.hostName);
    return wanted == lowerText(facts.id) || (!facts.name.empty() && wanted == lowerText(facts.name))
        || (!host.empty() && (wanted == host || wanted.starts_with(host + '.')));
}

WriteOutcome outcomeOf(const http::Response &response, const std::string &url)
{
    WriteOutcome out;
    const auto error = refusalOf(response, url);
    const auto code = statusOf(response);
    if (!error)
        out = operationOutcome(response.body);
    else
        out.text = error->text;
    if (error && code)
        out.kind = endedBy(*code);
    else if (error && response.status != 200)
        out.kind = auth::endedBy(response.status);
    out.retryAfter = response.retryAfter;
    return out;
}

} // namespace gpuledger::nebius

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/changes.h"

#include "app/base/text/text.h"

namespace gpuledger::auth {

using base::ErrorCode;
using ports::WriteOutcome;
using Ended = WriteOutcome::Kind;

WriteOutcome notSent(Ended kind, std::string text)
{
    WriteOutcome out;
    out.kind = kind;
    out.text = std::move(text);
    return out;
}

WriteOutcome notSent(const base::Error &error)
{
    const std::string text = "nothing was stopped or started: " + error.text;
    switch (error.code) {
    case ErrorCode::NotFound:
        return notSent(Ended::Gone, error.text);
    case ErrorCode::Forbidden:
    case ErrorCode::Unauthorized:
    case ErrorCode::InvalidConfig:
    case ErrorCode::Unsupported:
    case ErrorCode::Tls:
        return notSent(Ended::Refused, text);
    default:
        return notSent(Ended::TryLater, text);
    }
}

Ended endedBy(int status)
{
    switch (status) {
    case 404:
    case 410:
        return Ended::Gone;
    case 409:
    case 412:
    case 422:
        return Ended::Changed;
    case 429:
        return Ended::TryLater;
    case 408:
        return Ended::Unknown;
    default:
        return status >= 400 && status < 500 ? Ended::Refused : Ended::Unknown;
    }
}

WriteOutcome unanswered(const base::Error &error)
{
    return notSent(error.code == ErrorCode::Tls ? Ended::Refused : Ended::Unknown, error.text);
}

tl::unexpected<base::Error> noneOrSeveral(std::size_t found, const std::string &name)
{
    const std::string shown = base::printable(name, 100);
    if (found == 0)
        return base::fail(ErrorCode::NotFound, "no machine has the name " + shown);
    return base::fail(ErrorCode::Refused,
                      "several machines have the name " + shown + "; it is not clear which one is meant");
}

model::Obstacle heldElsewhere(model::SubjectKind holder)
{
    return {model::Obstacle::Kind::ManagedElsewhere,
            holder == model::SubjectKind::Pod ? "a pod is stopped through its cluster: the machine may hold others"
                                              : "a job is ended by its scheduler: the machine may hold others"};
}

} // namespace gpuledger::auth

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/awsapi.h"

#include "app/base/text/text.h"
#include "connectors/format/xmltree.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using ports::WriteOutcome;

AwsApi::AwsApi(Wire wire, const std::string &profile, ProcessEnvironment surroundings, http::RetryLimits retries,
               std::shared_ptr<http::Pause> pause)
    : m_wire(std::move(wire))
    , m_chain(m_wire, profile, std::move(surroundings))
    , m_retries(retries)
    , m_pause(std::move(pause))
{
}

Result<Answer> AwsApi::once(const Call &call, const std::stop_token &stop)
{
    for (bool isRenewed = false;; isRenewed = true) {
        const auto keys = m_chain.get(stop);
        GPULEDGER_TRY(keys);
        auto answer = m_wire.send(call, &(*keys)->keys, stop);
        if (!answer || isRenewed || faultOf(*answer) != Fault::BadKeys)
            return answer;
        m_chain.drop(*keys);
    }
}

Result<Answer> AwsApi::ask(const Call &call, const std::stop_token &stop, const TryFn &each)
{
    http::RetryPolicy policy(m_retries);
    const http::Milliseconds begin = m_pause->steadyNow();
    for (int failures = 0;;) {
        auto answer = once(call, stop);
        if (each)
            each(answer);
        const Fault fault = answer ? faultOf(*answer) : Fault::Failed;
        if (fault != Fault::Failed && fault != Fault::Throttled)
            return answer;
        const base::Error error = answer ? errorOf(*answer, call.action) : answer.error();
        const auto delay =
            policy.delay(++failures, error, answer ? answer->retryAfter : std::nullopt, m_pause->steadyNow() - begin);
        if (!delay)
            return answer;
        if (!m_pause->wait(*delay, stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
}

Result<Answer> AwsApi::read(const Call &call, const std::stop_token &stop, Try how)
{
    auto answer = how == Try::Again ? ask(call, stop) : once(call, stop);
    if (answer && answer->isError())
        return base::fail(errorOf(*answer, call.action));
    return answer;
}

Result<std::string> callerAccount(AwsApi &api, const std::stop_token &stop)
{
    constexpr std::size_t kLongestAccount = 64;
    const auto answer = api.read(queryCall("sts", "GetCallerIdentity", {}), stop);
    GPULEDGER_TRY(answer);
    const auto root = format::parseXml(answer->body);
    GPULEDGER_TRY(root);
    const std::string account = root->textAt("GetCallerIdentityResult/Account");
    if (account.empty())
        return base::fail(ErrorCode::Parse, "sts:GetCallerIdentity returned no account");
    return base::printable(account, kLongestAccount);
}

WriteOutcome notSent(WriteOutcome::Kind kind, std::string text)
{
    WriteOutcome out;
    out.kind = kind;
    out.text = std::move(text);
    return out;
}

WriteOutcome notSent(const base::Error &error)
{
    switch (error.code) {
    case ErrorCode::NotFound:
        return notSent(WriteOutcome::Kind::Gone, error.text);
    case ErrorCode::Forbidden:
    case ErrorCode::Unauthorized:
    case ErrorCode::InvalidConfig:
    case ErrorCode::Unsupported:
    case ErrorCode::Tls:
        return notSent(WriteOutcome::Kind::Refused, "nothing was stopped or started: " + error.text);
    default:
        return notSent(WriteOutcome::Kind::TryLater, "nothing was stopped or started: " + error.text);
    }
}

std::optional<WriteOutcome> failureOf(const Result<Answer> &answer, const Call &call, const std::string &where)
{
    if (!answer)
        return outcomeOf(answer.error());
    if (answer->isError())
        return outcomeOf(*answer, call.action, where);
    return std::nullopt;
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/athena/athenaruns.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <random>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kShownReason = 400;

tl::unexpected<base::Error> unreadableRun(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Athena's answer can't be read: " + what, base::Remedy::NextSyncTriesAgain);
}

std::string freshToken()
{
    constexpr std::string_view kHex = "0123456789abcdef";
    constexpr int kLength = 64; // 32 to 128
    std::random_device random;
    std::string token;
    for (int i = 0; i < kLength; ++i)
        token += kHex[random() % kHex.size()];
    return token;
}

bool isQueryId(const std::string &text)
{
    constexpr std::size_t kLongest = 128;
    return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

bool says(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

// "glue:GetPartitions" in "… is not authorized to perform: glue:GetPartitions on resource …".
std::string rightIn(const std::string &text, std::string fallback)
{
    constexpr std::string_view kBefore = "to perform: ";
    const std::size_t at = text.find(kBefore);
    if (at == std::string::npos)
        return fallback;
    std::string right = text.substr(at + kBefore.size());
    right = right.substr(0, right.find_first_of(" \n\t,;)"));
    const bool isRight = right.size() < 64 && says(right, ":") && std::all_of(right.begin(), right.end(), [](char c) {
                             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ':' || c == '-';
                         });
    return isRight ? right : fallback;
}

bool isDenial(const std::string &text)
{
    return says(text, "not authorized") || says(text, "AccessDenied") || says(text, "Access Denied")
        || says(text, "Access denied");
}

std::uint64_t bytesIn(const Json &object, const char *name)
{
    const Json &value = format::memberOf(object, name);
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

std::string shownReason(const std::string &text)
{
    return base::printable(base::log::redacted(base::printable(text, 4 * kShownReason)), kShownReason);
}

} // namespace

ports::PaidCalls paidForScan(std::uint64_t bytes)
{
    constexpr std::uint64_t kMb = 1'000'000, kLeast = 10, kMost = 1'000'000'000; // its price still fits
    constexpr std::int64_t kNanosPerMb = 5'000; // USD 5 for a million of them
    const std::uint64_t megabytes = std::clamp(bytes / kMb + (bytes % kMb > 0 ? 1 : 0), kLeast, kMost);
    return {1, base::Money(static_cast<std::int64_t>(megabytes) * kNanosPerMb, base::Currency::usd())};
}

std::string scanText(std::uint64_t bytes)
{
    constexpr std::uint64_t kTenthGb = 100'000'000;
    const std::uint64_t tenths = bytes / kTenthGb + (bytes % kTenthGb > 0 ? 1 : 0);
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " GB";
}

base::Error aboveScanLimit(const std::string &what, std::uint64_t bytes, std::uint64_t most)
{
    return base::Error::make(ErrorCode::TooMuch,
                             what + ' ' + scanText(bytes) + ", and most_scanned allows " + scanText(most),
                             base::Remedy::RaiseAthenaLimit);
}

AthenaRuns::AthenaRuns(std::unique_ptr<AwsApi> api, AthenaSettings settings, std::shared_ptr<http::Pause> pause,
                       AthenaPauses pauses)
    : m_api(std::move(api))
    , m_settings(std::move(settings))
    , m_pause(std::move(pause))
    , m_pauses(pauses)
{
}

base::Error AthenaRuns::refusal(const Answer &answer, const std::string &action)
{
    base::Error error = errorOf(answer, action);
    const bool isOfCatalogue = answer.errorCode == "MetadataException";
    m_isLost = answer.errorCode == "InvalidRequestException" && says(answer.errorText, "not found");
    if (error.code == ErrorCode::Forbidden || (isOfCatalogue && isDenial(answer.errorText))) {
        m_missingRight = rightIn(answer.errorText, isOfCatalogue ? "glue:GetTable" : action);
        error.code = ErrorCode::Forbidden;
        error.retryable = false;
        error.hint = base::text(base::Remedy::AllowAwsAction);
        error.text += "; nothing of this bill is shown without " + m_missingRight;
    } else if (isOfCatalogue && says(answer.errorText, "EntityNotFound")) {
        error.code = ErrorCode::NotFound;
        error.hint = base::text(base::Remedy::CheckAthenaTable);
    } else if (answer.errorCode == "InvalidRequestException") {
        const bool isOfOutput = says(answer.errorText, "output");
        error.code = ErrorCode::InvalidConfig;
        error.hint = base::text(isOfOutput ? base::Remedy::SetAthenaOutput : base::Remedy::CheckAthenaTable);
    }
    return error;
}

Result<std::string> AthenaRuns::ask(const std::string &action, std::string body, const std::stop_token &stop)
{
    m_missingRight.clear();
    m_isLost = false;
    const Call call{"athena", "athena:" + action, "application/x-amz-json-1.1", std::move(body),
                    "AmazonAthena." + action};
    auto answer = m_api->ask(call, stop);
    GPULEDGER_TRY(answer);
    if (answer->isError())
        return base::fail(refusal(*answer, call.action));
    return std::move(answer->body);
}

Result<AthenaTable> AthenaRuns::table(const std::stop_token &stop)
{
    const Json body{
        {"CatalogName", "AwsDataCatalog"}, {"DatabaseName", m_settings.database}, {"TableName", m_settings.table}};
    const auto answer = ask("GetTableMetadata", body.dump(), stop);
    GPULEDGER_TRY(answer);
    return AthenaTable::of(*answer);
}

Result<std::string> AthenaRuns::start(const std::string &sql, const std::stop_token &stop)
{
    Json body{{"QueryString", sql},
              {"ClientRequestToken", freshToken()},
              {"QueryExecutionContext", {{"Catalog", "AwsDataCatalog"}, {"Database", m_settings.database}}},
              {"WorkGroup", m_settings.workgroup}};
    if (!m_settings.output.empty())
        body["ResultConfiguration"] = {{"OutputLocation", m_settings.output}};
    const auto answer = ask("StartQueryExecution", body.dump(-1, ' ', false, Json::error_handler_t::replace), stop);
    GPULEDGER_TRY(answer);
    const auto reply = format::parseJson(*answer);
    std::string id = reply ? format::textOf(*reply, "QueryExecutionId") : std::string();
    if (!isQueryId(id))
        return unreadableRun("it names no query");
    return id;
}

// Not sent again, and its answer does not matter: the query is not gone on with.
void AthenaRuns::cancel(const std::string &id)
{
    const Call call{"athena", "athena:StopQueryExecution", "application/x-amz-json-1.1",
                    Json{{"QueryExecutionId", id}}.dump(), "AmazonAthena.StopQueryExecution"};
    if (const auto answer = m_api->once(call, {}); !answer || answer->isError())
        base::log::warning("athena",
                           "a query could not be stopped: "
                               + (answer ? errorOf(*answer, call.action).text : answer.error().text));
}

QueryEnd AthenaRuns::failed(const std::string &id, const std::string &reason, bool isCancelled, bool isRetryable,
                            std::uint64_t scanned)
{
    QueryEnd out;
    out.scanned = isCancelled ? scanned : 0; // failed queries are free
    const std::string text = "the query " + id + (isCancelled ? " was cancelled" : " failed")
        + (reason.empty() ? std::string() : ": " + shownReason(reason));
    if (isDenial(reason)) {
        m_missingRight = rightIn(reason, "s3:GetObject");
        out.error =
            base::Error::make(ErrorCode::Forbidden, text + "; nothing of this bill is shown without " + m_missingRight,
                              base::Remedy::AllowAwsAction);
    } else if (says(reason, "Bytes scanned limit")) {
        out.error = base::Error::make(ErrorCode::TooMuch, text, base::Remedy::RaiseAthenaLimit);
    } else {
        const bool mayGoWell = isCancelled || isRetryable;
        out.error = base::Error::make(ErrorCode::Server, text,
                                      mayGoWell ? base::Remedy::NextSyncTriesAgain : base::Remedy::CheckAthenaTable);
        out.error.retryable = mayGoWell;
    }
    return out;
}

// std::nullopt: it runs.
Result<std::optional<QueryEnd>> AthenaRuns::look(const std::string &id, const std::stop_token &stop)
{
    const auto answer = ask("GetQueryExecution", Json{{"QueryExecutionId", id}}.dump(), stop);
    if (!answer && m_isLost) {
        QueryEnd lost;
        lost.state = QueryEnd::State::Lost;
        lost.error = answer.error();
        return std::optional(std::move(lost));
    }
    GPULEDGER_TRY(answer);
    const auto reply = format::parseJson(*answer);
    if (!reply)
        return unreadableRun("it is not JSON");
    const Json &run = format::memberOf(*reply, "QueryExecution"), &status = format::memberOf(run, "Status");
    if (format::textOf(run, "QueryExecutionId") != id)
        return unreadableRun("it is about another query");
    const std::uint64_t scanned = bytesIn(format::memberOf(run, "Statistics"), "DataScannedInBytes");
    const std::string state = format::textOf(status, "State"), reason = format::textOf(status, "StateChangeReason");
    if (state == "QUEUED" || state == "RUNNING") {
        if (scanned <= m_settings.mostScanned)
            return std::optional<QueryEnd>();
        cancel(id);
        QueryEnd above;
        above.scanned = scanned;
        above.error = aboveScanLimit("the query was stopped: it had scanned", scanned, m_settings.mostScanned);
        return std::optional(std::move(above));
    }
    if (state == "FAILED" || state == "CANCELLED") {
        const Json &again = format::memberOf(format::memberOf(status, "AthenaError"), "Retryable");
        return std::optional(
            failed(id, reason, state == "CANCELLED", again.is_boolean() && again.get<bool>(), scanned));
    }
    if (state != "SUCCEEDED")
        return unreadableRun("the query has the state " + base::printable(state, 60));
    QueryEnd end;
    end.state = QueryEnd::State::Succeeded;
    end.scanned = scanned;
    end.location = format::textOf(format::memberOf(run, "ResultConfiguration"), "OutputLocation");
    return std::optional(std::move(end));
}

Result<QueryEnd> AthenaRuns::finish(const std::string &id, const std::stop_token &stop)
{
    const http::Milliseconds begin = m_pause->steadyNow();
    http::Milliseconds wait = m_pauses.firstPoll;
    for (;;) {
        auto end = look(id, stop);
        if (end && *end)
            return std::move(**end);
        const bool isStopped = stop.stop_requested() || (end && !m_pause->wait(wait, stop));
        if (isStopped) {
            cancel(id);
            return base::fail(ErrorCode::Cancelled, "cancelled");
        }
        GPULEDGER_TRY(end);
        if (m_pause->steadyNow() - begin > m_pauses.longestQuery)
            return base::fail(ErrorCode::Timeout, "Athena did not finish the query in time",
                              base::Remedy::NextSyncTriesAgain);
        wait = std::min(2 * wait, m_pauses.longestPoll);
    }
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/awswire.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/xmltree.h"
#include "connectors/http/serverclock.h"

#include <algorithm>
#include <array>
#include <map>

namespace gpuledger::aws {

using base::ErrorCode;
using ports::WriteOutcome;

namespace {

constexpr std::size_t kMaxAnswer = 16u << 20;
constexpr std::size_t kShownBytes = 400;
constexpr char kRegionHeader[] = "x-amz-bucket-region";
constexpr char kHashOfNothing[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // SHA-256
constexpr char kEc2Version[] = "2016-11-15";
constexpr char kStsVersion[] = "2011-06-15";

// Codes of botocore's retry rules and of the EC2 reference; any other code is judged by its status.
const std::map<std::string, Fault, std::less<>> &knownCodes()
{
    static const std::map<std::string, Fault, std::less<>> kCodes{
        {"DryRunOperation", Fault::DryRun},
        {"Throttling", Fault::Throttled},
        {"ThrottlingException", Fault::Throttled},
        {"ThrottledException", Fault::Throttled},
        {"RequestThrottled", Fault::Throttled},
        {"RequestThrottledException", Fault::Throttled},
        {"TooManyRequestsException", Fault::Throttled},
        {"RequestLimitExceeded", Fault::Throttled},
        {"BandwidthLimitExceeded", Fault::Throttled},
        {"LimitExceededException", Fault::Throttled}, // of Cost Explorer
        {"SlowDown", Fault::Throttled},
        {"PriorRequestNotComplete", Fault::Throttled},
        {"EC2ThrottledException", Fault::Throttled},
        {"InsufficientInstanceCapacity", Fault::NoCapacity},
        {"InsufficientHostCapacity", Fault::NoCapacity},
        {"InsufficientReservedInstanceCapacity", Fault::NoCapacity},
        {"InsufficientCapacity", Fault::NoCapacity},
        {"ExpiredToken", Fault::BadKeys},
        {"ExpiredTokenException", Fault::BadKeys},
        {"InvalidClientTokenId", Fault::BadKeys},
        {"UnrecognizedClientException", Fault::BadKeys},
        {"SignatureDoesNotMatch", Fault::BadKeys},
        {"InvalidSignatureException", Fault::BadKeys},
        {"IncompleteSignature", Fault::BadKeys},
        {"MissingAuthenticationToken", Fault::BadKeys},
        {"AuthFailure", Fault::BadKeys},
        {"RequestExpired", Fault::BadKeys},
        {"RequestTimeTooSkewed", Fault::BadKeys},
        {"InvalidIdentityToken", Fault::BadKeys},
        {"UnauthorizedOperation", Fault::Denied},
        {"AccessDenied", Fault::Denied},
        {"AccessDeniedException", Fault::Denied},
        {"OptInRequired", Fault::Denied},
        {"InvalidInstanceID.NotFound", Fault::Missing},
        {"InvalidInstanceID.Malformed", Fault::Missing},
        {"ResourceNotFound", Fault::Missing},
        {"RecordNotFound", Fault::Missing},
        {"InvalidAccessKeyId", Fault::BadKeys}, // this one and the following: S3
        {"InvalidToken", Fault::BadKeys},
        {"AllAccessDisabled", Fault::Denied},
        {"NoSuchBucket", Fault::Missing},
        {"NoSuchKey", Fault::Missing},
        {"PreconditionFailed", Fault::WrongState},
        {"PermanentRedirect", Fault::Refused},
        {"TemporaryRedirect", Fault::Refused},
        {"AuthorizationHeaderMalformed", Fault::Refused},
        {"IncorrectInstanceState", Fault::WrongState},
        {"IncorrectSpotRequestState", Fault::WrongState},
    };
    return kCodes;
}

bool isClockFault(const Answer &answer)
{
    return answer.errorCode == "RequestTimeTooSkewed" || answer.errorCode == "RequestExpired"
        || answer.errorText.find("Signature expired") != std::string::npos
        || answer.errorText.find("Signature not yet current") != std::string::npos;
}

// A service repeats its input: the error for a wrong signature contains the header with the session token.
std::string shown(const std::string &text)
{
    return base::printable(base::log::redacted(base::printable(text, 4 * kShownBytes)), kShownBytes);
}

// The code in "namespace#Code:link", as JSON services write it.
std::string bareCode(std::string code)
{
    code = code.substr(0, code.find(':'));
    const std::size_t hash = code.rfind('#');
    return hash == std::string::npos ? code : code.substr(hash + 1);
}

void readXmlError(Answer &answer)
{
    const auto root = format::parseXml(answer.body);
    if (!root)
        return;
    if (root->name == "Error") { // S3
        answer.errorCode = root->textAt("Code");
        answer.errorText = root->textAt("Message");
        answer.requestId = root->textAt("RequestId");
        if (answer.bucketRegion.empty())
            answer.bucketRegion = root->textAt("Region");
        return;
    }
    const bool isEc2 = root->at("Errors") != nullptr;
    answer.errorCode = root->textAt(isEc2 ? "Errors/Error/Code" : "Error/Code");
    answer.errorText = root->textAt(isEc2 ? "Errors/Error/Message" : "Error/Message");
    answer.requestId = root->textAt(isEc2 ? "RequestID" : "RequestId");
}

void readJsonError(Answer &answer)
{
    const auto json = format::parseJson(answer.body);
    if (!json)
        return;
    answer.errorCode = bareCode(format::textOf(*json, "__type"));
    answer.errorText = format::textOf(*json, "message");
    if (answer.errorText.empty())
        answer.errorText = format::textOf(*json, "Message");
    // SageMaker reports a missing object only in the text of a general code.
    if (answer.errorCode == "ValidationException" && answer.errorText.find("RecordNotFound") != std::string::npos)
        answer.errorCode = "RecordNotFound";
    if (answer.errorCode == "ValidationException" && answer.errorText.find("Status (") != std::string::npos)
        answer.errorCode = "IncorrectInstanceState";
}

void readError(Answer &answer)
{
    const std::size_t first = answer.body.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        return;
    if (answer.body[first] == '<')
        readXmlError(answer);
    else if (answer.body[first] == '{')
        readJsonError(answer);
}

std::string sentence(const Answer &answer)
{
    const std::string code = answer.errorCode.empty() ? "HTTP " + std::to_string(answer.status) : answer.errorCode;
    const std::string said = answer.errorText.empty() ? shown(code) : shown(code) + ": " + shown(answer.errorText);
    return isClockFault(answer) ? said + answer.clockRemark : said;
}

base::Remedy remedyOf(Fault fault, const Answer &answer)
{
    switch (fault) {
    case Fault::BadKeys:
        return isClockFault(answer) ? base::Remedy::CorrectClockForAws : base::Remedy::LogInOrCheckProfile;
    case Fault::Denied:
        return base::Remedy::AllowAwsAction;
    case Fault::Throttled:
        return base::Remedy::WaitForAws;
    default:
        return base::Remedy::None;
    }
}

ErrorCode codeOf(Fault fault, int status)
{
    switch (fault) {
    case Fault::Throttled:
        return ErrorCode::RateLimited;
    case Fault::BadKeys:
        return ErrorCode::Unauthorized;
    case Fault::Denied:
        return ErrorCode::Forbidden;
    case Fault::Missing:
        return ErrorCode::NotFound;
    default:
        return status == 504 || status == 408 ? ErrorCode::Timeout : ErrorCode::Server;
    }
}

} // namespace

Call queryCall(const std::string &service, const std::string &action, http::Parameters parameters)
{
    parameters.insert(parameters.begin(),
                      {{"Action", action}, {"Version", service == "ec2" ? kEc2Version : kStsVersion}});
    return {service, service + ':' + action, "application/x-www-form-urlencoded; charset=utf-8",
            http::formEncode(parameters), ""};
}

Call sageMakerCall(const std::string &action, std::string body)
{
    return {"sagemaker", "sagemaker:" + action, "application/x-amz-json-1.1", std::move(body), "SageMaker." + action};
}

Call cloudWatchCall(const std::string &action, std::string body)
{
    return {"monitoring", "cloudwatch:" + action, "application/x-amz-json-1.0", std::move(body),
            "GraniteServiceVersion20100801." + action};
}

Call budgetsCall(const std::string &action, const std::string &right, std::string body)
{
    return {"budgets", right, "application/x-amz-json-1.1", std::move(body), "AWSBudgetServiceGateway." + action};
}

Call organizationsCall(const std::string &action, std::string body)
{
    return {"organizations", "organizations:" + action, "application/x-amz-json-1.1", std::move(body),
            "AWSOrganizationsV20161128." + action};
}

Call costExplorerCall(const std::string &action, std::string body)
{
    return {"ce", "ce:" + action, "application/x-amz-json-1.1", std::move(body), "AWSInsightsIndexService." + action};
}

Fault faultOf(const Answer &answer)
{
    if (!answer.isError())
        return Fault::None;
    if (const auto known = knownCodes().find(answer.errorCode); known != knownCodes().end())
        return known->second;
    if (answer.status == 429)
        return Fault::Throttled;
    if (answer.status >= 500 || answer.status == 408 || answer.status < 400)
        return Fault::Failed;
    if (answer.status == 401)
        return Fault::BadKeys;
    return answer.status == 403 ? Fault::Denied : Fault::Refused;
}

base::Error errorOf(const Answer &answer, const std::string &action)
{
    const Fault fault = faultOf(answer);
    std::string text = action + (fault == Fault::Denied ? " is not allowed: " : " failed: ") + sentence(answer);
    base::Error error = base::Error::make(codeOf(fault, answer.status), std::move(text), remedyOf(fault, answer));
    error.retryable = fault == Fault::Throttled || fault == Fault::Failed;
    return error;
}

WriteOutcome outcomeOf(const Answer &answer, const std::string &action, const std::string &where)
{
    WriteOutcome out;
    out.receipt = shown(answer.requestId);
    out.retryAfter = answer.retryAfter;
    out.text = sentence(answer);
    switch (faultOf(answer)) {
    case Fault::None:
        out.kind = WriteOutcome::Kind::Done;
        out.text.clear();
        break;
    case Fault::Throttled:
    case Fault::NoCapacity:
        out.kind = WriteOutcome::Kind::TryLater;
        break;
    case Fault::Denied:
        out.kind = WriteOutcome::Kind::Refused;
        out.text = action + " on " + where + " is not allowed: " + out.text;
        break;
    case Fault::DryRun: // no dry run was requested, and nothing was done
    case Fault::BadKeys:
    case Fault::Refused:
        out.kind = WriteOutcome::Kind::Refused;
        break;
    case Fault::Missing:
        out.kind = WriteOutcome::Kind::Gone;
        break;
    case Fault::WrongState:
        out.kind = WriteOutcome::Kind::Changed;
        break;
    case Fault::Failed:
        out.kind = WriteOutcome::Kind::Unknown;
        break;
    }
    return out;
}

WriteOutcome outcomeOf(const base::Error &error)
{
    WriteOutcome out;
    // Without a trusted connection nothing is sent; any other failure may have occurred after the request was sent.
    out.kind = error.code == ErrorCode::Tls ? WriteOutcome::Kind::Refused : WriteOutcome::Kind::Unknown;
    out.text = error.text;
    return out;
}

std::string partitionOf(const std::string &region)
{
    if (region.starts_with("cn-"))
        return "aws-cn";
    return region.starts_with("us-gov-") ? "aws-us-gov" : "aws";
}

bool isRegion(std::string_view text)
{
    return !text.empty() && text.size() <= 32 && text.front() != '-' && text.back() != '-'
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

Wire::Wire(std::shared_ptr<http::HttpClient> client, const base::Clock &clock, Place place)
    : m_client(std::move(client))
    , m_clock(clock)
    , m_place(std::move(place))
{
    while (m_place.url.ends_with('/'))
        m_place.url.pop_back();
}

std::string Wire::addressOf(const std::string &service) const
{
    if (!m_place.url.empty())
        return m_place.url + '/';
    const std::string partition = partitionOf(m_place.region);
    const std::string end = partition == "aws-cn" ? ".amazonaws.com.cn/" : ".amazonaws.com/";
    if (service == "budgets" && partition != "aws-us-gov") // one address for all regions
        return "https://" + service + end;
    const std::string name = service == "sagemaker" ? "api.sagemaker" : service;
    return "https://" + name + '.' + m_place.region + end;
}

base::Result<Answer> Wire::send(const Call &call, const auth::AwsKeys *keys, const std::stop_token &stop) const
{
    http::Request request;
    const bool isGet = !call.url.empty();
    request.method = isGet ? "GET" : "POST";
    request.url = isGet ? call.url : addressOf(call.service);
    request.contentType = call.contentType;
    request.body = call.body;
    if (isGet) {
        request.headers = call.headers;
        request.headers.emplace_back("X-Amz-Content-Sha256", kHashOfNothing);
        request.decodesBody = false;
        request.followsRedirects = false;
        request.keepHeaders = {kRegionHeader};
    }
    request.keepHeaders.emplace_back("date");
    request.caFile = m_place.caFile;
    request.timeouts = m_place.timeouts;
    request.maxBytes = kMaxAnswer;
    if (!call.target.empty())
        request.headers.emplace_back("X-Amz-Target", call.target);
    if (keys)
        GPULEDGER_TRY(auth::signRequest(request, *keys, {m_place.region, call.service}, m_clock.now()));
    request.headers.insert(request.headers.end(), m_place.headers.begin(), m_place.headers.end());
    auto response = m_client->perform(std::move(request), stop);
    if (!response)
        return base::fail(std::move(response).error());
    Answer answer;
    answer.status = response->status;
    answer.body = std::move(response->body);
    answer.retryAfter = response->retryAfter;
    for (const auto &[name, value] : response->headers) {
        if (answer.isError() && name == kRegionHeader && isRegion(value))
            answer.bucketRegion = value;
    }
    if (answer.isError()) {
        answer.clockRemark = http::clockRemark(response->headers, m_clock.now());
        readError(answer);
    }
    return answer;
}

} // namespace gpuledger::aws

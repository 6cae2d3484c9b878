// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/sagemaker/sagemakerapi.h"

#include "connectors/aws/eachpage.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr int kThingsOfPage = 100; // the most that SageMaker gives
constexpr std::size_t kMostTagPages = 20; // a thing has at most 50 tags
constexpr std::size_t kLongestArn = 512;

Call sageMakerQuestion(const std::string &action, const Json &body)
{
    return sageMakerCall(action, body.dump(-1, ' ', false, Json::error_handler_t::replace));
}

tl::unexpected<base::Error> unreadableAnswer(const std::string &action, const char *why)
{
    return base::fail(ErrorCode::Parse, "SageMaker's answer to " + action + " can't be read: " + why);
}

// Without the token, what follows would be missing silently.
Result<std::string> listTokenIn(const Json &page, const std::string &action)
{
    const Json &token = format::memberOf(page, "NextToken");
    if (token.is_null())
        return std::string();
    if (!token.is_string())
        return unreadableAnswer(action, "its NextToken is no text");
    return token.get<std::string>();
}

// Some actions report a missing object only in the text of a general code.
bool isMissingThing(const Answer &answer)
{
    const auto says = [&](const char *words) { return answer.errorText.find(words) != std::string::npos; };
    return faultOf(answer) == Fault::Missing
        || (answer.errorCode == "ValidationException" && (says("Could not find") || says("resource not found")));
}

} // namespace

SageMakerApi::SageMakerApi(AwsApi &api)
    : m_api(api)
{
}

void SageMakerApi::noteReached(const base::Error &error)
{
    m_isReached = m_isReached || error.code != ErrorCode::Network;
}

Result<std::vector<Json>> SageMakerApi::list(const SageMakerList &what, const Json &filter, const std::stop_token &stop)
{
    std::vector<Json> out;
    const auto callFor = [&](const std::string &token) {
        Json body = filter;
        body["MaxResults"] = kThingsOfPage;
        if (!token.empty())
            body["NextToken"] = token;
        return sageMakerQuestion(what.action, body);
    };
    const auto add = [&](const std::string &body) -> Result<std::string> {
        m_isReached = true;
        const auto page = format::parseJson(body);
        GPULEDGER_TRY(page);
        const Json &things = format::memberOf(*page, what.member);
        if (!things.is_array())
            return unreadableAnswer(what.action, "it has no list");
        out.insert(out.end(), things.begin(), things.end());
        return listTokenIn(*page, what.action);
    };
    if (const auto done = eachPage(m_api, kMostListPages, callFor, add, stop); !done) {
        noteReached(done.error());
        return base::fail(done.error());
    }
    return out;
}

Result<Json> SageMakerApi::describe(const std::string &action, const Json &which, const std::stop_token &stop)
{
    const Call call = sageMakerQuestion(action, which);
    const auto answer = m_api.ask(call, stop);
    GPULEDGER_TRY(answer);
    if (answer->isError()) {
        if (isMissingThing(*answer))
            return Json();
        return base::fail(errorOf(*answer, call.action));
    }
    auto told = format::parseJson(answer->body);
    if (told && !told->is_object())
        return unreadableAnswer(action, "it is no object");
    return told;
}

Result<model::Labels> SageMakerApi::tagsOf(const std::string &arn, const std::stop_token &stop)
{
    model::Labels tags;
    std::set<std::string> tokens;
    for (std::string token;;) {
        Json which{{"ResourceArn", arn}};
        if (!token.empty())
            which["NextToken"] = token;
        const auto page = describe("ListTags", which, stop);
        GPULEDGER_TRY(page);
        const Json &told = format::memberOf(*page, "Tags");
        if (!told.is_null() && !told.is_array())
            return unreadableAnswer("ListTags", "it has no list");
        for (const Json &tag : told) {
            if (std::string key = format::textOf(tag, "Key"); !key.empty())
                tags[std::move(key)] = format::textOf(tag, "Value");
        }
        auto next = listTokenIn(*page, "ListTags");
        GPULEDGER_TRY(next);
        if (next->empty())
            return tags;
        if (!tokens.insert(*next).second || tokens.size() >= kMostTagPages)
            return unreadableAnswer("ListTags", "its pages do not end");
        token = std::move(*next);
    }
}

Result<void> SageMakerApi::tryList(const SageMakerList &what, const std::stop_token &stop)
{
    const auto answer = m_api.read(sageMakerQuestion(what.action, {{"MaxResults", 1}}), stop);
    if (!answer) {
        noteReached(answer.error());
        return base::fail(answer.error());
    }
    m_isReached = true;
    return {};
}

bool isUnknownAction(const base::Error &error, const SageMakerList &what)
{
    return error.text.starts_with("sagemaker:" + std::string(what.action) + " failed: UnknownOperationException");
}

std::optional<base::UtcTime> instantIn(const Json &object, const char *key)
{
    constexpr double kLatestInstant = 1e11; // fits
    const Json &told = format::memberOf(object, key);
    const double seconds = told.is_number() ? told.get<double>() : 0;
    if (!(seconds > 0 && seconds <= kLatestInstant)) // not a number, either
        return std::nullopt;
    return base::fromUnix(static_cast<std::int64_t>(std::floor(seconds)));
}

std::optional<std::int64_t> instanceCountIn(const Json &object, const char *key)
{
    constexpr std::uint64_t kMostInstances = 1'000'000;
    const Json &told = format::memberOf(object, key);
    if (!told.is_number_integer() || (!told.is_number_unsigned() && told.get<std::int64_t>() < 0))
        return std::nullopt;
    return static_cast<std::int64_t>(std::min(told.get<std::uint64_t>(), kMostInstances));
}

bool isSageMakerArn(std::string_view text)
{
    const bool isPlain = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
    return isPlain && text.size() <= kLongestArn && text.starts_with("arn:")
        && text.find(":sagemaker:") != std::string_view::npos;
}

std::string accountIn(std::string_view arn)
{
    constexpr int kPartsBefore = 4;
    for (int i = 0; i < kPartsBefore; ++i) {
        const std::size_t colon = arn.find(':');
        if (colon == std::string_view::npos)
            return {};
        arn.remove_prefix(colon + 1);
    }
    const std::string_view account = arn.substr(0, arn.find(':'));
    const bool isNumber = std::all_of(account.begin(), account.end(), [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? std::string(account) : std::string();
}

} // namespace gpuledger::aws

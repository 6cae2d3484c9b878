// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/prices/placementscores.h"

#include "app/base/text/text.h"
#include "connectors/format/xmltree.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kScoresAction = "GetSpotPlacementScores";
constexpr std::size_t kLongestZone = 64, kMostTypesNamed = 3, kMostZones = 1000;

http::Parameters scoreParameters(const model::PlacementQuestion &asked, const std::string &region)
{
    http::Parameters parameters;
    for (std::size_t i = 0; i < asked.machines.size(); ++i)
        parameters.emplace_back("InstanceType." + std::to_string(i + 1), asked.machines[i]);
    parameters.insert(parameters.end(),
                      {{"TargetCapacity", std::to_string(asked.count)},
                       {"TargetCapacityUnitType", "units"},
                       {"SingleAvailabilityZone", "true"},
                       {"RegionName.1", region}});
    return parameters;
}

// "a, b, c and 4 others".
std::string firstTypes(const std::vector<std::string> &types)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(types.size(), kMostTypesNamed); ++i)
        text += (i == 0 ? "" : ", ") + base::printable(types[i]);
    if (types.size() > kMostTypesNamed)
        text += " and " + std::to_string(types.size() - kMostTypesNamed) + " others";
    return text;
}

bool isZone(const std::string &text)
{
    return !text.empty() && base::printable(text, kLongestZone) == text;
}

} // namespace

Call placementCall(const model::PlacementQuestion &asked, const std::string &region, const std::string &token)
{
    http::Parameters parameters = scoreParameters(asked, region);
    parameters.emplace_back("MaxResults", "1000");
    if (!token.empty())
        parameters.emplace_back("NextToken", token);
    return queryCall("ec2", kScoresAction, std::move(parameters));
}

Call placementRightCall(const model::PlacementQuestion &asked, const std::string &region)
{
    http::Parameters parameters = scoreParameters(asked, region);
    parameters.emplace_back("DryRun", "true");
    return queryCall("ec2", kScoresAction, std::move(parameters));
}

Result<std::string> PlacementScores::add(const std::string &page)
{
    const auto root = format::parseXml(page);
    GPULEDGER_TRY(root);
    if (root->name != "GetSpotPlacementScoresResponse" || !root->at("spotPlacementScoreSet"))
        return base::fail(ErrorCode::Parse, "EC2's placement scores can't be read: the answer is none");
    for (const format::XmlNode &item : root->listAt("spotPlacementScoreSet")) {
        const std::string zone = item.textAt("availabilityZoneId");
        const auto score = base::parseInt(item.textAt("score"));
        if (item.textAt("region") != m_region || !isZone(zone) || !score || *score < model::kWorstPlacement
            || *score > model::kBestPlacement)
            continue;
        const int told = static_cast<int>(*score);
        const auto [kept, isNew] = m_zones.try_emplace(zone, told);
        if (!isNew)
            kept->second = std::min(kept->second, told);
    }
    if (m_zones.size() > kMostZones)
        return base::fail(ErrorCode::Parse, "EC2's placement scores can't be read: a region has fewer zones");
    return root->textAt("nextToken");
}

// EC2 lists them in its message, in brackets: "[g4ad.4xlarge, p9.48xlarge].".
std::vector<std::string> typesRefused(const Answer &answer, const model::PlacementQuestion &asked)
{
    if (answer.errorCode != "InvalidParameterValue" && answer.errorCode != "InvalidInstanceType")
        return {};
    constexpr std::string_view kTypeLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
    std::set<std::string, std::less<>> words;
    const std::string_view text = answer.errorText;
    for (std::size_t at = text.find_first_of(kTypeLetters); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.size(), text.find_first_not_of(kTypeLetters, at));
        std::string_view word = text.substr(at, end - at);
        while (word.ends_with('.'))
            word.remove_suffix(1);
        words.emplace(word);
        at = text.find_first_of(kTypeLetters, end);
    }
    std::vector<std::string> refused;
    std::copy_if(asked.machines.begin(), asked.machines.end(), std::back_inserter(refused),
                 [&](const std::string &type) { return words.contains(type); });
    return refused;
}

base::Error placementError(const Answer &answer, const model::PlacementQuestion &asked, const std::string &region)
{
    if (answer.errorCode == "MaxConfigLimitExceeded")
        return base::Error::make(ErrorCode::TooMuch,
                                 "AWS takes no more different questions about spot placement today");
    if (answer.errorCode == "InvalidAction" || answer.errorCode == "UnsupportedOperation")
        return base::Error::make(ErrorCode::Unsupported, "EC2 has no placement scores in " + region);
    if (const auto refused = typesRefused(answer, asked); !refused.empty())
        return base::Error::make(ErrorCode::Unsupported, "EC2 does not have " + firstTypes(refused) + " in " + region);
    return errorOf(answer, std::string("ec2:") + kScoresAction);
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/checkjson.h"

namespace gpuledger::actions {

using Json = nlohmann::ordered_json;

Json jsonOf(const Check &check)
{
    Json one{{"name", toString(check.name)}};
    one["passed"] = check.outcome == Outcome::NotAsked ? Json(nullptr) : Json(check.outcome == Outcome::Passed);
    if (check.why != Why::None)
        one["why"] = toString(check.why);
    if (!check.subject.empty())
        one["subject"] = check.subject;
    if (check.sampleAt)
        one["sample_at"] = base::toRfc3339(*check.sampleAt);
    if (check.share)
        one["share"] = *check.share;
    return one;
}

std::optional<Check> checkFrom(const Json &json)
{
    const auto name = json.is_object() ? checkNameFrom(textIn(json, "name")) : std::nullopt;
    if (!name)
        return std::nullopt;
    const auto passed = json.find("passed");
    const bool asked = passed != json.end() && passed->is_boolean();
    const Outcome outcome = !asked ? Outcome::NotAsked : passed->get<bool>() ? Outcome::Passed : Outcome::Failed;
    Check check{*name, outcome, whyFrom(textIn(json, "why")).value_or(Why::None), textIn(json, "subject")};
    if (const auto at = base::parseTime(textIn(json, "sample_at")))
        check.sampleAt = *at;
    if (const auto share = json.find("share"); share != json.end() && share->is_number())
        check.share = share->get<double>();
    return check;
}

std::string textIn(const Json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::string written(const Json &json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace gpuledger::actions

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/evidence.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace gpuledger::actions {

using Json = nlohmann::ordered_json;

namespace {

constexpr char kRefusedBy[] = "refused by the last check (";
constexpr char kNothingDone[] = "; nothing was done";

Json money(const std::optional<base::Money> &amount)
{
    if (!amount)
        return nullptr;
    return {{"amount", amount->toDecimal()}, {"currency", amount->currency().code()}};
}

// ", 6.0 % at 2026-11-01T00:00:00Z"
std::string sampleText(const Check &check)
{
    std::string text = check.subject.empty() ? ": " : ", ";
    if (check.share) {
        const auto tenths = std::llround(*check.share * 1000);
        text += std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " % at ";
    } else {
        text += check.why == Why::Active ? "a request at " : "last sample at ";
    }
    return text + base::toRfc3339(*check.sampleAt);
}

Json figures(const insight::IdleItem &item)
{
    Json json{{"id", item.id}, {"owner", item.owner}, {"gpu_model", item.gpuModel}, {"gpus", item.gpus}};
    json["since"] = base::toRfc3339(item.since);
    json["idle_hours"] = item.idleHours;
    json["observed"] = item.observed;
    json["confidence"] = item.confidence;
    json["wasted"] = money(item.wasted);
    json["per_month"] = money(item.perMonth);
    return json;
}

} // namespace

std::string evidenceOf(const PlannedStop &stop)
{
    Json checks = Json::array();
    for (const Check &check : stop.checks) {
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
        checks.push_back(std::move(one));
    }
    Json items = Json::array();
    for (const insight::IdleItem &item : stop.items)
        items.push_back(figures(item));
    Json losses = Json::array();
    for (const model::Loss loss : stop.target.losses)
        losses.push_back(toString(loss));
    const Json all{{"checked_at", base::toRfc3339(stop.checkedAt)},
                   {"checks", std::move(checks)},
                   {"items", std::move(items)},
                   {"losses", std::move(losses)},
                   {"reversible", stop.target.isReversible},
                   {"managers", stop.target.managers},
                   {"despite", stop.despite}};
    return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<Check> checksIn(const std::string &evidence)
{
    std::vector<Check> checks;
    const Json json = Json::parse(evidence, nullptr, false);
    if (!json.is_object() || !json.contains("checks") || !json["checks"].is_array())
        return checks;
    const auto text = [](const Json &object, const char *key) {
        const auto it = object.find(key);
        return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    for (const Json &one : json["checks"]) {
        const auto name = one.is_object() ? checkNameFrom(text(one, "name")) : std::nullopt;
        if (!name)
            continue;
        const auto passed = one.find("passed");
        const bool asked = passed != one.end() && passed->is_boolean();
        const Outcome outcome = !asked ? Outcome::NotAsked : passed->get<bool>() ? Outcome::Passed : Outcome::Failed;
        Check check{*name, outcome, whyFrom(text(one, "why")).value_or(Why::None), text(one, "subject")};
        if (const auto at = base::parseTime(text(one, "sample_at")))
            check.sampleAt = *at;
        if (const auto share = one.find("share"); share != one.end() && share->is_number())
            check.share = share->get<double>();
        checks.push_back(std::move(check));
    }
    return checks;
}

std::string sentenceOf(const Check &check)
{
    std::string text = kRefusedBy + std::string(toString(check.name)) + ": " + std::string(toString(check.why)) + ")";
    if (!check.subject.empty())
        text += ": " + check.subject;
    if (check.sampleAt)
        text += sampleText(check);
    return text + kNothingDone;
}

std::optional<Check> checkInSentence(const std::string &sentence)
{
    const std::string begin = kRefusedBy, end = kNothingDone;
    const auto colon = sentence.find(": ", begin.size());
    const auto close = sentence.find(')', begin.size());
    if (sentence.rfind(begin, 0) != 0 || colon == std::string::npos || close == std::string::npos || close < colon
        || sentence.size() < close + 1 + end.size() || sentence.substr(sentence.size() - end.size()) != end)
        return std::nullopt;
    const auto name = checkNameFrom(sentence.substr(begin.size(), colon - begin.size()));
    const auto why = whyFrom(sentence.substr(colon + 2, close - colon - 2));
    if (!name || !why)
        return std::nullopt;
    std::string subject = sentence.substr(close + 1, sentence.size() - end.size() - close - 1);
    if (subject.rfind(": ", 0) == 0)
        subject.erase(0, 2);
    return Check{*name, Outcome::Failed, *why, std::move(subject)};
}

} // namespace gpuledger::actions

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/actionresult.h"

#include "app/actions/plan/checkjson.h"
#include "app/actions/plan/nametable.h"
#include "app/actions/run/legacyresult.h"

namespace gpuledger::actions {

using Json = nlohmann::ordered_json;

namespace {

constexpr NameTable<ResultCode, 33> kCodes{{{ResultCode::None, "none"},
                                            {ResultCode::Said, "said"},
                                            {ResultCode::CheckFailed, "check-failed"},
                                            {ResultCode::HaltedByUser, "halted-by-user"},
                                            {ResultCode::HaltedByOther, "halted-by-other"},
                                            {ResultCode::NotAllowed, "not-allowed"},
                                            {ResultCode::SourceMayNot, "source-may-not"},
                                            {ResultCode::ChangedSince, "changed-since"},
                                            {ResultCode::StoppedSince, "stopped-since"},
                                            {ResultCode::MarkGone, "mark-gone"},
                                            {ResultCode::StillThere, "still-there"},
                                            {ResultCode::NameTaken, "name-taken"},
                                            {ResultCode::StoppedAgain, "stopped-again"},
                                            {ResultCode::PlatformRefused, "platform-refused"},
                                            {ResultCode::ChangedMeanwhile, "changed-meanwhile"},
                                            {ResultCode::TryLater, "try-later"},
                                            {ResultCode::NeverLeft, "never-left"},
                                            {ResultCode::AnswerLost, "answer-lost"},
                                            {ResultCode::AnswerUnwritten, "answer-unwritten"},
                                            {ResultCode::GoneAsAsked, "gone-as-asked"},
                                            {ResultCode::GoneUnexplained, "gone-unexplained"},
                                            {ResultCode::FoundDone, "found-done"},
                                            {ResultCode::FoundAgain, "found-again"},
                                            {ResultCode::NotDone, "not-done"},
                                            {ResultCode::NotMadeAgain, "not-made-again"},
                                            {ResultCode::StoppedByOther, "stopped-by-other"},
                                            {ResultCode::SetBack, "set-back"},
                                            {ResultCode::OtherValue, "other-value"},
                                            {ResultCode::Gone, "gone"},
                                            {ResultCode::StillHeld, "still-held"},
                                            {ResultCode::StillSet, "still-set"},
                                            {ResultCode::NoEffect, "no-effect"},
                                            {ResultCode::BroughtBack, "brought-back"}}};
static_assert(isWhole(kCodes));

std::optional<ActionResult> resultFrom(const Json &json)
{
    const auto code = json.is_object() ? valueIn(kCodes, textIn(json, "code")) : std::nullopt;
    if (!code)
        return std::nullopt;
    ActionResult result{*code, textIn(json, "text"), textIn(json, "field"), textIn(json, "value"),
                        textIn(json, "before")};
    if (const auto action = json.find("action"); action != json.end() && action->is_number_integer())
        result.action = action->get<std::int64_t>();
    if (const auto check = json.find("check"); check != json.end())
        result.check = checkFrom(*check);
    if (*code == ResultCode::CheckFailed && !result.check)
        return std::nullopt;
    return result;
}

} // namespace

std::string_view toString(ResultCode code)
{
    return nameIn(kCodes, code);
}

std::string dataOf(const ActionResult &result)
{
    if (result.code == ResultCode::None)
        return {};
    Json json{{"code", toString(result.code)}};
    if (result.check)
        json["check"] = jsonOf(*result.check);
    const auto add = [&](const char *key, const std::string &text) {
        if (!text.empty())
            json[key] = text;
    };
    add("text", result.text);
    add("field", result.field);
    add("value", result.value);
    add("before", result.before);
    if (result.action != 0)
        json["action"] = result.action;
    return written(json);
}

ActionResult resultIn(const std::string &data)
{
    if (data.empty())
        return {};
    auto result = resultFrom(Json::parse(data, nullptr, false));
    return result ? std::move(*result) : legacyResult(data);
}

} // namespace gpuledger::actions

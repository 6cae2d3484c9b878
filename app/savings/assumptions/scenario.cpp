// SPDX-License-Identifier: GPL-3.0-or-later
// The text: {"version": 1, "scenarios": {"NAME": {"ASSUMPTION": "VALUE"}}}.
#include "app/savings/assumptions/scenario.h"

#include "app/base/text/text.h"

#include <nlohmann/json.hpp>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Result;
using ScenarioJson = nlohmann::json; // sorted by name

namespace {

constexpr const char *kScenarios = "scenarios";

tl::unexpected<base::Error> damagedScenarios(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "the saved scenarios can't be read: " + what);
}

Result<ScenarioJson> scenarioJson(std::string_view text)
{
    if (text.empty())
        return ScenarioJson{{"version", 1}, {kScenarios, ScenarioJson::object()}};
    ScenarioJson json = ScenarioJson::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("version") || !json.contains(kScenarios))
        return damagedScenarios("not an object with a version and scenarios");
    if (json["version"] != 1)
        return damagedScenarios("written by another version");
    if (!json[kScenarios].is_object())
        return damagedScenarios("not an object of scenarios");
    for (const auto &[name, values] : json[kScenarios].items()) {
        bool isRead = values.is_object();
        for (auto it = values.begin(); isRead && it != values.end(); ++it)
            isRead = it->is_string();
        if (!isRead)
            return damagedScenarios("the values of \"" + base::printable(name, 64) + "\" are not texts");
    }
    return json;
}

} // namespace

Result<std::string> scenarioName(std::string_view typed)
{
    const auto first = typed.find_first_not_of(' ');
    const auto last = typed.find_last_not_of(' ');
    const std::string name(first == std::string_view::npos ? std::string_view()
                                                           : typed.substr(first, last - first + 1));
    // Printable text is what printable() leaves as it is.
    if (name.empty() || name.size() > kLongestScenarioName || base::printable(name, kLongestScenarioName + 1) != name)
        return base::fail(ErrorCode::InvalidArgument,
                          "a scenario can't be named \"" + base::printable(name, kLongestScenarioName) + '"',
                          "write a name of 1 to " + std::to_string(kLongestScenarioName) + " bytes on one line");
    return name;
}

Result<std::vector<Scenario>> scenariosIn(std::string_view text, const Assumptions &usual)
{
    const auto json = scenarioJson(text);
    GPULEDGER_TRY(json);
    std::vector<Scenario> out;
    for (const auto &[name, values] : (*json)[kScenarios].items()) {
        Scenario one;
        one.name = name;
        one.assumptions.useDefaultsOf(usual);
        for (const auto &[assumption, value] : values.items()) {
            const std::string written = value.get<std::string>();
            if (!one.assumptions.set(assumption, written))
                one.unknown.push_back(assumption + '=' + written);
        }
        out.push_back(std::move(one));
    }
    return out;
}

Result<std::string> withScenario(std::string_view text, const std::string &name, const Assumptions &assumptions)
{
    auto json = scenarioJson(text);
    GPULEDGER_TRY(json);
    ScenarioJson &all = (*json)[kScenarios];
    if (all.size() >= kMostScenarios && !all.contains(name))
        return base::fail(ErrorCode::TooMuch,
                          "there are " + std::to_string(all.size()) + " scenarios; no more can be saved",
                          "remove one that nobody needs before saving \"" + base::printable(name, 64) + '"');
    ScenarioJson values = ScenarioJson::object();
    for (const auto &[assumption, value] : assumptions.chosen())
        values[assumption] = value;
    all[name] = std::move(values);
    return json->dump(2, ' ', false, ScenarioJson::error_handler_t::replace) + '\n';
}

Result<std::string> withoutScenario(std::string_view text, const std::string &name)
{
    auto json = scenarioJson(text);
    GPULEDGER_TRY(json);
    if ((*json)[kScenarios].erase(name) == 0)
        return base::fail(ErrorCode::NotFound, "there is no scenario \"" + base::printable(name, 64) + '"',
                          "see what there is instead of \"" + base::printable(name, 64)
                              + "\" with: gpuledger-cli savings scenarios");
    return json->dump(2, ' ', false, ScenarioJson::error_handler_t::replace) + '\n';
}

} // namespace gpuledger::savings

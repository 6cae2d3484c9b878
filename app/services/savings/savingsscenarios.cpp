// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios are in a file beside the cache, because nothing derives them from facts: it is replaced as a whole under a
// lock, so that two programs lose none and a full disk keeps the old ones.
#include "app/base/text/text.h"
#include "app/services/config/configedit.h"
#include "app/services/config/configfile.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsservice.h"

#include <algorithm>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using savings::Scenario;

namespace {

std::filesystem::path scenarioFile(const Engine &engine)
{
    return engine.options().dataFolder / "scenarios.json";
}

// Names the file of a damaged text.
template <typename T> Result<T> ofScenarioFile(Result<T> answer, const std::filesystem::path &file)
{
    if (answer || answer.error().code != ErrorCode::Parse)
        return answer;
    return base::fail(base::Error::make(ErrorCode::Parse, answer.error().text,
                                        "correct or remove " + base::printable(file.string(), 200))
                          .withSource(file.string()));
}

Result<void> changeScenarios(const Engine &engine, const TextChange &change)
{
    GPULEDGER_TRY(engine.refuseInReport());
    const std::filesystem::path file = scenarioFile(engine);
    GPULEDGER_TRY(ofScenarioFile(changeFile(file, change), file));
    return {};
}

} // namespace

Result<std::vector<Scenario>> SavingsService::scenarios()
{
    if (m_engine.reportMonth())
        return std::vector<Scenario>();
    const std::filesystem::path file = scenarioFile(m_engine);
    const auto text = configBytes(file);
    GPULEDGER_TRY(text);
    return ofScenarioFile(savings::scenariosIn(text->value_or(""), usual()), file);
}

Result<Scenario> SavingsService::scenario(const std::string &name)
{
    const auto all = scenarios();
    GPULEDGER_TRY(all);
    const auto found = std::find_if(all->begin(), all->end(), [&](const Scenario &one) { return one.name == name; });
    if (found == all->end())
        return base::fail(ErrorCode::NotFound, "there is no scenario \"" + base::printable(name, 64) + '"',
                          "see what there is instead of \"" + base::printable(name, 64)
                              + "\" with: gpuledger-cli savings scenarios");
    return *found;
}

Result<Scenario> SavingsService::saveScenario(const std::string &name, const savings::Assumptions &assumptions)
{
    const auto kept = savings::scenarioName(name);
    GPULEDGER_TRY(kept);
    GPULEDGER_TRY(changeScenarios(
        m_engine, [&](std::string_view text) { return savings::withScenario(text, *kept, assumptions); }));
    return Scenario{*kept, assumptions, {}};
}

Result<void> SavingsService::removeScenario(const std::string &name)
{
    return changeScenarios(m_engine, [&](std::string_view text) { return savings::withoutScenario(text, name); });
}

} // namespace gpuledger::services

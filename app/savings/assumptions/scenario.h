// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/assumptions/assumptions.h"

#include <string>
#include <string_view>
#include <vector>

// Named sets of assumptions, as text to keep. Pure; any thread.
namespace gpuledger::savings {

inline constexpr std::size_t kMostScenarios = 100;
inline constexpr std::size_t kLongestScenarioName = 60; // bytes

struct Scenario {
    std::string name; // unique
    Assumptions assumptions;
    std::vector<std::string> unknown; // "name=value" that this version can't use: their defaults are assumed instead
    friend bool operator==(const Scenario &, const Scenario &) = default;
};

// The name without surrounding spaces. Fails with InvalidArgument: empty, longer than 60 bytes, not UTF-8, or with
// control characters.
[[nodiscard]] base::Result<std::string> scenarioName(std::string_view typed);

// By name, each among the defaults of `usual`. An empty text has none. Fails with Parse: the text is damaged.
[[nodiscard]] base::Result<std::vector<Scenario>> scenariosIn(std::string_view text, const Assumptions &usual = {});
// `text` with all that was chosen, also where it is a default now, as a scenario, which replaces one of the same name;
// all else is unchanged, also what this version can't
// use. Fails with Parse, and with TooMuch above 100 scenarios.
[[nodiscard]] base::Result<std::string> withScenario(std::string_view text, const std::string &name,
                                                     const Assumptions &assumptions);
// Fails with Parse and NotFound.
[[nodiscard]] base::Result<std::string> withoutScenario(std::string_view text, const std::string &name);

} // namespace gpuledger::savings

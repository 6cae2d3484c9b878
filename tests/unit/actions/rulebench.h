// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/rulemarks.h"
#include "tests/support/fakes/markbench.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::tests {

inline constexpr base::Seconds kHour{3600};

// A bench on which a rule fires for the team vision.
class RuleBench : public MarkBench {
public:
    RuleBench() { rules = {{"idle-cost", actions::MarkScope::Team, 4 * kHour, {{"vision", "too much"}}}}; }

    std::filesystem::path folder() const { return dir.path().toStdString(); }
    std::vector<actions::RuleMark> apply()
    {
        std::vector<actions::RuleMark> told;
        actions::ActionContext parts = engine();
        const auto done = actions::markForRules(rules, parts, folder(), memory, {},
                                                [&](const actions::RuleMark &mark) { told.push_back(mark); });
        ruleError = done ? std::nullopt : std::optional(done.error());
        return told;
    }
    // Applies the rules and runs a round of the watch, every five minutes for that long.
    std::vector<actions::MarkEvent> watchRules(base::Seconds time)
    {
        std::vector<actions::MarkEvent> events;
        for (base::Seconds gone{0}; gone <= time; gone += kRound) {
            apply();
            const auto more = round();
            events.insert(events.end(), more.begin(), more.end());
            environment.pass(kRound);
        }
        return events;
    }
    std::string noteAt(const char *object, const char *note = model::kStopAtNote)
    {
        const auto &annotations = platform.named(object)->annotations;
        const auto it = annotations.find(note);
        return it == annotations.end() ? std::string() : it->second;
    }
    // An hour later.
    void addPod()
    {
        environment.pass(kHour);
        FakeObject &object = *platform.named("train-0");
        object.holders.push_back({"c1", "ml", "train-0-second", "pod-second", "n1", {}});
        environment.idle.items.clear();
        environment.addIdle(object);
    }
    std::size_t grants()
    {
        const auto entries = cache->months().audit().value();
        return static_cast<std::size_t>(
            std::count_if(entries.begin(), entries.end(), [](const store::AuditEntry &entry) {
                return entry.event.action == "lease-stop-after" && entry.event.actor == "alert idle-cost";
            }));
    }

    actions::RuleMarkMemory memory;
    std::optional<base::Error> ruleError;
};

} // namespace gpuledger::tests

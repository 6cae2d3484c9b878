// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/fleet.h"
#include "app/savings/proposals/proposal.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// What projections rest on that no source reports, and what a user may change: each with its name, unit, default and
// limits. Values; any thread.
namespace gpuledger::savings {

enum class AssumptionType : std::uint8_t {
    Duration, // seconds; written "90s", "30m", "2h"
    Percent, // whole percent; written "20"
    Count, // written "3"
    Answer, // "yes" or "no"
    WeekHours, // 168 hours of the week; written "mon-fri 20-7, sat, sun" or "none" (see offHoursFrom)
};

struct AssumptionSpec {
    Kind kind; // of the proposals that it changes
    std::string_view name; // "scale-down-delay"; unique over all kinds
    AssumptionType type;
    std::string_view usual; // the default, as it is written
    std::int64_t least = 0, most = 0; // seconds, percent or a count; unused for WeekHours and Answer
    std::string_view help; // one clause, for --help and the page's tips
};
std::span<const AssumptionSpec> assumptionSpecs();
// The kinds of work for which defaults may differ; notebooks are development here, and work of an unknown kind is
// inference.
inline constexpr std::array kAssumedWork{model::WorkloadKind::Training, model::WorkloadKind::Batch,
                                         model::WorkloadKind::Inference, model::WorkloadKind::Development};
const AssumptionSpec *assumptionSpec(std::string_view name); // null: there is none
// What the configuration may say of a kind of work and nobody can assume for all: "interruptible", "deadline". They
// have no default, and what a workload states itself goes before them.
std::span<const AssumptionSpec> workDefaultSpecs();
// What a default for a kind of work is, one clause: "the same for training work".
std::string helpOfWork(const AssumptionSpec &spec, model::WorkloadKind work);
std::string assumptionText(const AssumptionSpec &spec, std::int64_t number); // as it is written: "2h", "20"

// A choice of values; those that were not set have their defaults: those of the configuration, else the program's.
// Remembers values that were chosen although they are the default, so that they stay if the default changes. Compares
// equal if all values and defaults are equal, whether chosen or not.
class Assumptions {
public:
    // Changes a default. Fails as set() does.
    [[nodiscard]] base::Result<void> setUsual(std::string_view name, std::string_view value);
    // Takes over the defaults of another choice; what was chosen keeps its value.
    void useDefaultsOf(const Assumptions &other);
    std::string usual(std::string_view name) const; // the default, as it is written
    bool isConfigured(std::string_view name) const; // the default is one of setUsual()

    // Changes a default for one kind of work, of an assumption about spot machines, or sets one of workDefaultSpecs().
    // Fails as set() does.
    [[nodiscard]] base::Result<void> setUsualOf(model::WorkloadKind work, std::string_view name,
                                                std::string_view value);
    // What holds for this work: what was chosen, else the default for its kind, else that for all.
    std::string textOf(model::WorkloadKind work, std::string_view name) const;
    std::int64_t numberOf(model::WorkloadKind work, std::string_view name) const;
    bool isConfiguredOf(model::WorkloadKind work, std::string_view name) const; // also if the default for all is
    // Of workDefaultSpecs(): seconds; 1 is yes, 0 is no. std::nullopt: the configuration does not say.
    std::optional<std::int64_t> statedOf(model::WorkloadKind work, std::string_view name) const;
    // The defaults of setUsualOf() for this name.
    std::map<model::WorkloadKind, std::string> usualByWork(std::string_view name) const;

    // Fails with InvalidArgument: an unknown name (lists the known ones), a value that can't be read or is out of its
    // limits (names the limits and the default).
    [[nodiscard]] base::Result<void> set(std::string_view name, std::string_view value);
    void reset(std::string_view name);
    bool isUsual() const { return m_values.empty(); }

    std::string text(std::string_view name) const; // as it is written, the default included
    std::int64_t number(std::string_view name) const; // seconds, percent or a count
    using Values = std::map<std::string, std::string, std::less<>>; // by name, in their shortest form
    const Values &changed() const { return m_values; } // those that differ from their default
    Values chosen() const; // these, and those that were set to what is their default

    friend bool operator==(const Assumptions &a, const Assumptions &b)
    {
        return a.m_values == b.m_values && a.m_usual == b.m_usual && a.m_usualByWork == b.m_usualByWork;
    }

private:
    void sortOut();

    Values m_values, m_usual;
    Values m_agreed; // set to what is their default
    std::map<model::WorkloadKind, Values> m_usualByWork;
};

} // namespace gpuledger::savings

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The user's own prices as checked values: exchange rates, overrides and owned machines. Immutable; any thread.
namespace gpuledger::ledger {

// Non-ASCII letters are left unchanged.
std::string lowerCase(std::string_view ascii);

// amount / parts, rounded once, half away from zero; parts > 0.
base::Money dividedBy(const base::Money &amount, std::int64_t parts);

// True if the node carries every label; keys may be written as in the cluster ("node.kubernetes.io/pool") or as
// kube-state-metrics writes them.
bool hasLabels(const model::Node &node, const model::Labels &wanted);

// Converts amounts to the report currency by the user's rates.
class ExchangeRates {
public:
    // Fails with InvalidConfig: a rate that is not a positive number, or a rate from a currency to itself.
    [[nodiscard]] static base::Result<ExchangeRates> create(const std::vector<model::ExchangeRate> &rates,
                                                            base::Currency reportCurrency);
    base::Currency reportCurrency() const { return m_report; }
    // The dates from which each rate is valid, unsorted.
    std::vector<base::UtcTime> dates() const;

    struct Converted {
        base::Money amount;
        std::string note; // "USD at 0.92 of 2026-11-01"; empty if no conversion was needed
    };
    // Converts to the report currency by the latest rate dated on or before `at`; a rate given in the opposite
    // direction is inverted. std::nullopt if there is no such rate or the result overflows.
    std::optional<Converted> convert(const base::Money &amount, base::UtcTime at) const;

private:
    struct Entry {
        base::Currency from, to;
        std::int64_t picos = 0; // rate x 1e12
        std::string text;
        base::UtcTime date{};
    };
    std::vector<Entry> m_entries;
    base::Currency m_report;
};

// A user's price, with the condition under which it applies.
struct OverrideRule {
    model::PriceOverride match;
    base::Money perGpuHour, perHour; // one of the two is set, see `wholeInstance`
    bool wholeInstance = false;
    std::string source; // "override: instance type p4d.24xlarge, region us-east-1"
};
// Most specific first (node labels, instance type, region, GPU model, cluster), then in the order of the settings.
// Fails with InvalidConfig: no condition, not exactly one price, or no amount.
[[nodiscard]] base::Result<std::vector<OverrideRule>> overrideRules(const std::vector<model::PriceOverride> &overrides);

// The hourly cost of machines that the user owns.
struct OwnedRule {
    model::Labels nodeLabels;
    base::Money perGpuHour;
    std::string source; // "owned: pool=onprem-a100"
};
// Fails with InvalidConfig: no label, no years, or implausible amounts.
[[nodiscard]] base::Result<std::vector<OwnedRule>> ownedRules(const std::vector<model::OwnedMachine> &machines);

} // namespace gpuledger::ledger

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/fleet.h"
#include "app/model/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The user's own prices as checked values: exchange rates, overrides and owned machines. Immutable; any thread.
namespace gpuledger::ledger {

// Letters outside ASCII stay as they are.
std::string lowerCase(std::string_view ascii);

// amount / parts, rounded once, half away from zero; parts > 0.
base::Money dividedBy(const base::Money &amount, std::int64_t parts);

// True when the node carries every label; keys may be written as in the cluster ("node.kubernetes.io/pool") or as
// kube-state-metrics writes them.
bool hasLabels(const model::Node &node, const model::Labels &wanted);

class ExchangeRates {
public:
    // Fails with InvalidConfig: a rate that is no positive number, or of a currency to itself.
    [[nodiscard]] static base::Result<ExchangeRates> create(const std::vector<model::ExchangeRate> &rates,
                                                            base::Currency reportCurrency);
    base::Currency reportCurrency() const { return m_report; }
    // From which each rate is valid, in no order.
    std::vector<base::UtcTime> dates() const;

    struct Converted {
        base::Money amount;
        std::string note; // "USD at 0.92 of 2026-11-01"; empty when nothing was to convert
    };
    // Into the report currency by the latest rate dated on or before `at`; a rate given the other way round is
    // inverted. Nothing: no such rate, or the amount does not fit.
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

struct OverrideRule {
    model::PriceOverride match;
    base::Money perGpuHour, perHour; // one of the two, by `wholeInstance`
    bool wholeInstance = false;
    std::string source; // "override: instance type p4d.24xlarge, region us-east-1"
};
// Most specific first (node labels, instance type, region, GPU model, cluster), then as written.
// Fails with InvalidConfig: no condition, not exactly one price, or no amount.
[[nodiscard]] base::Result<std::vector<OverrideRule>> overrideRules(const std::vector<model::PriceOverride> &overrides);

struct OwnedRule {
    model::Labels nodeLabels;
    base::Money perGpuHour;
    std::string source; // "owned: pool=onprem-a100"
};
// Fails with InvalidConfig: no label, no years, or amounts that make no sense.
[[nodiscard]] base::Result<std::vector<OwnedRule>> ownedRules(const std::vector<model::OwnedMachine> &machines);

} // namespace gpuledger::ledger

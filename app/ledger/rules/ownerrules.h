// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/fleet.h"
#include "app/model/money/bill.h"
#include "app/model/settings.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ledger {

// Maps labels, namespaces and node pools to owners: rules apply in order, the first match wins. Expressions run in a
// linear-time engine. Immutable; any thread.
class OwnerRules {
public:
    // An empty list selects the defaults: labels team, owner and cost-center of the workload, then of its namespace,
    // then the namespace's name. Fails with InvalidConfig on an invalid expression.
    [[nodiscard]] static base::Result<OwnerRules> create(std::vector<model::OwnerRule> rules);
    ~OwnerRules();
    OwnerRules(OwnerRules &&) noexcept;
    OwnerRules &operator=(OwnerRules &&) noexcept;

    struct Match {
        std::string team;
        int rule = -1; // index into rules(); -1: none, team is "unowned" or "shared"
    };
    // Owner of a holder at an instant; "unowned" if no rule matches. For a machine, cloud tags count as labels too.
    Match ownerOf(const model::Holder &holder, const model::Node *node, base::UtcTime at) const;
    // Owner of a node's unallocated time; "shared" if no node pool rule matches.
    Match ownerOfNode(const model::Node *node, base::UtcTime at) const;
    // Owner of a cost that only a bill names, by its tags and accounts. Uses only rules on cloud tags and accounts, so
    // that the holder's or node's owner takes precedence; std::nullopt if none matches.
    std::optional<Match> ownerOfBill(const model::BillLine &line, base::UtcTime at) const;
    const std::vector<model::OwnerRule> &rules() const;
    // Why an expression is invalid, with the byte offset where known; problemOf() returns std::nullopt for a valid one.
    struct ExpressionProblem {
        std::string text;
        std::optional<std::size_t> offset;
    };
    static std::optional<ExpressionProblem> problemOf(const std::string &expression);
    // Human-readable text of the rule, e.g. "label team".
    static std::string describe(const model::OwnerRule &rule);
    // Instants at which a rule becomes or ceases to be valid, ascending.
    const std::vector<base::UtcTime> &boundaries() const;

private:
    struct Private;
    explicit OwnerRules(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

inline constexpr std::string_view kUnowned = "unowned";
inline constexpr std::string_view kShared = "shared";

// The names of a node's pools, from the labels that the platforms set.
std::vector<std::string> nodePools(const model::Node &node);

} // namespace gpuledger::ledger

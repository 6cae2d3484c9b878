// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/bill.h"
#include "app/model/fleet.h"
#include "app/model/settings.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ledger {

// Turns labels, namespaces and node pools into owners: rules in order, the first that matches wins (definitions.md,
// Owner). Expressions run in a linear-time engine. Immutable; any thread.
class OwnerRules {
public:
    // An empty list means the defaults: labels team, owner and cost-center of the workload, then of its namespace, then
    // the namespace's name. Fails with InvalidConfig on a bad expression.
    [[nodiscard]] static base::Result<OwnerRules> create(std::vector<model::OwnerRule> rules);
    ~OwnerRules();
    OwnerRules(OwnerRules &&) noexcept;
    OwnerRules &operator=(OwnerRules &&) noexcept;

    struct Match {
        std::string team;
        int rule = -1; // index into rules(); -1: none, team is "unowned" or "shared"
    };
    // Owner of a holder at an instant; "unowned" when no rule speaks. A machine's labels are its cloud's tags as well.
    Match ownerOf(const model::Holder &holder, const model::Node *node, base::UtcTime at) const;
    // Owner of a node's time that nobody held; "shared" when no node pool rule speaks.
    Match ownerOfNode(const model::Node *node, base::UtcTime at) const;
    // Owner of what only a bill names, by its tags and accounts: rules of cloud tags and accounts alone, so that a
    // holder's or node's owner can be asked first; nothing when none speaks.
    std::optional<std::string> ownerOfBill(const model::BillLine &line, base::UtcTime at) const;
    const std::vector<model::OwnerRule> &rules() const;
    // Why an expression can't be used, and at which byte where that is known; nothing: it can.
    struct ExpressionProblem {
        std::string text;
        std::optional<std::size_t> offset;
    };
    static std::optional<ExpressionProblem> problemOf(const std::string &expression);
    // The rule in plain words, e.g. "label team".
    static std::string describe(const model::OwnerRule &rule);
    // Instants at which a rule begins or ends to speak, ascending.
    const std::vector<base::UtcTime> &boundaries() const;

private:
    struct Private;
    explicit OwnerRules(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

inline constexpr std::string_view kUnowned = "unowned";
inline constexpr std::string_view kShared = "shared";

// Node pool names of a node, from the labels that the platforms put there.
std::vector<std::string> nodePools(const model::Node &node);

} // namespace gpuledger::ledger

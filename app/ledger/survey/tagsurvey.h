// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/money/bill.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace gpuledger::store {
class FactReader;
}

namespace gpuledger::ledger {

class CubeBuilder;
class OwnerRules;

// True if labels and tags of this name, as model::mangledLabel() writes it, commonly identify teams; others carry
// hashes and versions.
bool tellsTeams(std::string_view mangledKey);

// The part of the bills that owner rules leave unowned, and the tags that could identify an owner; effective cost in
// one currency.
struct TagPreview {
    struct Tag {
        std::string key; // as the bill writes it
        base::Money carried; // cost of the lines that carry it
        base::Money unowned; // the part of it that these rules leave unowned
        std::size_t values = 0; // number of distinct values
    };
    base::Money all, unowned; // of all lines; unallocated time of a billed machine does not count as unowned
    // What each rule decides the owner of, in the order of the rules; the last entry is what no rule does. They add up
    // to `all`. A machine's cost goes to the rule for its workload or node, else to one for the line's tags or account.
    std::vector<base::Money> rules;
    std::vector<Tag> tags; // the most helpful first
};

// Records what each piece of some days' bills is about, before owner rules are applied: taken once, it can preview any
// rules. A machine's cost is split among the holders of its GPUs, as in the ledger; if a workload has several holders,
// the labels of the first one count for all. Immutable; any thread.
class TagSurvey {
public:
    // Covers the whole UTC days of the range; amounts in other currencies are left out. Reads the inputs of these days'
    // ledger. Fails with Storage… codes, Overflow or Cancelled.
    [[nodiscard]] static base::Result<std::shared_ptr<const TagSurvey>>
    take(const CubeBuilder &ledger, store::FactReader &facts, base::TimeRange range, base::Currency currency,
         const std::stop_token &stop);

    // Fails with Overflow.
    [[nodiscard]] base::Result<TagPreview> preview(const OwnerRules &rules) const;

private:
    class Taking;
    struct Who {
        bool isFree = false; // a node's unallocated time
        model::Holder holder;
        int node = -1; // index into m_nodes
    };
    using Claim = std::tuple<std::size_t, int, std::int32_t>; // line, who (-1: no machine), UTC day

    base::Currency m_currency;
    std::vector<model::BillLine> m_lines; // tags and accounts alone
    std::vector<Who> m_who;
    std::vector<model::Node> m_nodes;
    std::map<Claim, std::int64_t> m_claims; // nano-units
};

} // namespace gpuledger::ledger

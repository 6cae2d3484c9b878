// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/bill.h"
#include "app/model/fleet.h"

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

// Whether people tell teams apart by labels and tags of this name, as model::mangledLabel() writes it; others carry
// hashes and versions.
bool tellsTeams(std::string_view mangledKey);

// What owner rules leave of the bills to nobody, and which tags could tell; effective cost of one currency.
struct TagPreview {
    struct Tag {
        std::string key; // as the bill writes it
        base::Money carried; // cost of the lines that carry it
        base::Money unowned; // of those, what these rules leave unowned
        std::size_t values = 0; // how many different ones
    };
    base::Money all, unowned; // of all lines; time of a billed machine that nobody held is not unowned
    std::vector<Tag> tags; // the most helpful first
};

// Whom each piece of the bills of some days is about, before anybody says whose it is: taken once, it answers for any
// rules at once. A machine's cost is shared out over who held its GPUs, as in the ledger; of several holders of one
// workload, the first one's labels count for all. Immutable; any thread.
class TagSurvey {
public:
    // Of the whole UTC days of the range; amounts in other currencies are left out. Reads what the ledger of these days
    // is made of. Fails with Storage… codes, Overflow or Cancelled.
    [[nodiscard]] static base::Result<std::shared_ptr<const TagSurvey>>
    take(const CubeBuilder &ledger, store::FactReader &facts, base::TimeRange range, base::Currency currency,
         const std::stop_token &stop);

    // Fails with Overflow.
    [[nodiscard]] base::Result<TagPreview> preview(const OwnerRules &rules) const;

private:
    class Taking;
    struct Who {
        bool isFree = false; // a node's time that nobody held
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

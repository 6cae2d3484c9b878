// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/savings/capacity/capacity.h"
#include "app/savings/proposals/basis.h"
#include "app/savings/proposals/proposal.h"

#include <string>
#include <vector>

namespace gpuledger::savings {

std::string capacityId(const CapacityPool &pool, bool packed); // of the two proposals
bool isPacked(const Proposal &proposal); // it is that of a pool whose work would move together

inline constexpr std::size_t kCapacityLeastHours = 14 * 24; // of a pool's past
inline constexpr std::size_t kCapacityKeptListed = 10; // nodes that small workloads kept up; the rest is counted

// What scaling the pool down would have saved: the proposal in which nothing moves and, if more nodes would have been
// off, the one that packs work onto fewer nodes, which never counts because work would have to move. Its evidence names
// the small workloads whose moves alone explain a part of it (smallholds.h). None for a pool of which no node was ever
// empty and packing frees none. Pure; any thread. Fails with Overflow.
[[nodiscard]] base::Result<std::vector<Proposal>> offerCapacity(const CapacityPool &pool, const CapacityPolicy &policy,
                                                                base::Currency currency);

// What the figures of one of them were computed from; `start` is that of the past. Rows: by day, the time of nodes off,
// what the nodes whose money ends cost, and what the nodes off would have saved. Fails with Overflow.
[[nodiscard]] base::Result<ProposalBasis> capacityBasis(const CapacityPool &pool, const CapacityPolicy &policy,
                                                        base::Currency currency, bool packed, base::UtcTime start);

} // namespace gpuledger::savings

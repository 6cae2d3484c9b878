// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/idle/idle.h"
#include "app/ledger/prices/pricebook.h"
#include "app/savings/rightsize/rightsize.h"
#include "app/services/savingsinputs/days/daycollector.h"

#include <memory>
#include <set>
#include <stop_token>

namespace gpuledger::services {

// A GPU counts as in use in a bucket in which it was active, or in which its holder had this much memory of it: less
// is what an idle process keeps.
inline constexpr std::uint32_t kRightSizeIdleMib = 1024;

struct RightSizeQuestion {
    base::TimeRange range; // whole UTC hours
    base::Currency currency;
    std::uint16_t threshold = 0; // of model::kShareScale: from here on a GPU that nobody holds is used
    std::set<base::NodeId> spotNodes; // by bills; those whose labels say so are spot machines anyway
    // Of what held nothing in the last week, only the sums that the spot engine needs: savings::RightSizePast::earlier.
    // Of what no list of either engine shows, only what counts for slices: savings::RightSizePast::sliceWork. The
    // proposals of both engines are the same.
    bool recentOnly = false;
};

// The past of every workload, by cluster and name, at the cost that `facts` give each device, and what the clouds of
// their machines offer at the end of the range. Development: notebooks, development, and what schedulableAs() names;
// batch: training and batch work; all else is production, and what is of no known kind is taken for inference. The
// money of a machine counts in hours in which only one workload held a part of it, nothing else may have used the rest,
// and all of it has a price. Memory grows with the workloads and their hours; with `recentOnly` with those of the last
// week until take(), and 24 bytes for each other one whose series goes on.
class RightSizeCollector : public DayCollector {
public:
    // Once, after the last day. Fails with Overflow.
    [[nodiscard]] virtual base::Result<savings::RightSizePast> take() = 0;
};

// The catalogue and the prices must outlive it. `terms` are those of every device at the end of the range, as
// termsOfPlaced() gives them. With `recentOnly` it walks the last week itself, to find what held something, together
// with `beside` if that is not null; `kept` as in collectDays(). Blocking; fails with Cancelled and Storage… codes, and
// as `beside` does.
[[nodiscard]] base::Result<std::unique_ptr<RightSizeCollector>>
rightSizeCollector(store::AttributionReader &attribution, const RightSizeQuestion &question,
                   const ledger::GpuCatalog &catalog, const ledger::PriceBook &prices, model::CostTerms terms,
                   const std::stop_token &stop, KeptDays *kept = nullptr, DayCollector *beside = nullptr);
// The same with what `terms` tell; fails as they do.
[[nodiscard]] base::Result<std::unique_ptr<RightSizeCollector>>
rightSizeCollector(store::AttributionReader &attribution, const RightSizeQuestion &question,
                   const ledger::GpuCatalog &catalog, const ledger::PriceBook &prices, const insight::TermsOf &terms,
                   const std::stop_token &stop, KeptDays *kept = nullptr, DayCollector *beside = nullptr);

} // namespace gpuledger::services

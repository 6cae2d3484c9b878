// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/proof.h"
#include "app/model/fleet/attribution.h"
#include "app/store/values/cube.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace gpuledger::insight {

// Collects the source rows of a usage figure: the longest ones in full, the rest as sums. One object per proof.
class UsageRows {
public:
    // `sum` over `over` is the reading that rows show; if `over` is active time, active plus idle time is used.
    UsageRows(store::Measure sum, store::Measure over, base::Currency currency)
        : m_sum(sum)
        , m_over(over)
        , m_currency(currency)
    {
    }
    // Parts of a device must arrive in ascending order of time.
    void add(const model::DeviceAttribution &device, const model::UsagePart &part);
    // Moves the rows, prices and the sums of what was left out into `proof`.
    void moveTo(Proof &proof);

private:
    // Device, slice, holder, state, rate and the rate's origin.
    using Key = std::tuple<std::int64_t, std::int16_t, std::int64_t, std::int64_t, int, std::int64_t, std::string>;
    struct Open {
        UsageRow row;
        std::int64_t ticks = 0, nanos = 0, sum = 0, over = 0;
    };
    void close(Open &open);
    void drop();

    store::Measure m_sum, m_over;
    base::Currency m_currency;
    std::map<Key, Open> m_open;
    std::vector<UsageRow> m_rows;
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> m_prices; // source and rate: ticks
    std::uint64_t m_leftOut = 0;
    std::int64_t m_leftOutTicks = 0, m_leftOutNanos = 0;
};

} // namespace gpuledger::insight

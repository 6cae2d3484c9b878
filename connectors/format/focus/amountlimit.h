// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"
#include "app/base/money/widemoney.h"
#include "app/model/money/bill.h"

#include <map>
#include <optional>

namespace gpuledger::focus {

// Adds up the costs of all lines of one delivery in 128 bits, to check that the sums stay within the range of
// base::Money: only then can no later sum over any of these lines overflow. List and contracted cost are never added
// up. One thread.
class AmountLimit {
public:
    void add(const model::BillLine &line);
    // Whether all amounts so far fit; once false, it stays false.
    bool fits() const { return m_fits; }
    // Names the sum that is too large, and the limit. `files`: the number of files in the delivery.
    base::Error error(std::size_t files) const;

private:
    struct Sums {
        base::WideMoney billed, effective;
    };
    std::map<base::Currency, Sums> m_sums;
    base::Currency m_lastCurrency; // of the previous line: most lines have the same
    Sums *m_last = nullptr;
    bool m_fits = true;
};

} // namespace gpuledger::focus

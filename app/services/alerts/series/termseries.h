// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/ruleseries.h"
#include "app/store/values/billed.h"

#include <optional>

// When commitments end.
namespace gpuledger::services {

// Collects what bills say of the terms of commitments. A one-time fee is spread over the term that it is for, so its
// last day is the last day of the commitment; one that does not reach beyond its own billing month says nothing of the
// term. One thread.
class CommitmentTerms {
public:
    // Of any day, ascending. True: the line is a share of such a fee.
    bool add(base::Day day, const store::BilledItem &item);
    // A reading at the end of each whole UTC day of `range` from the first day with a line, by id of the commitment:
    // the whole days that are left. Unknown if no bill has a fee that tells its end; Reading::nothing after its end.
    RuleSeries take(base::TimeRange range) const;

private:
    struct Term {
        base::Day first; // with a line
        std::optional<base::Day> last; // of a fee
    };
    std::map<std::string, Term> m_terms;
};

// For the metric CommitmentExpiring, up to `question.now`, by the bills as they are now. Fails with Storage… codes.
[[nodiscard]] base::Result<RuleSeries> expiringSeriesOf(View &view, const SeriesQuestion &question);

} // namespace gpuledger::services

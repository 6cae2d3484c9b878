// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/ruleseries.h"
#include "app/services/commitments/toldends.h"
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
    // What a cloud told when it was read. Of a commitment that no bill has, there are readings from that day on.
    void tell(const ToldEnd &told);
    // A reading at the end of each whole UTC day of `range` from the first day with a line, by id of the commitment:
    // the whole days that are left, by the fees, else as a cloud told. Unknown if neither says it; Reading::nothing
    // after its end.
    RuleSeries take(base::TimeRange range) const;

private:
    struct Term {
        base::Day first; // with a line
        std::optional<base::Day> last; // of a fee
        std::optional<base::Day> told; // by a cloud
    };
    std::map<std::string, Term> m_terms;
};

// For the metric CommitmentExpiring, up to `question.now`, by the bills and by what clouds told these sources, as they
// are now. Fails with Storage… codes.
[[nodiscard]] base::Result<RuleSeries> expiringSeriesOf(View &view, const SeriesQuestion &question,
                                                        const std::vector<model::SourceSettings> &sources);

} // namespace gpuledger::services

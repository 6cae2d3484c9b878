// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotestimate.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints what work on spot machines would cost, for `estimate`. Pure; any thread.
namespace gpuledger::cli {

struct EstimateAnswer {
    savings::SpotQuestion question;
    savings::SpotEstimate estimate;
    std::optional<base::Money> maxCost;
    bool tooExpensive() const; // the p90 of the cost is above maxCost, or unknown
};

// What an estimate and a list of offers have in common.
Json bandJson(const savings::SpotBand<base::Money> &band);
Json bandJson(const savings::SpotBand<double> &band);
Json bandJson(const savings::SpotBand<int> &band);
Json fallbackJson(const savings::SpotEstimate &estimate); // null without a deadline
std::string hoursText(std::optional<double> hours); // "24.0 h"; unknown: "-"
std::string reasonText(const savings::SpotEstimate &estimate, const savings::SpotWork &work);

Json estimateJson(const EstimateAnswer &answer);
std::string estimateText(const EstimateAnswer &answer, bool bold);

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/actionrecord.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/realized/realized.h"
#include "app/services/savings/proposalacts.h"

#include <map>
#include <string>
#include <vector>

// What is measured as realized: accepted proposals, and stops that this program did. Values; pure; any thread.
namespace gpuledger::services {

// Of each verified stop of `log`, also of one that was undone later, whose target had a cost, in the form of an
// accepted choice; ascending by action. Left out: a stop of a workload that one of `accepted` is about, if it was done
// in the days between the weeks that are compared for that: it is measured as that. One that was done before or after
// is measured on its own, and shares the group of the proposal. `holders` is from holdersOfStops().
std::vector<savings::Choice> stopsAsChoices(const std::vector<model::ActionRecord> &log,
                                            const std::map<std::string, WorkloadOfCluster> &holders,
                                            const std::vector<savings::Choice> &accepted);

struct RealizedPasts {
    std::vector<savings::Choice> of; // accepted proposals in the order of SavingsService::choices(), then stops
    std::vector<savings::RealizedPast> pasts; // parallel to `of`
};
// In the order of `known`.
std::vector<savings::Realized> measuredOf(const RealizedPasts &known);

} // namespace gpuledger::services

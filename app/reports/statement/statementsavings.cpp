// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/statementsavings.h"

namespace gpuledger::reports {

namespace {

std::string countedProposals(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " proposal" : " proposals");
}

} // namespace

std::string nameOf(const StatementSaving &saving)
{
    const std::string about = saving.kind + ": " + saving.target;
    switch (saving.part) {
    case StatementSaving::Part::Found:
        return "found: " + countedProposals(saving.count);
    case StatementSaving::Part::Realized:
        return "realized so far: " + countedProposals(saving.count);
    case StatementSaving::Part::Accepted:
        return "accepted: " + about;
    case StatementSaving::Part::Proposal:
        break;
    }
    return about;
}

std::string noteOf(const StatementSavings &savings)
{
    return "Per month of 730 hours, as of " + base::toRfc3339(savings.asOf)
        + (savings.past.empty()
               ? std::string()
               : ", replayed from " + base::toRfc3339(savings.past.start) + " to " + base::toRfc3339(savings.past.end))
        + "; in no other figure.";
}

} // namespace gpuledger::reports

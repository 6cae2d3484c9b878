// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/statementsavings.h"

namespace gpuledger::reports {

namespace {

std::string countedText(std::size_t count, const char *what)
{
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string countedRealized(const StatementSaving &saving)
{
    if (saving.stops == 0)
        return countedText(saving.count, "proposal");
    const std::string stops = countedText(saving.stops, "stop");
    return saving.count == 0 ? stops : countedText(saving.count, "proposal") + ", " + stops;
}

} // namespace

std::string nameOf(const StatementSaving &saving)
{
    const std::string about = saving.kind + ": " + saving.target;
    switch (saving.part) {
    case StatementSaving::Part::Found:
        return "found: " + countedText(saving.count, "proposal");
    case StatementSaving::Part::Realized:
        return "realized so far: " + countedRealized(saving);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/services/savings/proposalacts.h"
#include "app/services/savings/savingsservice.h"
#include "ui/viewmodels/shell/scope.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::services {
class ConfigService;
class FleetService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// What is known before any proposal is computed.
struct SavingsFrame {
    base::TimeRange covered; // by the data
    base::TimeRange range; // chosen, within what can be asked
    base::UtcTime asked{};
    base::TimeZone zone;
    std::vector<std::string> sources;
    bool isReadOnly = false; // it is a report

    base::Day today() const { return base::Day{zone.localDay(asked)}; } // in the zone
};

// What the page asks. Every function blocks and runs on a worker thread; each fails as its service does.
struct SavingsDesk {
    std::function<base::Result<SavingsFrame>(const TimeChoice &)> frame;
    // Nothing chosen, with the defaults of the configuration; quick, also on the GUI thread. Null: the program's.
    std::function<savings::Assumptions()> usual;
    std::function<base::Result<savings::SavingsList>(const services::SavingsQuery &, const std::stop_token &)> savings;
    std::function<base::Result<std::optional<savings::ProposalCurve>>(
        const services::SavingsQuery &, const std::string &proposal, const std::stop_token &)>
        curve;
    std::function<base::Result<std::vector<savings::Choice>>()> choices;
    std::function<base::Result<std::vector<savings::Realized>>(model::CostView, const std::stop_token &)> realized;
    std::function<base::Result<savings::Choice>(const savings::ChoiceDraft &, const savings::SavingsList &)> choose;
    std::function<base::Result<services::ActFacts>()> acts; // null: no action is offered
    // Saved assumptions. Null: none are offered.
    std::function<base::Result<std::vector<savings::Scenario>>()> scenarios;
    std::function<base::Result<savings::Scenario>(const std::string &name, const savings::Assumptions &)> saveScenario;
    std::function<base::Result<void>(const std::string &name)> removeScenario;
};
// All must outlive it.
SavingsDesk savingsDesk(const services::ConfigService &config, services::FleetService &fleet,
                        services::SavingsService &savings);

// The proposals of a range with what was decided about them. Immutable.
struct SavingsSnapshot {
    SavingsFrame frame;
    model::CostView cost = model::CostView::Effective;
    savings::Assumptions assumptions;
    std::set<std::string> teams; // whose proposals are listed; empty: all
    bool hasOtherFilter = false; // the scope has a filter that proposals can't be matched with
    savings::SavingsList list;
    std::vector<savings::Choice> choices; // the newest of each proposal

    // The choice in force: not taken back, and not a reminder whose day has come. Null: none.
    const savings::Choice *choiceOf(const std::string &proposal) const;
    // Also what has no owner: it is of several teams, or nobody's.
    bool isListed(const savings::Proposal &proposal) const
    {
        return teams.empty() || proposal.owner.empty() || teams.contains(proposal.owner);
    }
    base::Seconds age() const { return std::max(base::Seconds{0}, frame.asked - frame.covered.end); }
};

// What the figure of one proposal depends on. Immutable.
struct SavingsCurve {
    std::string proposal;
    std::optional<savings::ProposalCurve> curve; // std::nullopt: it has none
};

// Excluded because it was dismissed or put off: its choice says why.
bool isPutAside(const savings::Proposal &proposal);

// What accepted proposals really saved. Immutable.
struct SavingsDone {
    std::vector<savings::Choice> choices;
    std::vector<savings::Realized> realized;
};

} // namespace gpuledger::ui

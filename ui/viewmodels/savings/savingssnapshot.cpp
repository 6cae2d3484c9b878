// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingssnapshot.h"

#include "app/model/settings.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/viewmodels/shell/askablerange.h"

namespace gpuledger::ui {

using savings::Choice;

SavingsDesk savingsDesk(const services::ConfigService &config, services::FleetService &fleet,
                        services::SavingsService &savings)
{
    SavingsDesk desk;
    desk.frame = [&config, &fleet](const TimeChoice &time) -> base::Result<SavingsFrame> {
        const auto covered = fleet.coveredRange();
        GPULEDGER_TRY(covered);
        SavingsFrame frame;
        frame.covered = *covered;
        frame.asked = config.clock().now();
        frame.zone = config.timeZone();
        frame.isReadOnly = config.isReport();
        for (const model::SourceSettings &source : config.settings().sources)
            frame.sources.push_back(source.name);
        frame.range =
            time.resolve(askableRange(config, frame.covered), frame.zone).intersect(frame.covered); // may be empty
        return frame;
    };
    desk.usual = [&savings] { return savings.usual(); };
    desk.savings = [&savings](const services::SavingsQuery &query, const std::stop_token &stop) {
        return savings.savings(query, stop);
    };
    desk.curve = [&savings](const services::SavingsQuery &query, const std::string &proposal,
                            const std::stop_token &stop) { return savings.curve(query, proposal, stop); };
    desk.choices = [&savings] { return savings.choices(); };
    desk.realized = [&savings](model::CostView cost, const std::stop_token &stop) {
        return savings.realized(cost, stop);
    };
    desk.choose = [&savings](const savings::ChoiceDraft &draft, const savings::SavingsList &list) {
        return savings.choose(draft, list);
    };
    desk.scenarios = [&savings] { return savings.scenarios(); };
    desk.saveScenario = [&savings](const std::string &name, const savings::Assumptions &assumptions) {
        return savings.saveScenario(name, assumptions);
    };
    desk.removeScenario = [&savings](const std::string &name) { return savings.removeScenario(name); };
    return desk;
}

bool isPutAside(const savings::Proposal &proposal)
{
    return proposal.excludedBy
        && (proposal.excludedBy->text == savings::RemarkText::Dismissed
            || proposal.excludedBy->text == savings::RemarkText::PutOff);
}

const Choice *SavingsSnapshot::choiceOf(const std::string &proposal) const
{
    const auto found =
        std::find_if(choices.begin(), choices.end(), [&](const Choice &one) { return one.draft.proposal == proposal; });
    return found != choices.end() && savings::isInForce(found->draft, frame.today()) ? &*found : nullptr;
}

} // namespace gpuledger::ui

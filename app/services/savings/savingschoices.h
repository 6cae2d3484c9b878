// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/proposals/proposal.h"
#include "app/store/actions/auditlog.h"

#include <string>
#include <vector>

// Choices about proposals as entries of the audit log. Pure; any thread.
namespace gpuledger::services {

// The name of a device in a choice, which lasts longer than its id in the cache: "gpu:cluster/uuid".
std::string deviceResource(const model::Device &device);

// An entry for a choice about `proposal`. The draft must be checked.
store::AuditEvent choiceEvent(const savings::ChoiceDraft &draft, const savings::Proposal &proposal, base::UtcTime at,
                              std::string by);
// The newest choice about each proposal, ascending by id; see Choice::since for those accepted again. Skips other
// entries, and damaged ones: verify() reports those.
std::vector<savings::Choice> choicesOf(const std::vector<store::AuditEntry> &log);

// Excludes proposals that were dismissed, and those that were put off until after `today` (in the configured time
// zone), so that others may have their resources.
void excludeChosen(std::vector<savings::Proposal> &proposals, const std::vector<savings::Choice> &choices,
                   base::Day today);

} // namespace gpuledger::services

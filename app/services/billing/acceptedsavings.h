// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/spend/month.h"
#include "app/savings/proposals/choice.h"
#include "app/store/actions/auditlog.h"

#include <vector>

// Accepted savings as decisions of showback meetings. Nothing of this is stored: it follows from the choices in the
// audit log. Pure; any thread.
namespace gpuledger::services {

// A proposal that is accepted. It stays open: a choice has no end, other than being replaced by another one.
struct AcceptedSaving {
    savings::Choice choice; // Accepted
    // The month whose meeting it belongs to, like a decision made that day: the last one that was over in the
    // configured time zone when it was first accepted (Choice::since).
    insight::Month month;
};

// What is accepted by the newest choice about it, ascending by Choice::id.
std::vector<AcceptedSaving> acceptedSavingsOf(const std::vector<store::AuditEntry> &log, const base::TimeZone &zone);

} // namespace gpuledger::services

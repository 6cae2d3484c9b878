// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/idlesnapshot.h"

namespace gpuledger::ui {

const model::Lease *IdleSnapshot::leaseOf(const std::string &id) const
{
    const model::Lease *strongest = nullptr;
    for (const model::Lease &lease : leases) {
        if (lease.holder == id && (!strongest || lease.kind > strongest->kind))
            strongest = &lease;
    }
    return strongest;
}

bool IdleSnapshot::isSnoozed(const std::string &id) const
{
    return std::any_of(leases.begin(), leases.end(), [&](const model::Lease &lease) {
        return lease.holder == id && lease.kind == model::Lease::Kind::Snooze;
    });
}

bool IdleSnapshot::isStopped(const std::string &id) const
{
    const auto action = actions.find(id);
    return action != actions.end() && action->second == model::ActionState::Verified;
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/sources/syncreport.h"

#include <QString>

#include <optional>
#include <vector>

namespace gpuledger::ui {

// The notice after a sync in which something failed, or after which the user has to decide.
struct SyncFailure {
    QString text; // "Synced 3 sources; one failed."
    QString details; // one sentence per source
};

// std::nullopt if everything succeeded. Pure; GUI thread because of the texts.
std::optional<SyncFailure> failureOf(const std::vector<services::SyncReport> &reports);

} // namespace gpuledger::ui

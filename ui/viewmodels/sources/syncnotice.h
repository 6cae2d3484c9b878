// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/sources/syncreport.h"

#include <QString>

#include <optional>
#include <vector>

namespace gpuledger::ui {

// What people are told of a sync in which something failed, or after which somebody has to decide.
struct SyncFailure {
    QString text; // "Synced 3 sources; one failed."
    QString details; // a sentence a source
};

// Nothing when all went well. Pure; GUI thread because of the texts.
std::optional<SyncFailure> failureOf(const std::vector<services::SyncReport> &reports);

} // namespace gpuledger::ui

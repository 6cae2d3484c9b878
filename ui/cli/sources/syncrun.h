// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "ui/cli/program/session.h"

#include <optional>
#include <string>

namespace gpuledger::cli {

// What a progress line says.
std::string progressText(const services::SyncProgress &progress);

// Syncs with a progress line and prints the results, for `sync` and `demo`. Returns kSourceFailed if a source failed,
// and kLook if a source returned incomplete data or a day is held back for a decision. Fails with NotFound (no such
// source), Cancelled, or an output error.
[[nodiscard]] base::Result<int>
runSync(Session &session, services::Workspace &workspace, const std::optional<std::string> &source,
        services::SourceService::WhatIsGone gone = services::SourceService::WhatIsGone::Keep);

} // namespace gpuledger::cli

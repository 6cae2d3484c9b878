// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/sources/sourceservice.h"
#include "ui/cli/program/session.h"

#include <optional>
#include <string>

namespace gpuledger::cli {

// Syncs with a progress line and prints what came of it, for `sync` and `demo`. The exit status is kSourceFailed when a
// source failed, and kLook when one answered with a part of what it has or had, or when a day of one is held. Fails
// with NotFound (no such source), Cancelled, or what the output said.
[[nodiscard]] base::Result<int>
runSync(Session &session, services::Workspace &workspace, const std::optional<std::string> &source,
        services::SourceService::WhatIsGone gone = services::SourceService::WhatIsGone::Keep);

} // namespace gpuledger::cli

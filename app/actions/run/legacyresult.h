// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/actionresult.h"
#include "app/actions/run/marks.h"

#include <optional>
#include <string>

// Reads the English sentences found in logs from before results were stored as data. Frozen: such sentences are no
// longer written, so this changes only to fix a misread sentence. Pure; any thread.
namespace gpuledger::actions {

// Reads a result. The sample that decided a check stays in the check's subject, as written; a sentence that never
// decided anything becomes ResultCode::Said.
ActionResult legacyResult(const std::string &sentence);
// Reads from the reason of an entry why a mark ended or was postponed; std::nullopt if the sentence is about something
// else.
std::optional<MarkEvent> legacyMark(const std::string &sentence);

} // namespace gpuledger::actions

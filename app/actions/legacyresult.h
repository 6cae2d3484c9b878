// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionresult.h"
#include "app/actions/marks.h"

#include <optional>
#include <string>

// Reads the English sentences that logs before results were data consist of. Frozen: nothing writes such sentences any
// more, and this changes only if it reads a stored one wrongly. Pure; any thread.
namespace gpuledger::actions {

// A result. What the sample was that decided a check stays in its subject, as it was written; a sentence that nothing
// was ever decided by is ResultCode::Said.
ActionResult legacyResult(const std::string &sentence);
// Why a mark ended or was put off, from the reason of an entry; nothing: it is another sentence.
std::optional<MarkEvent> legacyMark(const std::string &sentence);

} // namespace gpuledger::actions

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/savingsclaim.h"
#include "app/ports/probereport.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

// A source of what other tools claim to have saved. It is read whenever it is asked; nothing of it is stored. Blocking;
// call from a worker thread; one call at a time per object; a stop request ends them with Cancelled.
class ClaimSource {
public:
    virtual ~ClaimSource() = default;
    virtual const std::string &name() const = 0; // of the source
    // All claims, by file and line. Fails with NotFound, Forbidden, Parse (a file has something else), TooMuch or
    // Cancelled.
    [[nodiscard]] virtual base::Result<std::vector<model::SavingsClaim>> read(std::stop_token stop) = 0;
    // Fails like read().
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
};

} // namespace gpuledger::ports

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/plan.h"
#include "app/ports/probereport.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

// A source of plans: what changes would cost. It is read whenever it is asked; nothing of it is stored. Blocking; call
// from a worker thread; one call at a time per object; a stop request ends them with Cancelled.
class PlanSource {
public:
    virtual ~PlanSource() = default;
    virtual const std::string &name() const = 0; // of the source
    // All plans, by file. Fails with NotFound, Forbidden, Parse (a file is no plan, or damaged), TooMuch or Cancelled.
    [[nodiscard]] virtual base::Result<std::vector<model::Plan>> read(std::stop_token stop) = 0;
    // Fails like read().
    [[nodiscard]] virtual base::Result<ProbeReport> probe(std::stop_token stop) = 0;
};

} // namespace gpuledger::ports

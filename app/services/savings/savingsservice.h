// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/costview.h"
#include "app/savings/proposal.h"

#include <optional>
#include <stop_token>

namespace gpuledger::services {

class Engine;

// Answers what could be saved. `engine` must outlive it. Every function blocks and must be called from a worker
// thread; any thread. Fails with InvalidArgument (a range without data), Cancelled, Overflow and Storage… codes.
class SavingsService {
public:
    explicit SavingsService(Engine &engine)
        : m_engine(engine)
    {
    }

    // The proposals of one kind, or of all kinds, from the past of `range` (empty: the last 28 days of the data; cut
    // to the data and to whole hours). Those of one kind are compared with all the others before the rest is left out,
    // so that an item says the same in both lists.
    [[nodiscard]] base::Result<savings::SavingsList> savings(std::optional<savings::Kind> kind,
                                                             std::optional<base::TimeRange> range,
                                                             model::CostView cost = model::CostView::Effective,
                                                             const std::stop_token &stop = {});

private:
    Engine &m_engine;
};

} // namespace gpuledger::services

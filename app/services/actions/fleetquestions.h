// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/insight/idle/idle.h"
#include "app/insight/overview/summary.h"
#include "app/model/settings.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

// What stopping and the queue ask of the facts; Workspace answers. Every function blocks and may be called from any
// thread. All but settings() and clock() fail with Storage… codes.
class FleetQuestions {
public:
    virtual ~FleetQuestions() = default;

    // Of the configuration in use.
    virtual const model::Settings &settings() const = 0;
    virtual const base::Clock &clock() const = 0;
    // The owner rules in use: those of the configuration, else the built-in ones.
    virtual std::vector<model::OwnerRule> ownerRules() const = 0;
    // The source that is asked for expressions about a cluster; empty: there is none, or it can't be told which.
    virtual std::string expressionSource(const std::string &cluster) const = 0;
    // A report: nothing in it is of now, and nothing of it can be stopped.
    virtual bool isReport() const = 0;

    // Fetches what is new at one source. Fails as Workspace::sync() does; facts that were fetched before stay.
    [[nodiscard]] virtual base::Result<void> syncNow(const std::string &source, std::stop_token stop) = 0;
    // Everything fetched so far; empty before the first sync.
    [[nodiscard]] virtual base::Result<base::TimeRange> coveredRange() = 0;
    // How far the data reach, compared with a range.
    [[nodiscard]] virtual base::Result<insight::Reach> reach(base::TimeRange asked) = 0;
    [[nodiscard]] virtual base::Result<insight::IdleList> idle(base::UtcTime at, const insight::Filter &filter) = 0;
    [[nodiscard]] virtual base::Result<insight::Summary> summary(const insight::Query &query,
                                                                 const insight::Dimension &by) = 0;
};

} // namespace gpuledger::services

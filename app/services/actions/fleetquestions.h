// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/insight/idle/idle.h"
#include "app/insight/overview/summary.h"
#include "app/model/settings.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

// The queries that actions and the queue make on the facts; implemented over FleetService and SourceService. Every
// function blocks and may be called from any thread. All but settings() and clock() fail with Storage… codes.
class FleetQuestions {
public:
    virtual ~FleetQuestions() = default;

    // From the configuration in use.
    virtual const model::Settings &settings() const = 0;
    virtual const base::Clock &clock() const = 0;
    // The owner rules in use: the configured ones, else the built-in ones.
    virtual std::vector<model::OwnerRule> ownerRules() const = 0;
    // The source that evaluates expressions about a cluster; empty: there is none, or it is ambiguous.
    virtual std::string expressionSource(const std::string &cluster) const = 0;
    // True for a report: nothing in it is current, and nothing in it can be stopped.
    virtual bool isReport() const = 0;

    // Fetches new data from one source. Fails like SourceService::sync(); facts that were fetched before stay.
    [[nodiscard]] virtual base::Result<void> syncNow(const std::string &source, std::stop_token stop) = 0;
    // Everything fetched so far; empty before the first sync.
    [[nodiscard]] virtual base::Result<base::TimeRange> coveredRange() = 0;
    // How far the data reach, compared with a range.
    [[nodiscard]] virtual base::Result<insight::Reach> reach(base::TimeRange asked) = 0;
    [[nodiscard]] virtual base::Result<insight::IdleList> idle(base::UtcTime at, const insight::Filter &filter,
                                                               model::CostView cost) = 0;
    [[nodiscard]] virtual base::Result<insight::Summary> summary(const insight::Query &query,
                                                                 const insight::Dimension &by) = 0;
};

} // namespace gpuledger::services

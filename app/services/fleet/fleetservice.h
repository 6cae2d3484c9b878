// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::insight {
struct BlockedList;
struct DeviceDetails;
struct DeviceQuery;
struct Dimension;
struct DimensionValue;
struct Evidence;
struct EvidenceQuery;
struct Filter;
struct Heatmap;
struct HeatmapQuery;
struct IdleList;
struct IdleReplay;
struct IdleRule;
struct LabelUse;
struct Overview;
struct OverviewQuery;
struct Query;
struct Reach;
struct ReplayQuery;
struct Summary;
} // namespace gpuledger::insight
namespace gpuledger::ledger {
class OwnerRules;
class RuleSurvey;
class TagSurvey;
struct RulePreview;
} // namespace gpuledger::ledger
namespace gpuledger::model {
struct IdleSettings;
struct OwnerRule;
} // namespace gpuledger::model

namespace gpuledger::services {

class Engine;
struct Setup;

// Answers questions about the devices: how they were used, by whom, and what is idle. `engine` must outlive it. Every
// function blocks and must be called from a worker thread; any thread. All fail with Storage… codes.
class FleetService {
public:
    explicit FleetService(Engine &engine)
        : m_engine(engine)
    {
    }

    [[nodiscard]] base::Result<insight::Summary> summary(const insight::Query &query, const insight::Dimension &by);
    [[nodiscard]] base::Result<insight::Overview> overview(const insight::OverviewQuery &query);
    [[nodiscard]] base::Result<insight::Heatmap> heatmap(const insight::HeatmapQuery &query,
                                                         const std::stop_token &stop = {});
    [[nodiscard]] base::Result<insight::IdleList> idle(base::UtcTime at, const insight::Filter &filter,
                                                       model::CostView cost = model::CostView::Effective);
    // What could not be given to the pods that waited then, from stored facts; at the end of the data if `at` is later.
    [[nodiscard]] base::Result<insight::BlockedList> blocked(base::UtcTime at, const insight::Filter &filter,
                                                             model::CostView cost = model::CostView::Effective);
    // The idle rule in use at the end of the fetched data.
    [[nodiscard]] base::Result<insight::IdleRule> idleRule();
    // Backtests an idle rule: what it would have stopped in the past (app/insight/idle/idlereplay.h), limited to the
    // fetched data. Fails with InvalidConfig (the rule), Cancelled or Storage… codes.
    [[nodiscard]] base::Result<insight::IdleReplay> replayIdle(const insight::ReplayQuery &query,
                                                               const std::stop_token &stop = {});
    // The same for several rules in one pass over the facts; all have the threshold of query.rule, which is not
    // replayed itself. Without their stops: only sums.
    [[nodiscard]] base::Result<std::vector<insight::IdleReplay>>
    replayIdleRules(const insight::ReplayQuery &query, const std::vector<model::IdleSettings> &rules,
                    const std::stop_token &stop = {});
    // The data behind one item of that list.
    [[nodiscard]] base::Result<insight::Evidence> evidence(const insight::EvidenceQuery &query);
    // One device over a time range. Also fails with NotFound.
    [[nodiscard]] base::Result<insight::DeviceDetails> deviceDetails(const insight::DeviceQuery &query);
    // The values that a filter can be set to: those of a dimension over the whole covered range.
    [[nodiscard]] base::Result<std::vector<insight::DimensionValue>> values(const insight::Dimension &dimension);
    // The labels that a filter can use, besides the other dimensions.
    [[nodiscard]] base::Result<std::vector<insight::LabelUse>> labels();
    // How far the data reach, compared with a range (cut at now; for a report, at the end of its month).
    [[nodiscard]] base::Result<insight::Reach> reach(base::TimeRange asked);
    // Everything fetched so far; empty before the first sync.
    [[nodiscard]] base::Result<base::TimeRange> coveredRange();
    struct FleetSize {
        std::int64_t devices = 0;
        std::int64_t nodes = 0;
    };
    [[nodiscard]] base::Result<FleetSize> fleetSize();

    // The owner rules in use: the configured ones, else the built-in ones.
    std::vector<model::OwnerRule> ownerRules() const;
    // What the owner rules in use do with the time of a range (whole quarter hours of it). The first question about a
    // range reads its usage; those that follow, also about other rules, are answered from what it found.
    [[nodiscard]] base::Result<ledger::RulePreview> testRules(base::TimeRange range, std::stop_token stop);
    // The same for rules that are not in the configuration yet, compared with those in use. Also fails with
    // InvalidConfig (an invalid expression).
    [[nodiscard]] base::Result<ledger::RulePreview>
    testRules(base::TimeRange range, std::vector<model::OwnerRule> owners, std::stop_token stop);

private:
    // The result of the last owner-rule query, and what it is valid for.
    struct Surveyed {
        const Setup *setup = nullptr;
        std::int64_t generation = -1;
        base::TimeRange range;
        std::shared_ptr<const ledger::RuleSurvey> survey;
        std::shared_ptr<const ledger::TagSurvey> bills; // null: there are no bills
    };
    base::Result<ledger::RulePreview> preview(base::TimeRange range, const ledger::OwnerRules &rules,
                                              std::stop_token stop);

    Engine &m_engine;
    std::mutex m_surveyMutex;
    Surveyed m_surveyed;
};

} // namespace gpuledger::services

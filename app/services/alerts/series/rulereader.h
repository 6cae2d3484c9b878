// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/ruleseries.h"
#include "app/services/alerts/series/rulecells.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

enum class SeriesBegin {
    AsAsked,
    OfMonth, // so that an alert that fires for longer than the series keeps its start, and so its key, within a month
};
// The question for the values of rules in `range`, cut to what was fetched. `view` and `cache` must outlive it. Fails
// with Storage… codes.
[[nodiscard]] base::Result<SeriesQuestion> seriesQuestionFor(store::LedgerStore &cache, View &view, const Setup &setup,
                                                             base::TimeRange range, SeriesBegin begin);

// What rules watched until now, from one state of the cache. Rules that ask for the same time share the stored cells
// that they are made of. `engine` and the rules must outlive it. Blocking; one thread.
class RuleReader {
public:
    struct Request {
        const alerts::Rule *rule = nullptr;
        std::optional<base::UtcTime> from; // std::nullopt: the begin of the month 90 days ago
        std::vector<std::string> scopes; // that are answered although they may have had nothing in that time
    };
    RuleReader(const Engine &engine, std::vector<Request> requests);

    // By scope, of a request. Fails with Overflow, InvalidArgument, Storage… codes; then others may still succeed.
    [[nodiscard]] base::Result<RuleSeries> series(std::size_t request);

private:
    struct Group {
        SeriesQuestion question;
        RuleCells cells;
    };
    using Begin = std::pair<base::UtcTime, SeriesBegin>;
    Begin beginOf(const Request &request) const;
    base::Result<Group *> groupOf(const Begin &begin);

    const Engine &m_engine;
    const base::UtcTime m_now;
    const std::vector<Request> m_requests;
    std::optional<View> m_view;
    std::map<Begin, Group> m_groups;
};

} // namespace gpuledger::services

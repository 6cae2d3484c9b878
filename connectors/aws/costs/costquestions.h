// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/awswire.h"
#include "connectors/aws/costs/costrows.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace gpuledger::aws {

// One question to GetCostAndUsage, which may take several pages.
struct CostQuestion {
    bool isTotal = false; // the total of each day, without groups; the part is unused
    CostPart part = CostPart::Rest;
    base::TimeRange days; // whole UTC days
    std::string account; // the usage of this account alone, by usage type and tag; empty: of all, by account
};

// The names of the metrics for billed and effective cost.
struct CostMetrics {
    const char *billed;
    const char *effective;
};
CostMetrics metricsOf(const CostQuery &query);

// "2026-11-01".
std::string dateText(base::UtcTime day);

// The call for one page; `token` is empty for the first.
Call costCall(const CostQuestion &question, const CostQuery &query, const std::string &token);

// Reads pages into days. One object for each question.
class CostAnswer {
public:
    CostAnswer(CostQuestion question, CostQuery query);

    // Adds one page and returns the token of the next one, empty after the last. Fails with Parse (not the answer to
    // this question), Overflow or TooMuch (above kMostRows).
    [[nodiscard]] base::Result<std::string> add(const std::string &body);
    // After the last page. Fails with Parse if a day is missing, for then nothing says that it cost nothing.
    [[nodiscard]] base::Result<CostDays> take();
    const AccountNames &names() const { return m_names; }

    static constexpr std::size_t kMostRows = 1'000'000;

private:
    base::Result<void> addDay(const nlohmann::json &result);
    base::Result<void> addGroup(const nlohmann::json &group, CostDay &day);
    base::Result<void> addRow(const nlohmann::json &metrics, CostRow row, CostDay &day);
    void addNames(const nlohmann::json &page);

    CostQuestion m_question;
    CostQuery m_query;
    CostDays m_days;
    AccountNames m_names;
    std::size_t m_rows = 0;
};

} // namespace gpuledger::aws

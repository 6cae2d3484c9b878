// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/costs/costquestion.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gpuledger::azure {

// Reads pages into cells. One object for each question.
class CostAnswer {
public:
    CostAnswer(CostQuestion question, const CostSettings &settings);

    // Adds one page and returns the address of the next one, empty after the last. Fails with Parse (not the answer to
    // this question: a column is missing, a day was not asked, the next page is on another server), Overflow or
    // TooMuch.
    [[nodiscard]] base::Result<std::string> add(const std::string &body);
    const CostCells &cells() const { return m_cells; }

    static constexpr std::size_t kMostRows = 1'000'000;

private:
    struct Columns;
    base::Result<void> addRow(const nlohmann::json &row, const Columns &columns);

    CostQuestion m_question;
    GroupNames m_names;
    std::string m_server;
    CostCells m_cells;
    std::size_t m_rows = 0;
};

} // namespace gpuledger::azure

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::services {
struct ForecastAnswer;
}

namespace gpuledger::cli {

// What each team or other scope will have cost at the end of the month, and how far its budget is.
class ForecastCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    [[nodiscard]] base::Result<int> printSuggested(const services::ForecastAnswer &answer, const std::string &by,
                                                   Session &session) const;

    CLI::App *m_verb = nullptr;
    std::string m_by = "team", m_period = "month", m_cost;
    bool m_suggest = false;
};

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace gpuledger::insight {
struct ReplayQuery;
}

namespace gpuledger::cli {

// replay: shows what a rule would have done over the past.
class ReplayCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_verb = nullptr;
    CLI::App *m_idle = nullptr;
    CLI::Option *m_thresholdGiven = nullptr;
    double m_threshold = 0;
    [[nodiscard]] base::Result<int> printCurve(Session &session, services::Workspace &workspace,
                                               const insight::ReplayQuery &query) const;

    bool m_curve = false;
    std::vector<std::string> m_grace; // KIND=LENGTH
    std::string m_resumeWithin = "1h", m_cost;
};

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/reportfile.h"
#include "app/services/reportkey.h"
#include "ui/cli/command.h"

#include <string>

namespace gpuledger::cli {

// What a report file says of itself, and whether its signer is known.
class ReportCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_info); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_info = nullptr;
    std::string m_file;
    bool m_trust = false;
};

// One line for people: whose month, made when and by whom, signed by whom.
std::string describeReport(const reports::ReportHeader &header, services::Signer signer);

} // namespace gpuledger::cli

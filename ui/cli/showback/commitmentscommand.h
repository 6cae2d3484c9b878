// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// commitments: what the last syncs kept of the commitments at clouds, beside what the bill has of them. Asks no cloud
// and changes nothing. What buying more or fewer of them would save is in `savings commitments`.
class CommitmentsCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    CLI::App *m_verb = nullptr;
};

} // namespace gpuledger::cli

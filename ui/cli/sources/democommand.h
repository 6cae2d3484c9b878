// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// demo: fills the folder of --demo, or that of --data, with the built-in demo fleet.
class DemoCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;
    Ending ending() const override { return Ending::Soon; }
    bool isAboutDemo() const override { return true; }

private:
    CLI::App *m_verb = nullptr;
    int m_days = 0, m_gpus = 0;
    std::int64_t m_seed = -1;
};

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// sync: fetches new data from every source.
class SyncCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;
    Ending ending() const override { return Ending::Soon; }

private:
    CLI::App *m_verb = nullptr;
    std::string m_source;
    bool m_acceptGone = false;
};

} // namespace gpuledger::cli

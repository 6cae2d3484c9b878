// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::savings {
struct SavingsList;
}

namespace gpuledger::cli {

// savings: what could be saved, or one of these proposals whole.
class SavingsCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override; // false if one of the verbs of ChoicesCommand is
    bool readsReports() const override { return true; }
    [[nodiscard]] base::Result<int> run(Session &session) override;

private:
    base::Result<void> printList(Session &session, const savings::SavingsList &list) const;
    base::Result<void> printOne(Session &session, const savings::SavingsList &list) const;

    CLI::App *m_verb = nullptr;
    std::string m_what, m_cost;
    bool m_all = false;
};

} // namespace gpuledger::cli

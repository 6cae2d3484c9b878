// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// alerts test, history, silence, ack: targets, what was sent, and what people do about alerts. One thread.
class AlertsDesk {
public:
    void addTo(CLI::App &alerts);
    bool chosen() const;
    [[nodiscard]] base::Result<int> run(Session &session);

private:
    void addSilence(CLI::App &alerts);
    base::Result<int> test(Session &session, services::Workspace &workspace) const;
    base::Result<int> history(Session &session, services::Workspace &workspace) const;
    base::Result<int> silence(Session &session, services::Workspace &workspace) const;
    base::Result<int> acknowledge(Session &session, services::Workspace &workspace) const;

    CLI::App *m_test = nullptr, *m_history = nullptr, *m_silence = nullptr, *m_ack = nullptr;
    std::string m_target, m_key, m_note, m_rule, m_scope, m_length, m_reason;
    long long m_end = 0;
};

} // namespace gpuledger::cli

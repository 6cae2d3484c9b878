// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"
#include "ui/cli/watch/deliveryloop.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::cli {

// watch: syncs on the schedule of the sources, evaluates the alert rules, sends their notices on a thread of its own
// and settles what a crash left open, until it is stopped; prints one JSON object per line. It stops only what a user
// has marked, and only with actions.stop_marked in the configuration.
class WatchCommand final : public Command {
public:
    void addTo(CLI::App &parent) override;
    bool chosen() const override { return parsed(m_verb); }
    [[nodiscard]] base::Result<int> run(Session &session) override;
    Ending ending() const override { return Ending::ByItself; }

private:
    struct Watch;
    static base::Result<void> round(Watch &watch);
    static base::Result<void> alerts(Watch &watch);
    static base::Result<void> tellProblems(Watch &watch, const std::vector<std::string> &problems);
    static base::Result<void> deliver(Watch &watch);
    static base::Result<void> tellDelivered(Watch &watch, const DeliveryLoop::Tried &tried, base::UtcTime begun);
    static base::Result<void> marks(Watch &watch);
    static base::Result<void> tellMarks(Watch &watch);
    base::Result<void> serveMetrics(Watch &watch);

    CLI::App *m_verb = nullptr;
    bool m_once = false;
    std::optional<int> m_metrics; // port
};

} // namespace gpuledger::cli

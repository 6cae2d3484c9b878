// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/markround.h"
#include "app/store/months/monthstore.h"
#include "tests/support/fakes/actionbench.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::tests {

using Ids = std::vector<std::string>;
inline constexpr base::Seconds kRound{300}; // interval between rounds of the watch

// A bench whose configuration allows the watch to carry out scheduled stops.
class MarkBench : public ActionBench {
public:
    MarkBench()
    {
        environment.config.actions.stopsMarked = true;
        environment.held["vision"] = 1000;
    }
    base::Result<actions::Marked> mark(const Ids &ids, base::Seconds after = base::Seconds{3600})
    {
        actions::ActionContext parts = engine();
        return actions::makeMarks({ids, after, "unused for days"}, parts, {});
    }
    // Runs one round and returns its events.
    std::vector<actions::MarkEvent> round()
    {
        std::vector<actions::MarkEvent> events;
        actions::ActionContext parts = engine();
        const auto done = actions::runMarks({before, actions::announcedIn(dir.path().toStdString()), rules}, parts, {},
                                            [&](const actions::MarkEvent &event) { events.push_back(event); });
        failed = done ? std::nullopt : std::optional(done.error());
        if (done)
            before = environment.wall.time;
        return events;
    }
    // Runs rounds every five minutes for that long and returns their events.
    std::vector<actions::MarkEvent> watch(base::Seconds time)
    {
        std::vector<actions::MarkEvent> events = round();
        for (base::Seconds gone{0}; gone < time; gone += kRound) {
            environment.pass(kRound);
            const auto more = round();
            events.insert(events.end(), more.begin(), more.end());
        }
        return events;
    }
    std::vector<model::Lease> marks()
    {
        std::vector<model::Lease> all = log->leases(environment.wall.time).value();
        all.erase(std::remove_if(all.begin(), all.end(),
                                 [](const model::Lease &l) { return l.kind != model::Lease::Kind::StopAfter; }),
                  all.end());
        return all;
    }
    model::Lease wish(const std::string &id, model::Lease::Kind kind)
    {
        model::Lease lease;
        lease.kind = kind;
        lease.holder = id;
        lease.actor = "kim";
        lease.at = environment.wall.time;
        if (kind != model::Lease::Kind::Protect)
            lease.until = lease.at + std::chrono::hours(10);
        return log->grant(lease).value();
    }
    // The details of the last audit log entry of that kind.
    std::string said(const std::string &action)
    {
        std::string details;
        const auto entries = cache->months().audit().value();
        for (const store::AuditEntry &entry : entries) {
            if (entry.event.action == action)
                details = entry.event.details;
        }
        return details;
    }

    std::vector<actions::MarkingRule> rules; // that mark, and where they fire
    std::optional<base::UtcTime> before;
    std::optional<base::Error> failed;
};

} // namespace gpuledger::tests

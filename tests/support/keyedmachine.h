// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedtarget.h"
#include "tests/support/keyedsetup.h"

#include <functional>
#include <optional>

namespace gpuledger::tests {

// A service that rents machines, in this process: what a machine is described as, what was asked, and what happens at a
// change. One thread.
struct KeyedMachineSetup : KeyedSetup {
    using Hook = std::function<std::optional<base::Result<http::Response>>(const http::Request &)>;

    auth::KeyedTarget target(const auth::KeyedService &service)
    {
        settings.cluster = "lab";
        settings.mayStop = true;
        auth::KeyedTuning tuning = auth::actionTuning();
        tuning.pause = pause;
        auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
            sent.push_back(request);
            if (before) {
                if (auto other = before(request))
                    return std::move(*other);
            }
            if (request.method != "GET") {
                ++changes;
                act(request.body);
                if (changed)
                    return base::Result<http::Response>(changed());
            }
            return base::Result<http::Response>(describe());
        });
        return {service,          settings, *auth::KeyedSettings::of(settings, "https://api.example.org", "/v2"),
                secrets,          clock,    std::move(client),
                std::move(tuning)};
    }
    model::HolderKey holder(const std::string &name) const
    {
        model::HolderKey key;
        key.cluster = "lab";
        key.name = key.instanceId = name;
        key.kind = model::SubjectKind::Machine;
        return key;
    }
    static model::StopMark mark(const std::string &oldValue)
    {
        return {"key-1", "ada@example.org", "idle", *base::parseTime("2026-11-20T10:00:00Z"), oldValue};
    }

    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
    std::function<http::Response()> describe;
    std::function<http::Response()> changed; // the answer to a change; none: the description
    std::function<void(const std::string &body)> act;
    Hook before; // in place of an answer
    int changes = 0; // that were carried out
};

} // namespace gpuledger::tests

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/logincommands.h"
#include "app/ports/sourcecatalog.h"
#include "connectors/http/sharedclient.h"

#include <memory>
#include <vector>

namespace gpuledger::connectors {

// What a source is made with. All of it outlives what is made.
struct ConnectorContext {
    ports::SecretStore &secrets;
    const base::Clock &clock; // of the answers; may stand still at another time
    const base::Clock &realClock; // for what others compare with theirs: times of files, signatures
    http::SharedClient &http;
    const std::vector<model::ExporterMappingText> &exporters; // of the configuration
};

// Makes one side of a source. Fails with InvalidConfig (a setting is missing or wrong); asks nobody yet. Any thread.
template <typename Port>
using ConnectorFactory = base::Result<std::unique_ptr<Port>> (*)(const model::SourceSettings &,
                                                                 const ConnectorContext &);

// A connector as one object: its kind with settings, rights and capabilities as data, and how each side of it is made.
// Null where it has no such side; `kind.can` says the same (tst_connectors compares the two).
struct ConnectorDescriptor {
    ports::SourceKind kind;
    ConnectorFactory<ports::TelemetrySource> telemetry = nullptr;
    ConnectorFactory<ports::CostSource> costs = nullptr;
    ConnectorFactory<ports::AllocationSource> allocations = nullptr;
    ConnectorFactory<ports::ActionTarget> actions = nullptr;
    ConnectorFactory<ports::WaitingSource> queue = nullptr;
    // The programs that a file named by the settings runs to log in (ports::LoginCommands).
    base::Result<std::vector<ports::CredentialCommand>> (*logins)(const model::SourceSettings &) = nullptr;
};

} // namespace gpuledger::connectors

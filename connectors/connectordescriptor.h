// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/logincommands.h"
#include "app/ports/sourcecatalog.h"
#include "connectors/http/sharedclient.h"

#include <memory>
#include <vector>

namespace gpuledger::connectors {

// What connectors are given to create a source. Everything in it must outlive the source.
struct ConnectorContext {
    ports::SecretStore &secrets;
    const base::Clock &clock; // of the answers; may stand still at another time
    const base::Clock &realClock; // for comparison with other systems' clocks: file times, signatures
    http::SharedClient &http;
    const std::vector<model::ExporterMappingText> &exporters; // from the configuration
};

// Creates one side of a source. Fails with InvalidConfig (a setting is missing or invalid); contacts no server yet. Any
// thread.
template <typename Port>
using ConnectorFactory = base::Result<std::unique_ptr<Port>> (*)(const model::SourceSettings &,
                                                                 const ConnectorContext &);

// Declares a connector in one object: its kind with settings, rights and capabilities as data, and a factory for each
// side that it supports. The factory of an unsupported side is null, as `kind.can` says, too (tst_connectors compares
// the two).
struct ConnectorDescriptor {
    ports::SourceKind kind;
    ConnectorFactory<ports::TelemetrySource> telemetry = nullptr;
    ConnectorFactory<ports::CostSource> costs = nullptr;
    ConnectorFactory<ports::AllocationSource> allocations = nullptr;
    ConnectorFactory<ports::ActionTarget> actions = nullptr;
    ConnectorFactory<ports::WaitingSource> queue = nullptr;
    ConnectorFactory<ports::PriceSource> prices = nullptr;
    ConnectorFactory<ports::InventorySource> inventory = nullptr;
    ConnectorFactory<ports::PlanSource> plans = nullptr;
    ConnectorFactory<ports::ClaimSource> claims = nullptr;
    ConnectorFactory<ports::BudgetSource> budgets = nullptr;
    ConnectorFactory<ports::CommitmentSource> commitments = nullptr;
    // The programs that a file named by the settings runs to log in (ports::LoginCommands).
    base::Result<std::vector<ports::CredentialCommand>> (*logins)(const model::SourceSettings &) = nullptr;
};

} // namespace gpuledger::connectors

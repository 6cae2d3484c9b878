// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/demo/bills/demobills.h"
#include "connectors/demo/clouds/cloudbills.h"
#include "connectors/demo/clouds/cloudmachines.h"
#include "connectors/demo/demobudgets.h"
#include "connectors/demo/democlaims.h"
#include "connectors/demo/democommitments.h"
#include "connectors/demo/demoplacement.h"
#include "connectors/demo/demoplans.h"
#include "connectors/demo/demoplatform.h"
#include "connectors/demo/demosource.h"

namespace gpuledger::demo {

namespace {

using ports::Capability;
using ports::SourceField;

// The limits of demooptions.cpp.
std::vector<SourceField> fleetFields()
{
    return {{.key = "seed",
             .type = SourceField::Type::Whole,
             .title = "Seed",
             .help = "Another number makes another fleet",
             .fallback = "1",
             .example = "7",
             .low = 0,
             .high = 1'000'000'000'000},
            {.key = "gpus",
             .type = SourceField::Type::Whole,
             .title = "GPUs",
             .help = "How many GPUs the fleet has",
             .fallback = "400",
             .example = "40",
             .low = 1,
             .high = 20'000},
            {.key = "days",
             .type = SourceField::Type::Whole,
             .title = "Days",
             .help = "For how many days back there are data",
             .fallback = "92",
             .example = "60",
             .low = 1,
             .high = 400}};
}

connectors::ConnectorDescriptor fleet()
{
    ports::SourceKind kind{.kind = "demo",
                           .title = "Demo fleet",
                           .can = {Capability::Telemetry, Capability::Stops, Capability::Simulated},
                           .fields = fleetFields()};
    kind.fields.push_back(
        {.key = "path",
         .type = SourceField::Type::Path,
         .title = "Platform file",
         .help = "Keeps what was stopped on the simulated platform; without it nothing can be stopped",
         .example = "simulated-platform.json",
         .isRare = true});
    return {.kind = std::move(kind),
            .telemetry = [](const auto &settings,
                            const auto &context) { return DemoSource::create(settings, context.clock); },
            .actions = [](const auto &settings,
                          const auto &context) { return DemoPlatform::create(settings, context.clock); }};
}

connectors::ConnectorDescriptor bill()
{
    ports::SourceKind kind{.kind = "demo-bill",
                           .title = "Demo bill",
                           .can = {Capability::Bills, Capability::Budgets, Capability::Commitments, Capability::Prices,
                                   Capability::Simulated},
                           .fields = fleetFields()};
    return {
        .kind = std::move(kind),
        .costs = [](const auto &settings, const auto &context) { return DemoBills::create(settings, context.clock); },
        .prices = [](const auto &settings, const auto &) { return DemoPlacement::create(settings); },
        .budgets = [](const auto &settings,
                      const auto &context) { return DemoBudgets::create(settings, context.clock); },
        .commitments = [](const auto &settings,
                          const auto &context) { return DemoCommitments::create(settings, context.clock); }};
}

connectors::ConnectorDescriptor cloud()
{
    ports::SourceKind kind{.kind = "demo-cloud",
                           .title = "Demo cloud",
                           .can = {Capability::Bills, Capability::Inventory, Capability::Simulated},
                           .fields = fleetFields()};
    kind.fields.insert(kind.fields.begin(),
                       {.key = "cloud",
                        .type = SourceField::Type::Text,
                        .isRequired = true,
                        .title = "Cloud",
                        .help = "Which account: azure, coreweave, lambda, runpod, vastai or nebius",
                        .example = "azure"});
    return {
        .kind = std::move(kind),
        .costs = [](const auto &settings, const auto &context) { return CloudBills::create(settings, context.clock); },
        .inventory = [](const auto &settings,
                        const auto &context) { return CloudMachines::create(settings, context.clock); }};
}

connectors::ConnectorDescriptor plans()
{
    using Made = base::Result<std::unique_ptr<ports::PlanSource>>;
    ports::SourceKind kind{
        .kind = "demo-plans", .title = "Demo plans", .can = {Capability::Plans, Capability::Simulated}};
    return {.kind = std::move(kind), .plans = [](const auto &settings, const auto &context) -> Made {
                return std::make_unique<DemoPlans>(settings.name, context.clock);
            }};
}

connectors::ConnectorDescriptor claims()
{
    using Made = base::Result<std::unique_ptr<ports::ClaimSource>>;
    ports::SourceKind kind{
        .kind = "demo-claims", .title = "Demo claims", .can = {Capability::Claims, Capability::Simulated}};
    return {.kind = std::move(kind), .claims = [](const auto &settings, const auto &context) -> Made {
                return std::make_unique<DemoClaims>(settings.name, context.clock);
            }};
}

} // namespace

std::vector<connectors::ConnectorDescriptor> connectors()
{
    return {fleet(), bill(), cloud(), plans(), claims()};
}

} // namespace gpuledger::demo

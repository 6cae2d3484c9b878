// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/commitments/azurecommitments.h"
#include "connectors/azure/compute/azureinventory.h"
#include "connectors/azure/compute/azuretarget.h"
#include "connectors/azure/compute/computekind.h"
#include "connectors/azure/costs/azurecostsource.h"
#include "connectors/azure/costs/costskind.h"
#include "connectors/azure/exports/exportkind.h"
#include "connectors/azure/prices/azureprices.h"
#include "connectors/connectorlist.h"

namespace gpuledger::azure {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    return {{.kind = computeKind(),
             .actions =
                 [](const auto &settings, const auto &context) {
                     return makeAzureTarget(settings, context.secrets, context.realClock, context.http.get());
                 },
             .prices =
                 [](const auto &settings, const auto &context) {
                     return makeAzurePrices(settings, context.secrets, context.realClock, context.http.get());
                 },
             .inventory =
                 [](const auto &settings, const auto &context) {
                     return makeAzureInventory(settings, context.secrets, context.clock, context.realClock,
                                               context.http.get());
                 }},
            {.kind = costsKind(),
             .costs =
                 [](const auto &settings, const auto &context) {
                     return makeAzureCostSource(settings, context.secrets, context.clock, context.realClock,
                                                context.http.get());
                 },
             .budgets =
                 [](const auto &settings, const auto &context) {
                     return makeAzureBudgetSource(settings, context.secrets, context.clock, context.realClock,
                                                  context.http.get());
                 },
             .commitments =
                 [](const auto &settings, const auto &context) {
                     return makeAzureCommitmentSource(settings, context.secrets, context.clock, context.realClock,
                                                      context.http.get());
                 }},
            {.kind = exportKind(), .costs = [](const auto &settings, const auto &context) {
                 return makeExportSource(settings, context.secrets, context.realClock, context.http.get());
             }}};
}

} // namespace gpuledger::azure

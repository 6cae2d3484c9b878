// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/vastai/instancetarget.h"
#include "connectors/vastai/rentedmachines.h"
#include "connectors/vastai/vastaisource.h"

namespace gpuledger::vastai {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "vastai",
        .title = "Vast.ai",
        .can = {ports::Capability::Bills, ports::Capability::Inventory, ports::Capability::Stops,
                ports::Capability::MachinesOnly},
        .fields = auth::keyedFields({.api = "https://console.vast.ai",
                                     .exampleApi = "https://vastai.example.org",
                                     .keyHelp = "An API key of Vast.ai that may read",
                                     .exampleKey = "{ type: bearer, token: keychain:vastai }"}),
        .rights = {{.words = "May read charges and instances, as an API key with the permissions billing_read and "
                             "instance_read allows"},
                   {.what = ports::SourceRight::For::Stopping,
                    .words = "May stop and start instances, as an API key with the permission instance_write allows"}},
        .use = "Vast.ai (bill, instances)"};
    return {{.kind = std::move(kind),
             .costs =
                 [](const auto &settings, const auto &context) {
                     return makeVastaiSource(settings, context.secrets, context.clock, context.http.get());
                 },
             .actions =
                 [](const auto &settings, const auto &context) {
                     return makeVastaiTarget(settings, context.secrets, context.realClock, context.http.get());
                 },
             .inventory =
                 [](const auto &settings, const auto &context) {
                     return makeVastaiInventory(settings, context.secrets, context.realClock, context.http.get());
                 }}};
}

} // namespace gpuledger::vastai

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/runpod/gpuprices.h"
#include "connectors/runpod/podlist.h"
#include "connectors/runpod/podtarget.h"
#include "connectors/runpod/runpodsource.h"

namespace gpuledger::runpod {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "runpod",
        .title = "RunPod",
        .can = {ports::Capability::Bills, ports::Capability::Inventory, ports::Capability::Prices,
                ports::Capability::Stops, ports::Capability::MachinesOnly},
        .fields = auth::keyedFields({.api = "https://api.runpod.io",
                                     .exampleApi = "https://runpod.example.org",
                                     .keyHelp = "An API key of RunPod that may read",
                                     .exampleKey = "{ type: bearer, token: keychain:runpod }"}),
        .rights =
            {{.words =
                  "May read the bill, the pods and the prices, as an API key with the permission Read Only allows"},
             {.what = ports::SourceRight::For::Stopping,
              .words = "May stop and start pods, as an API key that may write pods allows"}},
        .use = "RunPod (bill, pods)"};
    return {{.kind = std::move(kind),
             .costs =
                 [](const auto &settings, const auto &context) {
                     return makeRunpodSource(settings, context.secrets, context.clock, context.http.get());
                 },
             .actions =
                 [](const auto &settings, const auto &context) {
                     return makeRunpodTarget(settings, context.secrets, context.realClock, context.http.get());
                 },
             .prices =
                 [](const auto &settings, const auto &context) {
                     return makeRunpodPrices(settings, context.secrets, context.realClock, context.http.get());
                 },
             .inventory =
                 [](const auto &settings, const auto &context) {
                     return makeRunpodInventory(settings, context.secrets, context.realClock, context.http.get());
                 }}};
}

} // namespace gpuledger::runpod

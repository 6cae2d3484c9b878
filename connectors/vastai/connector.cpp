// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/vastai/vastaisource.h"

namespace gpuledger::vastai {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "vastai",
        .title = "Vast.ai",
        .can = {ports::Capability::Bills},
        .fields = auth::keyedFields({.api = "https://console.vast.ai",
                                     .exampleApi = "https://vastai.example.org",
                                     .keyHelp = "An API key of Vast.ai that may read",
                                     .exampleKey = "{ type: bearer, token: keychain:vastai }"}),
        .rights = {{.words = "May read charges and instances, as an API key with the permissions billing_read and "
                             "instance_read allows"}},
        .use = "Vast.ai (bill)"};
    return {{.kind = std::move(kind), .costs = [](const auto &settings, const auto &context) {
                 return makeVastaiSource(settings, context.secrets, context.clock, context.http.get());
             }}};
}

} // namespace gpuledger::vastai

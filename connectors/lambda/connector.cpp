// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/lambda/lambdasource.h"
#include "connectors/lambda/rentedinstances.h"
#include "connectors/lambda/typeprices.h"

namespace gpuledger::lambda {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "lambda",
        .title = "Lambda",
        .can = {ports::Capability::Bills, ports::Capability::Inventory, ports::Capability::Prices},
        .fields = auth::keyedFields(
            {.api = "https://cloud.lambda.ai",
             .exampleApi = "https://lambda.example.org",
             .keyHelp = "An API key of Lambda, which reports no bill: costs are estimated from what each sync "
                        "sees, and miss up to one interval before the first and after the last sight of an instance",
             .exampleKey = "{ type: bearer, token: keychain:lambda }",
             .hasRefresh = false}),
        .rights = {{.words = "Lists the instances and the types with their prices; every API key of Lambda may do "
                             "that, and more"}},
        .use = "Lambda (estimate)"};
    return {{.kind = std::move(kind),
             .costs =
                 [](const auto &settings, const auto &context) {
                     return makeLambdaSource(settings, context.secrets, context.clock, context.realClock,
                                             context.http.get());
                 },
             .prices =
                 [](const auto &settings, const auto &context) {
                     return makeLambdaPrices(settings, context.secrets, context.realClock, context.http.get());
                 },
             .inventory =
                 [](const auto &settings, const auto &context) {
                     return makeLambdaInventory(settings, context.secrets, context.realClock, context.http.get());
                 }}};
}

} // namespace gpuledger::lambda

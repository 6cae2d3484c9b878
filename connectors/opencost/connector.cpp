// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/opencost/opencostsource.h"

namespace gpuledger::opencost {

using ports::SourceField;

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "opencost",
        .title = "OpenCost, Kubecost",
        .can = {ports::Capability::Allocations},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .isRequired = true,
                    .title = "Address",
                    .help = "Address of the server: OpenCost or Kubecost",
                    .example = "https://opencost.example.org"},
                   ports::kAccessField,
                   ports::kAuthorityField,
                   ports::kHeadersField,
                   {.key = "timeout",
                    .type = SourceField::Type::Duration,
                    .title = "Longest answer",
                    .help = "The longest that one answer may take",
                    .fallback = "120s",
                    .example = "120s",
                    .low = 2,
                    .high = 600,
                    .isRare = true},
                   {.key = "currency",
                    .type = SourceField::Type::Currency,
                    .title = "Currency",
                    .help = "Currency of its amounts, which its answers do not tell",
                    .fallback = "USD",
                    .example = "EUR",
                    .isRare = true}},
        .rights = {{.words = "May ask the allocation and asset APIs of the server; nothing is ever written there"}}};
    return {{.kind = std::move(kind), .allocations = [](const auto &settings, const auto &context) {
                 return makeOpenCostSource(settings, context.secrets, context.clock, context.http.get());
             }}};
}

} // namespace gpuledger::opencost

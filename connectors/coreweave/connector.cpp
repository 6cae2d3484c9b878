// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/coreweave/coreweavesource.h"

namespace gpuledger::coreweave {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    using ports::SourceField;
    SourceField access = ports::kAccessField;
    access.isRequired = true;
    access.help = "A token of a service account in CoreWeave's managed Grafana";
    access.fallback = {};
    access.logins = "bearer";
    access.example = "{ type: bearer, token: keychain:coreweave }";
    SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    ports::SourceKind kind{
        .kind = "coreweave",
        .title = "CoreWeave",
        .can = {ports::Capability::Bills},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .isRequired = true,
                    .title = "Address",
                    .help = "Address of the Prometheus data source in CoreWeave's managed Grafana",
                    .example = "https://grafana.example/api/datasources/proxy/1"},
                   access,
                   {.key = "path",
                    .type = SourceField::Type::Path,
                    .isRequired = true,
                    .title = "Rate card",
                    .help = "CSV file with your price per hour of each instance type, as CoreWeave tells no prices",
                    .example = "~/billing/coreweave.csv"},
                   authority,
                   ports::kHeadersField},
        .rights = {{.words = "May query the metrics of the managed Grafana, as members of the groups admin, metrics "
                             "and write may"}},
        .use = "CoreWeave (estimate)"};
    return {{.kind = std::move(kind), .costs = [](const auto &settings, const auto &context) {
                 return makeCoreweaveSource(settings, context.secrets, context.clock, context.http.get());
             }}};
}

} // namespace gpuledger::coreweave

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/prometheus/prometheussource.h"

namespace gpuledger::prometheus {

using ports::Capability;
using ports::SourceField;

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "prometheus",
        .title = "Prometheus",
        .can = {Capability::Telemetry, Capability::Expressions},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .isRequired = true,
                    .title = "Address",
                    .help = "Address of the server: Prometheus, Thanos, Mimir or VictoriaMetrics",
                    .example = "https://prometheus.example.org"},
                   ports::kAccessField,
                   ports::kAuthorityField,
                   ports::kHeadersField,
                   {.key = "timeout",
                    .type = SourceField::Type::Duration,
                    .title = "Longest answer",
                    .help = "The longest that one answer may take",
                    .fallback = "55s",
                    .example = "55s",
                    .low = 2,
                    .high = 600,
                    .isRare = true}},
        .rights = {{.words = "May ask the query API (/api/v1) of the server; nothing is ever written there"}}};
    return {{.kind = std::move(kind), .telemetry = [](const auto &settings, const auto &context) {
                 return makePrometheusSource(settings, context.exporters, context.secrets, context.clock,
                                             context.http.get());
             }}};
}

} // namespace gpuledger::prometheus

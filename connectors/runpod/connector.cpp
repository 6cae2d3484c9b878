// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/runpod/runpodsource.h"

namespace gpuledger::runpod {

using ports::SourceField;

std::vector<connectors::ConnectorDescriptor> connectors()
{
    SourceField access = ports::kAccessField;
    access.isRequired = true;
    access.help = "An API key of RunPod that may read";
    access.fallback = {};
    access.logins = "bearer";
    access.example = "{ type: bearer, token: keychain:runpod }";
    SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    ports::SourceKind kind{
        .kind = "runpod",
        .title = "RunPod",
        .can = {ports::Capability::Bills},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .title = "Address",
                    .help = "Only for a private endpoint",
                    .fallback = "https://api.runpod.io",
                    .example = "https://runpod.example.org",
                    .isRare = true},
                   access,
                   {.key = "refresh",
                    .type = SourceField::Type::Duration,
                    .title = "Asked again after",
                    .help = "How long months that are not final are not asked for again",
                    .fallback = "6h",
                    .example = "12h",
                    .low = 3600,
                    .high = 30 * 86400,
                    .isRare = true},
                   authority,
                   ports::kHeadersField},
        .rights = {{.words = "May read the bill and the pods, as an API key with the permission Read Only allows"}},
        .use = "RunPod (bill)"};
    return {{.kind = std::move(kind), .costs = [](const auto &settings, const auto &context) {
                 return makeRunpodSource(settings, context.secrets, context.clock, context.http.get());
             }}};
}

} // namespace gpuledger::runpod

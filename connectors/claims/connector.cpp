// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/claims/claimssource.h"
#include "connectors/connectorlist.h"

namespace gpuledger::claims {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    using Type = ports::SourceField::Type;
    ports::SourceKind kind{.kind = "claims",
                           .title = "Claimed savings",
                           .can = {ports::Capability::Claims},
                           .fields = {{.key = "path",
                                       .type = Type::Path,
                                       .isRequired = true,
                                       .title = "File or folder",
                                       .help = "CSV file of what other tools claim to have saved, or a folder of such "
                                               "files",
                                       .example = "~/savings/claims.csv"},
                                      {.key = "format",
                                       .type = Type::Text,
                                       .title = "Columns",
                                       .help = "What the columns tool, what, scope, from, to, saved and currency are "
                                               "called in the file, where they are called otherwise",
                                       .fallback = "as they are called here",
                                       .example = "saved=Net savings, from=Month",
                                       .isRare = true}},
                           .rights = {{.words = "May read the file, or list and read the folder"}},
                           .use = "Claimed savings (CSV of other tools)"};
    return {
        {.kind = std::move(kind), .claims = [](const auto &settings, const auto &) { return makeClaims(settings); }}};
}

} // namespace gpuledger::claims

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/infracost/infracostsource.h"

namespace gpuledger::infracost {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    using Made = base::Result<std::unique_ptr<ports::PlanSource>>;
    ports::SourceKind kind{.kind = "infracost",
                           .title = "Infracost",
                           .can = {ports::Capability::Plans},
                           .fields = {{.key = "path",
                                       .type = ports::SourceField::Type::Path,
                                       .isRequired = true,
                                       .title = "File or folder",
                                       .help = "Output of infracost breakdown or diff with --format json, or a folder "
                                               "of such files",
                                       .example = "~/infracost/plan.json"}},
                           .rights = {{.words = "May read the file, or list and read the folder"}},
                           .use = "Infracost (planned machines)"};
    return {{.kind = std::move(kind), .plans = [](const auto &settings, const auto &) -> Made {
                 return std::make_unique<InfracostSource>(settings.name, settings.path);
             }}};
}

} // namespace gpuledger::infracost

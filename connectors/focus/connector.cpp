// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/focus/focussource.h"

namespace gpuledger::focus {

std::vector<connectors::ConnectorDescriptor> connectors()
{
    using Made = base::Result<std::unique_ptr<ports::CostSource>>;
    ports::SourceKind kind{
        .kind = "focus",
        .title = "FOCUS bills",
        .can = {ports::Capability::Bills},
        .fields = {{.key = "path",
                    .type = ports::SourceField::Type::Path,
                    .isRequired = true,
                    .title = "File or folder",
                    .help = "A file with a bill in the FOCUS format or an AWS Cost and Usage Report, or"
                            " a folder that is watched for them",
                    .example = "~/billing/focus"}},
        .rights = {{.words = "May read the file, or list and read the folder"}}};
    return {{.kind = std::move(kind), .costs = [](const auto &settings, const auto &context) -> Made {
                 return std::make_unique<FocusSource>(settings.name, settings.path, context.realClock);
             }}};
}

} // namespace gpuledger::focus

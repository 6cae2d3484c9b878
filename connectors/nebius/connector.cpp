// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/nebius/instancetarget.h"
#include "connectors/nebius/machineinventory.h"
#include "connectors/nebius/platformprices.h"

namespace gpuledger::nebius {

using ports::SourceField;

namespace {

constexpr std::string_view kReadGrants = R"(nebius iam group-membership create \
  --parent-id READERS-GROUP-ID --member-id SERVICE-ACCOUNT-ID
nebius iam access-permit create \
  --parent-id READERS-GROUP-ID --resource-id PROJECT-ID --role viewer
)";

constexpr std::string_view kStopGrants = R"(nebius iam group-membership create \
  --parent-id STOPPERS-GROUP-ID --member-id SERVICE-ACCOUNT-ID
nebius iam access-permit create \
  --parent-id STOPPERS-GROUP-ID --resource-id PROJECT-ID --role editor
)";

} // namespace

std::vector<connectors::ConnectorDescriptor> connectors()
{
    SourceField access = ports::kAccessField;
    access.help = "A credentials file of a service account, or a token";
    access.fallback = {};
    access.logins = "bearer";
    access.isRequired = true;
    access.example = "{ type: bearer, token: file:credentials.json }";
    SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    ports::SourceKind kind{
        .kind = "nebius",
        .title = "Nebius",
        .can = {ports::Capability::Inventory, ports::Capability::Prices, ports::Capability::Stops,
                ports::Capability::MachinesOnly},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .title = "Address",
                    .help = "Only for a private endpoint, which is then that of all services",
                    .fallback = "those of the services, such as https://compute.api.nebius.cloud",
                    .example = "https://nebius.example.org",
                    .isRare = true},
                   access,
                   {.key = "project",
                    .type = SourceField::Type::Text,
                    .isRequired = true,
                    .title = "Project",
                    .help = "Id of the project that has the machines",
                    .example = "project-e00lab"},
                   ports::kMachinesField,
                   authority,
                   ports::kHeadersField},
        .rights = {{.words = "May read the project with its instances, platforms and prices", .policy = kReadGrants},
                   {.what = ports::SourceRight::For::Stopping,
                    .words = "May stop and start instances; Nebius has no smaller role for it",
                    .policy = kStopGrants}},
        .use = "Nebius (machines, prices)"};
    return {{.kind = std::move(kind),
             .actions =
                 [](const auto &settings, const auto &context) {
                     return makeInstanceTarget(settings, context.secrets, context.realClock, context.http.get());
                 },
             .prices =
                 [](const auto &settings, const auto &context) {
                     return makePlatformPrices(settings, context.secrets, context.realClock, context.http.get());
                 },
             .inventory =
                 [](const auto &settings, const auto &context) {
                     return makeMachineInventory(settings, context.secrets, context.realClock, context.http.get());
                 }}};
}

} // namespace gpuledger::nebius

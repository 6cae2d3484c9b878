// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costskind.h"

namespace gpuledger::azure {

using ports::SourceField;

namespace {

constexpr std::string_view kRoleAssignment = R"(az role assignment create \
  --assignee APPLICATION-ID \
  --role "Cost Management Reader" \
  --scope /subscriptions/SUBSCRIPTION-ID
)";

} // namespace

ports::SourceKind costsKind()
{
    SourceField access = ports::kAccessField;
    access.help = "Id and secret of an application in Microsoft Entra, or a token";
    access.fallback = "the managed identity of this machine";
    access.logins = "none basic bearer";
    access.example = "{ type: basic, user: APPLICATION-ID, password: keychain:azure }";
    SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    return {
        .kind = "azure-costs",
        .title = "Azure Cost Management",
        .can = {ports::Capability::Bills},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .title = "Address",
                    .help = "Only for a private endpoint or a national cloud",
                    .fallback = "https://management.azure.com",
                    .example = "https://management.usgovcloudapi.net",
                    .isRare = true},
                   access,
                   {.key = "scope",
                    .type = SourceField::Type::Text,
                    .isRequired = true,
                    .title = "Scope",
                    .help =
                        "Id of a subscription, or the path of a resource group, management group or billing account",
                    .example = "00000000-0000-0000-0000-000000000000"},
                   {.key = "tenant",
                    .type = SourceField::Type::Text,
                    .title = "Tenant",
                    .help = "Id of the directory that the application belongs to",
                    .fallback = "none",
                    .example = "contoso.onmicrosoft.com"},
                   {.key = "tag",
                    .type = SourceField::Type::Text,
                    .title = "Tag",
                    .help = "Key of the tag that names the team, for virtual machines",
                    .fallback = "none",
                    .example = "team",
                    .isRare = true},
                   {.key = "refresh",
                    .type = SourceField::Type::Duration,
                    .title = "Asked again after",
                    .help = "How long days that are not final are not asked for again; Azure limits how much is asked",
                    .fallback = "24h",
                    .example = "12h",
                    .low = 3600,
                    .high = 30 * 86400,
                    .isRare = true},
                   {.key = "login",
                    .type = SourceField::Type::Text,
                    .title = "Login",
                    .help = "Address of the service that gives tokens",
                    .fallback = "that of the cloud of the address",
                    .example = "https://login.microsoftonline.us",
                    .isRare = true},
                   authority,
                   ports::kHeadersField},
        .rights = {{.words = "May read costs of the scope, as the role Cost Management Reader allows",
                    .policy = kRoleAssignment}},
        .use = "Azure (bill, from Cost Management)"};
}

} // namespace gpuledger::azure

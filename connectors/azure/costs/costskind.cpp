// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costskind.h"

#include "connectors/azure/azurefields.h"

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
    return {
        .kind = "azure-costs",
        .title = "Azure Cost Management",
        .can = {ports::Capability::Bills, ports::Capability::Budgets, ports::Capability::Commitments},
        .fields = {kManagerField,
                   accessField(kApplicationOrToken),
                   {.key = "scope",
                    .type = SourceField::Type::Text,
                    .isRequired = true,
                    .title = "Scope",
                    .help =
                        "Id of a subscription, or the path of a resource group, management group or billing account",
                    .example = "00000000-0000-0000-0000-000000000000"},
                   kTenantField,
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
                   kLoginField,
                   authorityField(),
                   ports::kHeadersField},
        .rights = {{.words = "May read costs and budgets of the scope, as the role Cost Management Reader allows",
                    .policy = kRoleAssignment},
                   {.words = "For commitments, in addition: may read the reservations and savings plans of the tenant, "
                             "as the roles Reservations Reader and Savings plan Reader allow"}},
        .use = "Azure (bill, from Cost Management)"};
}

} // namespace gpuledger::azure

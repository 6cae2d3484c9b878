// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costskind.h"

namespace gpuledger::aws {

using ports::SourceField;

namespace {

constexpr std::string_view kCostPolicy = R"({
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "GpuLedgerReadsCosts",
      "Effect": "Allow",
      "Action": [
        "ce:GetCostAndUsage",
        "ce:GetSavingsPlansUtilizationDetails",
        "ce:GetSavingsPlansCoverage",
        "ce:GetReservationUtilization",
        "ce:GetReservationCoverage",
        "budgets:ViewBudget",
        "organizations:ListAccounts"
      ],
      "Resource": "*"
    }
  ]
}
)";

} // namespace

ports::SourceKind costsKind()
{
    SourceField access = ports::kAccessField;
    access.type = SourceField::Type::Signed;
    access.logins = "sigv4";
    access.isRequired = true;
    access.help = "Region, and the profile of the credentials; without one, the credential chain of the AWS tools";
    access.fallback = {};
    access.example = "{ type: sigv4, region: us-east-1, profile: NAME }";
    SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    return {
        .kind = "aws-costs",
        .title = "AWS Cost Explorer",
        .can = {ports::Capability::Bills, ports::Capability::Budgets, ports::Capability::Commitments},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .title = "Address",
                    .help = "Only for a private endpoint",
                    .fallback = "the public endpoints of the region",
                    .example = "https://vpce-1.ce.us-east-1.vpce.amazonaws.com",
                    .isRare = true},
                   access,
                   {.key = "tag",
                    .type = SourceField::Type::Text,
                    .title = "Tag",
                    .help = "Key of the cost allocation tag that names the team, for machines with GPUs",
                    .fallback = "none",
                    .example = "team",
                    .isRare = true},
                   {.key = "amounts",
                    .type = SourceField::Type::Text,
                    .title = "Amounts",
                    .help = "Before (gross) or after (net) the discounts that were negotiated with AWS",
                    .fallback = "gross",
                    .example = "net",
                    .isRare = true},
                   {.key = "account",
                    .type = SourceField::Type::Text,
                    .title = "Account",
                    .help = "Number of the account whose bill it is",
                    .fallback = "that of the credentials",
                    .example = "123456789012",
                    .isRare = true},
                   {.key = "refresh",
                    .type = SourceField::Type::Duration,
                    .title = "Asked again after",
                    .help = "How long days that are not final are not asked for again; each refresh costs money",
                    .fallback = "24h",
                    .example = "12h",
                    .low = 3600,
                    .high = 30 * 86400,
                    .isRare = true},
                   {.key = "requests",
                    .type = SourceField::Type::Whole,
                    .title = "Paid requests",
                    .help = "The most requests that one sync may pay for, at USD 0.01 each",
                    .fallback = "100",
                    .example = "200",
                    .low = 5,
                    .high = 10'000,
                    .isRare = true},
                   {.key = "commitments",
                    .type = SourceField::Type::Text,
                    .title = "Commitments",
                    .help = "Whether Savings Plans and reservations are read from Cost Explorer: all or none; "
                            "each reading is at least four paid requests",
                    .fallback = ports::kAllMachines,
                    .example = ports::kNoMachines,
                    .isRare = true},
                   authority,
                   ports::kHeadersField},
        .rights = {{.words = "May read costs and commitments in Cost Explorer; each request costs USD 0.01, and a "
                             "test makes one; may also view the budgets of the account and the names of the accounts "
                             "of its organization, which is free",
                    .policy = kCostPolicy}},
        .use = "AWS (bill, from Cost Explorer)"};
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorlist.h"
#include "connectors/gcp/bigquerysource.h"
#include "connectors/gcp/budgets/googlebudgets.h"
#include "connectors/gcp/commitments/googlecommitments.h"
#include "connectors/gcp/compute/computeinventory.h"
#include "connectors/gcp/compute/computekind.h"
#include "connectors/gcp/compute/computetarget.h"
#include "connectors/gcp/googlefields.h"
#include "connectors/gcp/prices/gcpprices.h"

namespace gpuledger::gcp {

using ports::SourceField;

namespace {

constexpr std::string_view kGrants = R"(gcloud projects add-iam-policy-binding PROJECT \
  --member serviceAccount:ACCOUNT --role roles/bigquery.jobUser
bq add-iam-policy-binding \
  --member serviceAccount:ACCOUNT --role roles/bigquery.dataViewer PROJECT:DATASET
)";
constexpr std::string_view kBudgetGrants = R"(gcloud services enable billingbudgets.googleapis.com --project PROJECT
gcloud billing accounts add-iam-policy-binding BILLING-ACCOUNT \
  --member serviceAccount:ACCOUNT --role roles/billing.viewer
)";
constexpr std::string_view kCommitmentGrants = R"(gcloud services enable compute.googleapis.com --project PROJECT
gcloud projects add-iam-policy-binding PROJECT \
  --member serviceAccount:ACCOUNT --role roles/compute.viewer
)";

} // namespace

std::vector<connectors::ConnectorDescriptor> connectors()
{
    ports::SourceKind kind{
        .kind = "gcp-billing",
        .title = "Google Cloud Billing",
        .can = {ports::Capability::Bills, ports::Capability::Budgets, ports::Capability::Commitments},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .title = "Address",
                    .help = "Only for a private endpoint",
                    .fallback = "https://bigquery.googleapis.com",
                    .example = "https://bigquery-lab.p.googleapis.com",
                    .isRare = true},
                   accessField(),
                   {.key = "project",
                    .type = SourceField::Type::Text,
                    .isRequired = true,
                    .title = "Project",
                    .help = "Id of the project that has the export's dataset",
                    .example = "lab-billing"},
                   {.key = "dataset",
                    .type = SourceField::Type::Text,
                    .isRequired = true,
                    .title = "Dataset",
                    .help = "Name of the BigQuery dataset that the export is written to",
                    .example = "billing"},
                   {.key = "table",
                    .type = SourceField::Type::Text,
                    .isRequired = true,
                    .title = "Table",
                    .help = "The detailed export (its name has _resource_), which tells machines apart, or the "
                            "standard one",
                    .example = "gcp_billing_export_v1_01AB23_CD45EF_678901"},
                   {.key = "job_project",
                    .type = SourceField::Type::Text,
                    .title = "Paying project",
                    .help = "Id of the project that runs the queries and pays for them",
                    .fallback = "that of the dataset",
                    .example = "lab-tools",
                    .isRare = true},
                   {.key = "most_scanned",
                    .type = SourceField::Type::Whole,
                    .title = "Most scanned",
                    .help = "How many GB the query for one month may scan; one that would scan more does not run",
                    .fallback = "20",
                    .example = "50",
                    .low = 1,
                    .high = 1'000'000,
                    .isRare = true},
                   {.key = "refresh",
                    .type = SourceField::Type::Duration,
                    .title = "Asked again after",
                    .help = "How long months that are not final are not asked for again; Google charges for what a "
                            "query scans",
                    .fallback = "24h",
                    .example = "12h",
                    .low = 3600,
                    .high = 30 * 86400,
                    .isRare = true},
                   {.key = kBillingAccountKey,
                    .type = SourceField::Type::Text,
                    .title = "Billing account",
                    .help = "Id of the billing account whose budgets are read, if the name of the table doesn't "
                            "end with it",
                    .fallback = "that in the name of the table",
                    .example = "01AB23-CD45EF-678901",
                    .isRare = true},
                   {.key = kCommitmentProjectsKey,
                    .type = SourceField::Type::Text,
                    .title = "Projects with commitments",
                    .help = "Ids of the projects whose committed use is read, separated by commas, or none",
                    .fallback = "that of the dataset",
                    .example = "ml-training, ml-serving",
                    .isRare = true},
                   authorityField(),
                   ports::kHeadersField},
        .rights = {{.words = "May run queries in the project, and read the tables of the export's dataset",
                    .policy = kGrants},
                   {.words = "For budgets, in addition: may see the billing account, and the Cloud Billing Budget API "
                             "is enabled in the project of the account",
                    .policy = kBudgetGrants},
                   {.words = "For commitments, in addition: may list the committed use of each project, in which the "
                             "Compute Engine API is enabled",
                    .policy = kCommitmentGrants}},
        .use = "Google Cloud (bill, from BigQuery)"};
    return {{.kind = computeKind(),
             .actions =
                 [](const auto &settings, const auto &context) {
                     return makeComputeTarget(settings, context.secrets, context.realClock, context.http.get());
                 },
             .prices =
                 [](const auto &settings, const auto &context) {
                     return makeGcpPrices(settings, context.secrets, context.realClock, context.http.get());
                 },
             .inventory =
                 [](const auto &settings, const auto &context) {
                     return makeComputeInventory(settings, context.secrets, context.realClock, context.http.get());
                 }},
            {.kind = std::move(kind),
             .costs =
                 [](const auto &settings, const auto &context) {
                     return makeBigQuerySource(settings, context.secrets, context.clock, context.realClock,
                                               context.http.get());
                 },
             .budgets =
                 [](const auto &settings, const auto &context) {
                     return makeGoogleBudgets(settings, context.secrets, context.clock, context.realClock,
                                              context.http.get());
                 },
             .commitments =
                 [](const auto &settings, const auto &context) {
                     return makeGoogleCommitments(settings, context.secrets, context.clock, context.realClock,
                                                  context.http.get());
                 }}};
}

} // namespace gpuledger::gcp

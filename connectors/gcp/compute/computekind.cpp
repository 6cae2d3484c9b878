// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computekind.h"

#include "app/ports/usagesource.h"
#include "connectors/gcp/googlefields.h"
#include "connectors/gcp/prices/gcpprices.h"

namespace gpuledger::gcp {

using ports::SourceField;

namespace {

constexpr std::string_view kComputeGrants = R"(gcloud projects add-iam-policy-binding PROJECT \
  --member serviceAccount:ACCOUNT --role roles/compute.viewer
gcloud projects add-iam-policy-binding PROJECT \
  --member serviceAccount:ACCOUNT --role roles/monitoring.viewer
gcloud projects add-iam-policy-binding PROJECT \
  --member serviceAccount:ACCOUNT --role roles/notebooks.viewer
gcloud services enable cloudbilling.googleapis.com monitoring.googleapis.com --project PROJECT
)";

constexpr std::string_view kStopGrants = R"(gcloud iam roles create gpuLedgerStops --project PROJECT \
  --permissions compute.instances.stop,compute.instances.start
gcloud projects add-iam-policy-binding PROJECT \
  --member serviceAccount:ACCOUNT --role projects/PROJECT/roles/gpuLedgerStops
)";

} // namespace

ports::SourceKind computeKind()
{
    return {.kind = "gcp",
            .title = "Google Cloud",
            .can = {ports::Capability::Inventory, ports::Capability::Stops, ports::Capability::Prices,
                    ports::Capability::MachinesOnly},
            .fields = {{.key = "url",
                        .type = SourceField::Type::Url,
                        .title = "Address",
                        .help = "Only for a private endpoint",
                        .fallback = "https://compute.googleapis.com",
                        .example = "https://compute-lab.p.googleapis.com",
                        .isRare = true},
                       accessField(),
                       {.key = "project",
                        .type = SourceField::Type::Text,
                        .isRequired = true,
                        .title = "Project",
                        .help = "Id of the project that has the machines",
                        .example = "ml-training"},
                       ports::kMachinesField,
                       {.key = ports::kUsageKey,
                        .type = SourceField::Type::Text,
                        .title = "GPU use",
                        .help = "Whether GPU use is read from Cloud Monitoring, for machines that run the Ops Agent: "
                                "all or none",
                        .fallback = ports::kAllMachines,
                        .example = ports::kNoMachines,
                        .isRare = true},
                       {.key = kGooglePricesKey,
                        .type = SourceField::Type::Text,
                        .title = "Prices",
                        .help = "Which list prices are read for comparisons: all, on-demand, spot, commitments or none",
                        .fallback = "all; none with an address of its own",
                        .example = "spot",
                        .isRare = true},
                       {.key = kPricesAddressKey,
                        .type = SourceField::Type::Text,
                        .title = "Address of the prices",
                        .help = "Address of the Cloud Billing API, which has the prices",
                        .fallback = "https://cloudbilling.googleapis.com",
                        .example = "https://cloudbilling-lab.p.googleapis.com",
                        .isRare = true},
                       authorityField(),
                       ports::kHeadersField},
            .rights = {{.words = "May list and read the instances of Compute Engine", .policy = kComputeGrants},
                       {.words = "May read time series of Cloud Monitoring, which is enabled in the project"},
                       {.words = "May list instances of Vertex AI Workbench, which name their owners"},
                       {.words = "May read public prices, for which the Cloud Billing API is enabled in its project"},
                       {.what = ports::SourceRight::For::Stopping,
                        .words = "May stop and start these",
                        .policy = kStopGrants}},
            .use = "Google Cloud (machines, prices)"};
}

} // namespace gpuledger::gcp

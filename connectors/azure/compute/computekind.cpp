// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/computekind.h"

#include "app/ports/usagesource.h"
#include "connectors/azure/azurefields.h"
#include "connectors/azure/prices/pricesettings.h"

namespace gpuledger::azure {

using ports::SourceField;

namespace {

constexpr std::string_view kRole = R"({
  "Name": "GPU Ledger machines",
  "Description": "Lists virtual machines, scale sets and computes of Machine Learning.",
  "Actions": [
    "Microsoft.Compute/virtualMachines/read",
    "Microsoft.Compute/virtualMachines/instanceView/read",
    "Microsoft.Compute/virtualMachineScaleSets/read",
    "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read",
    "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/instanceView/read",
    "Microsoft.Compute/skus/read",
    "Microsoft.MachineLearningServices/workspaces/read",
    "Microsoft.MachineLearningServices/workspaces/computes/read",
    "Microsoft.MachineLearningServices/workspaces/computes/listNodes/action",
    "Microsoft.Insights/eventtypes/values/read",
    "Microsoft.Insights/metrics/read",
    "Microsoft.Authorization/locks/read",
    "Microsoft.Authorization/permissions/read"
  ],
  "AssignableScopes": ["/subscriptions/SUBSCRIPTION-ID"]
}
)";

constexpr std::string_view kStopRole = R"({
  "Name": "GPU Ledger stops",
  "Description": "Stops and starts virtual machines and compute instances of Machine Learning.",
  "Actions": [
    "Microsoft.Compute/virtualMachines/deallocate/action",
    "Microsoft.Compute/virtualMachines/start/action",
    "Microsoft.MachineLearningServices/workspaces/computes/stop/action",
    "Microsoft.MachineLearningServices/workspaces/computes/start/action"
  ],
  "AssignableScopes": ["/subscriptions/SUBSCRIPTION-ID"]
}
)";

} // namespace

ports::SourceKind computeKind()
{
    return {.kind = "azure",
            .title = "Azure",
            .can = {ports::Capability::Inventory, ports::Capability::Prices, ports::Capability::Stops,
                    ports::Capability::MachinesOnly},
            .fields = {kManagerField,
                       accessField(kApplicationOrToken),
                       {.key = "subscription",
                        .type = SourceField::Type::Text,
                        .isRequired = true,
                        .title = "Subscription",
                        .help = "Id of the subscription that has the machines",
                        .example = "00000000-0000-0000-0000-000000000000"},
                       kTenantField,
                       ports::kMachinesField,
                       {.key = ports::kUsageKey,
                        .type = SourceField::Type::Text,
                        .title = "GPU use",
                        .help = "Whether GPU use of machines of Azure Machine Learning is read from Azure Monitor: all "
                                "or none",
                        .fallback = ports::kAllMachines,
                        .example = ports::kNoMachines,
                        .isRare = true},
                       {.key = kPricesKey,
                        .type = SourceField::Type::Text,
                        .title = "Prices",
                        .help = "Whether Azure's public prices are read for comparisons: all or none",
                        .fallback = "all; none with an address of its own",
                        .example = "none",
                        .isRare = true},
                       {.key = kRegionsKey,
                        .type = SourceField::Type::Text,
                        .title = "Regions",
                        .help = "Regions whose prices are read, as Azure writes them, separated by spaces",
                        .fallback = "those in which the subscription has machines with GPUs",
                        .example = "eastus westeurope",
                        .isRare = true},
                       {.key = kPricesUrlKey,
                        .type = SourceField::Type::Text,
                        .title = "Address of the prices",
                        .help = "Address of the service for retail prices; it is sent no credential",
                        .fallback = "https://prices.azure.com",
                        .example = "https://prices.example.org",
                        .isRare = true},
                       kLoginField,
                       authorityField(),
                       ports::kHeadersField},
            .rights = {{.words = "May list virtual machines, scale sets and computes of Machine Learning, and read the "
                                 "activity log, GPU metrics, locks and its own rights",
                        .policy = kRole},
                       {.what = ports::SourceRight::For::Stopping,
                        .words = "May deallocate and start virtual machines, and stop and start compute instances of "
                                 "Machine Learning",
                        .policy = kStopRole}},
            .use = "Azure (machines, prices)"};
}

} // namespace gpuledger::azure

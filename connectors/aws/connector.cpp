// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ports/usagesource.h"
#include "connectors/aws/awstarget.h"
#include "connectors/aws/budgets/awsbudgets.h"
#include "connectors/aws/commitments/awscommitments.h"
#include "connectors/aws/costs/costexplorersource.h"
#include "connectors/aws/costskind.h"
#include "connectors/aws/exports/exportkind.h"
#include "connectors/aws/inventory/awsinventory.h"
#include "connectors/aws/prices/awsprices.h"
#include "connectors/connectorlist.h"

namespace gpuledger::aws {

namespace {

using ports::Capability;
using ports::SourceField;
using ports::SourceRight;

constexpr std::string_view kReadPolicy = R"({
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "GpuLedgerReads",
      "Effect": "Allow",
      "Action": [
        "ec2:DescribeInstances",
        "ec2:DescribeInstanceAttribute",
        "ec2:DescribeInstanceTypes",
        "ec2:DescribeSpotInstanceRequests",
        "ec2:DescribeSpotPriceHistory",
        "ec2:GetSpotPlacementScores",
        "cloudwatch:ListMetrics",
        "cloudwatch:GetMetricData",
        "pricing:GetProducts",
        "sagemaker:ListNotebookInstances",
        "sagemaker:DescribeNotebookInstance",
        "sagemaker:ListEndpoints",
        "sagemaker:DescribeEndpoint",
        "sagemaker:DescribeEndpointConfig",
        "sagemaker:ListTrainingJobs",
        "sagemaker:DescribeTrainingJob",
        "sagemaker:ListApps",
        "sagemaker:DescribeApp",
        "sagemaker:ListTags"
      ],
      "Resource": "*"
    }
  ]
}
)";
constexpr std::string_view kStopPolicy = R"({
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "GpuLedgerStops",
      "Effect": "Allow",
      "Action": [
        "ec2:StopInstances",
        "ec2:StartInstances",
        "ec2:CreateTags",
        "ec2:DeleteTags",
        "sagemaker:StopNotebookInstance",
        "sagemaker:StartNotebookInstance",
        "sagemaker:AddTags",
        "sagemaker:DeleteTags"
      ],
      "Resource": "*"
    }
  ]
}
)";

} // namespace

std::vector<connectors::ConnectorDescriptor> connectors()
{
    SourceField access = ports::kAccessField;
    access.type = SourceField::Type::Signed;
    access.logins = "sigv4";
    access.isRequired = true;
    access.help = "Region, and the profile of the credentials; without one, the credential chain of the AWS tools";
    access.fallback = {};
    access.example = "{ type: sigv4, region: eu-central-1, profile: NAME }";
    SourceField authority = ports::kAuthorityField;
    authority.isRare = true;
    ports::SourceKind kind{
        .kind = "aws",
        .title = "Amazon Web Services",
        .can = {Capability::Stops, Capability::MachinesOnly, Capability::Prices, Capability::Inventory},
        .fields = {{.key = "url",
                    .type = SourceField::Type::Url,
                    .title = "Address",
                    .help = "Only for a private endpoint",
                    .fallback = "the public endpoints of the region",
                    .example = "https://vpce-1.ec2.eu-central-1.vpce.amazonaws.com",
                    .isRare = true},
                   access,
                   {.key = kPricesKey,
                    .type = SourceField::Type::Text,
                    .title = "Prices",
                    .help = "Which prices are read for comparisons: all, spot, on-demand or none",
                    .fallback = "all; spot with an address of its own, which is that of EC2",
                    .example = "spot",
                    .isRare = true},
                   ports::kMachinesField,
                   {.key = ports::kUsageKey,
                    .type = SourceField::Type::Text,
                    .title = "GPU use",
                    .help =
                        "Whether GPU use is read from CloudWatch, for machines that run its agent, and for endpoints "
                        "and training jobs of SageMaker: all or none; AWS charges 0.01 USD per 1,000 metrics",
                    .fallback = ports::kNoMachines,
                    .example = ports::kAllMachines,
                    .isRare = true},
                   authority,
                   ports::kHeadersField},
        .rights = {{.what = SourceRight::For::Reading,
                    .words = "May describe instances of EC2 and machines of SageMaker, and read prices and GPU metrics",
                    .policy = kReadPolicy},
                   {.what = SourceRight::For::Stopping,
                    .words = "May stop and start these, and tag them with who stopped them",
                    .policy = kStopPolicy}},
        .use = "AWS (EC2, SageMaker)"};
    return {
        {.kind = std::move(kind),
         .actions =
             [](const auto &settings, const auto &context) {
                 return makeAwsTarget(settings, context.realClock,
                                      context.http.get()); // signatures use the real time
             },
         .prices = [](const auto &settings,
                      const auto &context) { return makeAwsPrices(settings, context.realClock, context.http.get()); },
         .inventory =
             [](const auto &settings, const auto &context) {
                 return makeAwsInventory(settings, context.realClock, context.http.get());
             }},
        {.kind = costsKind(),
         .costs =
             [](const auto &settings, const auto &context) {
                 return makeCostExplorerSource(settings, context.clock, context.realClock, context.http.get());
             },
         .budgets =
             [](const auto &settings, const auto &context) {
                 return makeAwsBudgets(settings, context.clock, context.realClock, context.http.get());
             },
         .commitments =
             [](const auto &settings, const auto &context) {
                 return makeAwsCommitments(settings, context.realClock, context.http.get());
             }},
        {.kind = exportKind(), .costs = [](const auto &settings, const auto &context) {
             return makeExportSource(settings, context.realClock, context.http.get());
         }}};
}

} // namespace gpuledger::aws

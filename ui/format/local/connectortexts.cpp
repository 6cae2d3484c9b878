// SPDX-License-Identifier: GPL-3.0-or-later
// Translatable texts from the connectors' descriptors (connectors/*/connector.cpp).
#include "ui/format/local/localtext.h"

#include <array>

namespace gpuledger::ui {

namespace {

[[maybe_unused]] constexpr std::array<const char *, 92> kConnectorTexts{
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Demo fleet"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Demo bill"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Kubernetes (stop and bring back)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "AWS (EC2, SageMaker)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Address"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Authority"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Currency"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Headers"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Longest answer"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Only for a private endpoint"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "The longest that one answer may take"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Currency of its amounts, which its answers do not tell"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "HTTP headers that go with every request, such as a tenant"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "PEM file of your own certificate authority; certificates are always verified"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "the public endpoints of the region"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "those that the system trusts"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "AWS (bill, from Cost Explorer)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Tag"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Amounts"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Account"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Asked again after"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Paid requests"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "Key of the cost allocation tag that names the team, for machines with GPUs"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "Before (gross) or after (net) the discounts that were negotiated with AWS"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Number of the account whose bill it is"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "that of the credentials"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "How long days that are not final are not asked for again; each refresh costs money"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "The most requests that one sync may pay for, at USD 0.01 each"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "AWS (bill, from an export)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Bucket"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Prefix"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Name of the S3 bucket that the export is written to"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Folder of the export in the bucket"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "the whole bucket"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Azure (bill, from Cost Management)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Only for a private endpoint or a national cloud"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Scope"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "Id of a subscription, or the path of a resource group, management group or billing account"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Tenant"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Id of the directory that the application belongs to"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Key of the tag that names the team, for virtual machines"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "How long days that are not final are not asked for again; Azure limits how much is asked"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Login"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Address of the service that gives tokens"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "that of the cloud of the address"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Id and secret of an application in Microsoft Entra, or a token"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "the managed identity of this machine"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Azure (bill, from a FOCUS export)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Storage account"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Container"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Name of the storage account that the export is written to"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Name of the container that the export is written to"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Folder of the export in the container"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "the whole container"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "Address of Blob Storage, only for a private endpoint or a national cloud"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "Id and secret of an application in Microsoft Entra, a token, or the user sas with a shared "
                      "access signature as the password"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Google Cloud (bill, from BigQuery)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "A key file of a service account, the file of gcloud auth application-default login, or a token"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Project"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Id of the project that has the export's dataset"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Dataset"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Name of the BigQuery dataset that the export is written to"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Table"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "The detailed export (its name has _resource_), which tells machines apart, or the standard one"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Paying project"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Id of the project that runs the queries and pays for them"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "that of the dataset"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Most scanned"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "How many GB the query for one month may scan; one that would scan more does not run"),
    QT_TRANSLATE_NOOP(
        "gpuledger::ui::LocalText",
        "How long months that are not final are not asked for again; Google charges for what a query scans"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "RunPod (bill)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "An API key of RunPod that may read"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "How long months that are not final are not asked for again"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Vast.ai (bill)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "An API key of Vast.ai that may read"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "Lambda (estimate)"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "An API key of Lambda, which reports no bill: costs are estimated from what each sync "
                      "sees, and miss up to one interval before the first and after the last sight of an instance"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "FOCUS bills"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "File or folder"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "A file with a bill in the FOCUS format or an AWS Cost and Usage Report, or"
                      " a folder that is watched for them"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May get and list pods, what owns them, nodes and namespaces, and, where it is installed, the "
                      "queues of Kueue"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May patch each kind that is to be stopped: its scale, or the object itself"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "May describe instances of EC2 and notebook instances of SageMaker"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText", "May stop and start these, and tag them with who stopped them"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May read costs in Cost Explorer; each request costs USD 0.01, and a test makes one"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May list the bucket and read the files of the export; put its name in place of BUCKET"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May read costs of the scope, as the role Cost Management Reader allows"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May list and read the files of the export, as the role Storage Blob Data Reader allows"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May run queries in the project, and read the tables of the export's dataset"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May read the bill, the pods and the prices, as an API key with the permission Read Only allows"),
    QT_TRANSLATE_NOOP("gpuledger::ui::LocalText",
                      "May read charges and instances, as an API key with the permissions billing_read and "
                      "instance_read allows"),
    QT_TRANSLATE_NOOP(
        "gpuledger::ui::LocalText",
        "Lists the instances and the types with their prices; every API key of Lambda may do that, and more"),
};

} // namespace

QString LocalText::connectorText(std::string_view text)
{
    return text.empty() ? QString() : tr(std::string(text).c_str());
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/exports/exportkind.h"

#include "app/base/remedy.h"
#include "connectors/azure/azurefields.h"
#include "connectors/azure/exports/container.h"
#include "connectors/azure/exports/manifest.h"
#include "connectors/azure/exports/sharedsignature.h"
#include "connectors/format/exports/exportsource.h"

namespace gpuledger::azure {

using base::Result;
using ports::SourceField;

namespace {

constexpr std::string_view kBlobReader = R"(az role assignment create \
  --assignee APPLICATION-ID \
  --role "Storage Blob Data Reader" \
  --scope /subscriptions/SUBSCRIPTION-ID/resourceGroups/GROUP/providers/Microsoft.Storage/storageAccounts/ACCOUNT
)";

constexpr const char *kAudience = "https://storage.azure.com";
constexpr int kSlowerThanQuestions = 4; // a piece of a file takes longer than another answer

format::ExportLayout costExports(const std::string &right)
{
    return {.store = "Azure Blob Storage",
            .service = "Azure Cost Management",
            .manifestForm = "…/YYYYMMDD-YYYYMMDD/…/manifest.json of a whole month",
            .kept = "azure export ",
            .whereIsIt = base::Remedy::CheckAzureExportPlace,
            .chooseFocus = base::Remedy::ChooseAzureFocusExport,
            .rights = {right},
            .refused = ports::FindingText::RightMissing,
            .placeOf = manifestPlaceOf,
            .manifestOf = exportManifestOf};
}

// The cloud whose storage accounts have such hosts; a private endpoint may be of any.
const Cloud &cloudOf(const std::string &url)
{
    for (const Cloud &one : kClouds) {
        if (!url.empty() && http::parseUrl(url)->host.ends_with(one.blobs))
            return one;
    }
    return kClouds.front();
}

// Without a slash at its end. Fails with InvalidConfig.
Result<std::string> containerAddress(const model::SourceSettings &settings)
{
    const std::string account = optionOf(settings, "account"), container = optionOf(settings, "container");
    if (!isAccountName(account))
        return wrongSetting(settings, "has an account that is not the name of a storage account");
    if (!isContainerName(container))
        return wrongSetting(settings, "has a container that is not the name of one");
    std::string address = settings.url.empty() ? "https://" + account + kClouds.front().blobs : settings.url;
    const auto url = http::parseUrl(address);
    GPULEDGER_TRY(url);
    if (isSharedSignature(settings.auth) && url->scheme != "https" && !url->loopback())
        return wrongSetting(settings, "would send a shared access signature unencrypted",
                            "set url of " + settings.name + " to an https address");
    while (address.ends_with('/'))
        address.pop_back();
    return address + '/' + container;
}

} // namespace

ports::SourceKind exportKind()
{
    return {
        .kind = "azure-export",
        .title = "Azure Cost Management exports",
        .can = {ports::Capability::Bills},
        .fields =
            {{.key = "account",
              .type = SourceField::Type::Text,
              .isRequired = true,
              .title = "Storage account",
              .help = "Name of the storage account that the export is written to",
              .example = "companybills"},
             {.key = "container",
              .type = SourceField::Type::Text,
              .isRequired = true,
              .title = "Container",
              .help = "Name of the container that the export is written to",
              .example = "exports"},
             {.key = "prefix",
              .type = SourceField::Type::Text,
              .title = "Prefix",
              .help = "Folder of the export in the container",
              .fallback = "the whole container",
              .example = "focus/company"},
             accessField(
                 "Id and secret of an application in Microsoft Entra, a token, or the user sas with a shared access "
                 "signature as the password"),
             kTenantField,
             {.key = "url",
              .type = SourceField::Type::Url,
              .title = "Address",
              .help = "Address of Blob Storage, only for a private endpoint or a national cloud",
              .fallback = "https://ACCOUNT.blob.core.windows.net",
              .example = "https://companybills.blob.core.usgovcloudapi.net",
              .isRare = true},
             kLoginField,
             authorityField(),
             ports::kHeadersField},
        .rights = {{.words = "May list and read the files of the export, as the role Storage Blob Data Reader allows",
                    .policy = kBlobReader}},
        .use = "Azure (bill, from a FOCUS export)"};
}

Result<std::unique_ptr<ports::CostSource>> makeExportSource(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &realClock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    const auto address = containerAddress(settings);
    GPULEDGER_TRY(address);
    const auto prefix = format::exportFolder(optionOf(settings, "prefix"));
    if (!prefix)
        return wrongSetting(settings, "has a prefix that is not the folder of an export");
    Tuning tuning;
    tuning.realClock = &realClock;
    std::unique_ptr<Access> access;
    BlobWords words{*address, "the role Storage Blob Data Reader", "list and read blobs (Storage Blob Data Reader)",
                    "assign the role Storage Blob Data Reader on the storage account to the account of this source; "
                    "the account's network rules must admit this machine, too"};
    if (isSharedSignature(settings.auth)) {
        words.needed = "a shared access signature that permits read and list";
        words.right = "list and read blobs (" + words.needed + ')';
        words.remedy = "create a shared access signature of the container that permits read and list";
        access = std::make_unique<SharedSignature>(settings.auth, secrets);
    } else {
        auto login = Login::of(settings, cloudOf(settings.url), kAudience);
        GPULEDGER_TRY(login);
        access = std::make_unique<AzureToken>(settings, std::move(*login), secrets, client, tuning.pause,
                                              tuning.timeouts, tuning.realClock);
    }
    tuning.timeouts.total *= kSlowerThanQuestions;
    const std::string right = words.right;
    auto api = std::make_unique<AzureApi>(
        settings, std::move(access), [words](const http::Response &response) { return blobRefusalOf(response, words); },
        std::move(client), tuning);
    return std::make_unique<format::ExportSource>(settings.name, *prefix, realClock,
                                                  std::make_unique<Container>(std::move(api), std::move(words)),
                                                  costExports(right));
}

} // namespace gpuledger::azure

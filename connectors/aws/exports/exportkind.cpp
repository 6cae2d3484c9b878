// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/exportkind.h"

#include "app/base/remedy.h"
#include "connectors/aws/awstarget.h"
#include "connectors/aws/exports/bucket.h"
#include "connectors/aws/exports/manifest.h"
#include "connectors/format/exports/exportsource.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using ports::SourceField;

namespace {

constexpr std::string_view kExportPolicy = R"({
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "GpuLedgerListsExports",
      "Effect": "Allow",
      "Action": [
        "s3:ListBucket"
      ],
      "Resource": "arn:aws:s3:::BUCKET"
    },
    {
      "Sid": "GpuLedgerReadsExports",
      "Effect": "Allow",
      "Action": [
        "s3:GetObject"
      ],
      "Resource": "arn:aws:s3:::BUCKET/*"
    }
  ]
}
)";

constexpr int kSlowerThanApis = 4; // a piece of a file takes longer than the answer of an API

Place exportPlace(const model::SourceSettings &settings, const Tuning &tuning)
{
    Place place = placeOf(settings, tuning);
    place.timeouts.total *= kSlowerThanApis;
    return place;
}

tl::unexpected<base::Error> wrongExport(const model::SourceSettings &settings, const std::string &what,
                                        base::Hint hint = {})
{
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" " + what, std::move(hint))
            .withSource(settings.name));
}

format::ExportLayout dataExports()
{
    return {.store = "Amazon S3",
            .service = "AWS Data Exports",
            .manifestForm = "metadata/BILLING_PERIOD=…/…-Manifest.json",
            .kept = "aws export ",
            .whereIsIt = base::Remedy::CheckExportPlace,
            .chooseFocus = base::Remedy::ChooseFocusExport,
            .rights = {"s3:ListBucket", "s3:GetObject"},
            .refused = ports::FindingText::CostsRefused,
            .placeOf = manifestPlaceOf,
            .manifestOf = exportManifestOf};
}

} // namespace

ports::SourceKind exportKind()
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
    return {
        .kind = "aws-export",
        .title = "AWS Data Exports",
        .can = {ports::Capability::Bills},
        .fields = {{.key = "bucket",
                    .type = SourceField::Type::Text,
                    .isRequired = true,
                    .title = "Bucket",
                    .help = "Name of the S3 bucket that the export is written to",
                    .example = "company-billing"},
                   {.key = "prefix",
                    .type = SourceField::Type::Text,
                    .title = "Prefix",
                    .help = "Folder of the export in the bucket",
                    .fallback = "the whole bucket",
                    .example = "exports/focus"},
                   {.key = "url",
                    .type = SourceField::Type::Url,
                    .title = "Address",
                    .help = "Only for a private endpoint",
                    .fallback = "the public endpoints of the region",
                    .example = "https://bucket.vpce-1.s3.eu-central-1.vpce.amazonaws.com",
                    .isRare = true},
                   access,
                   authority,
                   ports::kHeadersField},
        .rights = {{.words = "May list the bucket and read the files of the export; put its name in place of BUCKET",
                    .policy = kExportPolicy}},
        .use = "AWS (bill, from an export)"};
}

Result<std::unique_ptr<ports::CostSource>> makeExportSource(const model::SourceSettings &settings,
                                                            const base::Clock &realClock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    if (settings.auth.kind != model::AuthSettings::Kind::SigV4)
        return wrongExport(settings, "connects to AWS, which accepts only signed requests", base::Remedy::AddSigV4Auth);
    if (!isRegion(settings.auth.region))
        return wrongExport(settings, "has no AWS region", base::Remedy::AddSigV4Auth);
    if (!settings.url.empty())
        GPULEDGER_TRY(http::parseUrl(settings.url));
    const auto option = [&](const char *key) {
        const auto at = settings.options.find(key);
        return at == settings.options.end() ? std::string() : at->second;
    };
    const std::string bucket = option("bucket");
    if (!isBucketName(bucket))
        return wrongExport(settings, "has a bucket that is not the name of one");
    const auto prefix = format::exportFolder(option("prefix"));
    if (!prefix || prefix->starts_with("s3:"))
        return wrongExport(settings, "has a prefix that is not the folder of an export");
    Tuning tuning;
    const Place place = exportPlace(settings, tuning);
    auto api = std::make_unique<AwsApi>(Wire(std::move(client), realClock, place), settings.auth.profile,
                                        std::move(tuning.surroundings), tuning.retries, tuning.pause);
    return std::make_unique<format::ExportSource>(settings.name, *prefix, realClock,
                                                  std::make_unique<Bucket>(std::move(api), bucket), dataExports());
}

} // namespace gpuledger::aws

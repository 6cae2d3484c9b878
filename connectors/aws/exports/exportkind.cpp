// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/exportkind.h"

#include "app/base/remedy.h"
#include "connectors/aws/athena/athenamonths.h"
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

constexpr std::string_view kAthenaPolicy = R"({
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "GpuLedgerQueriesExports",
      "Effect": "Allow",
      "Action": [
        "athena:GetTableMetadata",
        "athena:StartQueryExecution",
        "athena:GetQueryExecution",
        "athena:StopQueryExecution",
        "glue:GetDatabase",
        "glue:GetTable",
        "glue:GetPartitions"
      ],
      "Resource": "*"
    },
    {
      "Sid": "GpuLedgerFindsResults",
      "Effect": "Allow",
      "Action": [
        "s3:GetBucketLocation",
        "s3:ListBucket"
      ],
      "Resource": [
        "arn:aws:s3:::BUCKET",
        "arn:aws:s3:::RESULTS"
      ]
    },
    {
      "Sid": "GpuLedgerKeepsResults",
      "Effect": "Allow",
      "Action": [
        "s3:GetObject",
        "s3:PutObject"
      ],
      "Resource": "arn:aws:s3:::RESULTS/*"
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

// Rare: without the first two, files are fetched.
std::vector<SourceField> athenaFields()
{
    return {{.key = "database",
             .type = SourceField::Type::Text,
             .title = "Database",
             .help = "Glue database of a table over the export, for months that are too large to fetch; Athena groups "
                     "them, and charges for what it scans",
             .fallback = "none: files are fetched",
             .example = "billing",
             .isRare = true},
            {.key = "table",
             .type = SourceField::Type::Text,
             .title = "Table",
             .help = "Glue table over the files of the export",
             .fallback = "none: files are fetched",
             .example = "company_cur",
             .isRare = true},
            {.key = "workgroup",
             .type = SourceField::Type::Text,
             .title = "Workgroup",
             .help = "Workgroup of Athena that runs the queries",
             .fallback = "primary",
             .example = "finops",
             .isRare = true},
            {.key = "output",
             .type = SourceField::Type::Text,
             .title = "Results",
             .help = "Folder in S3 that Athena writes results to",
             .fallback = "that of the workgroup",
             .example = "s3://company-athena/gpuledger/",
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
             .help = "How long months whose files changed are not asked for again; Athena charges for what a query "
                     "scans",
             .fallback = "24h",
             .example = "12h",
             .low = 3600,
             .high = 30 * 86400,
             .isRare = true},
            {.key = "athena_url",
             .type = SourceField::Type::Text,
             .title = "Address of Athena",
             .help = "Only for a private endpoint",
             .fallback = "the public endpoint of the region",
             .example = "https://vpce-1.athena.eu-central-1.vpce.amazonaws.com",
             .isRare = true}};
}

std::unique_ptr<AwsApi> exportApi(const model::SourceSettings &settings, Place place, const base::Clock &clock,
                                  const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning)
{
    return std::make_unique<AwsApi>(Wire(client, clock, std::move(place)), settings.auth.profile, tuning.surroundings,
                                    tuning.retries, tuning.pause);
}

// Null: files are fetched.
Result<std::unique_ptr<format::MonthQuery>> athenaQuery(const model::SourceSettings &settings, const base::Clock &clock,
                                                        const std::shared_ptr<http::HttpClient> &client)
{
    auto athena = AthenaSettings::of(settings);
    GPULEDGER_TRY(athena);
    if (!*athena)
        return std::unique_ptr<format::MonthQuery>();
    const Tuning tuning;
    Place place = placeOf(settings, tuning);
    place.url = (*athena)->url;
    auto runs = std::make_unique<AthenaRuns>(exportApi(settings, std::move(place), clock, client, tuning),
                                             std::move(**athena), tuning.pause, AthenaPauses());
    const auto storeOf = [settings, &clock, client](const std::string &bucket) -> std::unique_ptr<format::ObjectStore> {
        const Tuning own;
        return std::make_unique<Bucket>(exportApi(settings, exportPlace(settings, own), clock, client, own), bucket);
    };
    return std::make_unique<AthenaMonths>(std::move(runs), storeOf);
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
    ports::SourceKind kind{
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
                   access},
        .rights = {{.words = "May list the bucket and read the files of the export; put its name in place of BUCKET",
                    .policy = kExportPolicy},
                   {.words = "With a database and a table, in addition: may run queries of Athena; put the name of the "
                             "bucket for results in place of RESULTS",
                    .policy = kAthenaPolicy}},
        .use = "AWS (bill, from an export)"};
    for (SourceField &field : athenaFields())
        kind.fields.push_back(std::move(field));
    kind.fields.push_back(std::move(authority));
    kind.fields.push_back(ports::kHeadersField);
    return kind;
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
    auto query = athenaQuery(settings, realClock, client);
    GPULEDGER_TRY(query);
    const Tuning tuning;
    auto api = exportApi(settings, exportPlace(settings, tuning), realClock, client, tuning);
    return std::make_unique<format::ExportSource>(settings.name, *prefix, realClock,
                                                  std::make_unique<Bucket>(std::move(api), bucket), dataExports(),
                                                  std::move(*query));
}

} // namespace gpuledger::aws

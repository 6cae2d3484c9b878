// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/exportkind.h"

namespace gpuledger::aws {

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

} // namespace

ports::SourceKind exportKind()
{
    SourceField access = ports::kAccessField;
    access.type = SourceField::Type::Signed;
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
        .use = "AWS (bill, from a FOCUS export)"};
}

} // namespace gpuledger::aws

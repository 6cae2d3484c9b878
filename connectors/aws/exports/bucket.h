// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/awsapi.h"
#include "connectors/format/exports/objectstore.h"

#include <cstdint>
#include <memory>
#include <string>

namespace gpuledger::aws {

// 3 to 63 lower-case letters, digits, dots and hyphens: it becomes part of a host name.
bool isBucketName(std::string_view text);

// A bucket of S3. Calls fail with Forbidden (naming the right and the bucket), NotFound (no such bucket), InvalidConfig
// (the bucket is in another region), or with the errors of AwsApi::ask. One thread.
class Bucket final : public format::ObjectStore {
public:
    Bucket(std::unique_ptr<AwsApi> api, std::string bucket);

    std::string nameOf(const std::string &key) const override; // "s3://bucket/key"
    const std::string &missingRight() const override { return m_missingRight; }

private:
    std::string address(const std::string &key) const;
    [[nodiscard]] base::Result<std::string> get(Call call, const std::string &right, const std::string &what,
                                                const std::stop_token &stop);
    [[nodiscard]] base::Result<format::ObjectPage> page(const std::string &prefix, const std::string &token,
                                                        const std::stop_token &stop) override;
    [[nodiscard]] base::Result<std::string> piece(const format::StoredObject &object, std::uint64_t from,
                                                  std::uint64_t bytes, const std::stop_token &stop) override;

    std::unique_ptr<AwsApi> m_api;
    std::string m_bucket;
    std::string m_missingRight;
};

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/awsapi.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gpuledger::aws {

// An object of a bucket, as a list names it.
struct StoredObject {
    std::string key;
    std::string etag; // with its quotes
    std::uint64_t bytes = 0;
    base::UtcTime modified{};

    bool operator==(const StoredObject &) const = default;
};

// 3 to 63 lower-case letters, digits, dots and hyphens: it becomes part of a host name.
bool isBucketName(std::string_view text);

// The pages of ListObjectsV2. Fails with Parse.
struct ObjectPage {
    std::vector<StoredObject> objects;
    std::string next; // token of the next page; empty after the last
};
[[nodiscard]] base::Result<ObjectPage> objectPageOf(std::string_view body);

// Reads a bucket. Calls fail with Forbidden (naming the right and the bucket), NotFound (no such bucket), InvalidConfig
// (the bucket is in another region), or with the errors of AwsApi::ask. One thread; `api` must outlive it.
class ObjectStore {
public:
    static constexpr int kMostPages = 500; // of one list: half a million objects
    static constexpr std::uint64_t kPieceBytes = 8u << 20; // of one request

    ObjectStore(AwsApi &api, std::string bucket);

    // "s3://bucket/key", for people and reports.
    std::string nameOf(const std::string &key) const;
    // All objects whose keys begin with the prefix, ascending. Also fails with TooMuch (kMostPages) or Parse.
    [[nodiscard]] base::Result<void> list(const std::string &prefix, const std::stop_token &stop,
                                          const std::function<void(StoredObject)> &visit);
    // The content. Also fails with TooMuch (above kPieceBytes), or with Server if the object changed after it was
    // listed.
    [[nodiscard]] base::Result<std::string> text(const StoredObject &object, const std::stop_token &stop);
    // Writes the content to a new file, piece by piece. Also fails with StorageFull or Storage, or as text().
    [[nodiscard]] base::Result<void> download(const StoredObject &object, const std::filesystem::path &to,
                                              const std::stop_token &stop);
    // The right whose absence ended the last call that failed; empty: none.
    const std::string &missingRight() const { return m_missingRight; }

private:
    std::string address(const std::string &key) const;
    [[nodiscard]] base::Result<std::string> get(Call call, const std::string &right, const std::string &what,
                                                const std::stop_token &stop);
    [[nodiscard]] base::Result<std::string> piece(const StoredObject &object, std::uint64_t from, std::uint64_t bytes,
                                                  const std::stop_token &stop);

    AwsApi &m_api;
    std::string m_bucket;
    std::string m_missingRight;
};

} // namespace gpuledger::aws

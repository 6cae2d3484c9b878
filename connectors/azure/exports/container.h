// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/azureapi.h"
#include "connectors/format/exports/objectstore.h"

#include <memory>
#include <string>
#include <string_view>

namespace gpuledger::azure {

// 3 to 24 lower-case letters and digits: it becomes part of a host name.
bool isAccountName(std::string_view text);
// 3 to 63 lower-case letters, digits and single hyphens.
bool isContainerName(std::string_view text);

// What the errors of a container say. Value type.
struct BlobWords {
    std::string container; // its address
    std::string needed; // for reading: "the role Storage Blob Data Reader"
    std::string right; // the same after "may"
    std::string remedy; // if it is missing
};
// Why an answer can't be used; std::nullopt: it can, or it says that a blob has changed. Forbidden names what is
// needed.
std::optional<base::Error> blobRefusalOf(const http::Response &response, const BlobWords &words);

// A container of Blob Storage. Calls fail with Forbidden (naming the right), NotFound (no such container), or with the
// errors of AzureApi::ask. One thread.
class Container final : public format::ObjectStore {
public:
    // `words.container`: the address without a slash at its end.
    Container(std::unique_ptr<AzureApi> api, BlobWords words);

    std::string nameOf(const std::string &key) const override; // its address
    const std::string &missingRight() const override { return m_missingRight; }

private:
    [[nodiscard]] base::Result<std::string> get(http::Request request, const std::string &key,
                                                const std::stop_token &stop);
    [[nodiscard]] base::Result<format::ObjectPage> page(const std::string &prefix, const std::string &token,
                                                        const std::stop_token &stop) override;
    [[nodiscard]] base::Result<std::string> piece(const format::StoredObject &object, std::uint64_t from,
                                                  std::uint64_t bytes, const std::stop_token &stop) override;

    std::unique_ptr<AzureApi> m_api;
    BlobWords m_words;
    std::string m_missingRight;
};

} // namespace gpuledger::azure

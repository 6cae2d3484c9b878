// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::format {

// An object of a bucket or container, as a list names it.
struct StoredObject {
    std::string key;
    std::string etag; // with its quotes
    std::uint64_t bytes = 0;
    base::UtcTime modified{};

    bool operator==(const StoredObject &) const = default;
};

// One page of a list.
struct ObjectPage {
    std::vector<StoredObject> objects;
    std::string next; // how to ask for the next page; empty after the last
};

// Reads a bucket or container of a cloud; each cloud says how it is asked. One thread. Errors: those of page() and
// piece().
class ObjectStore {
public:
    static constexpr int kMostPages = 500; // of one list
    static constexpr std::uint64_t kPieceBytes = 8u << 20; // of one request

    ObjectStore() = default;
    ObjectStore(const ObjectStore &) = delete;
    ObjectStore &operator=(const ObjectStore &) = delete;
    virtual ~ObjectStore() = default;

    // "s3://bucket/key", for people and reports.
    virtual std::string nameOf(const std::string &key) const = 0;
    // As in ExportLayout::rights: that whose absence ended the last call that failed; empty: none.
    virtual const std::string &missingRight() const = 0;

    // All objects whose keys begin with the prefix. Also fails with TooMuch (kMostPages) or Parse.
    [[nodiscard]] base::Result<void> list(const std::string &prefix, const std::stop_token &stop,
                                          const std::function<void(StoredObject)> &visit);
    // The content. Also fails with TooMuch (above kPieceBytes), or with Server if the object changed after it was
    // listed.
    [[nodiscard]] base::Result<std::string> text(const StoredObject &object, const std::stop_token &stop);
    // Writes the content to a new file, piece by piece. Also fails with StorageFull or Storage, or as text().
    [[nodiscard]] base::Result<void> download(const StoredObject &object, const std::filesystem::path &to,
                                              const std::stop_token &stop);

protected:
    // `token`: the last page's `next`; empty for the first page.
    [[nodiscard]] virtual base::Result<ObjectPage> page(const std::string &prefix, const std::string &token,
                                                        const std::stop_token &stop) = 0;
    // These bytes of the object as it was listed; with changedObject() if it is another one by now.
    [[nodiscard]] virtual base::Result<std::string> piece(const StoredObject &object, std::uint64_t from,
                                                          std::uint64_t bytes, const std::stop_token &stop) = 0;

private:
    [[nodiscard]] base::Result<std::string> wholePiece(const StoredObject &object, std::uint64_t from,
                                                       std::uint64_t bytes, const std::stop_token &stop);
};

// Why an object can't be read on: `shown` was replaced or deleted while it was read. The next sync tries again.
base::Error changedObject(const std::string &shown);

} // namespace gpuledger::format

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gpuledger::store {

// Stores texts that many rows repeat once: clusters, namespaces, names in them, and other texts (labels, kinds of
// owners). Looked up by a stored hash, so that no index repeats the text. One object per batch, inside the writer's
// transaction. All functions fail with Storage… codes.
class Names {
public:
    explicit Names(Database &database)
        : m_db(database)
    {
    }
    // The row of a name: the subject identified by the name alone, which holders of that name refer to.
    struct Name {
        std::int64_t id = 0;
        bool told = false; // reported by a series
        bool exporterLike = false;
        bool isNew = false; // added by this batch: no record, sample or placement named it before
        bool held = true; // some holder's record may have this name
    };
    struct Cluster {
        std::int64_t id = 0;
        bool hasHolders = false;
    };
    [[nodiscard]] base::Result<Cluster *> cluster(const std::string &name);
    // Valid until the batch ends. The last two arguments only apply to a new name.
    [[nodiscard]] base::Result<Name *> name(std::int64_t cluster, const std::string &nameSpace, const std::string &name,
                                            bool told = false, bool exporterLike = false);
    // std::nullopt for an empty text.
    [[nodiscard]] base::Result<std::optional<std::int64_t>> text(const std::string &value);
    // Also std::nullopt if no row has the text.
    [[nodiscard]] base::Result<std::optional<std::int64_t>> findText(const std::string &value);

    static std::int64_t hashOf(std::string_view text, std::int64_t space = 0);

private:
    base::Result<std::int64_t> nameSpaceId(std::int64_t cluster, const std::string &name);

    Database &m_db;
    std::unordered_map<std::string, Cluster> m_clusters;
    std::map<std::pair<std::int64_t, std::string>, std::int64_t> m_nameSpaces;
    std::map<std::pair<std::int64_t, std::string>, Name> m_names; // by namespace
    std::unordered_map<std::string, std::int64_t> m_texts;
};

} // namespace gpuledger::store

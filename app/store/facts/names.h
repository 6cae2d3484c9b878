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

// The texts that many rows repeat, each kept once: clusters, namespaces, names in them, and other texts (labels, kinds
// of owners). Found by a hash that lies beside them, so that no index repeats them. One object a batch, inside the
// writer's transaction. All fail with Storage… codes.
class Names {
public:
    explicit Names(Database &database)
        : m_db(database)
    {
    }
    // The row of a name: the subject that is told by the name alone, and what holders of that name refer to.
    struct Name {
        std::int64_t id = 0;
        bool told = false; // by a series
        bool exporterLike = false;
        bool isNew = false; // this batch brought it: no record, sample or placement named it before
        bool held = true; // some holder's record may bear it
    };
    struct Cluster {
        std::int64_t id = 0;
        bool hasHolders = false;
    };
    [[nodiscard]] base::Result<Cluster *> cluster(const std::string &name);
    // Valid until the batch ends. The last two are for a new one only.
    [[nodiscard]] base::Result<Name *> name(std::int64_t cluster, const std::string &nameSpace, const std::string &name,
                                            bool told = false, bool exporterLike = false);
    // Nothing for an empty text.
    [[nodiscard]] base::Result<std::optional<std::int64_t>> text(const std::string &value);
    // Nothing also where no row has the text.
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

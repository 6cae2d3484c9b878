// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/names/names.h"

#include "app/store/sqlite/checksum.h"

namespace gpuledger::store {

using base::fail;
using base::Result;

// Signed, so that SQLite stores it in four bytes.
std::int64_t Names::hashOf(std::string_view text, std::int64_t space)
{
    return static_cast<std::int32_t>(checksum(text, space));
}

Result<Names::Cluster *> Names::cluster(const std::string &name)
{
    if (const auto known = m_clusters.find(name); known != m_clusters.end())
        return &known->second;
    Statement add = m_db.statement("INSERT INTO cluster (name) VALUES (?1) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(add.bind(1, name).run());
    Cluster cluster;
    Statement find = m_db.statement("SELECT id, has_holders FROM cluster WHERE name = ?1");
    GPULEDGER_TRY(find.bind(1, name).each([&] { cluster = {find.integer(0), find.integer(1) != 0}; }));
    return &m_clusters.emplace(name, cluster).first->second;
}

Result<std::int64_t> Names::nameSpaceId(std::int64_t cluster, const std::string &name)
{
    const auto [known, isNew] = m_nameSpaces.try_emplace({cluster, name}, 0);
    if (!isNew)
        return known->second;
    Statement add = m_db.statement("INSERT INTO namespace (cluster, name) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(add.bind(1, cluster).bind(2, name).run());
    Statement find = m_db.statement("SELECT id FROM namespace WHERE cluster = ?1 AND name = ?2");
    GPULEDGER_TRY(find.bind(1, cluster).bind(2, name).each([&] { known->second = find.integer(0); }));
    return known->second;
}

Result<Names::Name *> Names::name(std::int64_t cluster, const std::string &nameSpace, const std::string &name,
                                  bool told, bool exporterLike)
{
    const auto space = nameSpaceId(cluster, nameSpace);
    if (!space)
        return fail(space.error());
    const auto [known, isNew] = m_names.try_emplace({*space, name}, Name{});
    Name &row = known->second;
    if (!isNew)
        return &row;
    const std::int64_t hash = hashOf(name, *space);
    Statement find = m_db.statement("SELECT id, told, exporter_like, name FROM subject"
                                    " WHERE name_hash = ?1 AND namespace = ?2");
    GPULEDGER_TRY(find.bind(1, hash).bind(2, *space).each([&] {
        if (find.text(3) == name)
            row = {find.integer(0), find.integer(1) != 0, find.integer(2) != 0, false, true};
    }));
    if (row.id != 0)
        return &row;
    Statement add = m_db.statement("INSERT INTO subject (namespace, name, name_hash, uid, kind, told, exporter_like)"
                                   " VALUES (?1, ?2, ?3, '', 0, ?4, ?5)");
    add.bind(1, *space).bind(2, name).bind(3, hash).bind(4, std::int64_t{told}).bind(5, std::int64_t{exporterLike});
    GPULEDGER_TRY(add.run());
    row = {m_db.lastInsertId(), told, exporterLike, true, false};
    return &row;
}

Result<std::optional<std::int64_t>> Names::findText(const std::string &value)
{
    if (value.empty())
        return std::nullopt;
    if (const auto known = m_texts.find(value); known != m_texts.end())
        return known->second;
    std::optional<std::int64_t> id;
    Statement find = m_db.statement("SELECT id, value FROM text WHERE hash = ?1");
    GPULEDGER_TRY(find.bind(1, hashOf(value)).each([&] {
        if (find.text(1) == value)
            id = find.integer(0);
    }));
    if (id)
        m_texts.emplace(value, *id);
    return id;
}

Result<std::optional<std::int64_t>> Names::text(const std::string &value)
{
    auto id = findText(value);
    if (!id || *id || value.empty())
        return id;
    Statement add = m_db.statement("INSERT INTO text (hash, value) VALUES (?1, ?2)");
    GPULEDGER_TRY(add.bind(1, hashOf(value)).bind(2, value).run());
    m_texts.emplace(value, m_db.lastInsertId());
    return m_db.lastInsertId();
}

} // namespace gpuledger::store

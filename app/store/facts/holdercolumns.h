// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/codecs/packedtext.h"
#include "app/store/sqlite/database.h"

#include <string>

// Columns of a holder that are packed (app/store/codecs/packedtext.h).
namespace gpuledger::store {

inline void bindUid(Statement &s, int index, const std::string &uid)
{
    if (const auto packed = packedUuid(uid))
        s.bindCopy(index, *packed);
    else
        s.bind(index, uid);
}

inline std::string uidAt(const Statement &s, int column)
{
    return s.isBlob(column) ? unpackedUuid(s.blob(column)) : s.text(column);
}

inline void bindOwner(Statement &s, int index, const std::string &owner, const std::string &holder)
{
    if (const auto length = packedOwner(owner, holder))
        s.bind(index, static_cast<std::int64_t>(*length));
    else if (owner.empty())
        s.bind(index, std::optional<std::int64_t>());
    else
        s.bind(index, owner);
}

inline std::string ownerAt(const Statement &s, int column, const std::string &holder)
{
    return s.isInteger(column) ? holder.substr(0, static_cast<std::size_t>(s.integer(column))) : s.text(column);
}

} // namespace gpuledger::store

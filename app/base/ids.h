// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace gpuledger::base {

// A row id whose type distinguishes it from other kinds of ids. 0 means none.
template <typename Tag> struct Id {
    std::int64_t value = 0;

    constexpr explicit operator bool() const { return value != 0; }
    constexpr auto operator<=>(const Id &) const = default;
};

using SourceId = Id<struct SourceTag>;
using ClusterId = Id<struct ClusterTag>;
using NodeId = Id<struct NodeTag>;
using DeviceId = Id<struct DeviceTag>;
using SliceId = Id<struct SliceTag>;
using SubjectId = Id<struct SubjectTag>;
using HolderId = Id<struct HolderTag>;
using GroupId = Id<struct GroupTag>;

} // namespace gpuledger::base

template <typename Tag> struct std::hash<gpuledger::base::Id<Tag>> {
    std::size_t operator()(gpuledger::base::Id<Tag> id) const noexcept { return std::hash<std::int64_t>{}(id.value); }
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

// Data files that travel inside the program: schema migrations, price book, exporter mappings.
// All views are static and valid for the life of the process; any thread may call.
namespace gpuledger::resources {

struct Resource {
    std::string_view name; // path below resources/, e.g. "schema/0001.sql"
    std::string_view content; // bytes of the file as committed
};

std::span<const Resource> all();

// The content of one file, or nothing when no such file was built in.
inline std::optional<std::string_view> find(std::string_view name)
{
    for (const Resource &r : all()) {
        if (r.name == name)
            return r.content;
    }
    return std::nullopt;
}

} // namespace gpuledger::resources

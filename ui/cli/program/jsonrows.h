// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

// The text of JSON answers. Pure; any thread.
namespace gpuledger::cli {

using Json = nlohmann::ordered_json;

inline constexpr int kOneLine = -1;

// Everything outside ASCII is escaped: text is preserved and cannot inject terminal control sequences. `indent` is the
// number of spaces for each level, or kOneLine.
std::string jsonText(const Json &value, int indent);

// A list of which one element at a time is in memory.
struct JsonRows {
    std::string key;
    std::size_t count = 0;
    std::function<Json(std::size_t)> row; // called once for each, in order
};

// Writes the object of the members of `head`, of the list, and of the members of `tail`, in this order: byte by byte
// jsonText() of the whole object. `head` and `tail` are objects. Fails as `write` does, which is called for pieces of
// the text, each up to the size of a row.
[[nodiscard]] base::Result<void> writeRows(const Json &head, const JsonRows &rows, const Json &tail, int indent,
                                           const std::function<base::Result<void>(const std::string &)> &write);

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/costsource.h"

#include <string>
#include <string_view>

// What a source of bills keeps that nobody can tell it again, such as which machines it saw when. Unlike the rest, it
// is carried over when a damaged cache is replaced.
namespace gpuledger::ports {

inline constexpr std::string_view kLastingMemory = "lasting "; // before the key

// Also what was kept under the key before it was said to last. Fails like BillSink::kept().
[[nodiscard]] inline base::Result<std::string> lastingMemory(BillSink &sink, const std::string &key)
{
    auto text = sink.kept(std::string(kLastingMemory) + key);
    GPULEDGER_TRY(text);
    return text->empty() ? sink.kept(key) : std::move(text);
}
// Fails like BillSink::keep().
[[nodiscard]] inline base::Result<void> keepForGood(BillSink &sink, const std::string &key, const std::string &value)
{
    return sink.keep(std::string(kLastingMemory) + key, value);
}

} // namespace gpuledger::ports

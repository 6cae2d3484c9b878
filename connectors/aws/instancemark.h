// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/http/url.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

// Records who stopped an object, as tags of the object itself.
namespace gpuledger::aws {

inline constexpr std::array<std::string_view, 5> kMarkTags{"gpu-ledger.io/stopped-by", "gpu-ledger.io/stopped-at",
                                                           "gpu-ledger.io/stop-reason", "gpu-ledger.io/stop-key",
                                                           "gpu-ledger.io/stop-old-value"};

bool isMarkTag(std::string_view key);
// Names and values; a long reason is truncated to what a tag can hold (256 characters). `oldValue` is JSON text; only
// the word in it becomes the tag.
http::Parameters tagsOf(const model::StopMark &mark);
// std::nullopt if the tags do not say who stopped it and when.
std::optional<model::StopMark> markIn(const model::Labels &tags);

// Converts a state such as "running" to the value of a TargetState, and back.
std::string jsonOf(std::string_view state);
std::string stateOf(std::string_view json);

// SHA-256 over several strings, unambiguous whatever they contain.
class VersionHash {
public:
    void add(std::string_view part);
    void add(const model::Labels &labels);
    std::string hex() const;

private:
    std::string m_text;
};

} // namespace gpuledger::aws

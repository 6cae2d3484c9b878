// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/http/url.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

// Who stopped it, as tags of the object itself.
namespace gpuledger::aws {

inline constexpr std::array<std::string_view, 5> kMarkTags{"gpu-ledger.io/stopped-by", "gpu-ledger.io/stopped-at",
                                                           "gpu-ledger.io/stop-reason", "gpu-ledger.io/stop-key",
                                                           "gpu-ledger.io/stop-old-value"};

bool isMarkTag(std::string_view key);
// Names and values; a long reason is cut to what a tag holds (256 characters). `oldValue` is a JSON text, whose word
// alone becomes the tag.
http::Parameters tagsOf(const model::StopMark &mark);
// Nothing where the tags do not tell who and when.
std::optional<model::StopMark> markIn(const model::Labels &tags);

// A state such as "running" as the value of a TargetState, and back.
std::string jsonOf(std::string_view state);
std::string stateOf(std::string_view json);

// One text over parts, told apart whatever they contain; its SHA-256.
class VersionHash {
public:
    void add(std::string_view part);
    void add(const model::Labels &labels);
    std::string hex() const;

private:
    std::string m_text;
};

} // namespace gpuledger::aws

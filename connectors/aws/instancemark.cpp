// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/instancemark.h"

#include "app/base/crypto/sha256.h"
#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::aws {

namespace {

constexpr std::size_t kMaxTagBytes = 250; // 256 characters; an ellipsis takes three bytes

enum Part : std::size_t { By, At, Reason, Key, OldValue };

} // namespace

bool isMarkTag(std::string_view key)
{
    return std::find(kMarkTags.begin(), kMarkTags.end(), key) != kMarkTags.end();
}

http::Parameters tagsOf(const model::StopMark &mark)
{
    const std::array<std::string, kMarkTags.size()> values{mark.actor, base::toRfc3339(mark.at), mark.reason, mark.key,
                                                           stateOf(mark.oldValue)};
    http::Parameters tags;
    for (std::size_t i = 0; i < values.size(); ++i)
        tags.emplace_back(std::string(kMarkTags[i]), base::printable(values[i], kMaxTagBytes));
    return tags;
}

std::optional<model::StopMark> markIn(const model::Labels &tags)
{
    std::array<std::string, kMarkTags.size()> values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (const auto tag = tags.find(std::string(kMarkTags[i])); tag != tags.end())
            values[i] = tag->second;
    }
    const auto at = base::parseTime(values[At]);
    if (values[By].empty() || !at)
        return std::nullopt;
    return model::StopMark{values[Key], values[By], values[Reason], *at, jsonOf(values[OldValue])};
}

std::string jsonOf(std::string_view state)
{
    return '"' + std::string(state) + '"';
}

std::string stateOf(std::string_view json)
{
    const bool isQuoted = json.size() >= 2 && json.front() == '"' && json.back() == '"';
    return std::string(isQuoted ? json.substr(1, json.size() - 2) : json);
}

void VersionHash::add(std::string_view part)
{
    m_text += std::to_string(part.size()) + ':';
    m_text += part;
}

void VersionHash::add(const model::Labels &labels)
{
    add(std::to_string(labels.size()));
    for (const auto &[key, value] : labels) {
        add(key);
        add(value);
    }
}

std::string VersionHash::hex() const
{
    return base::sha256Hex(m_text);
}

} // namespace gpuledger::aws

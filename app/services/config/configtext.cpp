// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/configtext.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <vector>

namespace gpuledger::services {

namespace {

constexpr std::size_t kIndent = 2;

bool isPlain(std::string_view text)
{
    static constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_";
    static constexpr std::string_view kLater = ".:@+~-";
    static constexpr std::array<std::string_view, 12> kWords{"null",  "Null",  "NULL",  "true", "True", "TRUE",
                                                             "false", "False", "FALSE", "yes",  "no",   "on"};
    if (text.empty() || kFirst.find(text.front()) == std::string_view::npos || text.back() == ':'
        || std::find(kWords.begin(), kWords.end(), text) != kWords.end())
        return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return kFirst.find(c) != std::string_view::npos || kLater.find(c) != std::string_view::npos;
    });
}

} // namespace

std::string writtenScalar(std::string_view text)
{
    if (isPlain(text))
        return std::string(text);
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\x";
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string writtenFlowMap(const NewSource::Parts &parts)
{
    std::string out;
    for (const auto &[key, value] : parts)
        out += (out.empty() ? "{ " : ", ") + writtenScalar(key) + ": " + writtenScalar(value);
    return out + " }";
}

std::string writtenFlowList(const std::vector<std::string> &items)
{
    std::string out;
    for (const std::string &item : items)
        out += (out.empty() ? "[" : ", ") + writtenScalar(item);
    return out.empty() ? "[]" : out + ']';
}

namespace {

// Keys with their values in YAML.
NewSource::Parts writtenParts(const NewSource &s)
{
    NewSource::Parts parts;
    const auto add = [&](std::string_view key, const std::string &value) {
        if (!value.empty())
            parts.emplace_back(key, writtenScalar(value));
    };
    add("name", s.name);
    add("kind", s.kind);
    add("url", s.url);
    add("path", s.path);
    add("cluster", s.cluster);
    if (!s.clusterLabel.empty())
        parts.emplace_back("cluster", writtenFlowMap({{"label", s.clusterLabel}}));
    if (!s.auth.empty())
        parts.emplace_back("auth", writtenFlowMap(s.auth));
    if (!s.ca.empty())
        parts.emplace_back("tls", writtenFlowMap({{"ca", s.ca}}));
    if (!s.headers.empty())
        parts.emplace_back("headers", writtenFlowMap(s.headers));
    add("timeout", s.timeout);
    add("first_sync", s.firstSync);
    add("every", s.every);
    if (!s.rights.empty())
        parts.emplace_back("rights", writtenFlowList(s.rights));
    for (const auto &[key, value] : s.options)
        add(key, value);
    return parts;
}

std::string blockItem(const NewSource &source, std::size_t indent, std::string_view lineEnd)
{
    std::string out;
    for (const auto &[key, value] : writtenParts(source)) {
        out += std::string(indent, ' ') + (out.empty() ? "- " : "  ") + key + ": " + value;
        out += lineEnd;
    }
    return out;
}

} // namespace

std::vector<std::size_t> lineStarts(std::string_view text)
{
    std::vector<std::size_t> starts{text.starts_with("\xEF\xBB\xBF") ? std::size_t{3} : 0};
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        starts.push_back(at + 1);
    return starts;
}

std::size_t endOfBlock(std::string_view text, const std::vector<std::size_t> &starts, std::size_t first,
                       std::size_t indent)
{
    std::size_t end = 0;
    bool content = false; // the previous line belongs to the list
    for (std::size_t i = first; i < starts.size(); ++i) {
        const std::size_t next = i + 1 < starts.size() ? starts[i + 1] : text.size();
        const std::string_view line = text.substr(starts[i], next - starts[i]);
        const std::size_t column = line.find_first_not_of(' ');
        const bool blank = line.find_first_not_of(" \t\r\n") == std::string_view::npos;
        const bool comment = !blank && line[column] == '#';
        if (!blank && !comment && (column < indent || (column == indent && line[column] != '-')))
            break;
        if ((!blank && !comment) || (comment && content && column > indent))
            end = next;
        content = end == next;
    }
    return end;
}

namespace {

struct FlowEnd {
    std::size_t bracket = 0; // offset of the closing bracket
    std::size_t offset = 0; // after the last content of the list
    bool empty = true, comma = false; // no elements; a trailing comma
};

// Scans from the opening bracket at `at` to the matching one.
std::optional<FlowEnd> endOfFlow(std::string_view text, std::size_t at)
{
    FlowEnd found;
    int depth = 0;
    char quote = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != 0) {
            const bool escape = quote == '"' ? c == '\\' : c == quote && text.substr(at + 1, 1) == "'";
            if (escape)
                ++at;
            else if (c == quote)
                quote = 0;
            found.offset = at + 1;
            continue;
        }
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            continue;
        if (c == '#' && std::string_view(" \t\n").find(text[at - 1]) != std::string_view::npos) {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (depth == 0) {
            found.bracket = at;
            return found;
        }
        if (found.offset != 0) {
            found.empty = false;
            found.comma = c == ',' && depth == 1;
        }
        if ((c == '"' || c == '\'') && std::string_view(" \t\n[{,:").find(text[at - 1]) != std::string_view::npos)
            quote = c;
        found.offset = at + 1;
    }
    return std::nullopt;
}

bool same(const YAML::Node &a, const YAML::Node &b)
{
    if (a.Type() != b.Type() || a.Tag() != b.Tag() || a.size() != b.size())
        return false;
    if (a.IsScalar())
        return a.Scalar() == b.Scalar();
    auto other = b.begin();
    for (const auto &one : a) {
        const bool equal =
            a.IsMap() ? same(one.first, other->first) && same(one.second, other->second) : same(one, *other);
        if (!equal)
            return false;
        ++other;
    }
    return true;
}

std::optional<SourcePlace> placeIn(const YAML::Node &root, std::string_view text)
{
    using Form = SourcePlace::Form;
    if (!root.IsDefined() || root.IsNull())
        return SourcePlace{Form::File, text.size(), kIndent, true};
    if (!root.IsMap() || root.Style() == YAML::EmitterStyle::Flow)
        return std::nullopt;
    const std::vector<std::size_t> starts = lineStarts(text);
    for (const auto &entry : root) {
        if (entry.first.Scalar() != "sources")
            continue;
        const YAML::Mark mark = (entry.second.IsNull() ? entry.first : entry.second).Mark();
        const auto line = static_cast<std::size_t>(mark.line);
        if (line >= starts.size())
            return std::nullopt;
        const std::size_t next = line + 1 < starts.size() ? starts[line + 1] : text.size();
        if (entry.second.IsNull())
            return SourcePlace{Form::Block, next, kIndent, true};
        if (!entry.second.IsSequence())
            return std::nullopt;
        const std::size_t at = starts[line] + static_cast<std::size_t>(mark.column);
        if (at < text.size() && text[at] == '[') {
            const auto end = endOfFlow(text, at);
            return end ? std::optional(SourcePlace{Form::Flow, end->offset, 0, end->empty || end->comma})
                       : std::nullopt;
        }
        const std::size_t dash = text.find_first_not_of(' ', starts[line]);
        if (dash == std::string_view::npos || text[dash] != '-')
            return std::nullopt;
        const std::size_t indent = dash - starts[line];
        return SourcePlace{Form::Block, endOfBlock(text, starts, line, indent), indent, false};
    }
    return SourcePlace{Form::List, text.size(), kIndent, true};
}

} // namespace

std::optional<std::size_t> closingBracket(std::string_view text, std::size_t at)
{
    const auto end = endOfFlow(text, at);
    return end ? std::optional(end->bracket) : std::nullopt;
}

std::optional<SourcePlace> placeForSource(std::string_view text)
{
    try {
        return placeIn(YAML::Load(std::string(text)), text);
    } catch (const YAML::Exception &) {
        return std::nullopt;
    }
}

std::string writtenSource(const NewSource &source, const SourcePlace &place, std::string_view lineEnd)
{
    using Form = SourcePlace::Form;
    const std::string end(lineEnd);
    switch (place.form) {
    case Form::Flow: {
        NewSource::Parts parts = writtenParts(source);
        std::string out;
        for (const auto &[key, value] : parts)
            out += (out.empty() ? "{ " : ", ") + key + ": " + value;
        return (place.first ? " " : ", ") + out + " }";
    }
    case Form::File:
        return "version: 1" + end + "sources:" + end + blockItem(source, place.indent, lineEnd);
    case Form::List:
        return "sources:" + end + blockItem(source, place.indent, lineEnd);
    case Form::Block:
        break;
    }
    return blockItem(source, place.indent, lineEnd);
}

std::string_view lineEndOf(std::string_view text)
{
    const std::size_t at = text.find('\n');
    return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

namespace {

using Entries = std::vector<std::pair<YAML::Node, YAML::Node>>;

// The value of `key`; all other entries go to `others`.
YAML::Node split(const YAML::Node &map, std::string_view key, Entries &others)
{
    YAML::Node found(YAML::NodeType::Undefined);
    for (const auto &entry : map) {
        if (entry.first.Scalar() == key)
            found.reset(entry.second);
        else
            others.emplace_back(entry.first, entry.second);
    }
    return found;
}

bool sameEntries(const Entries &a, const Entries &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &one, const auto &other) {
        return same(one.first, other.first) && same(one.second, other.second);
    });
}

} // namespace

bool onlyAddsSource(std::string_view before, std::string_view after)
{
    try {
        const YAML::Node old = YAML::Load(std::string(before));
        const YAML::Node now = YAML::Load(std::string(after));
        if (!now.IsMap())
            return false;
        if (!old.IsDefined() || old.IsNull())
            return true;
        Entries rest, restNow;
        const YAML::Node sources = split(old, "sources", rest);
        const YAML::Node sourcesNow = split(now, "sources", restNow);
        const std::size_t count = sources.IsDefined() && sources.IsSequence() ? sources.size() : 0;
        if (!sourcesNow.IsDefined() || !sourcesNow.IsSequence() || sourcesNow.size() != count + 1)
            return false;
        for (std::size_t i = 0; i < count; ++i) {
            if (!same(sources[i], sourcesNow[i]))
                return false;
        }
        return sameEntries(rest, restNow);
    } catch (const YAML::Exception &) {
        return false;
    }
}

bool sameBut(std::string_view key, std::string_view before, std::string_view after)
{
    try {
        const YAML::Node old = YAML::Load(std::string(before));
        const YAML::Node now = YAML::Load(std::string(after));
        Entries rest, restNow;
        if (!old.IsMap() || !now.IsMap())
            return false;
        split(old, key, rest);
        split(now, key, restNow);
        return sameEntries(rest, restNow);
    } catch (const YAML::Exception &) {
        return false;
    }
}

} // namespace gpuledger::services

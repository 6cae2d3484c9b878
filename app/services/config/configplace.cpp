// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/configtext.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

// Finds and replaces one value in the text and keeps everything else byte for byte.
namespace gpuledger::services {

namespace {

struct Span {
    std::size_t from = 0, to = 0;
};

// Translates between YAML positions, lines and offsets of a text.
class Places {
public:
    explicit Places(std::string_view text)
        : m_text(text)
        , m_starts(lineStarts(text))
    {
    }

    std::optional<std::size_t> offsetOf(const YAML::Node &node) const
    {
        const YAML::Mark mark = node.Mark();
        if (mark.line < 0 || static_cast<std::size_t>(mark.line) >= m_starts.size())
            return std::nullopt;
        // The mark's column counts characters, not bytes.
        std::size_t at = m_starts[static_cast<std::size_t>(mark.line)];
        for (int column = 0; column < mark.column && at < m_text.size(); ++column) {
            ++at;
            while (at < m_text.size() && (static_cast<unsigned char>(m_text[at]) & 0xC0) == 0x80)
                ++at;
        }
        return at;
    }
    std::size_t lineOf(std::size_t offset) const
    {
        return static_cast<std::size_t>(std::upper_bound(m_starts.begin(), m_starts.end(), offset) - m_starts.begin())
            - 1;
    }
    std::size_t startOf(std::size_t line) const { return line < m_starts.size() ? m_starts[line] : m_text.size(); }
    std::string_view line(std::size_t i) const { return m_text.substr(startOf(i), startOf(i + 1) - startOf(i)); }
    std::size_t lines() const { return m_starts.size(); }
    // The end of the line's content, without trailing blanks and without a comment.
    std::size_t lastOfLine(std::size_t from) const
    {
        std::size_t end = std::min(m_text.find_first_of("\r\n", from), m_text.size());
        for (std::size_t at = from; at < end; ++at) {
            if (m_text[at] == '#' && at > from && (m_text[at - 1] == ' ' || m_text[at - 1] == '\t'))
                end = at;
        }
        while (end > from && (m_text[end - 1] == ' ' || m_text[end - 1] == '\t'))
            --end;
        return end;
    }

    // The extent of a value. `column` is that of its key; `inFlow` says whether its map is written in braces.
    std::optional<Span> spanOf(const YAML::Node &node, bool inFlow, std::size_t column) const
    {
        const auto from = offsetOf(node);
        if (!from || *from >= m_text.size())
            return std::nullopt;
        const char first = m_text[*from];
        // Anchors, tags, aliases and block scalars are not edited.
        if (std::string_view("&!*|>").find(first) != std::string_view::npos)
            return std::nullopt;
        if (first == '{' || first == '[') {
            const auto end = closingBracket(m_text, *from);
            return end ? std::optional(Span{*from, *end + 1}) : std::nullopt;
        }
        if (first == '"' || first == '\'')
            return quoted(*from);
        if (!node.IsScalar())
            return inFlow ? std::nullopt : std::optional(Span{*from, endOfNested(*from, column)});
        std::size_t end = lastOfLine(*from);
        if (inFlow)
            end = std::min(end, m_text.find_first_of(",}]", *from));
        while (end > *from && m_text[end - 1] == ' ')
            --end;
        if (m_text.substr(*from, end - *from) != node.Scalar()) // a plain scalar over several lines
            return std::nullopt;
        return Span{*from, end};
    }
    // The end of the last line that belongs to the value at `from` and is indented deeper than `column`.
    std::size_t endOfNested(std::size_t from, std::size_t column) const
    {
        std::size_t end = lastOfLine(from);
        for (std::size_t i = lineOf(from) + 1; i < lines(); ++i) {
            const std::string_view one = line(i);
            const std::size_t at = one.find_first_not_of(" \t\r\n");
            if (at == std::string_view::npos || one[at] == '#')
                continue;
            if (at <= column)
                break;
            end = lastOfLine(startOf(i));
        }
        return end;
    }

private:
    std::optional<Span> quoted(std::size_t from) const
    {
        const char quote = m_text[from];
        for (std::size_t at = from + 1; at < m_text.size(); ++at) {
            if (quote == '"' && m_text[at] == '\\')
                ++at;
            else if (m_text[at] == quote && quote == '\'' && m_text.substr(at + 1, 1) == "'")
                ++at;
            else if (m_text[at] == quote)
                return Span{from, at + 1};
        }
        return std::nullopt;
    }

    std::string_view m_text;
    std::vector<std::size_t> m_starts;
};

struct MapPlace {
    YAML::Node map;
    bool flow = false;
};

struct EntryPlace {
    std::size_t key = 0, column = 0; // position of the key
    std::optional<Span> value; // std::nullopt: "key:" without a value
};

std::optional<EntryPlace> entryOf(const Places &places, const MapPlace &place, const YAML::Node &key,
                                  const YAML::Node &value)
{
    const auto at = places.offsetOf(key);
    if (!at)
        return std::nullopt;
    EntryPlace entry{*at, *at - places.startOf(places.lineOf(*at)), std::nullopt};
    if (value.IsNull())
        return entry;
    entry.value = places.spanOf(value, place.flow, entry.column);
    if (!entry.value)
        return std::nullopt;
    return entry;
}

std::string withoutEntry(std::string_view text, const Places &places, const MapPlace &place, const EntryPlace &entry,
                         std::optional<std::size_t> nextKey)
{
    std::string out(text);
    const std::size_t end = entry.value ? entry.value->to : text.find(':', entry.key) + 1;
    if (place.flow) {
        std::size_t from = entry.key, to = end;
        if (nextKey) {
            to = *nextKey;
        } else { // the last entry: remove the comma before it, too
            const std::size_t before = text.find_last_not_of(" \t\r\n", from - 1);
            from = before != std::string_view::npos && text[before] == ',' ? before : from;
        }
        return out.erase(from, to - from);
    }
    const std::size_t line = places.lineOf(entry.key);
    const bool onDashLine = text.substr(places.startOf(line)).find_first_not_of(' ') + places.startOf(line) < entry.key;
    if (onDashLine && nextKey)
        return out.erase(entry.key, *nextKey - entry.key);
    const std::size_t from = places.startOf(line);
    return out.erase(from, places.startOf(places.lineOf(end == from ? end : end - 1) + 1) - from);
}

std::optional<std::string> withNewEntry(std::string_view text, const Places &places, const MapPlace &place,
                                        const std::string &key, const std::string &value)
{
    std::optional<EntryPlace> last;
    for (const auto &entry : place.map) {
        last = entryOf(places, place, entry.first, entry.second);
        if (!last)
            return std::nullopt;
    }
    if (!last)
        return std::nullopt;
    std::string out(text);
    std::size_t at = last->value ? last->value->to : text.find(':', last->key) + 1;
    if (place.flow)
        return out.insert(at, ", " + writtenScalar(key) + ": " + value);
    const std::string end(lineEndOf(text));
    at = places.startOf(places.lineOf(at - 1) + 1);
    const bool lineIsOpen = at == text.size() && (text.empty() || text.back() != '\n');
    return out.insert(
        at, (lineIsOpen ? end : "") + std::string(last->column, ' ') + writtenScalar(key) + ": " + value + end);
}

std::optional<std::string> changed(std::string_view text, const std::vector<ConfigStep> &way,
                                   const std::optional<std::string> &value)
{
    const Places places(text);
    YAML::Node node = YAML::Load(std::string(text));
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        if (way[i].key.empty() ? !node.IsSequence() || way[i].index >= node.size() : !node.IsMap())
            return std::nullopt;
        const YAML::Node next = way[i].key.empty() ? node[way[i].index] : node[way[i].key];
        node.reset(next);
    }
    if (!node.IsDefined() || !node.IsMap())
        return std::nullopt;
    const auto start = places.offsetOf(node);
    const MapPlace place{node, start && *start < text.size() && text[*start] == '{'};
    std::optional<EntryPlace> found;
    std::optional<std::size_t> nextKey;
    for (const auto &entry : node) {
        if (found && !nextKey)
            nextKey = places.offsetOf(entry.first);
        if (entry.first.Scalar() != way.back().key)
            continue;
        found = entryOf(places, place, entry.first, entry.second);
        if (!found)
            return std::nullopt;
    }
    if (!value)
        return found ? withoutEntry(text, places, place, *found, nextKey) : std::string(text);
    if (!found)
        return withNewEntry(text, places, place, way.back().key, *value);
    std::string out(text);
    if (!found->value)
        return out.insert(text.find(':', found->key) + 1, ' ' + *value);
    // A value on lines of its own moves to the key's line.
    const std::size_t colon = text.find(':', found->key);
    if (places.lineOf(found->value->from) != places.lineOf(found->key))
        return out.replace(colon + 1, found->value->to - colon - 1, ' ' + *value);
    return out.replace(found->value->from, found->value->to - found->value->from, *value);
}

} // namespace

std::optional<std::string> withValue(std::string_view text, const std::vector<ConfigStep> &way,
                                     const std::optional<std::string> &value)
{
    try {
        return changed(text, way, value);
    } catch (const YAML::Exception &) {
        return std::nullopt;
    }
}

std::optional<std::string> withKeys(std::string_view text, const std::vector<std::string> &keys,
                                    const std::string &value)
{
    try {
        YAML::Node node = YAML::Load(std::string(text));
        std::vector<ConfigStep> way;
        std::size_t there = 0; // keys that already have a value
        for (; there < keys.size() && node.IsMap() && node[keys[there]].IsDefined(); ++there) {
            const YAML::Node next = node[keys[there]];
            node.reset(next);
            way.push_back({keys[there], 0});
        }
        std::string written = value;
        for (std::size_t i = keys.size(); i > there + 1; --i)
            written = "{ " + writtenScalar(keys[i - 1]) + ": " + written + " }";
        if (there < keys.size())
            way.push_back({keys[there], 0});
        return changed(text, way, written);
    } catch (const YAML::Exception &) {
        return std::nullopt;
    }
}

} // namespace gpuledger::services

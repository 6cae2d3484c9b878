// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/configtext.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

// Rearranges a list in the text and keeps everything else byte for byte.
namespace gpuledger::services {

namespace {

struct Chunk {
    std::string lead; // comment lines and blank lines above
    std::string body;
};

std::size_t firstLetter(std::string_view line)
{
    return line.find_first_not_of(" \t\r\n");
}

std::string closedLine(std::string text, std::string_view lineEnd)
{
    if (!text.empty() && text.back() != '\n')
        text += lineEnd;
    return text;
}

// The body with its element replaced; keeps what follows the braces, and comment lines inside.
std::string replacedBody(const std::string &body, const std::string &written, std::size_t indent,
                         std::string_view lineEnd)
{
    const std::size_t first = body.find_first_not_of(" \t", indent + 1);
    if (first != std::string::npos && body[first] == '{') {
        if (const auto end = closingBracket(body, first))
            return body.substr(0, first) + written + body.substr(*end + 1);
    }
    std::string out;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t next = std::min(body.find('\n', at), body.size() - 1) + 1;
        const std::string line = body.substr(at, next - at);
        if (const std::size_t letter = firstLetter(line); letter != std::string::npos && line[letter] == '#')
            out += closedLine(line, lineEnd);
        at = next;
    }
    return out + std::string(indent, ' ') + "- " + written + std::string(lineEnd);
}

class BlockList {
public:
    BlockList(std::string_view text, std::size_t keyLine, std::size_t firstLine, std::size_t count)
        : m_text(text)
        , m_starts(lineStarts(text))
        , m_lineEnd(lineEndOf(text))
    {
        const std::string_view first = lineAt(firstLine);
        m_indent = firstLetter(first);
        if (m_indent == std::string_view::npos || first[m_indent] != '-')
            return;
        m_from = startOf(keyLine + 1);
        m_to = endOfBlock(text, m_starts, firstLine, m_indent);
        std::size_t end = m_from;
        for (std::size_t i = firstLine; startOf(i) < m_to && i < m_starts.size(); ++i) {
            if (!beginsItem(lineAt(i)))
                continue;
            std::size_t next = i + 1;
            while (next < m_starts.size() && startOf(next) < m_to && !beginsItem(lineAt(next)))
                ++next;
            const std::size_t bodyEnd = endOfBody(i, next);
            m_chunks.push_back({std::string(text.substr(end, startOf(i) - end)),
                                std::string(text.substr(startOf(i), bodyEnd - startOf(i)))});
            end = bodyEnd;
        }
        m_tail = text.substr(end, m_to - end);
        m_good = m_chunks.size() == count;
    }

    std::optional<std::string> arranged(const std::vector<ListItem> &items)
    {
        if (!m_good || items.empty())
            return std::nullopt;
        keepLeads(items);
        std::string out(m_text.substr(0, m_from));
        for (const ListItem &item : items) {
            if (!item.old) {
                out += std::string(m_indent, ' ') + "- " + item.written + std::string(m_lineEnd);
                continue;
            }
            const Chunk &chunk = m_chunks[*item.old];
            out += chunk.lead;
            out += closedLine(item.written.empty() ? chunk.body
                                                   : replacedBody(chunk.body, item.written, m_indent, m_lineEnd),
                              m_lineEnd);
        }
        out += m_tail;
        return out + std::string(m_text.substr(m_to));
    }
    // The text with an empty list "[]" in place of the list, followed by the list's comments.
    std::optional<std::string> emptied(std::size_t colon) const
    {
        if (!m_good)
            return std::nullopt;
        std::string out(m_text.substr(0, colon + 1));
        out += " []";
        out += m_text.substr(colon + 1, m_from - colon - 1);
        for (const Chunk &chunk : m_chunks)
            out += chunk.lead;
        out += m_tail;
        return out + std::string(m_text.substr(m_to));
    }

private:
    std::size_t startOf(std::size_t line) const { return line < m_starts.size() ? m_starts[line] : m_text.size(); }
    std::string_view lineAt(std::size_t i) const { return m_text.substr(startOf(i), startOf(i + 1) - startOf(i)); }
    bool beginsItem(std::string_view line) const
    {
        return firstLetter(line) == m_indent && line[m_indent] == '-'
            && (m_indent + 1 == line.size() || std::string_view(" \t\r\n").find(line[m_indent + 1]) != line.npos);
    }
    // The offset after the last line of content and the deeper-indented comments directly behind it.
    std::size_t endOfBody(std::size_t first, std::size_t next) const
    {
        std::size_t end = startOf(first + 1);
        bool follows = true;
        for (std::size_t i = first + 1; i < next; ++i) {
            const std::string_view line = lineAt(i);
            const std::size_t letter = firstLetter(line);
            const bool blank = letter == std::string_view::npos;
            const bool comment = !blank && line[letter] == '#';
            if (!blank && (!comment || (follows && letter > m_indent)))
                end = startOf(i + 1);
            follows = end == startOf(i + 1);
        }
        return end;
    }
    // Moves comments above a removed element to the element that follows it.
    void keepLeads(const std::vector<ListItem> &items)
    {
        std::string orphan;
        for (std::size_t i = 0; i < m_chunks.size(); ++i) {
            const bool stays =
                std::any_of(items.begin(), items.end(), [i](const ListItem &item) { return item.old == i; });
            if (!stays) {
                orphan += m_chunks[i].lead;
                continue;
            }
            m_chunks[i].lead = orphan + m_chunks[i].lead;
            orphan.clear();
        }
        m_tail = orphan + m_tail;
    }

    std::string_view m_text;
    std::vector<std::size_t> m_starts;
    std::string_view m_lineEnd;
    std::size_t m_indent = 0, m_from = 0, m_to = 0;
    std::vector<Chunk> m_chunks;
    std::string m_tail;
    bool m_good = false;
};

std::optional<std::string> flowList(std::string_view text, std::size_t open, const std::vector<std::size_t> &elements,
                                    const std::vector<ListItem> &items)
{
    const auto close = closingBracket(text, open);
    if (!close)
        return std::nullopt;
    std::vector<std::string> bodies, between;
    std::size_t last = open + 1;
    for (const std::size_t at : elements) {
        if (at < last || at >= *close || text[at] != '{')
            return std::nullopt;
        const auto end = closingBracket(text, at);
        if (!end)
            return std::nullopt;
        between.emplace_back(text.substr(last, at - last));
        bodies.emplace_back(text.substr(at, *end + 1 - at));
        last = *end + 1;
    }
    std::string out(text.substr(0, open + 1));
    for (std::size_t i = 0; i < items.size(); ++i) {
        out += i < between.size() ? between[i] : i == 0 ? " " : ", ";
        out += items[i].written.empty() ? bodies[*items[i].old] : items[i].written;
    }
    if (items.empty())
        return out + std::string(text.substr(*close));
    const std::string_view rest = elements.empty() ? std::string_view(" ") : text.substr(last, *close - last);
    return out + std::string(rest) + std::string(text.substr(*close));
}

std::optional<std::string> newList(std::string_view text, std::string_view key, std::optional<std::size_t> keyLine,
                                   const std::vector<ListItem> &items)
{
    const std::string end(lineEndOf(text));
    std::string block;
    for (const ListItem &item : items)
        block += "  - " + item.written + end;
    const auto starts = lineStarts(text);
    const std::size_t at = keyLine && *keyLine + 1 < starts.size() ? starts[*keyLine + 1] : text.size();
    std::string out = closedLine(std::string(text.substr(0, at)), end);
    if (!keyLine)
        out += std::string(key) + ':' + end;
    return out + block + std::string(text.substr(at));
}

std::optional<std::string> arranged(std::string_view text, std::string_view key, const std::vector<ListItem> &items)
{
    const YAML::Node root = YAML::Load(std::string(text));
    if (!root.IsDefined() || !root.IsMap() || root.Style() == YAML::EmitterStyle::Flow)
        return std::nullopt;
    const std::vector<std::size_t> starts = lineStarts(text);
    const auto offset = [&](const YAML::Node &node) {
        return starts[static_cast<std::size_t>(node.Mark().line)] + static_cast<std::size_t>(node.Mark().column);
    };
    for (const auto &entry : root) {
        if (entry.first.Scalar() != key)
            continue;
        const auto keyLine = static_cast<std::size_t>(entry.first.Mark().line);
        if (entry.second.IsNull())
            return items.empty() ? std::optional(std::string(text)) : newList(text, key, keyLine, items);
        if (!entry.second.IsSequence())
            return std::nullopt;
        const std::size_t at = offset(entry.second);
        if (at < text.size() && text[at] == '[') {
            std::vector<std::size_t> elements;
            for (const YAML::Node &element : entry.second)
                elements.push_back(offset(element));
            return flowList(text, at, elements, items);
        }
        BlockList list(text, keyLine, static_cast<std::size_t>(entry.second.Mark().line), entry.second.size());
        return items.empty() ? list.emptied(text.find(':', offset(entry.first))) : list.arranged(items);
    }
    return items.empty() ? std::optional(std::string(text)) : newList(text, key, std::nullopt, items);
}

} // namespace

std::optional<std::string> withList(std::string_view text, std::string_view key, const std::vector<ListItem> &items)
{
    try {
        return arranged(text, key, items);
    } catch (const YAML::Exception &) {
        return std::nullopt;
    }
}

} // namespace gpuledger::services

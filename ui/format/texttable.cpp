// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/texttable.h"

#include "app/base/text/csvtext.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::ui {

namespace {

constexpr std::size_t kMaxCell = 200;
using Range = std::pair<char32_t, char32_t>;

// Whole blocks instead of single characters, which is enough for names (Unicode 15, East Asian Width W and F, and Mn of
// common scripts).
constexpr std::array<Range, 12> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0xA4CF},
                                       {0xA960, 0xA97C},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0xFFE0, 0xFFE6},
                                       {0x1F300, 0x1F64F},
                                       {0x1F680, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 9> kCombining{{{0x0300, 0x036F},
                                           {0x0483, 0x0489},
                                           {0x0591, 0x05BD},
                                           {0x0610, 0x061A},
                                           {0x064B, 0x065F},
                                           {0x1AB0, 0x1AFF},
                                           {0x1DC0, 0x1DFF},
                                           {0x20D0, 0x20FF},
                                           {0xFE00, 0xFE2F}}};

template <std::size_t N> bool within(char32_t c, const std::array<Range, N> &ranges)
{
    return std::any_of(ranges.begin(), ranges.end(), [c](const Range &r) { return r.first <= c && c <= r.second; });
}

// Decodes the next character of valid UTF-8.
char32_t next(std::string_view text, std::size_t &at)
{
    const auto byte = static_cast<unsigned char>(text[at++]);
    if (byte < 0x80)
        return byte;
    const int more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    char32_t c = byte & (0x3Fu >> more);
    for (int i = 0; i < more && at < text.size(); ++i)
        c = c << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
    return c;
}

} // namespace

int displayWidth(std::string_view utf8)
{
    int width = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const char32_t c = next(utf8, at);
        width += within(c, kCombining) ? 0 : within(c, kWide) ? 2 : 1;
    }
    return width;
}

TextTable::TextTable(std::vector<Column> columns)
    : m_columns(std::move(columns))
{
}

void TextTable::add(const std::vector<std::string> &cells)
{
    std::vector<std::string> row;
    for (const std::string &cell : cells)
        row.push_back(cell);
    row.resize(m_columns.size());
    m_rows.push_back(std::move(row));
}

std::string TextTable::toText(bool bold) const
{
    std::vector<std::vector<std::string>> lines(1);
    for (const Column &column : m_columns)
        lines[0].push_back(column.title);
    for (const auto &row : m_rows) {
        lines.emplace_back();
        for (const std::string &cell : row)
            lines.back().push_back(base::printable(cell, kMaxCell));
    }
    std::vector<int> widths(m_columns.size(), 0);
    for (const auto &line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(line[i]));
    }
    std::string out;
    for (std::size_t n = 0; n < lines.size(); ++n) {
        std::string text;
        for (std::size_t i = 0; i < lines[n].size(); ++i) {
            const std::string pad(static_cast<std::size_t>(widths[i] - displayWidth(lines[n][i])), ' ');
            text += i > 0 ? "  " : "";
            text += m_columns[i].align == Align::Right ? pad + lines[n][i] : lines[n][i] + pad;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += n == 0 && bold ? "\x1b[1m" + text + "\x1b[0m\n" : text + '\n';
    }
    return out;
}

std::string TextTable::toCsv() const
{
    std::string out;
    const auto addLine = [&](const std::vector<std::string> &cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            out += (i > 0 ? "," : "") + base::csvCell(cells[i]);
        out += "\r\n";
    };
    std::vector<std::string> titles;
    for (const Column &column : m_columns)
        titles.push_back(column.title);
    addLine(titles);
    for (const auto &row : m_rows)
        addLine(row);
    return out;
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/textrow.h"

#include <algorithm>
#include <cstring>

namespace gpuledger::format {

namespace {

bool isAscii(std::string_view text)
{
    constexpr std::uint64_t kHighBits = 0x8080808080808080u;
    std::size_t i = 0;
    for (; i + sizeof(std::uint64_t) <= text.size(); i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + i, sizeof word);
        if (word & kHighBits)
            return false;
    }
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

} // namespace

void TextRow::begin(std::uint64_t line)
{
    m_text.clear();
    m_ends.clear();
    m_line = line;
    m_problem = Problem::None;
    m_ended = true;
}

void TextRow::finish()
{
    m_ascii = isAscii(m_text);
    if (m_problem == Problem::None && std::memchr(m_text.data(), 0, m_text.size()) != nullptr)
        m_problem = Problem::NulByte;
}

} // namespace gpuledger::format

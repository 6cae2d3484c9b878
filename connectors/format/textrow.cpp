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
    m_sizeInFile.reset();
}

void TextRow::finish()
{
    m_ascii = isAscii(m_text);
    if (m_problem == Problem::None && std::memchr(m_text.data(), 0, m_text.size()) != nullptr)
        m_problem = Problem::NulByte;
}

TextRowWriter::TextRowWriter(TextRow &to, const TextRow &from)
    : m_to(to)
{
    m_to.begin(from.m_line);
    m_to.m_problem = from.m_problem;
    m_to.m_ended = from.m_ended;
    m_to.m_sizeInFile = from.sizeInFile();
}

void TextRowWriter::add(std::string_view text)
{
    m_to.m_text += text;
    m_to.m_ends.push_back({m_to.m_text.size(), true});
}

void TextRowWriter::add(std::size_t fields)
{
    m_to.m_ends.resize(m_to.m_ends.size() + fields, {m_to.m_text.size(), true});
}

} // namespace gpuledger::format

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/bytesource.h"

#include <algorithm>
#include <string>

namespace gpuledger::tests {

// A text in pieces of at most `piece` bytes.
class TextBytes final : public format::ByteSource {
public:
    explicit TextBytes(std::string text, std::size_t piece = 1u << 20)
        : m_text(std::move(text))
        , m_piece(piece)
    {
    }
    base::Result<std::size_t> read(std::span<char> to) override
    {
        const std::size_t n = std::min({to.size(), m_piece, m_text.size() - m_at});
        std::copy_n(m_text.data() + m_at, n, to.data());
        m_at += n;
        return n;
    }

private:
    std::string m_text;
    std::size_t m_piece;
    std::size_t m_at = 0;
};

// The same byte `count` times, without storing it.
class RepeatedBytes final : public format::ByteSource {
public:
    RepeatedBytes(std::string head, char byte, std::uint64_t count)
        : m_head(std::move(head))
        , m_byte(byte)
        , m_left(count)
    {
    }
    base::Result<std::size_t> read(std::span<char> to) override
    {
        if (!m_head.empty()) {
            const std::size_t n = std::min(to.size(), m_head.size());
            std::copy_n(m_head.data(), n, to.data());
            m_head.erase(0, n);
            return n;
        }
        const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), m_left));
        std::fill_n(to.data(), n, m_byte);
        m_left -= n;
        return n;
    }

private:
    std::string m_head;
    char m_byte;
    std::uint64_t m_left;
};

} // namespace gpuledger::tests

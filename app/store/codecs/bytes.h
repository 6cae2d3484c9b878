// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Integers as bytes, in the same form on every machine: LEB128 for variable size, little endian for fixed size.
namespace gpuledger::store {

constexpr std::uint64_t zigzag(std::int64_t v)
{
    return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t v)
{
    return static_cast<std::int64_t>((v >> 1) ^ (~(v & 1) + 1));
}

inline void putVarint(std::string &out, std::uint64_t v)
{
    while (v >= 0x80) {
        out.push_back(static_cast<char>(v | 0x80));
        v >>= 7;
    }
    out.push_back(static_cast<char>(v));
}

inline void putU32(std::string &out, std::uint32_t v)
{
    for (int shift = 0; shift < 32; shift += 8)
        out.push_back(static_cast<char>(v >> shift));
}

// Reads from a view; after a read past the end, or of a varint that does not fit, ok() is false and every value is 0.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes)
        : m_p(reinterpret_cast<const unsigned char *>(bytes.data()))
        , m_end(m_p + bytes.size())
    {
    }
    std::uint64_t varint()
    {
        if (m_p < m_end && *m_p < 0x80)
            return *m_p++;
        return std::endian::native == std::endian::little && left() >= 8 ? wideVarint() : longVarint();
    }
    std::uint32_t u32()
    {
        const std::string_view b = bytes(4);
        std::uint32_t v = 0;
        for (std::size_t i = b.size(); i-- > 0;)
            v = (v << 8) | static_cast<unsigned char>(b[i]);
        return v;
    }
    // A little-endian integer of at most 8 bytes.
    std::uint64_t word(std::size_t n)
    {
        const std::string_view b = bytes(n);
        std::uint64_t v = 0;
        for (std::size_t i = b.size(); i-- > 0;)
            v = (v << 8) | static_cast<unsigned char>(b[i]);
        return v;
    }
    std::string_view bytes(std::size_t n)
    {
        if (n > left()) {
            stop();
            return {};
        }
        const std::string_view v(reinterpret_cast<const char *>(m_p), n);
        m_p += n;
        return v;
    }
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_p); }
    bool ok() const { return m_ok; }

private:
    // Decodes up to eight bytes at once without a branch per byte: the lengths of neighbouring values differ, so branch
    // prediction would fail.
    std::uint64_t wideVarint()
    {
        std::uint64_t w = 0;
        std::memcpy(&w, m_p, 8);
        const std::uint64_t ends = ~w & 0x8080808080808080ULL;
        if (ends == 0)
            return longVarint();
        m_p += (std::countr_zero(ends) >> 3) + 1;
        w &= (ends ^ (ends - 1)) & 0x7F7F7F7F7F7F7F7FULL;
        w = (w & 0x007F007F007F007FULL) | ((w & 0x7F007F007F007F00ULL) >> 1);
        w = (w & 0x00003FFF00003FFFULL) | ((w & 0x3FFF00003FFF0000ULL) >> 2);
        return (w & 0x000000000FFFFFFFULL) | ((w & 0x0FFFFFFF00000000ULL) >> 4);
    }
    std::uint64_t longVarint()
    {
        std::uint64_t v = 0;
        for (int shift = 0; shift < 64 && m_p < m_end; shift += 7) {
            const std::uint64_t b = *m_p++;
            v |= (b & 0x7F) << shift;
            if (b < 0x80)
                return v;
        }
        stop();
        return 0;
    }
    void stop()
    {
        m_ok = false;
        m_p = m_end;
    }

    const unsigned char *m_p;
    const unsigned char *m_end;
    bool m_ok = true;
};

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/csvreader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gpuledger::format {

namespace {

using base::ErrorCode;
using base::fail;
using base::Result;

constexpr std::size_t kBufferBytes = 256u << 10;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

// Finds the next of two characters, or the end, many bytes at a time, because fields are short and numerous.
inline const char *findEither(const char *p, const char *end, char a, char b)
{
#if defined(__SSE2__)
    const __m128i sixteenAs = _mm_set1_epi8(a), sixteenBs = _mm_set1_epi8(b);
    for (; end - p >= 16; p += 16) {
        __m128i bytes;
        std::memcpy(&bytes, p, sizeof bytes);
        const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, sixteenAs), _mm_cmpeq_epi8(bytes, sixteenBs));
        if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found)))
            return p + std::countr_zero(mask);
    }
#endif
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighBits = 0x8080808080808080u;
    const std::uint64_t as = kOnes * static_cast<unsigned char>(a), bs = kOnes * static_cast<unsigned char>(b);
    // The lowest set bit marks the first zero byte; higher bits may be wrong.
    const auto zeros = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighBits; };
    if constexpr (std::endian::native == std::endian::little) {
        for (; end - p >= 8; p += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, p, sizeof word);
            if (const std::uint64_t found = zeros(word ^ as) | zeros(word ^ bs))
                return p + std::countr_zero(found) / 8;
        }
    }
    while (p != end && *p != a && *p != b)
        ++p;
    return p;
}

} // namespace

CsvReader::CsvReader(ByteSource &bytes, CsvLimits limits)
    : m_bytes(bytes)
    , m_limits(limits)
    , m_buffer(kBufferBytes)
{
    m_at = m_end = m_buffer.data();
}

Result<bool> CsvReader::refill()
{
    if (m_finished)
        return false;
    const auto n = m_bytes.read(m_buffer);
    GPULEDGER_TRY(n);
    m_at = m_buffer.data();
    m_end = m_at + *n;
    m_finished = *n == 0;
    return !m_finished;
}

Result<bool> CsvReader::peek(char &c)
{
    if (m_at == m_end) {
        const auto more = refill();
        if (!more || !*more)
            return more;
    }
    c = *m_at;
    return true;
}

Result<bool> CsvReader::skipMark()
{
    m_started = true;
    std::size_t have = 0;
    while (have < kUtf8Mark.size()) { // the first bytes may arrive one at a time
        const auto n = m_bytes.read(std::span(m_buffer).subspan(have));
        GPULEDGER_TRY(n);
        if (*n == 0)
            break;
        have += *n;
    }
    m_at = m_buffer.data();
    m_end = m_at + have;
    const std::string_view head(m_at, have);
    if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
        return fail(ErrorCode::Unsupported, "the text is UTF-16");
    if (head.starts_with(kUtf8Mark))
        m_at += kUtf8Mark.size();
    return have > 0;
}

Result<bool> CsvReader::next(TextRow &row)
{
    if (!m_started)
        GPULEDGER_TRY(skipMark());
    for (;;) {
        char c = 0;
        const auto more = peek(c);
        if (!more || !*more)
            return more;
        GPULEDGER_TRY(record(row));
        const bool blank = row.size() == 1 && row[0].empty() && !row.quoted(0);
        if (!blank || row.problem() != TextRow::Problem::None)
            return true;
    }
}

Result<void> CsvReader::record(TextRow &row)
{
    row.begin(m_line);
    m_skipped = 0;
    for (Stop stop = Stop::Field; stop == Stop::Field;) {
        if (!simpleField(row, stop)) {
            const auto result = field(row);
            GPULEDGER_TRY(result);
            stop = *result;
        }
        row.m_ended = stop == Stop::Record;
    }
    m_line += row.m_ended ? 1 : 0;
    row.finish();
    return {};
}

// The fast path for nearly every field: the field and its separator are in the buffer, it has no line end inside
// quotes, and the row is not too long. Returns false if nothing was consumed; the general path then reads the field.
bool CsvReader::simpleField(TextRow &row, Stop &stop)
{
    const std::size_t begin = row.m_text.size();
    const bool quoted = m_at != m_end && *m_at == '"';
    const char *end = quoted ? simpleQuoted(row) : simpleBare(row);
    if (!end || row.m_text.size() > m_limits.rowBytes || row.m_ends.size() >= m_limits.fields
        || row.m_problem != TextRow::Problem::None) {
        row.m_text.resize(begin);
        return false;
    }
    row.m_ends.push_back({row.m_text.size(), quoted});
    stop = *end == ',' ? Stop::Field : Stop::Record;
    m_at = end + 1;
    return true;
}

// In both functions: appends the text and returns the position of its separator, or null.
const char *CsvReader::simpleBare(TextRow &row) const
{
    const char *to = findEither(m_at, m_end, ',', '\n');
    if (to == m_end || (*to == '\n' && to != m_at && to[-1] == '\r'))
        return nullptr;
    row.m_text.append(m_at, to);
    return to;
}

const char *CsvReader::simpleQuoted(TextRow &row) const
{
    for (const char *from = m_at + 1;;) {
        const char *to = findEither(from, m_end, '"', '\n');
        if (m_end - to < 2 || *to != '"')
            return nullptr;
        const bool isDoubled = to[1] == '"';
        row.m_text.append(from, isDoubled ? to + 1 : to);
        if (!isDoubled)
            return to[1] == ',' || to[1] == '\n' ? to + 1 : nullptr;
        from = to + 2;
    }
}

Result<CsvReader::Stop> CsvReader::field(TextRow &row)
{
    char c = 0;
    const auto first = peek(c);
    GPULEDGER_TRY(first);
    if (!*first || c != '"')
        return bareText(row, false);
    ++m_at;
    const auto closed = quotedText(row);
    GPULEDGER_TRY(closed);
    if (!*closed) {
        row.m_problem = row.m_problem == TextRow::Problem::TooLong ? row.m_problem : TextRow::Problem::OpenQuote;
        endField(row, true);
        return Stop::End;
    }
    return bareText(row, true);
}

// Reads up to the separator, which is consumed. After a closing quote only a line end or a separator may follow.
Result<CsvReader::Stop> CsvReader::bareText(TextRow &row, bool afterQuote)
{
    const std::size_t begin = row.m_text.size();
    Stop stop = Stop::End;
    char c = 0;
    for (;;) {
        const auto more = peek(c);
        GPULEDGER_TRY(more);
        if (!*more)
            break;
        const char *p = findEither(m_at, m_end, ',', '\n');
        GPULEDGER_TRY(append(row, m_at, p));
        m_at = p;
        if (p == m_end)
            continue;
        stop = *p == ',' ? Stop::Field : Stop::Record;
        ++m_at;
        break;
    }
    if (stop != Stop::Field && row.m_text.size() > begin && row.m_text.back() == '\r')
        row.m_text.pop_back();
    if (afterQuote && row.m_text.size() > begin && row.m_problem == TextRow::Problem::None)
        row.m_problem = TextRow::Problem::TextAfterQuote;
    endField(row, afterQuote);
    return stop;
}

Result<bool> CsvReader::quotedText(TextRow &row)
{
    char c = 0;
    for (;;) {
        const auto more = peek(c);
        if (!more || !*more)
            return more;
        const auto *quote = static_cast<const char *>(std::memchr(m_at, '"', static_cast<std::size_t>(m_end - m_at)));
        const char *stop = quote ? quote : m_end;
        m_line += static_cast<std::uint64_t>(std::count(m_at, stop, '\n'));
        GPULEDGER_TRY(append(row, m_at, stop));
        m_at = stop;
        if (!quote)
            continue;
        ++m_at;
        const auto behind = peek(c);
        GPULEDGER_TRY(behind);
        if (!*behind || c != '"')
            return true;
        GPULEDGER_TRY(append(row, m_at, m_at + 1));
        ++m_at;
    }
}

Result<void> CsvReader::append(TextRow &row, const char *from, const char *to)
{
    const auto n = static_cast<std::size_t>(to - from);
    if (row.m_problem != TextRow::Problem::TooLong && row.m_text.size() + n <= m_limits.rowBytes) {
        row.m_text.append(from, n);
        return {};
    }
    row.m_problem = TextRow::Problem::TooLong;
    row.m_text.clear();
    row.m_ends.clear();
    m_skipped += n;
    if (m_skipped > m_limits.skippedBytes)
        return fail(ErrorCode::TooMuch,
                    "the record that starts in line " + std::to_string(row.m_line) + " is longer than "
                        + std::to_string(m_limits.skippedBytes >> 20) + " MiB");
    return {};
}

void CsvReader::endField(TextRow &row, bool quoted)
{
    if (row.m_problem == TextRow::Problem::TooLong)
        return;
    if (row.m_ends.size() < m_limits.fields) {
        row.m_ends.push_back({row.m_text.size(), quoted});
        return;
    }
    row.m_text.resize(row.m_ends.empty() ? 0 : row.m_ends.back().end);
    row.m_problem = TextRow::Problem::TooManyFields;
}

} // namespace gpuledger::format

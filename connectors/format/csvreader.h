// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/bytesource.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

// Limits that keep the memory use constant for any input.
struct CsvLimits {
    std::size_t rowBytes = 4u << 20; // a longer row is skipped with a note
    std::size_t fields = 4096; // further fields are skipped with a note
    std::uint64_t skippedBytes = 64u << 20; // of one row: beyond that, the text is not CSV
};

// One record of a CSV text. Its strings are valid until the next record is read.
class CsvRow {
public:
    enum class Problem {
        None,
        TooLong, // above CsvLimits::rowBytes: no fields
        TooManyFields, // above CsvLimits::fields: only the first ones are kept
        TextAfterQuote, // "abc"d
        OpenQuote, // the text ended inside quotes
        NulByte,
    };

    std::size_t size() const { return m_ends.size(); }
    std::size_t bytes() const { return m_text.size(); } // of all its fields
    std::string_view operator[](std::size_t i) const
    {
        const std::size_t begin = i == 0 ? 0 : m_ends[i - 1].end;
        return std::string_view(m_text).substr(begin, m_ends[i].end - begin);
    }
    bool quoted(std::size_t i) const { return m_ends[i].quoted; }
    // The line where the record starts, counted from 1.
    std::uint64_t line() const { return m_line; }
    Problem problem() const { return m_problem; }
    bool ascii() const { return m_ascii; }
    // False if the text ended without a line end: the last record of a file, which may be truncated.
    bool ended() const { return m_ended; }

private:
    friend class CsvReader;
    struct End {
        std::size_t end = 0;
        bool quoted = false;
    };
    std::string m_text;
    std::vector<End> m_ends;
    std::uint64_t m_line = 0;
    Problem m_problem = Problem::None;
    bool m_ascii = true;
    bool m_ended = false;
};

// Reads RFC 4180 record by record in constant memory: quotes, line ends inside quotes, CRLF and LF, a byte order mark.
// Unlike libcsv (last released in 2013) it distinguishes a quoted word from a bare one, which is how NULL is written,
// keeps blanks, counts lines, and survives a record above a limit. A quote inside a bare field is an ordinary
// character; empty lines are skipped. One thread; the source must outlive it.
class CsvReader {
public:
    explicit CsvReader(ByteSource &bytes, CsvLimits limits = {});

    // Returns false at the end. Fails with the source's error, with Unsupported (UTF-16) or TooMuch (skippedBytes).
    [[nodiscard]] base::Result<bool> next(CsvRow &row);

private:
    enum class Stop { Field, Record, End };

    [[nodiscard]] base::Result<bool> refill(); // false at the end
    [[nodiscard]] base::Result<bool> peek(char &c); // false at the end; c is not consumed
    [[nodiscard]] base::Result<bool> skipMark(); // false: the text is empty
    [[nodiscard]] base::Result<void> record(CsvRow &row);
    [[nodiscard]] base::Result<Stop> field(CsvRow &row);
    [[nodiscard]] bool simpleField(CsvRow &row, Stop &stop);
    const char *simpleBare(CsvRow &row) const;
    const char *simpleQuoted(CsvRow &row) const;
    [[nodiscard]] base::Result<Stop> bareText(CsvRow &row, bool afterQuote);
    [[nodiscard]] base::Result<bool> quotedText(CsvRow &row); // false: the text ended inside
    [[nodiscard]] base::Result<void> append(CsvRow &row, const char *from, const char *to);
    void endField(CsvRow &row, bool quoted);

    ByteSource &m_bytes;
    CsvLimits m_limits;
    std::vector<char> m_buffer;
    const char *m_at = nullptr; // points into m_buffer
    const char *m_end = nullptr;
    std::uint64_t m_line = 1;
    std::uint64_t m_skipped = 0; // bytes of this record that were not kept
    bool m_started = false;
    bool m_finished = false;
};

} // namespace gpuledger::format

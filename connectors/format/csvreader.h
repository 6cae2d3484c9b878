// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/bytesource.h"
#include "connectors/format/textrow.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuledger::format {

// Limits that keep the memory use constant for any input.
struct CsvLimits {
    std::size_t rowBytes = 4u << 20; // a longer row is skipped with a note
    std::size_t fields = 4096; // further fields are skipped with a note
    std::uint64_t skippedBytes = 64u << 20; // of one row: beyond that, the text is not CSV
};

// Reads RFC 4180 record by record in constant memory: quotes, line ends inside quotes, CRLF and LF, a byte order mark.
// Unlike libcsv (last released in 2013) it distinguishes a quoted word from a bare one, which is how NULL is written,
// keeps blanks, counts lines, and survives a record above a limit. A quote inside a bare field is an ordinary
// character; empty lines are skipped. One thread; the source must outlive it.
class CsvReader final : public TextRows {
public:
    explicit CsvReader(ByteSource &bytes, CsvLimits limits = {});

    // Returns false at the end. Fails with the source's error, with Unsupported (UTF-16) or TooMuch (skippedBytes).
    [[nodiscard]] base::Result<bool> next(TextRow &row) override;

private:
    enum class Stop { Field, Record, End };

    [[nodiscard]] base::Result<bool> refill(); // false at the end
    [[nodiscard]] base::Result<bool> peek(char &c); // false at the end; c is not consumed
    [[nodiscard]] base::Result<bool> skipMark(); // false: the text is empty
    [[nodiscard]] base::Result<void> record(TextRow &row);
    [[nodiscard]] base::Result<Stop> field(TextRow &row);
    [[nodiscard]] bool simpleField(TextRow &row, Stop &stop);
    const char *simpleBare(TextRow &row) const;
    const char *simpleQuoted(TextRow &row) const;
    [[nodiscard]] base::Result<Stop> bareText(TextRow &row, bool afterQuote);
    [[nodiscard]] base::Result<bool> quotedText(TextRow &row); // false: the text ended inside
    [[nodiscard]] base::Result<void> append(TextRow &row, const char *from, const char *to);
    void endField(TextRow &row, bool quoted);

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

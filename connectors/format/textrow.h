// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

// One record of a table, every field as text. Its strings are valid until the next record is read.
class TextRow {
public:
    // Where the text of a field ends; it begins where the one before ends.
    struct Field {
        std::size_t end = 0;
        bool quoted = false;
    };
    enum class Problem {
        None,
        TooLong, // above the reader's limit: no fields
        TooManyFields, // above the reader's limit: only the first ones are kept
        TextAfterQuote, // "abc"d
        OpenQuote, // the text ended inside quotes
        NulByte,
    };

    std::size_t size() const { return m_ends.size(); }
    // As in the file, if the row was made of one of the file's.
    std::size_t sizeInFile() const { return m_sizeInFile.value_or(size()); }
    std::size_t bytes() const { return m_text.size(); } // of all its fields
    std::string_view operator[](std::size_t i) const
    {
        const std::size_t begin = i == 0 ? 0 : m_ends[i - 1].end;
        return std::string_view(m_text).substr(begin, m_ends[i].end - begin);
    }
    // The field is a text even if it looks like a word for no value, such as NULL.
    bool quoted(std::size_t i) const { return m_ends[i].quoted; }
    // The line where the record starts, counted from 1; in files without lines its number, where the header is 1.
    std::uint64_t line() const { return m_line; }
    Problem problem() const { return m_problem; }
    bool ascii() const { return m_ascii; }
    // False if the text ended without a line end: the last record of a file, which may be truncated.
    bool ended() const { return m_ended; }

private:
    friend class CsvReader;
    friend class ParquetReader;
    friend class TextRowWriter;

    // Empties the row for the record that starts in this line.
    void begin(std::uint64_t line);
    // Looks at the text of all fields, once they are complete.
    void finish();

    std::string m_text;
    std::vector<Field> m_ends;
    std::uint64_t m_line = 0;
    Problem m_problem = Problem::None;
    bool m_ascii = true;
    bool m_ended = false;
    std::optional<std::size_t> m_sizeInFile;
};

// Makes a row of one that was read: it keeps the line, the problem and the end of that one, and gets other fields.
class TextRowWriter {
public:
    TextRowWriter(TextRow &to, const TextRow &from);
    ~TextRowWriter() { m_to.finish(); }
    TextRowWriter(const TextRowWriter &) = delete;
    TextRowWriter &operator=(const TextRowWriter &) = delete;

    void add(std::string_view text);
    void add(std::size_t fields); // empty ones

private:
    TextRow &m_to;
};

// Reads a table record by record, the header first. One thread.
class TextRows {
public:
    TextRows() = default;
    TextRows(const TextRows &) = delete;
    TextRows &operator=(const TextRows &) = delete;
    virtual ~TextRows() = default;
    // Returns false at the end. A retryable error of the code Parse means that the file ends too early.
    [[nodiscard]] virtual base::Result<bool> next(TextRow &row) = 0;
};

} // namespace gpuledger::format

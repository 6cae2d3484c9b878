// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ui {

// Columns that line up on a terminal, padded by display width; foreign text becomes safe on the way in. Plain value.
class TextTable {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns);
    void add(const std::vector<std::string> &cells);
    bool empty() const { return m_rows.empty(); }
    // With a header line and a line end after each row; no blanks at line ends. `bold` emphasizes the header.
    std::string toText(bool bold) const;
    // RFC 4180 with a header line. A cell of foreign text that a spreadsheet would take for a formula gets an
    // apostrophe in front; our own numbers stay numbers.
    std::string toCsv() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

// Columns that the text takes on a terminal: 2 for wide East Asian characters and emoji, 0 for combining marks.
int displayWidth(std::string_view utf8);

} // namespace gpuledger::ui

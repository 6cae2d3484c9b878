// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ui {

// Columns aligned for a terminal, padded by display width. Text from outside is made safe when it is added. Plain
// value.
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
    // With a header line and a line end after each row; without trailing spaces. `bold` emphasizes the header.
    std::string toText(bool bold) const;
    // RFC 4180 with a header line. A cell with text from outside that a spreadsheet would interpret as a formula gets a
    // leading apostrophe; the program's own numbers stay numbers.
    std::string toCsv() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

// Terminal columns that the text occupies: 2 for wide East Asian characters and emoji, 0 for combining marks.
int displayWidth(std::string_view utf8);

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/billtally.h"
#include "connectors/focus/focusnotes.h"
#include "connectors/focus/focusvalues.h"
#include "connectors/focus/providerrules.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace gpuledger::focus {

// Turns rows of one file into lines of a bill. One thread.
class LineReader {
public:
    struct Verdict {
        ports::RowMoney money; // as far as it could be read, also of a refused row
        std::optional<ports::Rejection> rejection; // none: the line is good
    };

    LineReader(ColumnMap columns, std::uint32_t file);

    // Fills a new line, and overwrites the notes; both mean nothing when the row is refused. A row is refused when its
    // place (account, periods), category, currency, billed or effective cost can't be known; everything else may be
    // unknown.
    Verdict read(const format::CsvRow &row, model::BillLine &line, LineNotes &notes);

private:
    class Row;
    // Rows repeat each other's times, tags and provider: what was read is kept, within bounds.
    struct Memo {
        static constexpr std::size_t kMostTags = 512; // different texts; then it begins anew
        static constexpr std::size_t kMostTagBytes = 4096; // longer texts are read each time
        std::string timeText[4];
        BillTime time[4];
        std::string provider;
        std::unordered_map<std::string, std::optional<BillTags>> tags;
        ProviderKind kind = ProviderKind::Other;
    };

    ColumnMap m_columns;
    ProviderColumns m_own;
    std::uint32_t m_file;
    Memo m_memo;
};

} // namespace gpuledger::focus

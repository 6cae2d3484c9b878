// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/billtally.h"
#include "connectors/format/focus/focusnotes.h"
#include "connectors/format/focus/focusvalues.h"
#include "connectors/format/focus/providerrules.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace gpuledger::focus {

// Converts the rows of one file to bill lines. One thread.
class LineReader {
public:
    struct Verdict {
        ports::RowMoney money; // as far as it could be read, even if the row is rejected
        std::optional<ports::Rejection> rejection; // unset if the line is good
    };

    LineReader(ColumnMap columns, std::uint32_t file);

    // Fills a new line and overwrites the notes; both are meaningless if the row is rejected. A row is rejected if its
    // account, periods, category, currency, or billed or effective cost cannot be determined; everything else may be
    // unknown.
    Verdict read(const format::TextRow &row, model::BillLine &line, LineNotes &notes);

private:
    class Row;
    // Rows repeat each other's times, tags and provider, so parsed values are cached, within bounds.
    struct Memo {
        static constexpr std::size_t kMostTags = 512; // distinct texts; then the cache is cleared
        static constexpr std::size_t kMostTagBytes = 4096; // longer texts are not cached
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

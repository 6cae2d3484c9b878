// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"
#include "connectors/format/csvreader.h"
#include "connectors/format/focus/focuscolumns.h"
#include "connectors/format/focus/focusnotes.h"
#include "connectors/format/focus/focusvalues.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::focus {

// A row, accessed by column. Records what it encounters; must not outlive the row.
class RowCells {
public:
    RowCells(const ColumnMap &columns, const format::TextRow &row, LineNotes &notes)
        : m_columns(columns)
        , m_row(row)
        , m_notes(notes)
    {
    }

    // Empty if absent, empty or NULL; otherwise the text as it is, in valid UTF-8.
    std::string text(Column column) const { return textAt(m_columns.field(column)); }
    // As text(), but into a string that must be empty: most columns of the format are in no file and then cost nothing.
    void put(std::string &to, Column column) const
    {
        const int field = m_columns.field(column);
        if (field == ColumnMap::kAbsent)
            return;
        if (const std::string_view value = raw(field); m_row.ascii())
            to.assign(value);
        else
            to = repaired(value);
    }
    std::string textAt(int field) const { return utf8(raw(field)); } // empty for kAbsent
    // A number, time or word, without surrounding blanks; a quoted NULL counts as empty too.
    std::string_view bare(Column column) const
    {
        const std::string_view value = withoutBlanks(raw(m_columns.field(column)));
        return isNullWord(value) ? met() : value;
    }

    struct Amount {
        base::Result<base::Decimal> exact;
        base::Result<base::Money> money;
    };
    // The costs of a row are usually the same number, so it is parsed once.
    const Amount &amount(std::string_view value, base::Currency currency)
    {
        if (!m_amount || m_amountText != value || m_amountCurrency != currency)
            readAmount(value, currency);
        return *m_amount;
    }

    // Optional values: an unreadable value is noted, kept as an extra column, and treated as unknown.
    std::optional<base::Decimal> decimal(Column column, model::BillLine &line) const;
    std::optional<base::Money> money(Column column, base::Currency currency, model::BillLine &line);
    template <typename Word> Word word(Column column, Word unknown, model::BillLine &line) const
    {
        const std::string_view spelled = bare(column);
        if (spelled.empty())
            return unknown;
        const auto value = model::billWord<Word>(spelled);
        if (!value)
            keepUnread(ports::BillFindingText::WordUnknown, column, spelled, line);
        else if (model::toString(*value) != spelled)
            m_notes.columns.push_back({ports::BillFindingText::WordSpelling, column, {}});
        return value.value_or(unknown);
    }

    void keepUnread(ports::BillFindingText text, Column column, std::string_view value, model::BillLine &line) const;
    std::vector<model::ExtraColumn> extras() const;
    const ColumnMap &columns() const { return m_columns; }
    LineNotes &notes() const { return m_notes; }

private:
    // Called about forty times for each of a million rows.
    std::string_view raw(int field) const
    {
        if (field == ColumnMap::kAbsent)
            return {};
        const auto i = static_cast<std::size_t>(field);
        const std::string_view value = m_row[i];
        return !m_row.quoted(i) && isNullWord(value) ? met() : value;
    }
    std::string_view met() const // a NULL was met
    {
        m_notes.meet(ports::BillFindingText::NullWord);
        return {};
    }
    void readAmount(std::string_view value, base::Currency currency);
    std::string utf8(std::string_view text) const { return m_row.ascii() ? std::string(text) : repaired(text); }
    std::string repaired(std::string_view text) const;

    const ColumnMap &m_columns;
    const format::TextRow &m_row;
    LineNotes &m_notes;
    std::optional<Amount> m_amount; // the last one parsed
    std::string_view m_amountText;
    base::Currency m_amountCurrency;
};

} // namespace gpuledger::focus

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/cur/curmaps.h"
#include "connectors/format/cur/linetypes.h"
#include "connectors/format/cur/usagereports.h"
#include "connectors/format/cur/usagetypes.h"

#include <optional>

namespace gpuledger::cur {

// Whether FOCUS gets a column, because the report has what it is made of.
bool isGiven(To column, const CurColumns &columns);

// Makes the rows of FOCUS from those of one report. One thread.
class RowMaker {
public:
    RowMaker(CurColumns columns, UsageReports &reports, std::uint32_t file);

    // The row's first and second row, either may be absent; their values are those of `row` or of this object, until
    // the next call. Fails with Unsupported if the type of the row needs a column that is not there.
    struct Made {
        std::optional<FocusRow> first, second;
    };
    base::Result<void> make(const format::TextRow &row, Made &made);
    const CurColumns &columns() const { return m_columns; }

private:
    std::string_view at(CurColumn column) const
    {
        const int field = m_columns.field(column);
        return field == CurColumns::kAbsent ? std::string_view() : cellOf(*m_row, static_cast<std::size_t>(field));
    }
    base::Result<void> need(CurColumn column, std::string_view type) const;

    void describe(FocusRow &out, LineType type);
    void period(FocusRow &out) const;
    void service(FocusRow &out) const;
    void machine(FocusRow &out, LineType type);
    void labels(FocusRow &out);
    void commitment(FocusRow &out, LineType type) const;
    void usage(FocusRow &out, LineType type) const;
    void withoutCost(LineType type, FocusRow &out);
    base::Result<void> costs(LineType type, Made &made);
    base::Result<void> fee(LineType type, Made &made);
    base::Result<bool> unusedCost(LineType type, std::string &cost) const; // false: nothing is unused

    CurColumns m_columns;
    UsageReports &m_reports;
    std::uint32_t m_file;
    CurMaps m_maps;
    const format::TextRow *m_row = nullptr;
    UsageType m_usage;
    ProductFacts m_product;
};

} // namespace gpuledger::cur

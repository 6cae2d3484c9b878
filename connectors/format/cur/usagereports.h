// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/ports/importreport.h"
#include "connectors/format/cur/curcolumns.h"
#include "connectors/format/cur/focusrow.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

// AWS Cost and Usage Reports (CUR 2.0 and the older one) as rows of FOCUS.
namespace gpuledger::cur {

// What the files of one delivery have in common. One thread.
//
// A savings plan covers usage with two rows: one at the on-demand price, and a negation, which may be in another file.
// FOCUS has only the first one, billed at 0. What the two leave of each other is added up for each account and month.
class UsageReports {
public:
    static constexpr std::size_t kMostRests = 10'000; // accounts and months; rows of further ones stay as they are
    static constexpr std::size_t kMostRestBytes = 512; // of their texts
    static constexpr std::size_t kMostNewTypes = 20; // counted by name

    // The texts that decide whose the cost is: columns from BillingAccountId to BillingPeriodEnd.
    using Place = std::array<std::string_view, 7>;

    // Adds the amount of such a row. False: it does not fit, and the row has to be handed on with its amount.
    bool settle(const Place &place, const base::Decimal &amount, std::uint32_t file, const format::TextRow &row);
    void meetNewType(std::string_view type);
    void leaveOutPodShare() { ++m_podShares; }

    // Hands on a row for each account and month whose rows do not cancel each other out.
    using Take = std::function<base::Result<void>(std::uint32_t file, const format::TextRow &row)>;
    base::Result<void> eachRest(const Take &take) const;
    // The header of those rows.
    static format::TextRow restHeader();

    std::vector<ports::BillFinding> findings() const;

private:
    struct Rest {
        base::Decimal sum;
        std::uint32_t file = 0; // of the last row
        format::TextRow row; // only its line
    };
    std::map<std::array<std::string, 7>, Rest> m_rests;
    std::map<std::string, std::uint64_t> m_newTypes;
    std::uint64_t m_podShares = 0;
};

// The rows of a report as those of FOCUS; of any other table as they are, and also of a report that lacks columns,
// which problemOf() names. `reports` must outlive them.
std::unique_ptr<format::TextRows> asFocus(std::unique_ptr<format::TextRows> rows, UsageReports &reports,
                                          std::uint32_t file);

// Why a header that was read through asFocus() belongs to a report that can't be read; success for any other table.
base::Result<void> problemOf(const format::TextRow &header);
// Whether it was made of the header of a report.
bool isReport(const format::TextRow &header);

} // namespace gpuledger::cur

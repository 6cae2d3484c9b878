// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/basis.h"

#include <utility>

namespace gpuledger::savings {

using base::Result;

namespace {

constexpr base::Seconds kBasisHour{3600};
constexpr std::size_t kBasisWeek = 168;

Result<void> addBasisAmount(std::int64_t &to, std::int64_t amount)
{
    return __builtin_add_overflow(to, amount, &to)
        ? Result<void>(base::fail(base::ErrorCode::Overflow, "an amount of a proposal is too large"))
        : Result<void>();
}

bool isEmptyRow(const BasisRow &row)
{
    return row.paid == 0 && row.saved == 0 && row.spend == 0 && (!row.time || row.time->ticks == 0);
}

} // namespace

Result<void> addDays(ProposalBasis &basis, base::UtcTime start, const BasisHours &hours, std::string_view state,
                     const std::string &resource)
{
    BasisRow row;
    const auto end = [&] {
        if (row.time && row.time->ticks == 0)
            row.time.reset();
        if (!isEmptyRow(row))
            basis.rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < hours.saved.size(); ++i) {
        const base::UtcTime day = base::floorTo(start + static_cast<std::int64_t>(i) * kBasisHour, base::kDay);
        if (i == 0 || row.at != day) {
            if (i > 0)
                end();
            row = {day, std::string(state), resource, base::GpuTime{}, 0, 0, 0};
        }
        GPULEDGER_TRY(addBasisAmount(row.paid, hours.paid[i]));
        GPULEDGER_TRY(addBasisAmount(row.saved, hours.saved[i]));
        GPULEDGER_TRY(addBasisAmount(row.spend, hours.spend[i]));
        *row.time += hours.time[i];
    }
    if (!hours.saved.empty())
        end();
    return {};
}

Result<void> addWeeks(ProposalBasis &basis, const std::vector<std::int64_t> &savedByHour, std::size_t least)
{
    if (savedByHour.size() / kBasisWeek < least)
        return {};
    for (std::size_t end = savedByHour.size(); end >= kBasisWeek; end -= kBasisWeek) {
        std::int64_t sum = 0;
        for (std::size_t i = end - kBasisWeek; i < end; ++i)
            GPULEDGER_TRY(addBasisAmount(sum, savedByHour[i]));
        basis.weeks.push_back(sum);
    }
    return {};
}

} // namespace gpuledger::savings

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/amountlimit.h"

#include "app/base/remedy.h"
#include "connectors/format/focus/focuscolumns.h"

namespace gpuledger::focus {

using base::Error;
using base::ErrorCode;
using base::WideMoney;

void AmountLimit::add(const model::BillLine &line)
{
    if (!m_last || m_lastCurrency != line.billed.currency()) {
        m_lastCurrency = line.billed.currency();
        m_last = &m_sums[m_lastCurrency];
    }
    m_last->billed.add(line.billed.nanos());
    m_last->effective.add(line.effective.nanos());
    m_fits = m_fits && m_last->billed.fits() && m_last->effective.fits();
}

Error AmountLimit::error(std::size_t files) const
{
    const std::string whose = files == 1 ? "its" : "the";
    const std::string of = files == 1 ? "" : " of its " + std::to_string(files) + " files";
    for (const auto &[currency, sums] : m_sums) {
        for (const auto &[column, sum] :
             {std::pair(Column::BilledCost, &sums.billed), std::pair(Column::EffectiveCost, &sums.effective)}) {
            const auto excess = sum->excess();
            if (!excess)
                continue;
            const std::string code(currency.code());
            return Error::make(ErrorCode::Overflow,
                               whose + ' ' + excess->what + of + " add up to " + excess->amount + ' ' + code + " in "
                                   + std::string(nameOf(column)) + ", and a bill can't exceed " + WideMoney::limitText()
                                   + ' ' + code + "; none of it was imported",
                               base::Remedy::CheckBillAmounts);
        }
    }
    return Error::make(ErrorCode::Internal, "sums within the limit were refused");
}

} // namespace gpuledger::focus

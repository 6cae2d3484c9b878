// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/remark.h"

#include <array>
#include <utility>

namespace gpuledger::savings {

namespace {

constexpr std::array kRemarkTexts{
#define GPULEDGER_REMARK(name, text) std::string_view(text),
#include "app/savings/proposals/remarks.def"
#undef GPULEDGER_REMARK
};

using RemarkKind = RemarkTerm::Kind;

} // namespace

std::string_view englishOf(RemarkText text)
{
    return kRemarkTexts[static_cast<std::size_t>(text)];
}

RemarkTerm textTerm(std::string text)
{
    return {RemarkKind::Text, std::move(text), 0, 0, {}};
}

RemarkTerm countTerm(std::int64_t count)
{
    return {RemarkKind::Count, {}, 0, count, {}};
}

RemarkTerm decimalTerm(double value)
{
    return {RemarkKind::Decimal, {}, value, 0, {}};
}

RemarkTerm hoursTerm(double hours)
{
    return {RemarkKind::Hours, {}, hours, 0, {}};
}

RemarkTerm hoursTerm(base::GpuTime time)
{
    return hoursTerm(time.hours());
}

RemarkTerm shareTerm(double share)
{
    return {RemarkKind::Share, {}, share, 0, {}};
}

RemarkTerm gibibytesTerm(double gibibytes)
{
    return {RemarkKind::Gibibytes, {}, gibibytes, 0, {}};
}

RemarkTerm amountTerm(const base::Money &amount)
{
    return {RemarkKind::Amount, std::string(amount.currency().code()), 0, amount.nanos(), {}};
}

RemarkTerm rateTerm(const base::Rate &rate)
{
    return {RemarkKind::HourlyRate, std::string(rate.currency().code()), 0, rate.nanosPerHour(), {}};
}

RemarkTerm dayTerm(base::UtcTime day)
{
    return {RemarkKind::Day, {}, 0, day.time_since_epoch().count(), {}};
}

RemarkTerm durationTerm(base::Seconds duration)
{
    return {RemarkKind::Duration, {}, 0, duration.count(), {}};
}

RemarkTerm priceSourceTerm(std::string source)
{
    return {RemarkKind::PriceSource, std::move(source), 0, 0, {}};
}

RemarkTerm protectionTerm(std::string rule)
{
    return {RemarkKind::Protection, std::move(rule), 0, 0, {}};
}

RemarkTerm remarkTerm(Remark remark)
{
    RemarkTerm term{RemarkKind::Remark, {}, 0, 0, {}};
    term.remark.push_back(std::move(remark));
    return term;
}

} // namespace gpuledger::savings

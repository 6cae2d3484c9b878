// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costs/costexplorer.h"

#include "app/base/remedy.h"
#include "connectors/format/cur/usagetypes.h"

#include <set>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

// What the parts may differ from the total by on a day: answers are rounded to ten digits.
constexpr const char *kRounding = "0.0001";

base::Error costError(const Answer &answer, const std::string &action)
{
    base::Error error = errorOf(answer, action);
    if (faultOf(answer) == Fault::Denied) {
        error.text += "; nothing of this bill is shown without it";
        error.hint = base::text(base::Remedy::AllowCostExplorer);
    } else if (answer.errorCode == "DataUnavailableException") {
        error = base::Error::make(ErrorCode::NotFound, error.text, base::Remedy::EnableCostExplorer);
    } else if (answer.errorCode == "BillExpirationException") {
        error = base::Error::make(ErrorCode::NotFound, error.text, base::Remedy::ShortenFirstSync);
    }
    return error;
}

// Books what the parts of a day lack, so that the day has the total that AWS gives.
Result<void> complete(CostDay &day, const CostDay &total)
{
    if (total.rows.size() != 1)
        return base::fail(ErrorCode::Parse, "Cost Explorer's answer can't be read: a day has no total");
    if (!day.rows.empty() && day.currency != total.currency)
        return base::fail(ErrorCode::Parse, "Cost Explorer's answers have amounts in two currencies");
    day.currency = total.currency;
    day.isEstimate = day.isEstimate || total.isEstimate;
    CostRow rest = total.rows.front();
    rest.part = CostPart::Rest;
    for (const CostRow &row : day.rows) {
        const auto billed = rest.billed.minus(row.billed), effective = rest.effective.minus(row.effective);
        GPULEDGER_TRY(billed);
        GPULEDGER_TRY(effective);
        rest.billed = *billed;
        rest.effective = *effective;
    }
    const base::Decimal most = *base::Decimal::parse(kRounding), least = *base::Decimal().minus(most);
    const auto isSmall = [&](const base::Decimal &amount) { return least <= amount && amount <= most; };
    if (!isSmall(rest.billed) || !isSmall(rest.effective))
        day.rows.push_back(std::move(rest));
    return {};
}

Result<void> merge(CostDays &days, const CostDays &part)
{
    for (const auto &[number, day] : part) {
        auto [at, isNew] = days.try_emplace(number, day);
        if (isNew)
            continue;
        CostDay &to = at->second;
        if (to.rows.empty())
            to.currency = day.currency;
        if (!day.rows.empty() && to.currency != day.currency)
            return base::fail(ErrorCode::Parse, "Cost Explorer's answers have amounts in two currencies");
        to.isEstimate = to.isEstimate || day.isEstimate;
        to.rows.insert(to.rows.end(), day.rows.begin(), day.rows.end());
    }
    return {};
}

} // namespace

CostExplorer::CostExplorer(AwsApi &api, CostQuery query, std::uint64_t mostRequests, PaidFn onPaid)
    : m_requests(api, mostRequests, std::move(onPaid))
    , m_query(std::move(query))
{
}

Result<CostDays> CostExplorer::totals(const base::TimeRange &range, const std::stop_token &stop)
{
    return ask({.isTotal = true, .part = CostPart::Rest, .days = range, .account = {}}, stop);
}

Result<CostDays> CostExplorer::days(const base::TimeRange &range, const std::stop_token &stop)
{
    const auto all = totals(range, stop);
    GPULEDGER_TRY(all);
    CostDays days;
    for (const CostPart part : {CostPart::Usage, CostPart::Covered, CostPart::Service, CostPart::Record}) {
        auto some = ask({.isTotal = false, .part = part, .days = range, .account = {}}, stop);
        GPULEDGER_TRY(some);
        if (part == CostPart::Usage || part == CostPart::Covered)
            GPULEDGER_TRY(splitByTag(part, range, *some, stop));
        GPULEDGER_TRY(merge(days, *some));
    }
    for (auto &[number, day] : days)
        GPULEDGER_TRY(complete(day, all->at(number)));
    return days;
}

// The usage of each account with GPU machines is asked again, by tag, and replaces what was there.
Result<void> CostExplorer::splitByTag(CostPart part, const base::TimeRange &range, CostDays &days,
                                      const std::stop_token &stop)
{
    if (m_query.tag.empty())
        return {};
    std::set<std::string> accounts;
    for (const auto &[number, day] : days) {
        for (const CostRow &row : day.rows) {
            if (cur::usageTypeOf(row.item).isGpu())
                accounts.insert(row.account);
        }
    }
    for (const std::string &account : accounts) {
        auto split = ask({.isTotal = false, .part = part, .days = range, .account = account}, stop);
        GPULEDGER_TRY(split);
        for (auto &[number, day] : days)
            std::erase_if(day.rows, [&](const CostRow &row) { return row.account == account; });
        GPULEDGER_TRY(merge(days, *split));
    }
    return {};
}

Result<CostDays> CostExplorer::ask(const CostQuestion &question, const std::stop_token &stop)
{
    bool expired = false;
    auto days = askOnce(question, stop, expired);
    if (!days && expired)
        days = askOnce(question, stop, expired);
    return days;
}

Result<CostDays> CostExplorer::askOnce(const CostQuestion &question, const std::stop_token &stop, bool &expired)
{
    CostAnswer answer(question, m_query);
    std::set<std::string> seen;
    std::string token;
    for (int pages = 0; pages < kMostPages; ++pages) {
        const Call call = costCall(question, m_query, token);
        const auto page = m_requests.ask(call, stop);
        GPULEDGER_TRY(page);
        expired = !token.empty() && isTokenStale(*page);
        if (page->isError())
            return base::fail(costError(*page, call.action));
        auto next = answer.add(page->body);
        GPULEDGER_TRY(next);
        if (next->empty()) {
            for (const auto &[account, name] : answer.names())
                m_names[account] = name;
            return answer.take();
        }
        if (!seen.insert(*next).second)
            return base::fail(ErrorCode::Parse, "Cost Explorer's answer can't be read: its pages go round in a circle");
        token = std::move(*next);
    }
    return base::fail(ErrorCode::TooMuch, "one answer of Cost Explorer has more than 500 pages");
}

} // namespace gpuledger::aws

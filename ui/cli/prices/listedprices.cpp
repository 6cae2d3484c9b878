// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/listedprices.h"

#include "app/base/text/text.h"
#include "app/services/spend/spendservice.h"

#include <filesystem>

namespace gpuledger::cli {

namespace {

constexpr const char *kLedgerFile = "ledger.db";

std::string dayOfTime(base::UtcTime at)
{
    return base::toRfc3339(at).substr(0, 10);
}

// Without a cache no list was read.
base::Result<savings::QuoteList> noneStored(const Session &session, std::vector<std::string> &notes)
{
    std::error_code ec;
    if (session.options().demo || !std::filesystem::exists(session.configFile(), ec))
        return savings::QuoteList();
    const auto settings = session.settings();
    GPULEDGER_TRY(settings);
    for (const services::UnreadList &one : services::unreadLists(settings->prices, {}, session.clock().now()))
        notes.push_back(unreadText(one));
    return savings::QuoteList();
}

} // namespace

bool hasCache(const Session &session)
{
    std::error_code ec;
    const bool configured = session.options().demo || std::filesystem::exists(session.configFile(), ec);
    return configured && std::filesystem::exists(session.dataFolder() / kLedgerFile, ec);
}

std::string unreadText(const services::UnreadList &list)
{
    const std::string name = "price list " + base::printable(list.list, 200);
    if (list.isAhead && list.readAt)
        return name + " has a time in the future (" + dayOfTime(*list.readAt)
            + "): this computer's clock is behind, or it was ahead at a sync; the next sync corrects the latter";
    const std::string kept = list.readAt ? "; its prices of " + dayOfTime(*list.readAt) + " are in it"
                                         : std::string("; none of its prices is in it");
    if (list.problem.empty())
        return name + " has not been read yet (see: gpuledger-cli sync)" + kept;
    return name + " could not be read on " + dayOfTime(list.triedAt) + ": " + base::printable(list.problem, 400) + kept;
}

base::Result<savings::QuoteList> listedQuotes(Session &session, std::vector<std::string> &notes)
{
    if (!hasCache(session))
        return noneStored(session, notes);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    auto listed = (*workspace)->spend().listedPrices();
    GPULEDGER_TRY(listed);
    for (const services::UnreadList &one : listed->unread)
        notes.push_back(unreadText(one));
    return std::move(listed->list);
}

} // namespace gpuledger::cli

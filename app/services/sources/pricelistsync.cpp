// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/pricelistsync.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/services/engine/engine.h"
#include "app/services/prices/listedprices.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"
#include "app/services/sources/retailprices.h"
#include "app/services/sources/syncreport.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using store::PriceStore;

namespace {

constexpr const char *kListKind = "price-list"; // in reports
constexpr std::size_t kLongestListName = 400;

// What a list says now.
struct ReadList {
    bool isUnchanged = false;
    savings::QuoteList quotes;
    std::string tag;
    std::uint64_t bytes = 0;
};

struct OneList {
    const model::PriceList &list;
    bool isOwn = false;
    std::string tag; // of the text that is stored
    std::optional<base::UtcTime> readAt; // empty: not yet
    bool hasFailed = false; // the last attempt
};

// Also false if the clock went back.
bool wasReadWithin(const OneList &one, base::Seconds pause, base::UtcTime now)
{
    return !one.list.url.empty() && !one.hasFailed && one.readAt && *one.readAt <= now && now - *one.readAt < pause;
}

// A tag counts for the text as it was read by this version of the program with these settings.
std::string tagPrefix(const OneList &one)
{
    return priceReading() + '|' + (one.list.seen ? std::to_string(one.list.seen->number) : "") + '|' + one.list.cloud
        + '|' + (one.isOwn ? "own" : "") + '\n';
}

Result<ReadList> fetchList(const Engine &engine, const OneList &one, const PriceLists &known,
                           const std::stop_token &stop)
{
    const std::string prefix = tagPrefix(one);
    ports::TextRequest request{one.list.url, {}, kLargestPriceFile};
    if (one.tag.starts_with(prefix))
        request.tag = one.tag.substr(prefix.size());
    auto fetched = engine.catalog().fetchText(request, stop);
    GPULEDGER_TRY(fetched);
    ReadList out;
    out.bytes = fetched->bytes;
    out.isUnchanged = fetched->isUnchanged;
    if (out.isUnchanged)
        return out;
    if (!fetched->tag.empty())
        out.tag = prefix + fetched->tag;
    auto quotes = readFetchedPrices(
        {one.list.url, std::move(fetched->text), one.isOwn, one.list.seen, savings::loweredName(one.list.cloud)},
        known);
    GPULEDGER_TRY(quotes);
    out.quotes = std::move(*quotes);
    return out;
}

Result<ReadList> fetchRetail(const Engine &engine, const OneList &one, const PriceLists &known,
                             const std::stop_token &stop)
{
    constexpr base::Seconds kPause{3};
    auto fetched = fetchRetailPrices(
        one.list, known, base::dayOf(engine.clock().now()),
        [&](const ports::TextRequest &request, const std::stop_token &token) {
            return engine.catalog().fetchText(request, token);
        },
        kPause, stop);
    GPULEDGER_TRY(fetched);
    ReadList out;
    out.bytes = fetched->bytes;
    out.quotes = std::move(fetched->quotes);
    return out;
}

Result<ReadList> readListFile(const OneList &one, const PriceLists &known)
{
    PriceFiles files;
    (one.isOwn ? files.own : files.prices).push_back(one.list.path);
    files.seen = one.list.seen;
    files.provider = savings::loweredName(one.list.cloud);
    auto quotes = readPriceFiles(files, known);
    GPULEDGER_TRY(quotes);
    ReadList out;
    out.quotes = std::move(*quotes);
    return out;
}

// A list without any price is more likely cut off than empty: it would end everything that is stored.
Result<ReadList> readList(const Engine &engine, const OneList &one, const PriceLists &known,
                          const std::stop_token &stop)
{
    auto read = one.list.url.empty() ? readListFile(one, known)
        : one.list.isAzureRetail     ? fetchRetail(engine, one, known, stop)
                                     : fetchList(engine, one, known, stop);
    GPULEDGER_TRY(read);
    if (!read->isUnchanged && read->quotes.quotes.empty()) {
        const std::string name = '"' + base::printable(one.list.name(), kLongestListName) + '"';
        return base::fail(ErrorCode::InvalidArgument, name + " has no price of a GPU machine; what is stored stays",
                          "check that " + name + " is complete");
    }
    return read;
}

// No lock is held while a server answers: a second sync does not wait for it, and of two readings the one that is
// stored first stays.
Result<void> storeList(const Engine &engine, const OneList &one, const PriceLists &known, const std::stop_token &stop,
                       SyncReport &report)
{
    PriceStore prices = engine.cache().prices();
    const base::UtcTime now = engine.clock().now();
    const store::ReadBefore before{one.readAt};
    auto read = readList(engine, one, known, stop);
    if (!read) {
        if (read.error().code != ErrorCode::Cancelled)
            GPULEDGER_TRY(prices.fail(one.list.name(), read.error().text, now, before));
        return base::fail(std::move(read).error());
    }
    report.bytes = read->bytes;
    if (read->isUnchanged)
        return prices.confirm(one.list.name(), now, before);
    report.accepted = read->quotes.quotes.size();
    const auto unreadable = read->quotes.leftOut.find(savings::LeftOut::Unreadable);
    if (unreadable != read->quotes.leftOut.end()) {
        report.rejected = unreadable->second;
        report.warnings.push_back(leftOutText(unreadable->first, unreadable->second));
    }
    const auto changes = prices.put(one.list.name(), offersOf(read->quotes), read->tag, now, before);
    GPULEDGER_TRY(changes);
    if (changes->isSuperseded)
        base::log::info("sync", report.name + ": another program has read it meanwhile; what it read stays");
    return {};
}

// As it is stored now, also by another program since this sync began.
Result<OneList> listToRead(PriceStore &prices, const model::PriceList &list, bool isOwn)
{
    OneList one{list, isOwn, {}, {}};
    const auto states = prices.lists();
    GPULEDGER_TRY(states);
    for (const store::PriceListState &state : *states) {
        if (state.name != list.name())
            continue;
        one.tag = state.tag;
        one.readAt = state.readAt;
        one.hasFailed = !state.problem.empty();
    }
    return one;
}

std::string aheadText(const store::PriceListState &list)
{
    const base::UtcTime latest = std::max(list.triedAt, list.newest.value_or(list.triedAt));
    return "the time at which it was read (" + base::toRfc3339(latest)
        + ") lay in the future; it is now the time of this sync";
}

SyncReport failedLists(const base::Error &error)
{
    SyncReport report;
    report.name = "prices";
    report.kind = kListKind;
    report.error = error;
    return report;
}

// No report: it was read less than `pause` ago.
Result<std::optional<SyncReport>> syncList(const Engine &engine, const std::pair<const model::PriceList *, bool> &which,
                                           const PriceLists &known, base::Seconds pause, const std::stop_token &stop)
{
    PriceStore prices = engine.cache().prices();
    const auto one = listToRead(prices, *which.first, which.second);
    GPULEDGER_TRY(one);
    if (wasReadWithin(*one, pause, engine.clock().now()))
        return std::optional<SyncReport>();
    const auto begin = std::chrono::steady_clock::now();
    SyncReport report;
    report.name = base::printable(one->list.name(), kLongestListName);
    report.kind = kListKind;
    if (auto done = storeList(engine, *one, known, stop, report); !done) {
        base::log::warning("sync", done.error().text);
        report.error = std::move(done).error();
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::optional(std::move(report));
}

std::vector<std::pair<const model::PriceList *, bool>> configuredLists(const model::PriceSettings &settings)
{
    std::vector<std::pair<const model::PriceList *, bool>> all;
    for (const bool isOwn : {false, true}) {
        for (const model::PriceList &list : isOwn ? settings.own : settings.lists)
            all.emplace_back(&list, isOwn);
    }
    return all;
}

Result<void> syncEach(Engine &engine, base::Seconds pause, const std::stop_token &stop,
                      std::vector<SyncReport> &reports)
{
    const auto lists = configuredLists(engine.setup().settings.prices);
    PriceStore prices = engine.cache().prices();
    const auto before = prices.lists();
    GPULEDGER_TRY(before);
    if (lists.empty() && before->empty())
        return {};
    const auto tidied = prices.tidy(engine.clock().now());
    GPULEDGER_TRY(tidied);
    for (const store::PriceListState &list : tidied->ahead)
        base::log::warning("sync", list.name + ": " + aheadText(list));
    const auto known = priceLists();
    GPULEDGER_TRY(known);
    std::set<std::string> names;
    for (const auto &which : lists) {
        const std::string name = which.first->name();
        names.insert(name);
        if (stop.stop_requested())
            return {};
        const auto ahead = std::find_if(tidied->ahead.begin(), tidied->ahead.end(),
                                        [&](const store::PriceListState &list) { return list.name == name; });
        const bool isCorrected = ahead != tidied->ahead.end(); // when it was read last is not known
        auto report = syncList(engine, which, *known, isCorrected ? base::Seconds{0} : pause, stop);
        GPULEDGER_TRY(report);
        if (!*report)
            continue;
        if (isCorrected)
            (*report)->warnings.push_back(aheadText(*ahead));
        reports.push_back(std::move(**report));
    }
    return prices.keepOnly(names, engine.clock().now());
}

} // namespace

std::vector<SyncReport> syncPriceLists(Engine &engine, base::Seconds pause, const std::stop_token &stop)
{
    std::vector<SyncReport> reports;
    if (const auto done = syncEach(engine, pause, stop, reports); !done)
        reports.push_back(failedLists(done.error()));
    return reports;
}

} // namespace gpuledger::services

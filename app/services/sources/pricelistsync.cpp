// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/pricelistsync.h"

#include "app/base/log.h"
#include "app/base/text.h"
#include "app/ingest/synclock.h"
#include "app/services/engine/engine.h"
#include "app/services/savingsinputs/listedprices.h"
#include "app/services/savingsinputs/paidprices.h"
#include "app/services/savingsinputs/pricefiles.h"
#include "app/services/sources/syncreport.h"

#include <chrono>
#include <set>
#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using store::PriceStore;

namespace {

constexpr const char *kListKind = "price-list"; // in reports
constexpr const char *kListLock = "price lists"; // one process reads them at a time
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
    std::optional<base::UtcTime> readAt; // empty: not yet, or the last attempt failed
};

// Also false if the clock went back.
bool wasReadWithin(const OneList &one, base::Seconds pause, base::UtcTime now)
{
    return !one.list.url.empty() && one.readAt && *one.readAt <= now && now - *one.readAt < pause;
}

// A tag counts for the text as it was read by this version of the program with these settings.
std::string tagPrefix(const OneList &one)
{
    return priceReading() + '|' + (one.list.seen ? std::to_string(one.list.seen->number) : "") + '|' + one.list.cloud + '|'
        + (one.isOwn ? "own" : "") + '\n';
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
    auto read = one.list.url.empty() ? readListFile(one, known) : fetchList(engine, one, known, stop);
    GPULEDGER_TRY(read);
    if (!read->isUnchanged && read->quotes.quotes.empty()) {
        const std::string name = '"' + base::printable(one.list.name(), kLongestListName) + '"';
        return base::fail(ErrorCode::InvalidArgument, name + " has no price of a GPU machine; what is stored stays",
                          "check that " + name + " is complete");
    }
    return read;
}

Result<void> storeList(const Engine &engine, const OneList &one, const PriceLists &known, const std::stop_token &stop,
                       SyncReport &report)
{
    PriceStore prices = engine.cache().prices();
    const base::UtcTime now = engine.clock().now();
    auto read = readList(engine, one, known, stop);
    if (!read) {
        if (read.error().code != ErrorCode::Cancelled)
            GPULEDGER_TRY(prices.fail(one.list.name(), read.error().text, now));
        return base::fail(std::move(read).error());
    }
    report.bytes = read->bytes;
    if (read->isUnchanged)
        return prices.confirm(one.list.name(), now);
    report.accepted = read->quotes.quotes.size();
    const auto unreadable = read->quotes.leftOut.find(savings::LeftOut::Unreadable);
    if (unreadable != read->quotes.leftOut.end()) {
        report.rejected = unreadable->second;
        report.warnings.push_back(leftOutText(unreadable->first, unreadable->second));
    }
    const auto changes = prices.put(one.list.name(), offersOf(read->quotes), read->tag, now);
    GPULEDGER_TRY(changes);
    return {};
}

std::vector<OneList> allLists(const model::PriceSettings &settings, const std::vector<store::PriceListState> &states)
{
    std::vector<OneList> all;
    for (const bool isOwn : {false, true}) {
        for (const model::PriceList &list : isOwn ? settings.own : settings.lists) {
            all.push_back({list, isOwn, {}, {}});
            for (const store::PriceListState &state : states) {
                if (state.name != list.name())
                    continue;
                all.back().tag = state.tag;
                if (state.problem.empty())
                    all.back().readAt = state.readAt;
            }
        }
    }
    return all;
}

SyncReport failedLists(const base::Error &error)
{
    SyncReport report;
    report.name = "prices";
    report.kind = kListKind;
    report.error = error;
    return report;
}

Result<void> syncEach(Engine &engine, base::Seconds pause, const std::stop_token &stop,
                      std::vector<SyncReport> &reports)
{
    const model::PriceSettings &settings = engine.setup().settings.prices;
    PriceStore prices = engine.cache().prices();
    const auto before = prices.lists();
    GPULEDGER_TRY(before);
    if (settings.lists.empty() && settings.own.empty() && before->empty())
        return {};
    const auto lock =
        ingest::SyncLock::take(engine.options().dataFolder, kListLock, ingest::SyncLock::kLongestWait, stop);
    GPULEDGER_TRY(lock);
    const auto states = prices.lists(); // also what was stored while this waited
    GPULEDGER_TRY(states);
    const auto known = priceLists();
    GPULEDGER_TRY(known);
    std::set<std::string> names;
    for (const OneList &one : allLists(settings, *states)) {
        names.insert(one.list.name());
        if (stop.stop_requested())
            return {};
        if (wasReadWithin(one, pause, engine.clock().now()))
            continue;
        const auto begin = std::chrono::steady_clock::now();
        SyncReport report;
        report.name = base::printable(one.list.name(), kLongestListName);
        report.kind = kListKind;
        if (auto done = storeList(engine, one, *known, stop, report); !done) {
            base::log::warning("sync", done.error().text);
            report.error = std::move(done).error();
        }
        report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        reports.push_back(std::move(report));
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/pricelistsync.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/services/engine/engine.h"
#include "app/services/prices/listedprices.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"
#include "app/services/prices/sourceprices.h"
#include "app/services/sources/accesserror.h"
#include "app/services/sources/lately.h"
#include "app/services/sources/placementsync.h"
#include "app/services/sources/retailprices.h"
#include "app/services/sources/syncreport.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using store::PriceStore;

namespace {

constexpr std::size_t kLongestListName = 400;
constexpr base::Seconds kSourcePause{3600}; // between two questions for all prices of a source
constexpr const char *kPlacementWord = "placement"; // names the ratings of a source as a list of it

// What a list says now.
struct ReadList {
    bool isUnchanged = false;
    savings::QuoteList quotes;
    std::vector<store::PriceStep> steps;
    std::string tag;
    std::uint64_t bytes = 0;
};

// How the last reading of a list ended.
struct LastReading {
    std::string tag; // of the text that is stored
    std::optional<base::UtcTime> readAt; // empty: not yet
    bool hasFailed = false; // the last attempt

    bool wasGood(base::Seconds pause, base::UtcTime now) const { return !hasFailed && wasWithin(readAt, pause, now); }
};

// A list, and how it is read.
struct ListToSync {
    std::string name;
    bool isAsked = false; // a server has it
    bool isOfSource = false;
    std::function<Result<ReadList>(const LastReading &last, const PriceLists &known, const std::stop_token &stop)> read;
};

// A list of the configuration.
struct OneList {
    const model::PriceList &list;
    bool isOwn = false;
};

// A tag counts for the text as it was read by this version of the program with these settings.
std::string tagPrefix(const OneList &one)
{
    return priceReading() + '|' + (one.list.seen ? std::to_string(one.list.seen->number) : "") + '|' + one.list.cloud
        + '|' + (one.isOwn ? "own" : "") + '\n';
}

Result<ReadList> fetchList(const Engine &engine, const OneList &one, const LastReading &last, const PriceLists &known,
                           const std::stop_token &stop)
{
    const std::string prefix = tagPrefix(one);
    ports::TextRequest request{one.list.url, {}, kLargestPriceFile};
    if (last.tag.starts_with(prefix))
        request.tag = last.tag.substr(prefix.size());
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

Result<ReadList> askSource(ports::PriceSource &source, const ports::PricesAsked &asked, const PriceLists &known,
                           const std::stop_token &stop)
{
    auto told = source.read(asked, stop);
    if (!told)
        return base::fail(std::move(told).error().withSource(source.name()));
    SourcePrices prices = sourcePrices(std::move(*told), source.name(), source.provider(), known);
    ReadList out;
    out.quotes = std::move(prices.quotes);
    out.steps = std::move(prices.steps);
    return out;
}

ListToSync listToSync(const Engine &engine, const OneList &one)
{
    ListToSync out{one.list.name(), !one.list.url.empty(), false, {}};
    if (one.list.url.empty())
        out.read = [one](const LastReading &, const PriceLists &known, const std::stop_token &) {
            return readListFile(one, known);
        };
    else if (one.list.isAzureRetail)
        out.read = [one, &engine](const LastReading &, const PriceLists &known, const std::stop_token &stop) {
            return fetchRetail(engine, one, known, stop);
        };
    else
        out.read = [one, &engine](const LastReading &last, const PriceLists &known, const std::stop_token &stop) {
            return fetchList(engine, one, last, known, stop);
        };
    return out;
}

// A list without any price is more likely cut off than empty: it would end everything that is stored.
Result<ReadList> readList(const ListToSync &list, const LastReading &last, const PriceLists &known,
                          const std::stop_token &stop)
{
    auto read = list.read(last, known, stop);
    GPULEDGER_TRY(read);
    if (!read->isUnchanged && read->quotes.quotes.empty()) {
        const std::string name = '"' + base::printable(list.name, kLongestListName) + '"';
        return base::fail(ErrorCode::InvalidArgument, name + " has no price of a GPU machine; what is stored stays",
                          "check that " + name + " is complete");
    }
    return read;
}

// No lock is held while a server answers: a second sync does not wait for it, and of two readings the one that is
// stored first stays.
Result<void> storeList(const Engine &engine, const ListToSync &list, const LastReading &last, const PriceLists &known,
                       const std::stop_token &stop, SyncReport &report)
{
    PriceStore prices = engine.cache().prices();
    const base::UtcTime now = engine.clock().now();
    const store::ReadBefore before{last.readAt};
    auto read = readList(list, last, known, stop);
    if (!read) {
        if (read.error().code != ErrorCode::Cancelled)
            GPULEDGER_TRY(prices.fail(list.name, read.error().text, now, before));
        return base::fail(std::move(read).error());
    }
    report.bytes = read->bytes;
    if (read->isUnchanged)
        return prices.confirm(list.name, now, before);
    report.accepted = read->quotes.quotes.size();
    const auto unreadable = read->quotes.leftOut.find(savings::LeftOut::Unreadable);
    if (unreadable != read->quotes.leftOut.end()) {
        report.rejected = unreadable->second;
        report.warnings.push_back(leftOutText(unreadable->first, unreadable->second));
    }
    const auto changes = prices.put(list.name, offersOf(read->quotes), read->tag, now, before, read->steps);
    GPULEDGER_TRY(changes);
    if (changes->isSuperseded)
        base::log::info("sync", report.name + ": another program has read it meanwhile; what it read stays");
    return {};
}

// As it is stored now, also by another program since this sync began.
Result<LastReading> lastReadingOf(PriceStore &prices, const std::string &list)
{
    LastReading last;
    const auto states = prices.lists();
    GPULEDGER_TRY(states);
    for (const store::PriceListState &state : *states) {
        if (state.name == list)
            last = {state.tag, state.readAt, !state.problem.empty()};
    }
    return last;
}

std::string aheadText(const store::PriceListState &list)
{
    const base::UtcTime latest = std::max(list.triedAt, list.newest.value_or(list.triedAt));
    return "the time at which it was read (" + base::toRfc3339(latest)
        + ") lay in the future; it is now the time of this sync";
}

SyncReport reportOfList(const std::string &name)
{
    SyncReport report;
    report.name = base::printable(name, kLongestListName);
    report.kind = kPriceListKind;
    return report;
}

SyncReport failedLists(const std::string &name, const base::Error &error)
{
    SyncReport report = reportOfList(name);
    report.error = error;
    return report;
}

// No report: it was read less than `pause` ago.
Result<std::optional<SyncReport>> syncList(const Engine &engine, const ListToSync &list, const PriceLists &known,
                                           base::Seconds pause, const std::stop_token &stop)
{
    PriceStore prices = engine.cache().prices();
    const auto last = lastReadingOf(prices, list.name);
    GPULEDGER_TRY(last);
    if (list.isAsked && last->wasGood(pause, engine.clock().now()))
        return std::optional<SyncReport>();
    const auto begin = std::chrono::steady_clock::now();
    SyncReport report = reportOfList(list.name);
    if (auto done = storeList(engine, list, *last, known, stop, report); !done) {
        base::log::warning("sync", done.error().text);
        if (list.isOfSource && isOfAccess(done.error()))
            report.warnings.push_back("its prices are left out: " + done.error().text);
        else
            report.error = std::move(done).error();
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::optional(std::move(report));
}

// A source that rates the chance of getting spot machines.
struct RatingSource {
    const model::SourceSettings &settings;
    std::shared_ptr<ports::PriceSource> source;
};

// The lists of a sync, the sources that can't be asked for theirs, and what else sources are asked for.
struct ListsToSync {
    std::vector<ListToSync> lists;
    std::vector<std::string> brokenSources;
    std::vector<RatingSource> rating;
};

void addListsOf(const Engine &engine, const model::SourceSettings &settings, ListsToSync &all,
                std::vector<SyncReport> &reports)
{
    auto created = engine.catalog().createPrices(settings, engine.secrets(), engine.clock());
    if (!created) {
        all.brokenSources.push_back(settings.name);
        reports.push_back(
            failedLists(sourceListName(settings.name, ""), std::move(created).error().withSource(settings.name)));
        return;
    }
    const std::shared_ptr<ports::PriceSource> source = std::move(*created);
    for (const std::string &word : source->lists()) {
        const auto read = [source, word, &engine](const LastReading &last, const PriceLists &known,
                                                  const std::stop_token &stop) {
            return askSource(*source,
                             {word, engine.clock().now(), last.readAt, knownMachines(known, source->provider())}, known,
                             stop);
        };
        all.lists.push_back({sourceListName(settings.name, word), true, true, read});
    }
    if (source->ratesPlacement())
        all.rating.push_back({settings, source});
}

// All lists, or those of the named source.
ListsToSync listsToSync(const Engine &engine, const std::optional<std::string> &source,
                        std::vector<SyncReport> &reports)
{
    const model::Settings &settings = engine.setup().settings;
    ListsToSync all;
    for (const bool isOwn : {false, true}) {
        for (const model::PriceList &list : isOwn ? settings.prices.own : settings.prices.lists) {
            if (!source)
                all.lists.push_back(listToSync(engine, {list, isOwn}));
        }
    }
    for (const model::SourceSettings &one : settings.sources) {
        if ((!source || one.name == *source) && one.mayRead && engine.kindOf(one).tellsPrices())
            addListsOf(engine, one, all, reports);
    }
    return all;
}

// The lists whose prices stay: also those of a source that can't be asked.
std::set<std::string> keptLists(const ListsToSync &all, const std::vector<store::PriceListState> &stored)
{
    std::set<std::string> names;
    for (const ListToSync &list : all.lists)
        names.insert(list.name);
    for (const std::string &source : all.brokenSources) {
        for (const store::PriceListState &state : stored) {
            if (isListOfSource(state.name, source))
                names.insert(state.name);
        }
    }
    return names;
}

// Those of the sources' clouds; a report only where there is something to say.
void syncRatings(Engine &engine, const ListsToSync &all, const PriceLists &known, base::Seconds pause,
                 const std::stop_token &stop, std::vector<SyncReport> &reports)
{
    for (const RatingSource &one : all.rating) {
        SyncReport report = reportOfList(sourceListName(one.settings.name, kPlacementWord));
        syncPlacement(engine, one.settings, *one.source, knownMachines(known, one.source->provider()), pause, stop,
                      report);
        for (const std::string &warning : report.warnings)
            base::log::warning("sync", report.name + ": " + warning);
        if (report.error || !report.warnings.empty())
            reports.push_back(std::move(report));
    }
}

Result<void> syncLists(const Engine &engine, const ListsToSync &all, const PriceLists &known,
                       const std::vector<store::PriceListState> &ahead, base::Seconds ofFiles, base::Seconds ofSources,
                       const std::stop_token &stop, std::vector<SyncReport> &reports)
{
    for (const ListToSync &list : all.lists) {
        if (stop.stop_requested())
            return {};
        const auto corrected = std::find_if(ahead.begin(), ahead.end(),
                                            [&](const store::PriceListState &one) { return one.name == list.name; });
        const bool isCorrected = corrected != ahead.end(); // when it was read last is not known
        const base::Seconds least = list.isOfSource ? ofSources : ofFiles;
        auto report = syncList(engine, list, known, isCorrected ? base::Seconds{0} : least, stop);
        GPULEDGER_TRY(report);
        if (!*report)
            continue;
        if (isCorrected)
            (*report)->warnings.push_back(aheadText(*corrected));
        reports.push_back(std::move(**report));
    }
    return {};
}

Result<void> syncEach(Engine &engine, const std::optional<std::string> &source, base::Seconds pause,
                      const std::stop_token &stop, std::vector<SyncReport> &reports)
{
    const ListsToSync all = listsToSync(engine, source, reports);
    PriceStore prices = engine.cache().prices();
    const auto before = prices.lists();
    GPULEDGER_TRY(before);
    const bool hasLists = !all.lists.empty() || (!source && !before->empty());
    if (!hasLists && all.rating.empty())
        return {};
    store::PriceTidying tidied;
    if (hasLists && !source) {
        auto done = prices.tidy(engine.clock().now());
        GPULEDGER_TRY(done);
        tidied = std::move(*done);
    }
    for (const store::PriceListState &list : tidied.ahead)
        base::log::warning("sync", list.name + ": " + aheadText(list));
    const auto known = priceLists();
    GPULEDGER_TRY(known);
    const auto leastFor = [&](base::Seconds ofItself) { return source ? pause : std::max(pause, ofItself); };
    GPULEDGER_TRY(syncLists(engine, all, *known, tidied.ahead, pause, leastFor(kSourcePause), stop, reports));
    syncRatings(engine, all, *known, leastFor(kPlacementPause), stop, reports);
    if (!hasLists || source || stop.stop_requested())
        return {};
    return prices.keepOnly(keptLists(all, *before), engine.clock().now());
}

} // namespace

std::vector<SyncReport> syncPriceLists(Engine &engine, const std::optional<std::string> &source, base::Seconds pause,
                                       const std::stop_token &stop)
{
    std::vector<SyncReport> reports;
    if (const auto done = syncEach(engine, source, pause, stop, reports); !done)
        reports.push_back(failedLists("prices", done.error()));
    return reports;
}

} // namespace gpuledger::services

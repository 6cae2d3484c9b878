// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/comparecommand.h"

#include "app/base/text/text.h"
#include "app/base/time/timezone.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"
#include "app/services/savingsinputs/spot/offerrisk.h"
#include "app/services/spend/spendservice.h"
#include "ui/cli/prices/compareprint.h"
#include "ui/cli/prices/listedprices.h"
#include "ui/cli/prices/pricehistoryprint.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/savings/savingsquestion.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <utility>

namespace gpuledger::cli {

using base::ErrorCode;
using base::Result;
using savings::QuoteFilter;

namespace {

constexpr std::int64_t kMostRows = 1'000'000, kMostMonthsMoved = 120;
constexpr double kMostMegabytes = 1e12; // an exabyte

std::vector<std::string> purchaseNames()
{
    std::vector<std::string> names;
    for (const savings::PurchaseOption option : savings::kPurchaseOptions)
        names.emplace_back(toString(option));
    return names;
}

// A whole number from 1 to `most`; empty text: none.
Result<std::optional<std::int64_t>> countOption(const std::string &option, const std::string &text, std::int64_t most)
{
    if (text.empty())
        return std::optional<std::int64_t>();
    const auto count = base::parseInt(text);
    if (!count || *count < 1 || *count > most)
        return base::fail(ErrorCode::InvalidArgument, option + " can't be \"" + base::printable(text, 64) + '"',
                          "write a whole number from 1 to " + std::to_string(most));
    return count;
}

// "5TB" in 1e6 bytes; std::nullopt: not a size above zero. A GB is 1e9 bytes.
std::optional<std::int64_t> megabytesOf(const std::string &text)
{
    for (const auto &[unit, megabytes] : {std::pair("GB", 1e3), std::pair("TB", 1e6), std::pair("PB", 1e9)}) {
        if (!text.ends_with(unit))
            continue;
        const auto count = base::parseDouble(std::string_view(text).substr(0, text.size() - 2));
        if (count && *count > 0 && *count * megabytes >= 1 && *count * megabytes <= kMostMegabytes)
            return std::llround(*count * megabytes);
    }
    return std::nullopt;
}

// A price is never taken to be zero: it has to be written.
Result<base::Money> pricePerGb(const std::string &option, const std::string &text, base::Currency currency)
{
    if (text.empty())
        return base::fail(ErrorCode::InvalidArgument, option + " is missing: what moved data cost is unknown",
                          "write the price of a GB after " + option + ", such as 0.09, or 0");
    const auto price = base::Money::parse(text, currency);
    if (!price || price->nanos() < 0)
        return base::fail(ErrorCode::InvalidArgument, option + " can't be \"" + base::printable(text, 64) + '"',
                          "write the price of a GB after " + option + ", such as 0.09, or 0");
    return *price;
}

// Totals beside the offers.
Result<void> addMoved(CompareAnswer &answer)
{
    if (!answer.moving)
        return {};
    for (const savings::PriceQuote &quote : answer.list.quotes) {
        const auto total = savings::movedTotal(*answer.moving, quote);
        GPULEDGER_TRY(total);
        answer.moved.push_back(*total);
    }
    return {};
}

// Prices belong to no team, cluster or workload.
Result<void> refuseFleetFilters(const GlobalOptions &options)
{
    const std::pair<const char *, const std::vector<std::string> *> filters[]{
        {"--team", &options.teams},
        {"--cluster", &options.clusters},
        {"--environment", &options.environments},
        {"--workload-type", &options.workloadTypes},
        {"--node-pool", &options.nodePools},
        {"--gpu-model before the command", &options.gpuModels}};
    for (const auto &[name, values] : filters) {
        if (!values->empty())
            return base::fail(ErrorCode::InvalidArgument, std::string("prices can't be filtered with ") + name,
                              "filter them with compare --gpu-model, --gpus, --region, --purchase or --cloud");
    }
    return {};
}

} // namespace

void CompareCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "compare", "What the same GPUs cost elsewhere: list prices, own bills and price files",
                     "gpuledger-cli compare --gpu-model H100 --gpus 8 --max 20");
    m_verb->add_option("--gpu-model", m_model, "GPU model, with all its variants (any)");
    m_verb->add_option("--gpus", m_gpus, "Machines with exactly so many GPUs (any)");
    m_verb->add_option("--region", m_regions, "Only these regions (all)")->expected(1)->take_all();
    m_verb->add_option("--purchase", m_purchases, "Only these terms (all)")
        ->expected(1)
        ->take_all()
        ->check(CLI::IsMember(purchaseNames()));
    CLI::Option *prices = m_verb
                              ->add_option("--prices", m_prices,
                                           "Price catalogue of SkyPilot (CLOUD_vms.csv, CLOUD/vms.csv), or a folder")
                              ->expected(1)
                              ->take_all();
    CLI::Option *own = m_verb->add_option("--own", m_own, "CSV file of offers that you have")->expected(1)->take_all();
    CLI::Option *seen =
        m_verb->add_option("--seen", m_seen, "Day of the prices in --prices, which have no date (unknown)");
    m_verb->add_option("--max", m_most, "Offers of each currency (all; 30 rows in the table)");
    addCostOption(*m_verb, m_cost);
    CLI::Option *move =
        m_verb->add_option("--move", m_move, "Data to move to the offer, such as 500GB, 5TB or 2PB (not counted)");
    m_verb->add_option("--egress", m_egress, "Price of moving a GB; with --move");
    m_verb->add_option("--store", m_store, "Price of keeping a GB for a month; with --move");
    m_verb->add_option("--months", m_months, "Months of the total with --move (1)");
    m_verb->add_option("--data-at", m_dataAt, "Where the data are, as CLOUD or CLOUD/REGION: nothing is moved there");
    m_verb->add_flag("--history", m_history, "How the prices of the configured price lists changed")
        ->excludes(prices)
        ->excludes(own)
        ->excludes(seen)
        ->excludes(move);
}

bool CompareCommand::chosen() const
{
    return parsed(m_verb) && m_verb->get_subcommands().empty();
}

Result<std::optional<savings::Moving>> CompareCommand::moving(const Session &session) const
{
    if (m_move.empty()) {
        for (const auto &[option, text] : {std::pair("--egress", &m_egress), std::pair("--store", &m_store),
                                           std::pair("--months", &m_months), std::pair("--data-at", &m_dataAt)}) {
            if (!text->empty())
                return base::fail(ErrorCode::InvalidArgument, std::string(option) + " needs --move",
                                  "say how much is moved, such as --move 5TB " + std::string(option));
        }
        return std::optional<savings::Moving>();
    }
    savings::Moving moving;
    const auto size = megabytesOf(m_move);
    if (!size)
        return base::fail(ErrorCode::InvalidArgument, "--move can't be \"" + base::printable(m_move, 64) + '"',
                          "write GB, TB or PB after \"" + base::printable(m_move, 64) + "\", such as 5TB");
    moving.megabytes = *size;
    const auto currency = currencyIn(session);
    GPULEDGER_TRY(currency);
    const auto perGb = pricePerGb("--egress", m_egress, *currency);
    const auto perMonth = pricePerGb("--store", m_store, *currency);
    GPULEDGER_TRY(perGb);
    GPULEDGER_TRY(perMonth);
    moving.perGb = *perGb;
    moving.perGbMonth = *perMonth;
    const auto months = countOption("--months", m_months, kMostMonthsMoved);
    GPULEDGER_TRY(months);
    moving.months = months->value_or(1);
    const std::size_t slash = m_dataAt.find('/');
    moving.provider = m_dataAt.substr(0, slash);
    if (slash != std::string::npos)
        moving.region = m_dataAt.substr(slash + 1);
    return std::optional(std::move(moving));
}

Result<QuoteFilter> CompareCommand::filter(const Session &session) const
{
    GPULEDGER_TRY(refuseFleetFilters(session.options()));
    QuoteFilter filter;
    filter.gpuModel = m_model;
    if (!savings::isVariantOf(m_model, m_model))
        return base::fail(ErrorCode::InvalidArgument, "--gpu-model can't be \"" + base::printable(m_model, 64) + '"',
                          "write a model, such as H100, instead of \"" + base::printable(m_model, 64) + '"');
    const auto gpus = countOption("--gpus", m_gpus, 1024);
    GPULEDGER_TRY(gpus);
    filter.gpus = *gpus;
    filter.regions = m_regions;
    filter.providers = session.options().clouds;
    for (const std::string &name : m_purchases) {
        if (const auto option = savings::purchaseFrom(name))
            filter.purchases.push_back(*option);
    }
    return filter;
}

Result<int> CompareCommand::run(Session &session)
{
    if (m_history)
        return runHistory(session);
    const auto wanted = filter(session);
    GPULEDGER_TRY(wanted);
    CompareAnswer answer;
    answer.today = base::dayOf(session.clock().now());
    auto moved = moving(session);
    GPULEDGER_TRY(moved);
    answer.moving = std::move(*moved);
    const auto most = countOption("--max", m_most, kMostRows);
    GPULEDGER_TRY(most);
    if (*most)
        answer.most = static_cast<std::size_t>(**most);
    services::PriceFiles files{m_prices, m_own, std::nullopt};
    if (!m_seen.empty()) {
        const auto seen = session.past(m_seen, base::TimeZone(), "--seen");
        GPULEDGER_TRY(seen);
        files.seen = base::dayOf(*seen);
    }
    auto lists = services::priceLists();
    GPULEDGER_TRY(lists);
    auto fromFiles = services::readPriceFiles(files, *lists);
    GPULEDGER_TRY(fromFiles);
    answer.list.add(std::move(lists->book));
    answer.list.add(std::move(*fromFiles));
    auto listed = listedQuotes(session, answer.notes);
    GPULEDGER_TRY(listed);
    answer.list.add(std::move(*listed));
    GPULEDGER_TRY(addBills(session, answer));
    savings::compareQuotes(answer.list, *wanted);
    std::vector<model::SpotHistoryFile> histories; // none without a configuration
    std::error_code ec;
    if (session.options().demo || std::filesystem::exists(session.configFile(), ec)) {
        const auto settings = session.settings();
        GPULEDGER_TRY(settings);
        histories = settings->savings.spotHistory;
    }
    GPULEDGER_TRY(services::setOfferInterruptions(answer.list, histories, session.clock().now()));
    GPULEDGER_TRY(addMoved(answer));
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(compareJson(answer)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? compareCsv(answer) : compareText(answer, out.bold())));
    return kDone;
}

Result<int> CompareCommand::runHistory(Session &session) const
{
    const auto wanted = filter(session);
    GPULEDGER_TRY(wanted);
    const auto most = countOption("--max", m_most, kMostRows);
    GPULEDGER_TRY(most);
    GPULEDGER_TRY(moving(session)); // refuses options that need --move
    PriceHistoryAnswer answer;
    if (*most)
        answer.most = static_cast<std::size_t>(**most);
    if (hasCache(session)) {
        GPULEDGER_TRY(listedQuotes(session, answer.notes));
        const auto workspace = session.workspace();
        GPULEDGER_TRY(workspace);
        std::optional<base::TimeRange> range; // none asked for: the whole history
        if (!session.options().from.empty() || !session.options().to.empty()) {
            const auto given = session.range((*workspace)->timeZone());
            GPULEDGER_TRY(given);
            range = *given;
        }
        auto prices = (*workspace)->spend().priceHistory(*wanted, range);
        GPULEDGER_TRY(prices);
        answer.prices = std::move(*prices);
    } else {
        answer.notes.emplace_back("nothing has been fetched yet");
    }
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(historyJson(answer)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? historyCsv(answer) : historyText(answer, out.bold())));
    return kDone;
}

// What was paid, if there is a cache to read it from. No cache is created.
Result<void> CompareCommand::addBills(Session &session, CompareAnswer &answer) const
{
    const GlobalOptions &options = session.options();
    if (costViewOf(m_cost) == model::CostView::List || !hasCache(session)) {
        answer.notes.emplace_back(costViewOf(m_cost) == model::CostView::List
                                      ? "own bills are not in it: --cost list asks for list prices"
                                      : "own bills are not in it: nothing has been fetched yet");
        return {};
    }
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    std::optional<base::TimeRange> range;
    if (!options.from.empty() || !options.to.empty()) {
        const auto given = session.range((*workspace)->timeZone());
        GPULEDGER_TRY(given);
        range = *given;
    }
    auto paid = (*workspace)->spend().paidPrices(range, costViewOf(m_cost), session.stop());
    GPULEDGER_TRY(paid);
    if (paid->quotes.empty() && paid->leftOut.empty())
        answer.notes.emplace_back("own bills are not in it: none has final GPU machine time in these days");
    answer.list.add(std::move(*paid));
    return {};
}

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/estimatecommand.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"
#include "ui/cli/prices/estimateprint.h"
#include "ui/cli/prices/listedprices.h"
#include "ui/cli/prices/workoffersprint.h"
#include "ui/cli/savings/savingsquestion.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace gpuledger::cli {

using base::ErrorCode;
using base::Result;
using savings::SpotQuestion;
using savings::SpotWork;

namespace {

constexpr std::uintmax_t kLargestHistory = 256U << 20; // bytes
constexpr std::int64_t kLatestStart = 10'000'000'000; // seconds
constexpr double kMostHours = 87600;

tl::unexpected<base::Error> badOption(const std::string &option, const std::string &text, const std::string &hint)
{
    if (text.empty())
        return base::fail(ErrorCode::InvalidArgument, option + " is missing or empty", hint);
    return base::fail(ErrorCode::InvalidArgument, option + " can't be \"" + base::printable(text, 64) + '"', hint);
}

// "30m", "0"; also a plain number of seconds. `least` is the smallest allowed.
Result<std::int64_t> secondsOf(const std::string &option, const std::string &text, std::int64_t least)
{
    const auto plain = base::parseInt(text);
    const auto length = base::parseDuration(text);
    const std::int64_t seconds = plain ? *plain : length ? length->count() : -1;
    if (seconds < least || seconds > kLatestStart)
        return badOption(option, text,
                         std::string("write a time such as 90s, 30m, 2h or 1d") + (least > 0 ? ", above zero" : ""));
    return seconds;
}

// Of --start, if it is a time, or a second that can be one: a history that begins at 0 has no such second.
std::optional<base::UtcTime> timeOfStart(const std::string &text)
{
    constexpr std::int64_t kFirstTime = 1'000'000'000; // in 2001
    const auto second = base::parseInt(text);
    if (second)
        return *second >= kFirstTime && *second <= kLatestStart ? std::optional(base::fromUnix(*second)) : std::nullopt;
    const auto at = base::parseTime(text);
    return at ? std::optional(*at) : std::nullopt;
}

Result<base::Rate> rateOf(const std::string &option, const std::string &text, base::Currency currency)
{
    const auto price = base::Money::parse(text, currency);
    if (!price || price->nanos() <= 0)
        return badOption(option, text, "write the price of a GPU-hour, above zero, such as 3.06");
    return base::Rate{price->nanos(), currency};
}

Result<std::string> fileText(const std::string &name)
{
    std::error_code ec;
    const std::filesystem::path path(name);
    if (!std::filesystem::is_regular_file(path, ec))
        return base::fail(ErrorCode::NotFound,
                          "--interruptions: there is no file \"" + base::printable(name, 200) + '"',
                          base::Remedy::CheckPathAndPermissions);
    if (std::filesystem::file_size(path, ec) > kLargestHistory || ec)
        return base::fail(ErrorCode::TooMuch, "--interruptions: the file is larger than 256 MiB", "shorten it");
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in)
        return base::fail(ErrorCode::NotFound, "--interruptions: \"" + base::printable(name, 200) + "\" can't be read",
                          base::Remedy::CheckPathAndPermissions);
    return text;
}

// `sizes`: GPUs of the machines that match but for their number.
tl::unexpected<base::Error> noOffer(const std::string &model, std::int64_t gpus, const std::set<std::int64_t> &sizes)
{
    const std::string name = base::printable(model, 64);
    std::string known;
    for (const std::int64_t size : sizes)
        known += (known.empty() ? "" : ", ") + std::to_string(size);
    return base::fail(ErrorCode::NotFound,
                      "no machine with exactly " + std::to_string(gpus) + " x " + name
                          + " is offered on demand or on spot",
                      known.empty() ? "no price list has a " + name + " there; see: gpuledger-cli compare"
                                    : "machines with a " + name + " have so many GPUs: " + known);
}

} // namespace

void EstimateCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "estimate",
                     "What work would cost on spot machines, when it would end, and whether spot suits it; without "
                     "prices, on each machine that is offered",
                     "gpuledger-cli estimate --gpu-model V100 --hours 24 --checkpoint-every 30m --checkpoint-cost 60s "
                     "--restart 5m --deadline 48h --on-demand 3.06 --spot 0.92 --rate 0.2 --json\n"
                     "  gpuledger-cli estimate --gpu-model T4 --gpus 1 --hours 24 --checkpoint-every 30m "
                     "--checkpoint-cost 60s --restart 5m --deadline 48h --max-cost 50");
    m_verb->add_option(
        "--gpu-model", m_model,
        "GPU model or instance type, as in the interruption history; for offers: GPU model, with all its variants");
    m_verb->add_option("--gpus", m_gpus, "GPUs of the machine (1)");
    m_verb->add_option("--hours", m_hours, "Hours that the work takes without an interruption");
    m_verb->add_option("--checkpoint-every", m_every,
                       "Work between two checkpoints, such as 30m (none: an interruption loses everything)");
    m_verb->add_option("--checkpoint-cost", m_cost, "Time that writing a checkpoint takes (0)");
    m_verb->add_option("--restart", m_restart, "Time until work goes on after an interruption (0)");
    m_verb->add_option(
        "--deadline", m_deadline,
        "When it must be done: after the start, such as 48h, or a time such as 2026-12-01T08:00:00Z (none)");
    m_verb->add_option("--on-demand", m_onDemand,
                       "On-demand price of a GPU-hour (without prices and interruptions: the offers of price lists, "
                       "cheapest first)");
    m_verb->add_option("--spot", m_spot, "Spot price of a GPU-hour");
    m_verb->add_option("--interruptions", m_file, "CSV file of intervals with and without capacity");
    m_verb->add_option("--rate", m_rate,
                       "Interruptions per hour of running, where no history is known; capacity is taken to be back at "
                       "once");
    m_verb
        ->add_option("--zone", m_zones,
                     "Zone of the history (any of them); given again: work moves between these zones")
        ->expected(1)
        ->take_all();
    m_verb->add_flag("--diversify", m_diversify,
                     "Work moves between all zones of the history when it is interrupted: at most 8, the cheapest set");
    m_verb->add_option(
        "--start", m_start,
        "Second of the history at which work starts, or a time if they count from 1970; nothing after it "
        "is used (its end)");
    m_verb->add_option("--horizon", m_horizon,
                       "Time after which a run is given up (ten times the work, at least 30 days)");
    m_verb->add_option("--seed", m_seed, "The same seed gives the same answer (1)");
    m_verb->add_option("--region", m_regions, "Only offers of these regions (all)")->expected(1)->take_all();
    m_verb
        ->add_option("--prices", m_priceLists,
                     "Also offers of this price catalogue of SkyPilot (CLOUD_vms.csv, CLOUD/vms.csv), or of a folder")
        ->expected(1)
        ->take_all();
    m_verb->add_option("--own", m_own, "Also offers of this CSV file of offers that you have")->expected(1)->take_all();
    m_verb->add_option(
        "--max-cost", m_maxCost,
        "Exit status 1 if the p90 of the cost, of offers that of the cheapest suitable one, is above this "
        "amount");
}

bool EstimateCommand::asksForOffers() const
{
    const auto given = [this](const char *option) { return m_verb->count(option) > 0; };
    return !given("--on-demand") && !given("--spot") && !given("--interruptions") && !given("--rate");
}

Result<int> EstimateCommand::run(Session &session)
{
    return asksForOffers() ? listOffers(session) : estimate(session);
}

Result<int> EstimateCommand::estimate(Session &session) const
{
    auto asked = question(session);
    GPULEDGER_TRY(asked);
    EstimateAnswer answer{*asked, {}, std::nullopt};
    const auto most = maxCost(asked->work.spot.currency());
    GPULEDGER_TRY(most);
    answer.maxCost = *most;
    auto estimate = savings::estimateSpot(std::move(*asked));
    GPULEDGER_TRY(estimate);
    answer.estimate = *estimate;
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(estimateJson(answer)));
    else
        GPULEDGER_TRY(out.print(estimateText(answer, out.bold())));
    return answer.tooExpensive() ? kLook : kDone;
}

Result<int> EstimateCommand::listOffers(Session &session) const
{
    savings::SpotWork work;
    GPULEDGER_TRY(readWork(work, session.clock().now()));
    auto answer = offers(session, work);
    GPULEDGER_TRY(answer);
    const auto currency = currencyIn(session);
    GPULEDGER_TRY(currency);
    const auto most = maxCost(*currency);
    GPULEDGER_TRY(most);
    answer->maxCost = *most;
    Output &out = session.out();
    const auto &found = answer->found.offers;
    if (out.json())
        GPULEDGER_TRY(out.print(workOffersHead(*answer),
                                {"offers", found.size(), [&](std::size_t i) { return workOfferJson(found[i]); }}));
    else
        GPULEDGER_TRY(out.print(out.csv() ? workOffersCsv(*answer) : workOffersText(*answer, out.bold())));
    return answer->tooExpensive() ? kLook : kDone;
}

Result<WorkOffersAnswer> EstimateCommand::offers(Session &session, const SpotWork &work) const
{
    GPULEDGER_TRY(refuseHistoryOptions());
    if (m_model.empty() || !savings::isVariantOf(m_model, m_model))
        return badOption("--gpu-model", m_model, "name the GPU model, such as H100");
    WorkOffersAnswer answer;
    const auto seeded = seed();
    GPULEDGER_TRY(seeded);
    answer.question = {work, *seeded, savings::kSpotPaths};
    auto lists = services::priceLists();
    GPULEDGER_TRY(lists);
    auto list = services::readPriceFiles({m_priceLists, m_own, std::nullopt}, *lists);
    GPULEDGER_TRY(list);
    auto listed = listedQuotes(session, answer.notes);
    GPULEDGER_TRY(listed);
    list->add(std::move(*listed));
    list->add(std::move(lists->book));
    savings::QuoteFilter filter{m_model, std::nullopt, m_regions, session.options().clouds, {}};
    savings::compareQuotes(*list, filter);
    std::set<std::int64_t> sizes;
    for (const savings::PriceQuote &quote : list->quotes) {
        if (!quote.isPartOfGpu())
            sizes.insert(quote.microGpus / savings::kMicroOfGpu);
    }
    filter.gpus = work.gpus;
    std::erase_if(list->quotes, [&](const savings::PriceQuote &quote) { return !filter.matches(quote); });
    const auto published = services::publishedSpot();
    GPULEDGER_TRY(published);
    auto found = savings::offersForWork(list->quotes, *published, answer.question);
    GPULEDGER_TRY(found);
    if (found->offers.empty())
        return noOffer(m_model, work.gpus, sizes);
    answer.found = std::move(*found);
    answer.leftOut = std::move(list->leftOut);
    return answer;
}

Result<void> EstimateCommand::refuseHistoryOptions() const
{
    const std::string hint = "it belongs to a history: use --interruptions FILE";
    if (m_diversify)
        return base::fail(ErrorCode::InvalidArgument, "--diversify needs a history of several zones", hint);
    for (const auto &[option, text] :
         {std::pair("--zone", m_zones.empty() ? std::string() : m_zones.front()), std::pair("--start", m_start)}) {
        if (!text.empty())
            return badOption(option, text, hint);
    }
    return {};
}

Result<void> EstimateCommand::refuseOfferOptions() const
{
    for (const auto &[option, values] :
         {std::pair("--region", &m_regions), std::pair("--prices", &m_priceLists), std::pair("--own", &m_own)}) {
        if (!values->empty())
            return badOption(option, values->front(),
                             "it belongs to a list of offers: omit --on-demand, --spot, --interruptions and --rate");
    }
    return {};
}

Result<std::optional<base::Money>> EstimateCommand::maxCost(base::Currency currency) const
{
    if (m_maxCost.empty())
        return std::optional<base::Money>();
    const auto most = base::Money::parse(m_maxCost, currency);
    if (!most || most->nanos() < 0)
        return badOption("--max-cost", m_maxCost, "write an amount such as 50.00");
    return std::optional(*most);
}

Result<std::uint64_t> EstimateCommand::seed() const
{
    const auto seed = base::parseInt(m_seed);
    if (!seed || *seed < 0)
        return badOption("--seed", m_seed, "write a whole number from 0");
    return static_cast<std::uint64_t>(*seed);
}

Result<SpotQuestion> EstimateCommand::question(const Session &session) const
{
    if (session.options().csv)
        return base::fail(ErrorCode::InvalidArgument, "estimate has no --csv", "use --json");
    GPULEDGER_TRY(refuseOfferOptions());
    SpotQuestion question;
    GPULEDGER_TRY(readWork(question.work, session.clock().now()));
    const auto currency = currencyIn(session);
    GPULEDGER_TRY(currency);
    GPULEDGER_TRY(readPrices(question.work, *currency));
    const auto seeded = seed();
    GPULEDGER_TRY(seeded);
    question.seed = *seeded;
    if (m_file.empty() == m_rate.empty())
        return base::fail(ErrorCode::InvalidArgument,
                          m_file.empty() ? "nothing is known of interruptions"
                                         : "--interruptions and --rate can't be given together",
                          "give a history with --interruptions FILE, or a published rate with --rate");
    GPULEDGER_TRY(m_file.empty() ? readRate(question) : readHistory(question));
    return question;
}

Result<std::int64_t> EstimateCommand::deadline(base::UtcTime now) const
{
    const auto at = base::parseTime(m_deadline);
    if (!at)
        return secondsOf("--deadline", m_deadline, 1);
    const base::UtcTime start = timeOfStart(m_start).value_or(now);
    if (*at <= start)
        return base::fail(ErrorCode::InvalidArgument,
                          "--deadline " + base::toRfc3339(*at) + " is not after the start, " + base::toRfc3339(start),
                          "write a time after " + base::toRfc3339(start) + ", or a duration such as 48h");
    return (*at - start).count();
}

Result<void> EstimateCommand::readWork(SpotWork &work, base::UtcTime now) const
{
    const auto gpus = base::parseInt(m_gpus);
    if (!gpus || *gpus < 1 || *gpus > 1024)
        return badOption("--gpus", m_gpus, "write a whole number from 1 to 1024");
    work.gpus = static_cast<int>(*gpus);
    const auto hours = base::parseDouble(m_hours);
    if (!hours || !(*hours * 3600 >= 1) || !(*hours <= kMostHours))
        return badOption("--hours", m_hours, "write a number of hours above zero, such as 24");
    work.work = std::llround(*hours * 3600);
    if (!m_every.empty()) {
        const auto every = secondsOf("--checkpoint-every", m_every, 1);
        GPULEDGER_TRY(every);
        work.checkpointEvery = *every;
    }
    const auto cost = secondsOf("--checkpoint-cost", m_cost, 0), restart = secondsOf("--restart", m_restart, 0);
    GPULEDGER_TRY(cost);
    GPULEDGER_TRY(restart);
    work.checkpointCost = *cost;
    work.restart = *restart;
    if (!m_deadline.empty()) {
        const auto until = deadline(now);
        GPULEDGER_TRY(until);
        work.deadline = *until;
    }
    if (!m_horizon.empty()) {
        const auto horizon = secondsOf("--horizon", m_horizon, 1);
        GPULEDGER_TRY(horizon);
        work.horizon = *horizon;
    }
    work.horizon = std::max(work.horizon > 0 ? work.horizon : savings::usualHorizon(work), work.deadline.value_or(0));
    return {};
}

Result<void> EstimateCommand::readPrices(SpotWork &work, base::Currency currency) const
{
    const auto onDemand = rateOf("--on-demand", m_onDemand, currency), spot = rateOf("--spot", m_spot, currency);
    GPULEDGER_TRY(onDemand);
    GPULEDGER_TRY(spot);
    work.onDemand = *onDemand;
    work.spot = *spot;
    return {};
}

Result<void> EstimateCommand::readHistory(SpotQuestion &question) const
{
    if (m_model.empty())
        return badOption("--gpu-model", m_model, "name the GPU model or instance type, such as V100");
    const auto text = fileText(m_file);
    GPULEDGER_TRY(text);
    const auto traces = savings::readSpotIntervals(*text);
    if (!traces)
        return base::fail(ErrorCode::InvalidArgument, traces.error().text, traces.error().hint);
    if (!m_start.empty()) {
        const auto at = timeOfStart(m_start);
        const auto start = at ? Result<std::int64_t>(base::toUnix(*at)) : secondsOf("--start", m_start, 0);
        GPULEDGER_TRY(start);
        question.start = *start;
    }
    return readZones(question, *traces);
}

// One zone, or all of which each future follows one; or several between which the work moves.
Result<void> EstimateCommand::readZones(SpotQuestion &question, const std::vector<savings::SpotTrace> &traces) const
{
    std::vector<savings::SpotTrace> chosen;
    const std::set<std::string> zones(m_zones.begin(), m_zones.end());
    for (const std::string &zone : zones.empty() ? std::set<std::string>{std::string()} : zones) {
        auto some = savings::chosenTraces(traces, {m_model, question.work.gpus, zone});
        GPULEDGER_TRY(some);
        chosen.insert(chosen.end(), some->begin(), some->end());
    }
    if (!m_diversify && zones.size() < 2) {
        question.history = std::move(chosen);
        return {};
    }
    question.pools = savings::poolsOf(chosen, question.work.spot);
    if (question.pools.size() < 2)
        return base::fail(ErrorCode::InvalidArgument,
                          "there is one zone only, " + base::printable(question.pools.front().history.zone, 40),
                          "omit --diversify, or name several with --zone");
    std::int64_t start = 0;
    for (const savings::SpotPool &pool : question.pools)
        start = std::max(start, pool.history.end());
    start = question.start.value_or(start);
    if (question.pools.size() > savings::kMostSpotPools) {
        for (savings::SpotPool &pool : question.pools)
            pool.history = savings::before(pool.history, start);
        question.start = start;
        question.pools = savings::cheapestPools(question.work, std::move(question.pools), start, question.seed);
    }
    return {};
}

Result<void> EstimateCommand::readRate(SpotQuestion &question) const
{
    const auto rate = base::parseDouble(m_rate);
    if (!rate || !(*rate >= 0) || !(*rate <= 3600))
        return badOption("--rate", m_rate, "write interruptions per hour, such as 0.05");
    GPULEDGER_TRY(refuseHistoryOptions());
    question.perHour = *rate;
    return {};
}

} // namespace gpuledger::cli

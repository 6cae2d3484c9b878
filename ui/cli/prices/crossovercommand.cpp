// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/crossovercommand.h"

#include "app/base/text/text.h"
#include "app/services/prices/ownedhardware.h"
#include "app/services/prices/paidprices.h"
#include "ui/cli/prices/crossoverprint.h"
#include "ui/cli/prices/listedprices.h"
#include "ui/cli/savings/savingsquestion.h"

#include <CLI/CLI.hpp>

#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::cli {

using base::ErrorCode;
using base::Money;
using base::Result;
using savings::PurchaseOption;

namespace {

constexpr std::int64_t kNanosOfMicro = 1000, kNanosOfMilli = 1'000'000;
constexpr int kMonthsOfYear = 12, kMostYears = 100;
constexpr const char *kFromOption = "option";
constexpr const char *kFromConfiguration = "configuration";

tl::unexpected<base::Error> badCrossoverOption(const std::string &option, const std::string &text,
                                               const std::string &hint)
{
    return base::fail(ErrorCode::InvalidArgument, option + " can't be \"" + base::printable(text, 64) + '"', hint);
}

// Sets `into` if the option was given. An amount from zero.
Result<void> readAmount(const std::string &option, const std::string &text, base::Currency currency,
                        std::optional<Money> &into)
{
    if (text.empty())
        return {};
    const auto amount = Money::parse(text, currency);
    if (!amount || amount->nanos() < 0)
        return badCrossoverOption(option, text, "write an amount from 0, such as 1200.50");
    into = *amount;
    return {};
}

// The same for a plain number; `into` counts its parts of `nanosOfPart` nanos.
Result<void> readNumber(const std::string &option, const std::string &text, std::int64_t nanosOfPart,
                        std::optional<std::int64_t> &into)
{
    std::optional<Money> number;
    GPULEDGER_TRY(readAmount(option, text, base::Currency::usd(), number));
    if (number)
        into = number->nanos() / nanosOfPart;
    return {};
}

// Options before the verb belong to `compare`.
Result<void> refuseCompareOptions(const CLI::App &compare)
{
    for (const CLI::Option *option : compare.get_options()) {
        if (option->count() > 0)
            return base::fail(ErrorCode::InvalidArgument, option->get_name() + " before crossover has no meaning",
                              "write " + option->get_name() + " after crossover, if it is one of its options");
    }
    return {};
}

Result<void> readShare(const std::string &option, const std::string &text, std::optional<std::int64_t> &into)
{
    GPULEDGER_TRY(readNumber(option, text, kNanosOfMicro, into));
    if (!text.empty() && *into > savings::kWholeUse)
        return badCrossoverOption(option, text, "write a share from 0 to 1, such as 0.6");
    return {};
}

} // namespace

void CrossoverCommand::addTo(CLI::App &parent)
{
    m_compare = parent.get_subcommand("compare");
    m_verb =
        addVerb(*m_compare, "crossover",
                "Own, rent or call an API: the utilization and the tokens a day at which they cost the same",
                "gpuledger-cli compare crossover --buy 25000 --residual 2500 --years 4 --power 700 --power-rest 120 "
                "--pue 1.3 --kwh 0.15 --hosting 90 --staff 60 --on-demand 2.49 --utilization 0.6");
    m_verb->add_option("--gpu-model", m_model, "GPU model whose cheapest list prices are the rent (none)");
    m_verb->add_option("--owned", m_owned,
                       "Owned machines of the configuration, as LABEL=VALUE (if there is one entry)");
    m_verb->add_option("--buy", m_buy, "Purchase price of one GPU with its share of the machine");
    m_verb->add_option("--residual", m_residual, "Its value at the end of its life");
    m_verb->add_option("--years", m_years, "Its life");
    m_verb->add_option("--interest", m_interest, "Interest a year as a share, such as 0.05 (not counted)");
    m_verb->add_option("--power", m_power, "Watts of one GPU with its share of the machine at full use");
    m_verb->add_option("--power-rest", m_powerRest, "The same at no use");
    m_verb->add_option("--pue", m_pue, "Power usage effectiveness, from 1");
    m_verb->add_option("--kwh", m_kwh, "Price of a kWh");
    m_verb->add_option("--hosting", m_hosting, "Space and network of one GPU a month");
    m_verb->add_option("--staff", m_staff, "Work on one GPU a month");
    m_verb->add_option("--on-demand", m_onDemand, "Rent of a GPU-hour on demand (list price of --gpu-model)");
    m_verb->add_option("--committed", m_committed, "Rent of a GPU-hour that is paid for all hours");
    m_verb->add_option("--spot", m_spot, "Rent of a GPU-hour on spot");
    m_verb->add_option("--utilization", m_use, "Share of all hours in which the GPU works (1)");
    m_verb->add_option("--api-in", m_apiIn, "Price of a million input tokens of an API");
    m_verb->add_option("--api-out", m_apiOut, "Price of a million output tokens");
    m_verb->add_option("--output-share", m_outShare, "Share of output in all tokens, from 0 to 1");
    m_verb->add_option("--tokens-per-second", m_speed, "Tokens of one GPU at full use, input and output together");
}

Result<int> CrossoverCommand::run(Session &session)
{
    GPULEDGER_TRY(refuseCompareOptions(*m_compare));
    CrossoverAnswer answer;
    answer.gpuModel = m_model;
    if (!m_model.empty() && !savings::isVariantOf(m_model, m_model))
        return badCrossoverOption("--gpu-model", m_model,
                                  "write a model, such as H100, instead of \"" + base::printable(m_model, 64) + '"');
    const auto currency = currencyIn(session);
    GPULEDGER_TRY(currency);
    answer.currency = *currency;
    const auto settings = session.settings();
    if (settings) {
        GPULEDGER_TRY(readConfigured(settings->prices.owned, answer));
    } else if (!m_owned.empty()) {
        return tl::make_unexpected(settings.error());
    }
    GPULEDGER_TRY(readOwn(answer));
    GPULEDGER_TRY(readRents(session, answer));
    GPULEDGER_TRY(readApi(answer));
    auto result = savings::crossover(answer.question);
    GPULEDGER_TRY(result);
    answer.result = std::move(*result);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(crossoverJson(answer)));
    else
        GPULEDGER_TRY(out.print(out.csv() ? crossoverCsv(answer) : crossoverText(answer, out.bold())));
    return kDone;
}

// The entry that --owned names, or the only one; its amounts are in USD, and so are those of the options then. With
// --buy and without --owned the hardware is another one.
Result<void> CrossoverCommand::readConfigured(const std::vector<model::OwnedMachine> &machines,
                                              CrossoverAnswer &answer) const
{
    if (m_owned.empty() && (machines.size() != 1 || !m_buy.empty())) {
        if (machines.size() > 1 && m_buy.empty())
            answer.notes.emplace_back("owned hardware of the configuration is not in it: name one of "
                                      + std::to_string(machines.size()) + " entries with --owned");
        return {};
    }
    std::string known;
    for (const model::OwnedMachine &machine : machines) {
        const std::string labels = services::labelText(machine.nodeLabels);
        known += (known.empty() ? "" : " or ") + labels;
        if (!m_owned.empty() && labels != m_owned)
            continue;
        auto own = services::ownershipOf(machine);
        GPULEDGER_TRY(own);
        answer.question.own = *own;
        answer.currency = base::Currency::usd();
        answer.ownSource = kFromConfiguration + (": owned " + labels);
        return {};
    }
    return badCrossoverOption("--owned", m_owned,
                              known.empty() ? "add it to prices: owned in the configuration, or use --buy"
                                            : "write " + base::printable(known, 400));
}

Result<void> CrossoverCommand::readOwn(CrossoverAnswer &answer) const
{
    savings::Ownership &own = answer.question.own;
    const base::Currency currency = answer.currency;
    GPULEDGER_TRY(readAmount("--buy", m_buy, currency, own.price));
    GPULEDGER_TRY(readAmount("--residual", m_residual, currency, own.residual));
    GPULEDGER_TRY(readAmount("--kwh", m_kwh, currency, own.perKwh));
    GPULEDGER_TRY(readAmount("--hosting", m_hosting, currency, own.hostingPerMonth));
    GPULEDGER_TRY(readAmount("--staff", m_staff, currency, own.staffPerMonth));
    GPULEDGER_TRY(readNumber("--power", m_power, kNanosOfMilli, own.loadMilliwatts));
    GPULEDGER_TRY(readNumber("--power-rest", m_powerRest, kNanosOfMilli, own.restMilliwatts));
    GPULEDGER_TRY(readNumber("--pue", m_pue, kNanosOfMicro, own.microPue));
    GPULEDGER_TRY(readShare("--interest", m_interest, own.microInterest));
    if (!m_years.empty()) {
        const auto years = base::parseInt(m_years);
        if (!years || *years < 1 || *years > kMostYears)
            return badCrossoverOption("--years", m_years, "write whole years from 1 to " + std::to_string(kMostYears));
        own.lifeMonths = static_cast<int>(*years) * kMonthsOfYear;
    }
    for (const std::string *text :
         {&m_buy, &m_residual, &m_years, &m_power, &m_powerRest, &m_pue, &m_kwh, &m_hosting, &m_staff, &m_interest})
        answer.isOwnAsked = answer.isOwnAsked || !text->empty();
    answer.isOwnAsked = answer.isOwnAsked || !answer.ownSource.empty();
    if (answer.isOwnAsked && answer.ownSource.empty())
        answer.ownSource = kFromOption;
    std::optional<std::int64_t> use;
    GPULEDGER_TRY(readShare("--utilization", m_use, use));
    answer.question.microUse = use.value_or(savings::kWholeUse);
    return {};
}

Result<void> CrossoverCommand::readApi(CrossoverAnswer &answer) const
{
    savings::ApiUse &api = answer.question.api;
    GPULEDGER_TRY(readAmount("--api-in", m_apiIn, answer.currency, api.perMillionIn));
    GPULEDGER_TRY(readAmount("--api-out", m_apiOut, answer.currency, api.perMillionOut));
    GPULEDGER_TRY(readShare("--output-share", m_outShare, api.microOut));
    GPULEDGER_TRY(readNumber("--tokens-per-second", m_speed, kNanosOfMilli, api.milliTokensPerSecond));
    answer.isApiAsked = missingOf(api).size() < missingOf(savings::ApiUse()).size();
    return {};
}

Result<void> CrossoverCommand::readRents(Session &session, CrossoverAnswer &answer) const
{
    const std::tuple<const char *, const std::string *, PurchaseOption> options[]{
        {"--on-demand", &m_onDemand, PurchaseOption::OnDemand},
        {"--committed", &m_committed, PurchaseOption::Commitment},
        {"--spot", &m_spot, PurchaseOption::Spot}};
    for (const auto &[option, text, purchase] : options) {
        std::optional<Money> price;
        GPULEDGER_TRY(readAmount(option, *text, answer.currency, price));
        if (price && price->nanos() == 0)
            return badCrossoverOption(option, *text, "write the price of a GPU-hour, above zero, such as 2.49");
        if (price)
            answer.question.rents.push_back({purchase, *price, kFromOption});
    }
    return m_model.empty() ? Result<void>() : addListed(session, answer);
}

// The cheapest list price of each way to buy that no option gives.
Result<void> CrossoverCommand::addListed(Session &session, CrossoverAnswer &answer) const
{
    auto lists = services::priceLists();
    GPULEDGER_TRY(lists);
    auto configured = listedQuotes(session, answer.notes);
    GPULEDGER_TRY(configured);
    lists->book.add(std::move(*configured));
    services::ListedRents listed = services::listedRents(std::move(lists->book), m_model, answer.currency);
    std::set<PurchaseOption> known;
    for (const savings::RentOffer &offer : answer.question.rents)
        known.insert(offer.purchase);
    for (savings::RentOffer &offer : listed.offers) {
        if (known.insert(offer.purchase).second)
            answer.question.rents.push_back(std::move(offer));
    }
    if (listed.isOtherCurrency)
        answer.notes.emplace_back("list prices in other currencies than " + std::string(answer.currency.code())
                                  + " are not compared");
    else if (!listed.isAnyListed)
        answer.notes.emplace_back("no price list has " + base::printable(m_model, 64));
    return {};
}

} // namespace gpuledger::cli

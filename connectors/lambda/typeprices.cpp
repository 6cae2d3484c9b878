// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/lambda/typeprices.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/lambda/lambdaapi.h"

#include <set>
#include <string_view>
#include <utility>

namespace gpuledger::lambda {

using base::ErrorCode;
using base::Result;
using model::LeftOut;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostTypes = 2'000;
constexpr std::size_t kMostTypeRegions = 500;
constexpr std::int64_t kMostTypeCents = 1'000'000; // an hour of one machine
constexpr std::int64_t kMostTypeGpus = 1'024;
constexpr std::int64_t kNanosPerCent = base::Money::kNanosPerUnit / 100;
constexpr auth::KeyedPriceList kTypeList{"lambda", "/api/v1/instance-types", "GET /api/v1/instance-types",
                                         readTypePrices};

tl::unexpected<base::Error> unreadableTypes(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Lambda's list of instance types can't be read: " + what);
}

// Where it can be had now; one empty name: nowhere.
Result<std::set<std::string>> regionsOf(const Json &entry)
{
    const Json &list = format::memberOf(entry, "regions_with_capacity_available");
    if (!list.is_array() && !list.is_null())
        return unreadableTypes("the regions of a type are no list");
    if (list.size() > kMostTypeRegions)
        return base::fail(ErrorCode::TooMuch, "an instance type of Lambda has more than 500 regions");
    std::set<std::string> names;
    for (const Json &one : list)
        names.insert(format::textOf(one, "name"));
    names.erase("");
    if (names.empty())
        names.insert("");
    return names;
}

// Why a type has no price; std::nullopt: `quote` has it.
std::optional<LeftOut> readType(const std::string &name, const Json &type, model::PriceQuote &quote)
{
    const auto cents = base::parseInt(format::textOf(type, "price_cents_per_hour"));
    const auto gpus = base::parseInt(format::textOf(format::memberOf(type, "specs"), "gpus"));
    if (!cents || *cents < 0 || *cents > kMostTypeCents || !gpus || *gpus < 0 || *gpus > kMostTypeGpus
        || format::textOf(type, "name") != name)
        return LeftOut::Unreadable;
    if (*gpus == 0)
        return LeftOut::NoGpu;
    if (*cents == 0)
        return LeftOut::NoPrice;
    quote.machine = name;
    quote.gpuName = gpuNameOf(format::textOf(type, "gpu_description"));
    quote.microGpus = *gpus * model::kMicroOfGpu;
    quote.perHour = base::Money(*cents * kNanosPerCent, base::Currency::usd());
    return std::nullopt;
}

} // namespace

std::string gpuNameOf(std::string description)
{
    for (std::size_t at = description.find(" GB"); at != std::string::npos; at = description.find(" GB", at + 1)) {
        if (at > 0 && description[at - 1] >= '0' && description[at - 1] <= '9')
            description.erase(at, 1);
    }
    return description;
}

Result<model::QuoteList> readTypePrices(const std::string &body)
{
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree)
        return unreadableTypes(tree.error().text);
    const Json &data = format::memberOf(*tree, "data");
    if (!data.is_object())
        return unreadableTypes("it has no data");
    if (data.size() > kMostTypes)
        return base::fail(ErrorCode::TooMuch, "Lambda lists more than 2,000 instance types");
    model::QuoteList list;
    for (const auto &[name, entry] : data.items()) {
        model::PriceQuote quote;
        if (const auto why = readType(name, format::memberOf(entry, "instance_type"), quote)) {
            ++list.leftOut[*why];
            continue;
        }
        const auto regions = regionsOf(entry);
        GPULEDGER_TRY(regions);
        for (const std::string &region : *regions) {
            quote.region = region;
            list.quotes.push_back(quote);
        }
    }
    return list;
}

Result<std::unique_ptr<ports::PriceSource>> makeLambdaPrices(const model::SourceSettings &settings,
                                                             ports::SecretStore &secrets, const base::Clock &realClock,
                                                             std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    return std::make_unique<auth::KeyedPrices>(settings, *keyed, secrets, realClock, std::move(client),
                                               standardTuning(), refusalOf, kTypeList);
}

} // namespace gpuledger::lambda

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/gpuprices.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/runpod/runpodapi.h"

#include <array>
#include <set>
#include <utility>

namespace gpuledger::runpod {

using base::ErrorCode;
using base::Result;
using model::LeftOut;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostGpuTypes = 2'000;
constexpr std::int64_t kMostGb = 16'384; // of one GPU
constexpr std::array<const char *, 2> kClouds{"secure", "community"};
constexpr auth::KeyedPriceList kGpuList{"runpod", "/v2/catalog/gpus", "GET /v2/catalog/gpus", readGpuPrices};

tl::unexpected<base::Error> unreadableGpus(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "RunPod's list of GPUs can't be read: " + what);
}

// The price in a cloud; no value: it has none there. Fails with Parse.
Result<std::optional<base::Money>> priceIn(const Json &gpu, const char *cloud)
{
    const Json &number = format::memberOf(format::memberOf(gpu, "price"), cloud);
    if (number.is_null() || format::memberOf(gpu, cloud) == Json(false))
        return std::optional<base::Money>();
    auto price = base::Money::parse(number.is_string() ? number.get<std::string>() : "", base::Currency::usd());
    if (!price || price->nanos() < 0)
        return base::fail(ErrorCode::Parse, "it is no price");
    return price->isZero() ? std::optional<base::Money>() : *price;
}

// Adds the prices of a GPU; how it has none is counted.
void addGpu(const Json &gpu, model::QuoteList &list)
{
    model::PriceQuote quote;
    quote.gpuName = format::textOf(gpu, "id");
    quote.microGpus = model::kMicroOfGpu;
    if (const auto gb = base::parseInt(format::textOf(gpu, "memory")); gb && *gb > 0 && *gb <= kMostGb)
        quote.gpu.memoryMib = *gb * 1024;
    bool isAny = false;
    for (const char *cloud : kClouds) {
        const auto price = priceIn(gpu, cloud);
        if (!price) {
            ++list.leftOut[LeftOut::Unreadable];
            isAny = true;
        } else if (*price) {
            quote.machine = "1x " + quote.gpuName + " (" + cloud + ')';
            quote.perHour = **price;
            list.quotes.push_back(quote);
            isAny = true;
        }
    }
    if (!isAny)
        ++list.leftOut[LeftOut::NoPrice];
}

} // namespace

Result<model::QuoteList> readGpuPrices(const std::string &body)
{
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree)
        return unreadableGpus(tree.error().text);
    const Json &gpus = format::memberOf(*tree, "gpus");
    if (!gpus.is_array())
        return unreadableGpus("it has no gpus");
    if (gpus.size() > kMostGpuTypes)
        return base::fail(ErrorCode::TooMuch, "RunPod lists more than 2,000 GPUs");
    model::QuoteList list;
    std::set<std::string> ids;
    for (const Json &gpu : gpus) {
        const std::string id = format::textOf(gpu, "id");
        if (id.empty()) {
            ++list.leftOut[LeftOut::Unreadable];
            continue;
        }
        if (!ids.insert(id).second)
            return unreadableGpus("it lists " + base::printableLine(id, 100) + " twice");
        addGpu(gpu, list);
    }
    return list;
}

Result<std::unique_ptr<ports::PriceSource>> makeRunpodPrices(const model::SourceSettings &settings,
                                                             ports::SecretStore &secrets, const base::Clock &realClock,
                                                             std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    return std::make_unique<auth::KeyedPrices>(settings, *keyed, secrets, realClock, std::move(client),
                                               auth::KeyedTuning{}, refusalOf, kGpuList);
}

} // namespace gpuledger::runpod

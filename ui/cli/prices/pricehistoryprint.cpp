// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/pricehistoryprint.h"

#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace gpuledger::cli {

using services::ListedPrice;
using ui::TextTable;

namespace {

constexpr std::size_t kShownHistories = 30;

using OfferHistory = std::span<const ListedPrice>;

bool isSameOffer(const ListedPrice &a, const ListedPrice &b)
{
    const auto key = [](const ListedPrice &one) {
        const savings::PriceQuote &q = one.quote;
        return std::tuple(std::tie(q.provider, q.region, q.zone, q.machine, q.gpuName, q.source, one.list), q.microGpus,
                          q.purchase, q.termMonths, q.payment, q.perHour.currency());
    };
    return key(a) == key(b);
}

std::vector<OfferHistory> offersIn(const PriceHistoryAnswer &answer, std::optional<std::size_t> most)
{
    std::vector<OfferHistory> out;
    const OfferHistory all(answer.prices);
    for (std::size_t from = 0; from < all.size() && (!most || out.size() < *most);) {
        std::size_t to = from + 1;
        while (to < all.size() && isSameOffer(all[from], all[to]))
            ++to;
        out.push_back(all.subspan(from, to - from));
        from = to;
    }
    return out;
}

std::string historyDay(base::UtcTime at)
{
    return base::toRfc3339(at).substr(0, 10);
}

std::string historyGpus(const savings::PriceQuote &quote)
{
    return quote.isPartOfGpu() ? ui::fixed(static_cast<double>(quote.microGpus) / savings::kMicroOfGpu, 6)
                               : std::to_string(quote.microGpus / savings::kMicroOfGpu);
}

Json changeJson(const ListedPrice &one)
{
    Json json;
    json["from"] = cli::toJson(one.from);
    json["to"] = one.to ? cli::toJson(*one.to) : Json(nullptr);
    json["last_seen"] = cli::toJson(one.lastSeen);
    json["per_machine_hour"] = cli::toJson(std::optional(one.quote.perHour));
    json["per_gpu_hour"] = cli::toJson(perGpuHour(one.quote));
    json["upfront"] = cli::toJson(one.quote.upfront);
    return json;
}

} // namespace

Json historyJson(const PriceHistoryAnswer &answer)
{
    Json offers = Json::array();
    for (const OfferHistory &offer : offersIn(answer, answer.most)) {
        const savings::PriceQuote &quote = offer.back().quote; // the newest description
        Json json;
        json["provider"] = textOrNull(quote.provider);
        json["region"] = textOrNull(quote.region);
        json["zone"] = textOrNull(quote.zone);
        json["machine"] = textOrNull(quote.machine);
        json["gpu"] = quote.gpuName;
        json["gpu_model"] = textOrNull(quote.gpu.model);
        json["gpus"] = static_cast<double>(quote.microGpus) / savings::kMicroOfGpu;
        json["purchase"] = std::string(toString(quote.purchase));
        json["term_months"] = quote.termMonths ? Json(*quote.termMonths) : Json(nullptr);
        json["payment"] = quote.payment ? Json(std::string(toString(*quote.payment))) : Json(nullptr);
        json["source"] = quote.source;
        json["list"] = offer.back().list;
        json["prices"] = Json::array();
        for (const ListedPrice &one : offer)
            json["prices"].push_back(changeJson(one));
        offers.push_back(std::move(json));
    }
    return {{"offers", std::move(offers)}, {"notes", answer.notes}};
}

std::string historyCsv(const PriceHistoryAnswer &answer)
{
    TextTable table({{"provider"},
                     {"region"},
                     {"zone"},
                     {"machine"},
                     {"gpu"},
                     {"gpu_model"},
                     {"gpus"},
                     {"purchase"},
                     {"currency"},
                     {"per_machine_hour"},
                     {"per_gpu_hour"},
                     {"from"},
                     {"to"},
                     {"last_seen"},
                     {"source"},
                     {"list"}});
    for (const OfferHistory &offer : offersIn(answer, answer.most)) {
        for (const ListedPrice &one : offer) {
            const savings::PriceQuote &q = one.quote;
            const auto perGpu = perGpuHour(q);
            table.add({q.provider, q.region, q.zone, q.machine, q.gpuName, q.gpu.model, historyGpus(q),
                       std::string(toString(q.purchase)), std::string(q.perHour.currency().code()),
                       q.perHour.toDecimal(), perGpu ? perGpu->toDecimal() : "", base::toRfc3339(one.from),
                       one.to ? base::toRfc3339(*one.to) : "", base::toRfc3339(one.lastSeen), q.source, one.list});
        }
    }
    return table.toCsv();
}

std::string historyText(const PriceHistoryAnswer &answer, bool bold)
{
    using Align = TextTable::Align;
    TextTable table({{"provider"},
                     {"region"},
                     {"zone"},
                     {"machine"},
                     {"GPU"},
                     {"GPUs", Align::Right},
                     {"purchase"},
                     {"currency"},
                     {"machine-hour", Align::Right},
                     {"GPU-hour", Align::Right},
                     {"from"},
                     {"to"},
                     {"source"}});
    const std::vector<OfferHistory> offers = offersIn(answer, std::nullopt);
    const std::size_t shown = std::min(offers.size(), answer.most.value_or(kShownHistories));
    const auto orDash = [](const std::string &text) { return text.empty() ? std::string("-") : text; };
    for (std::size_t i = 0; i < shown; ++i) {
        for (const ListedPrice &one : offers[i]) {
            const savings::PriceQuote &q = one.quote;
            const auto perGpu = perGpuHour(q);
            table.add({q.provider, orDash(q.region), orDash(q.zone), orDash(q.machine),
                       q.gpu.model.empty() ? q.gpuName : q.gpu.model, historyGpus(q), std::string(toString(q.purchase)),
                       std::string(q.perHour.currency().code()), ui::fixed(q.perHour.toDouble(), 4),
                       perGpu ? ui::fixed(perGpu->toDouble(), 4) : "-", historyDay(one.from),
                       one.to ? historyDay(*one.to) : "-", q.source});
        }
    }
    std::string text = offers.empty() ? std::string("no stored price matches\n") : table.toText(bold);
    if (shown < offers.size())
        text += "and " + std::to_string(offers.size() - shown) + " more offers (see them with --max)\n";
    for (const std::string &note : answer.notes)
        text += note + '\n';
    return text;
}

} // namespace gpuledger::cli

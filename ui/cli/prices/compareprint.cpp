// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/compareprint.h"

#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gpuledger::cli {

using savings::PriceQuote;
using ui::TextTable;

namespace {

constexpr std::size_t kShownOffers = 30; // of a currency, in a short list

// The quotes of one currency, in order.
struct CurrencyPart {
    base::Currency currency;
    std::vector<const PriceQuote *> quotes;
};

std::vector<CurrencyPart> byCurrency(const CompareAnswer &answer, std::optional<std::size_t> most)
{
    std::vector<CurrencyPart> parts;
    for (const PriceQuote &quote : answer.list.quotes) {
        if (parts.empty() || parts.back().currency != quote.perHour.currency())
            parts.push_back({quote.perHour.currency(), {}});
        if (!most || parts.back().quotes.size() < *most)
            parts.back().quotes.push_back(&quote);
    }
    return parts;
}

// "8", "0.125", "0.333333"
std::string gpuCountText(std::int64_t microGpus)
{
    std::string text = std::to_string(microGpus / savings::kMicroOfGpu);
    if (microGpus % savings::kMicroOfGpu == 0)
        return text;
    std::string part = std::to_string(savings::kMicroOfGpu + microGpus % savings::kMicroOfGpu).substr(1);
    while (part.ends_with('0'))
        part.pop_back();
    return text + '.' + part;
}

std::string dayText(const std::optional<base::Day> &day)
{
    return day ? base::toRfc3339(day->start()).substr(0, 10) : std::string();
}

std::string exactText(const std::optional<base::Money> &amount)
{
    return amount ? amount->toDecimal() : std::string();
}

std::string shortText(const std::optional<base::Money> &amount, int decimals)
{
    return amount ? ui::fixed(amount->toDouble(), decimals) : std::string("-");
}

std::string gibText(const PriceQuote &quote)
{
    if (!quote.gpu.memoryMib || quote.isPartOfGpu())
        return {};
    const std::int64_t mib = *quote.gpu.memoryMib;
    return mib % 1024 == 0 ? std::to_string(mib / 1024) : ui::fixed(static_cast<double>(mib) / 1024, 1);
}

std::string ageText(const CompareAnswer &answer, const PriceQuote &quote)
{
    if (!quote.seen)
        return "unknown";
    const int days = answer.today.number - quote.seen->number;
    return dayText(quote.seen) + (days < 0 ? std::string() : " (" + std::to_string(days) + " d)");
}

// Of the quote, which is one of the answer's; std::nullopt: moving does not count, or is in another currency.
std::optional<savings::MovedTotal> movedOf(const CompareAnswer &answer, const PriceQuote &quote)
{
    if (answer.moved.empty())
        return std::nullopt;
    return answer.moved.at(static_cast<std::size_t>(&quote - answer.list.quotes.data()));
}

std::optional<base::Money> totalOf(const CompareAnswer &answer, const PriceQuote &quote)
{
    const auto moved = movedOf(answer, quote);
    return moved ? std::optional(moved->total) : std::nullopt;
}

Json movedJson(const CompareAnswer &answer, const PriceQuote &quote)
{
    const auto moved = movedOf(answer, quote);
    if (!moved)
        return nullptr;
    return {{"months", answer.moving->months},
            {"machine", cli::toJson(std::optional(moved->machine))},
            {"transfer", cli::toJson(std::optional(moved->transfer))},
            {"storage", cli::toJson(std::optional(moved->storage))},
            {"total", cli::toJson(std::optional(moved->total))}};
}

Json interruptionsJson(const PriceQuote &quote)
{
    if (!quote.interruptions)
        return nullptr;
    return {{"band", textOrNull(quote.interruptions->band)},
            {"per_hour", quote.interruptions->perHour},
            {"seen", dayText(quote.interruptions->seen)},
            {"source", quote.interruptions->source}};
}

Json quoteJson(const CompareAnswer &answer, const PriceQuote &quote)
{
    Json json;
    json["provider"] = textOrNull(quote.provider);
    json["region"] = textOrNull(quote.region);
    json["zone"] = textOrNull(quote.zone);
    json["machine"] = textOrNull(quote.machine);
    json["gpu"] = quote.gpuName;
    json["gpu_model"] = textOrNull(quote.gpu.model);
    json["gpus"] = static_cast<double>(quote.microGpus) / savings::kMicroOfGpu;
    json["gpu_memory_mib"] = quote.gpu.memoryMib ? Json(*quote.gpu.memoryMib) : Json(nullptr);
    json["purchase"] = std::string(toString(quote.purchase));
    json["per_machine_hour"] = cli::toJson(std::optional(quote.perHour));
    json["per_gpu_hour"] = cli::toJson(perGpuHour(quote));
    json["per_gib_hour"] = cli::toJson(perGibHour(quote));
    json["per_tflop_hour"] = cli::toJson(perTflopHour(quote));
    json["seen"] = textOrNull(dayText(quote.seen));
    json["age_days"] = quote.seen ? Json(answer.today.number - quote.seen->number) : Json(nullptr);
    json["source"] = quote.source;
    json["term_months"] = quote.termMonths ? Json(*quote.termMonths) : Json(nullptr);
    json["payment"] = quote.payment ? Json(std::string(toString(*quote.payment))) : Json(nullptr);
    json["upfront"] = cli::toJson(quote.upfront);
    json["interruptions"] = interruptionsJson(quote);
    if (answer.moving)
        json["with_moving"] = movedJson(answer, quote);
    return json;
}

// A row of the table for people: the same offer in one or more places.
struct OfferRow {
    const PriceQuote *first = nullptr;
    std::set<std::string> regions, zones;
};

auto exceptPlace(const CompareAnswer &answer, const PriceQuote &q)
{
    const auto total = totalOf(answer, q); // differs where the data are
    return std::tuple(std::tie(q.provider, q.machine, q.gpuName, q.gpu.model, q.source), q.microGpus, q.purchase,
                      q.perHour.nanos(), q.gpu.memoryMib, q.seen, total ? total->nanos() : -1, q.termMonths, q.payment);
}

std::vector<OfferRow> rowsOf(const CompareAnswer &answer, const CurrencyPart &part)
{
    std::vector<OfferRow> rows;
    // Of the price of a GPU-hour that is at hand: equal offers have equal prices, and the list is sorted by them.
    std::map<decltype(exceptPlace(answer, *part.quotes.front())), std::size_t> known;
    std::optional<base::Money> price;
    for (const PriceQuote *quote : part.quotes) {
        if (const auto own = perGpuHour(*quote); own != price) {
            known.clear();
            price = own;
        }
        const auto [at, isNew] = known.try_emplace(exceptPlace(answer, *quote), rows.size());
        if (isNew)
            rows.push_back({quote, {}, {}});
        OfferRow &row = rows[at->second];
        if (!quote->region.empty())
            row.regions.insert(quote->region);
        if (!quote->zone.empty())
            row.zones.insert(quote->zone);
    }
    return rows;
}

std::string placeText(const std::set<std::string> &places)
{
    if (places.empty())
        return "-";
    return *places.begin() + (places.size() > 1 ? " +" + std::to_string(places.size() - 1) : std::string());
}

std::string currencyText(const CompareAnswer &answer, const CurrencyPart &part, bool bold)
{
    using Align = TextTable::Align;
    std::vector<TextTable::Column> columns{{"provider"},
                                           {"region"},
                                           {"zone"},
                                           {"machine"},
                                           {"GPU"},
                                           {"GPUs", Align::Right},
                                           {"GiB each", Align::Right},
                                           {"purchase"},
                                           {"machine-hour", Align::Right},
                                           {"GPU-hour", Align::Right},
                                           {"GiB-hour", Align::Right},
                                           {"TFLOP-hour", Align::Right},
                                           {"seen"},
                                           {"source"}};
    if (answer.moving)
        columns.push_back({"total", Align::Right});
    TextTable table(columns);
    const std::vector<OfferRow> rows = rowsOf(answer, part);
    const std::size_t shown = std::min(rows.size(), answer.most.value_or(kShownOffers));
    for (std::size_t i = 0; i < shown; ++i) {
        const PriceQuote &quote = *rows[i].first;
        const std::string gib = gibText(quote);
        std::vector<std::string> cells{quote.provider,
                                       placeText(rows[i].regions),
                                       placeText(rows[i].zones),
                                       quote.machine.empty() ? "-" : quote.machine,
                                       quote.gpu.model.empty() ? quote.gpuName : quote.gpu.model,
                                       gpuCountText(quote.microGpus),
                                       gib.empty() ? "-" : gib,
                                       std::string(toString(quote.purchase)),
                                       shortText(quote.perHour, 4),
                                       shortText(perGpuHour(quote), 4),
                                       shortText(perGibHour(quote), 5),
                                       shortText(perTflopHour(quote), 6),
                                       ageText(answer, quote),
                                       quote.source};
        if (answer.moving)
            cells.push_back(shortText(totalOf(answer, quote), 2));
        table.add(cells);
    }
    std::string text = "in " + std::string(part.currency.code()) + ":\n" + table.toText(bold);
    if (shown < rows.size())
        text += "and " + std::to_string(rows.size() - shown) + " more (see them with --max)\n";
    return text;
}

} // namespace

Json compareJson(const CompareAnswer &answer)
{
    Json json;
    json["currencies"] = Json::array();
    for (const CurrencyPart &part : byCurrency(answer, answer.most)) {
        Json items = Json::array();
        for (const PriceQuote *quote : part.quotes)
            items.push_back(quoteJson(answer, *quote));
        json["currencies"].push_back({{"currency", std::string(part.currency.code())}, {"items", std::move(items)}});
    }
    json["left_out"] = Json::array();
    for (const auto &[why, count] : answer.list.leftOut)
        json["left_out"].push_back(
            {{"reason", std::string(keyOf(why))}, {"count", count}, {"text", leftOutText(why, count)}});
    json["notes"] = answer.notes;
    return json;
}

std::string compareCsv(const CompareAnswer &answer)
{
    std::vector<TextTable::Column> columns{{"provider"},
                                           {"region"},
                                           {"zone"},
                                           {"machine"},
                                           {"gpu"},
                                           {"gpu_model"},
                                           {"gpus"},
                                           {"gpu_memory_mib"},
                                           {"purchase"},
                                           {"currency"},
                                           {"per_machine_hour"},
                                           {"per_gpu_hour"},
                                           {"per_gib_hour"},
                                           {"per_tflop_hour"},
                                           {"seen"},
                                           {"source"}};
    if (answer.moving)
        columns.push_back({"total_with_moving"});
    TextTable table(columns);
    for (const CurrencyPart &part : byCurrency(answer, answer.most)) {
        for (const PriceQuote *q : part.quotes) {
            std::vector<std::string> cells{q->provider,
                                           q->region,
                                           q->zone,
                                           q->machine,
                                           q->gpuName,
                                           q->gpu.model,
                                           gpuCountText(q->microGpus),
                                           q->gpu.memoryMib ? std::to_string(*q->gpu.memoryMib) : "",
                                           std::string(toString(q->purchase)),
                                           std::string(part.currency.code()),
                                           exactText(q->perHour),
                                           exactText(perGpuHour(*q)),
                                           exactText(perGibHour(*q)),
                                           exactText(perTflopHour(*q)),
                                           dayText(q->seen),
                                           q->source};
            if (answer.moving)
                cells.push_back(exactText(totalOf(answer, *q)));
            table.add(cells);
        }
    }
    return table.toCsv();
}

std::string compareText(const CompareAnswer &answer, bool bold)
{
    std::string text;
    for (const CurrencyPart &part : byCurrency(answer, std::nullopt))
        text += (text.empty() ? "" : "\n") + currencyText(answer, part, bold);
    if (text.empty())
        text = "no price matches\n";
    for (const auto &[why, count] : answer.list.leftOut)
        text += "left out: " + leftOutText(why, count) + '\n';
    if (answer.moving)
        text += "total: one machine for " + std::to_string(answer.moving->months)
            + " month(s) of 730 h, with moving data there and keeping them; in the order of the GPU-hour\n";
    for (const std::string &note : answer.notes)
        text += note + '\n';
    return text;
}

} // namespace gpuledger::cli

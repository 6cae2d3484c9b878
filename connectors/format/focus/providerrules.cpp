// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/providerrules.h"

#include "connectors/format/focus/focusvalues.h"

#include <nlohmann/json.hpp>

#include <array>

namespace gpuledger::focus {

namespace {

using base::Decimal;
using model::BillLine;
using model::ChargeCategory;
using ports::BillFindingText;

// Adds up every "Amount" in a list of credits. Numbers are taken as text, because a double would lose digits.
class CreditSum final : public nlohmann::json_sax<nlohmann::json> {
public:
    Decimal sum;
    bool valid = true;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t value) override { return amount(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return amount(std::to_string(value)); }
    bool number_float(number_float_t, const string_t &text) override { return amount(text); }
    bool string(string_t &text) override { return amount(text); }
    bool binary(binary_t &) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t &name) override
    {
        m_isAmount = lowerCase(name) == "amount";
        return true;
    }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
    bool amount(const std::string &text)
    {
        if (!m_isAmount)
            return true;
        m_isAmount = false;
        const auto one = Decimal::parse(text);
        const auto all = one ? sum.plus(*one) : one;
        valid = valid && all;
        sum = all ? *all : sum;
        return true;
    }
    bool m_isAmount = false;
};

// A zero for something that costs money only means that the provider does not report the cost.
void forgetZero(std::optional<base::Money> &cost, const BillLine &line, BillFindingText text, const RowCells &cells)
{
    if (!cost || !cost->isZero() || line.effective.nanos() <= 0 || line.category != ChargeCategory::Usage)
        return;
    cost.reset();
    cells.notes().meet(text);
}

void everyProvider(const RowCells &cells, BillLine &line)
{
    LineNotes &notes = cells.notes();
    forgetZero(line.list, line, BillFindingText::ListCostUnknown, cells);
    forgetZero(line.contracted, line, BillFindingText::ContractedCostUnknown, cells);
    static constexpr std::array kNeverNull{Column::ProviderName,    Column::PublisherName,  Column::InvoiceIssuerName,
                                           Column::ServiceCategory, Column::ServiceName,    Column::ListCost,
                                           Column::ContractedCost,  Column::ChargeFrequency};
    for (const Column column : kNeverNull) {
        if (cells.columns().has(column) && cells.bare(column).empty())
            notes.columns.push_back({BillFindingText::ValueMissing, column, {}});
    }
    if (line.category != ChargeCategory::Usage)
        return;
    static constexpr std::array kPrices{Column::ListUnitPrice, Column::ContractedUnitPrice, Column::PricingUnit,
                                        Column::SkuId, Column::SkuPriceId};
    for (const Column column : kPrices) {
        if (cells.columns().has(column) && cells.bare(column).empty())
            notes.meet(BillFindingText::PricesNull);
    }
    // Only purchases are billed in one line and amortized in others.
    if (!line.billed.isZero() && line.effective.isZero() && line.commitment.status == model::UseStatus::Unknown)
        notes.meet(BillFindingText::EffectiveCostZero);
}

void aws(const RowCells &cells, BillLine &line)
{
    static constexpr std::string_view kPrefix = "user:"; // prefix of user-defined keys in some versions
    for (auto tag = line.tags.lower_bound(std::string(kPrefix)); tag != line.tags.end();) {
        if (!tag->first.starts_with(kPrefix))
            return;
        const std::string key = tag->first.substr(kPrefix.size());
        if (key.empty() || line.tags.contains(key)) {
            ++tag;
            continue;
        }
        auto node = line.tags.extract(tag++);
        node.key() = key;
        line.tags.insert(std::move(node));
        cells.notes().meet(BillFindingText::TagPrefix);
    }
}

void lowerId(std::string &id, const RowCells &cells)
{
    std::string lower = lowerCase(id);
    if (lower == id)
        return;
    id = std::move(lower);
    cells.notes().meet(BillFindingText::IdsLowerCase);
}

void microsoft(const ProviderColumns &own, const RowCells &cells, BillLine &line)
{
    // Azure changes the case of the same id from export to export, and even within a line.
    lowerId(line.billingAccountId, cells);
    lowerId(line.subAccountId, cells);
    lowerId(line.resource.id, cells);
    lowerId(line.commitment.id, cells);
    const std::string details = line.product.skuDetails.empty() ? cells.textAt(own.skuDetails) : std::string();
    if (details.empty())
        return;
    if (const auto read = readTags(details); read && !read->tags.empty()) {
        line.product.skuDetails = read->tags;
        cells.notes().meet(BillFindingText::SkuDetailsFromExtra);
    }
}

void google(const ProviderColumns &own, const RowCells &cells, BillLine &line)
{
    LineNotes &notes = cells.notes();
    // The label nearest to the resource wins; FOCUS's own column takes precedence over all of them.
    for (const int field : {own.labels, own.tags, own.projectLabels}) {
        const std::string text = cells.textAt(field);
        if (text.empty())
            continue;
        const auto read = readTags(text);
        if (!read) {
            notes.meet(BillFindingText::TagsUnreadable); // the text is kept in the extra columns
            continue;
        }
        for (const auto &[key, value] : read->tags) {
            if (line.tags.emplace(key, value).second)
                notes.meet(BillFindingText::TagsFromLabels);
        }
    }
    if (const std::string credits = cells.textAt(own.credits); !credits.empty()) {
        CreditSum all;
        const bool whole = nlohmann::json::sax_parse(credits, &all);
        if (whole && all.valid && !all.sum.isZero())
            notes.credits = all.sum;
    }
    const std::string subscription = line.commitment.id.empty() ? cells.textAt(own.subscription) : std::string();
    if (!subscription.empty()) {
        line.commitment.id = subscription;
        if (line.commitment.type.empty())
            line.commitment.type = cells.textAt(own.consumptionModel);
        notes.meet(BillFindingText::CommitmentFromSubscription);
    }
}

void oracle(const RowCells &cells, BillLine &line)
{
    if (!line.resource.regionId.empty() || line.resource.regionName.empty())
        return;
    line.resource.regionId = line.resource.regionName; // here the name holds the id
    cells.notes().meet(BillFindingText::RegionFromName);
}

} // namespace

ProviderColumns::ProviderColumns(const ColumnMap &columns)
    : labels(columns.extra("x_Labels"))
    , tags(columns.extra("x_Tags"))
    , projectLabels(columns.extra("x_ProjectLabels"))
    , credits(columns.extra("x_Credits"))
    , subscription(columns.extra("x_SubscriptionInstanceId"))
    , consumptionModel(columns.extra("x_ConsumptionModelDescription"))
    , skuDetails(columns.extra("x_SkuDetails"))
{
}

void applyProviderRules(ProviderKind kind, const ProviderColumns &own, const RowCells &cells, BillLine &line)
{
    switch (kind) {
    case ProviderKind::Aws:
        aws(cells, line);
        break;
    case ProviderKind::Microsoft:
        microsoft(own, cells, line);
        break;
    case ProviderKind::Google:
        google(own, cells, line);
        break;
    case ProviderKind::Oracle:
        oracle(cells, line);
        break;
    case ProviderKind::Other:
        break;
    }
    everyProvider(cells, line);
}

} // namespace gpuledger::focus

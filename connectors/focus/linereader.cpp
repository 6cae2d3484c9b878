// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/focus/linereader.h"

#include "app/base/text.h"

#include <array>

namespace gpuledger::focus {

namespace {

using format::CsvRow;
using model::BillLine;
using ports::BillFindingText;
using ports::RejectReason;

constexpr std::size_t kShownBytes = 64; // of foreign text in a reason
constexpr std::array kTimeColumns{Column::BillingPeriodStart, Column::BillingPeriodEnd, Column::ChargePeriodStart,
                                  Column::ChargePeriodEnd};

} // namespace

// One row on its way. The first thing that is wrong with it is the reason; the rest is read nevertheless, for its
// money.
class LineReader::Row {
public:
    Row(LineReader &reader, const CsvRow &row, BillLine &line, LineNotes &notes)
        : m_reader(reader)
        , m_row(row)
        , m_line(line)
        , m_notes(notes)
        , m_cells(reader.m_columns, row, notes)
    {
    }

    Verdict read()
    {
        if (!shape())
            return std::move(m_verdict);
        money();
        place();
        if (!m_verdict.rejection)
            rest();
        return std::move(m_verdict);
    }

private:
    void reject(RejectReason reason, std::vector<ports::FindingTerm> terms = {})
    {
        if (!m_verdict.rejection)
            m_verdict.rejection = ports::Rejection{m_reader.m_file, m_row.line(), reason, std::move(terms)};
    }
    void rejectValue(RejectReason reason, Column column, std::string_view value)
    {
        reject(reason, {std::string(nameOf(column)), base::printable(value, kShownBytes)});
    }
    // A mandatory value; empty when it is missing, which refuses the row.
    std::string_view wanted(Column column)
    {
        const std::string_view value = m_cells.bare(column);
        if (value.empty())
            reject(RejectReason::MissingValue, {std::string(nameOf(column))});
        return value;
    }

    bool shape();
    void money();
    std::optional<base::Decimal> cost(Column column, base::Money &kept);
    void place();
    void times();
    void rest();
    void accounts();
    void product();
    void resource();
    void commitment();
    void tags();
    void setTags(const std::optional<BillTags> &tags, const std::string &text);
    model::Labels details();
    model::Quantity quantity(Column amount, Column unit)
    {
        return {m_cells.decimal(amount, m_line), m_cells.text(unit)};
    }

    LineReader &m_reader;
    const CsvRow &m_row;
    BillLine &m_line;
    LineNotes &m_notes;
    RowCells m_cells;
    Verdict m_verdict;
};

// False: nothing in the row can be trusted, because its values may stand under other columns.
bool LineReader::Row::shape()
{
    switch (m_row.problem()) {
    case CsvRow::Problem::None:
        break;
    case CsvRow::Problem::TooLong:
        reject(RejectReason::LineTooLong, {std::uint64_t{format::CsvLimits{}.rowBytes}});
        return false;
    case CsvRow::Problem::TextAfterQuote:
    case CsvRow::Problem::OpenQuote:
        reject(RejectReason::TextAfterQuote);
        return false;
    case CsvRow::Problem::NulByte:
        reject(RejectReason::NulByte);
        return false;
    case CsvRow::Problem::TooManyFields:
        break;
    }
    if (m_row.size() == m_reader.m_columns.fields() && m_row.problem() == CsvRow::Problem::None)
        return true;
    reject(RejectReason::ColumnCount, {std::uint64_t{m_row.size()}, std::uint64_t{m_reader.m_columns.fields()}});
    return false;
}

void LineReader::Row::money()
{
    const std::string_view code = wanted(Column::BillingCurrency);
    const auto currency = base::Currency::parse(code);
    if (currency)
        m_verdict.money.currency = *currency;
    else if (!code.empty())
        reject(RejectReason::NotACurrency, {base::printable(code, kShownBytes)});
    m_verdict.money.billed = cost(Column::BilledCost, m_line.billed);
    m_verdict.money.effective = cost(Column::EffectiveCost, m_line.effective);
}

std::optional<base::Decimal> LineReader::Row::cost(Column column, base::Money &kept)
{
    const std::string_view value = wanted(column);
    if (value.empty())
        return std::nullopt;
    const auto exact = base::Decimal::parse(value);
    const auto amount = exact ? exact->toMoney(m_verdict.money.currency) : tl::unexpected<base::Error>(exact.error());
    if (amount)
        kept = *amount;
    else
        rejectValue(amount.error().code == base::ErrorCode::Overflow ? RejectReason::AmountTooLarge
                                                                     : RejectReason::NotAnAmount,
                    column, value);
    return exact ? std::optional(*exact) : std::nullopt;
}

void LineReader::Row::place()
{
    m_line.billingAccountId = m_cells.text(Column::BillingAccountId);
    if (m_line.billingAccountId.empty())
        reject(RejectReason::MissingValue, {std::string(nameOf(Column::BillingAccountId))});
    times();
    const std::string_view category = wanted(Column::ChargeCategory);
    if (category.empty())
        return;
    const auto known = model::billWord<model::ChargeCategory>(category);
    if (!known)
        return reject(RejectReason::UnknownCategory, {base::printable(category, kShownBytes)});
    m_line.category = *known;
    if (model::toString(*known) != category)
        m_notes.columns.push_back({BillFindingText::WordSpelling, Column::ChargeCategory, {}});
}

void LineReader::Row::times()
{
    Memo &memo = m_reader.m_memo;
    for (std::size_t i = 0; i < kTimeColumns.size(); ++i) {
        const std::string_view value = wanted(kTimeColumns[i]);
        if (value.empty())
            return;
        if (value != memo.timeText[i]) {
            const auto time = readTime(value);
            if (!time)
                return rejectValue(RejectReason::NotATime, kTimeColumns[i], value);
            memo.timeText[i] = value;
            memo.time[i] = *time;
        }
        if (!memo.time[i].hadZone)
            m_notes.meet(BillFindingText::NoZone);
    }
    m_line.billingPeriod = {memo.time[0].time, memo.time[1].time};
    m_line.chargePeriod = {memo.time[2].time, memo.time[3].time};
    if (m_line.billingPeriod.empty())
        reject(RejectReason::EmptyTimeRange, {std::string(nameOf(Column::BillingPeriodStart))});
    if (m_line.chargePeriod.empty())
        reject(RejectReason::EmptyTimeRange, {std::string(nameOf(Column::ChargePeriodStart))});
}

void LineReader::Row::rest()
{
    m_line.extra = m_cells.extras();
    const base::Currency currency = m_verdict.money.currency;
    m_line.list = m_cells.money(Column::ListCost, currency, m_line);
    m_line.contracted = m_cells.money(Column::ContractedCost, currency, m_line);
    m_line.pricingCurrency = m_cells.text(Column::PricingCurrency);
    m_line.chargeClass = m_cells.word(Column::ChargeClass, model::ChargeClass::Regular, m_line);
    m_line.frequency = m_cells.word(Column::ChargeFrequency, model::ChargeFrequency::Unknown, m_line);
    m_line.pricing = m_cells.word(Column::PricingCategory, model::PricingCategory::Unknown, m_line);
    m_line.description = m_cells.text(Column::ChargeDescription);
    m_line.pricingQuantity = quantity(Column::PricingQuantity, Column::PricingUnit);
    m_line.consumedQuantity = quantity(Column::ConsumedQuantity, Column::ConsumedUnit);
    accounts();
    product();
    resource();
    commitment();
    tags();
    const bool outside =
        m_line.chargePeriod.start < m_line.billingPeriod.start || m_line.chargePeriod.end > m_line.billingPeriod.end;
    if (outside && m_line.chargeClass == model::ChargeClass::Regular)
        m_notes.meet(BillFindingText::ChargeOutsidePeriod);
    Memo &memo = m_reader.m_memo;
    if (memo.provider != m_line.product.provider) {
        memo.provider = m_line.product.provider;
        memo.kind = providerKind(memo.provider);
    }
    applyProviderRules(memo.kind, m_reader.m_own, m_cells, m_line);
}

void LineReader::Row::accounts()
{
    m_line.billingAccountName = m_cells.text(Column::BillingAccountName);
    m_line.billingAccountType = m_cells.text(Column::BillingAccountType);
    m_line.subAccountId = m_cells.text(Column::SubAccountId);
    m_line.subAccountName = m_cells.text(Column::SubAccountName);
    m_line.subAccountType = m_cells.text(Column::SubAccountType);
    m_line.invoiceId = m_cells.text(Column::InvoiceId);
    m_line.invoiceIssuer = m_cells.text(Column::InvoiceIssuerName);
}

void LineReader::Row::product()
{
    model::BillProduct &product = m_line.product;
    product.provider = m_cells.text(Column::ProviderName);
    product.publisher = m_cells.text(Column::PublisherName);
    product.serviceCategory = m_cells.text(Column::ServiceCategory);
    product.serviceSubcategory = m_cells.text(Column::ServiceSubcategory);
    product.serviceName = m_cells.text(Column::ServiceName);
    product.skuId = m_cells.text(Column::SkuId);
    product.skuPriceId = m_cells.text(Column::SkuPriceId);
    product.skuMeter = m_cells.text(Column::SkuMeter);
    product.skuDetails = details();
    product.listUnitPrice = m_cells.decimal(Column::ListUnitPrice, m_line);
    product.contractedUnitPrice = m_cells.decimal(Column::ContractedUnitPrice, m_line);
}

void LineReader::Row::resource()
{
    model::BillResource &resource = m_line.resource;
    resource.id = m_cells.text(Column::ResourceId);
    resource.name = m_cells.text(Column::ResourceName);
    resource.type = m_cells.text(Column::ResourceType);
    resource.regionId = m_cells.text(Column::RegionId);
    resource.regionName = m_cells.text(Column::RegionName);
    resource.zone = m_cells.text(Column::AvailabilityZone);
    m_line.capacityReservationId = m_cells.text(Column::CapacityReservationId);
    m_line.capacityReservation = m_cells.word(Column::CapacityReservationStatus, model::UseStatus::Unknown, m_line);
}

void LineReader::Row::commitment()
{
    model::BillCommitment &commitment = m_line.commitment;
    commitment.id = m_cells.text(Column::CommitmentDiscountId);
    commitment.name = m_cells.text(Column::CommitmentDiscountName);
    commitment.type = m_cells.text(Column::CommitmentDiscountType);
    commitment.category = m_cells.word(Column::CommitmentDiscountCategory, model::CommitmentCategory::Unknown, m_line);
    commitment.status = m_cells.word(Column::CommitmentDiscountStatus, model::UseStatus::Unknown, m_line);
    commitment.quantity = quantity(Column::CommitmentDiscountQuantity, Column::CommitmentDiscountUnit);
}

void LineReader::Row::tags()
{
    Memo &memo = m_reader.m_memo;
    const std::string text = m_cells.text(Column::Tags);
    if (text.empty() || isNullWord(text))
        return;
    if (text.size() > Memo::kMostTagBytes)
        return setTags(readTags(text), text);
    auto known = memo.tags.find(text);
    if (known == memo.tags.end()) {
        if (memo.tags.size() >= Memo::kMostTags)
            memo.tags.clear();
        known = memo.tags.emplace(text, readTags(text)).first;
    }
    setTags(known->second, text);
}

void LineReader::Row::setTags(const std::optional<BillTags> &tags, const std::string &text)
{
    if (!tags) {
        m_notes.meet(BillFindingText::TagsUnreadable);
        m_line.extra.push_back({std::string(nameOf(Column::Tags)), text});
        return;
    }
    m_line.tags = tags->tags;
    if (tags->withoutBraces)
        m_notes.meet(BillFindingText::TagsWithoutBraces);
    if (tags->keyBlanks)
        m_notes.meet(BillFindingText::TagKeyBlanks);
}

model::Labels LineReader::Row::details()
{
    const std::string text = m_cells.text(Column::SkuPriceDetails);
    if (text.empty() || isNullWord(text))
        return {};
    if (const auto read = readTags(text))
        return read->tags;
    m_cells.keepUnread(BillFindingText::ValueUnreadable, Column::SkuPriceDetails, text, m_line);
    return {};
}

LineReader::LineReader(ColumnMap columns, std::uint32_t file)
    : m_columns(std::move(columns))
    , m_own(m_columns)
    , m_file(file)
{
}

LineReader::Verdict LineReader::read(const CsvRow &row, BillLine &line, LineNotes &notes)
{
    line.file = m_file;
    line.row = row.line();
    notes.clear();
    return Row(*this, row, line, notes).read();
}

} // namespace gpuledger::focus

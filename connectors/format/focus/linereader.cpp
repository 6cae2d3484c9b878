// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/linereader.h"

#include "app/base/text/text.h"

#include <array>
#include <limits>

namespace gpuledger::focus {

namespace {

using format::TextRow;
using model::BillLine;
using ports::BillFindingText;
using ports::RejectReason;

constexpr std::size_t kShownOfCell = 64; // of external text in a reason
constexpr std::array kTimeColumns{Column::BillingPeriodStart, Column::BillingPeriodEnd, Column::ChargePeriodStart,
                                  Column::ChargePeriodEnd};

} // namespace

// The row being read. Its first error becomes the reason; the rest is read anyway, for its money.
class LineReader::Row {
public:
    Row(LineReader &reader, const TextRow &row, BillLine &line, LineNotes &notes)
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
        reject(reason, {std::string(nameOf(column)), base::printable(value, kShownOfCell)});
    }
    // A mandatory value; empty if missing, which rejects the row.
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
    void quantity(model::Quantity &to, Column amount, Column unit)
    {
        to.amount = m_cells.decimal(amount, m_line);
        m_cells.put(to.unit, unit);
    }

    LineReader &m_reader;
    const TextRow &m_row;
    BillLine &m_line;
    LineNotes &m_notes;
    RowCells m_cells;
    Verdict m_verdict;
};

// Returns false if nothing in the row can be trusted, because its values may belong to other columns.
bool LineReader::Row::shape()
{
    switch (m_row.problem()) {
    case TextRow::Problem::None:
        break;
    case TextRow::Problem::TooLong:
        reject(RejectReason::LineTooLong, {std::uint64_t{format::CsvLimits{}.rowBytes}});
        return false;
    case TextRow::Problem::TextAfterQuote:
    case TextRow::Problem::OpenQuote:
        reject(RejectReason::TextAfterQuote);
        return false;
    case TextRow::Problem::NulByte:
        reject(RejectReason::NulByte);
        return false;
    case TextRow::Problem::TooManyFields:
        break;
    }
    if (m_row.size() == m_reader.m_columns.fields() && m_row.problem() == TextRow::Problem::None)
        return true;
    reject(RejectReason::ColumnCount,
           {std::uint64_t{m_row.sizeInFile()}, std::uint64_t{m_reader.m_columns.fieldsInFile()}});
    return false;
}

void LineReader::Row::money()
{
    const std::string_view code = wanted(Column::BillingCurrency);
    const auto currency = base::Currency::parse(code);
    if (currency)
        m_verdict.money.currency = *currency;
    else if (!code.empty())
        reject(RejectReason::NotACurrency, {base::printable(code, kShownOfCell)});
    m_verdict.money.billed = cost(Column::BilledCost, m_line.billed);
    m_verdict.money.effective = cost(Column::EffectiveCost, m_line.effective);
}

std::optional<base::Decimal> LineReader::Row::cost(Column column, base::Money &kept)
{
    const std::string_view value = wanted(column);
    if (value.empty())
        return std::nullopt;
    const auto &[exact, amount] = m_cells.amount(value, m_verdict.money.currency);
    if (amount && amount->nanos() == std::numeric_limits<std::int64_t>::min())
        rejectValue(RejectReason::AmountTooLarge, column,
                    value); // no charge is that large, and nothing could correct it later
    else if (amount)
        kept = *amount;
    else
        rejectValue(amount.error().code == base::ErrorCode::Overflow ? RejectReason::AmountTooLarge
                                                                     : RejectReason::NotAnAmount,
                    column, value);
    return exact ? std::optional(*exact) : std::nullopt;
}

void LineReader::Row::place()
{
    m_cells.put(m_line.billingAccountId, Column::BillingAccountId);
    if (m_line.billingAccountId.empty())
        reject(RejectReason::MissingValue, {std::string(nameOf(Column::BillingAccountId))});
    times();
    const std::string_view category = wanted(Column::ChargeCategory);
    if (category.empty())
        return;
    const auto known = model::billWord<model::ChargeCategory>(category);
    if (!known)
        return reject(RejectReason::UnknownCategory, {base::printable(category, kShownOfCell)});
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
    m_cells.put(m_line.pricingCurrency, Column::PricingCurrency);
    m_line.chargeClass = m_cells.word(Column::ChargeClass, model::ChargeClass::Regular, m_line);
    m_line.frequency = m_cells.word(Column::ChargeFrequency, model::ChargeFrequency::Unknown, m_line);
    m_line.pricing = m_cells.word(Column::PricingCategory, model::PricingCategory::Unknown, m_line);
    m_cells.put(m_line.description, Column::ChargeDescription);
    quantity(m_line.pricingQuantity, Column::PricingQuantity, Column::PricingUnit);
    quantity(m_line.consumedQuantity, Column::ConsumedQuantity, Column::ConsumedUnit);
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
    m_cells.put(m_line.billingAccountName, Column::BillingAccountName);
    m_cells.put(m_line.billingAccountType, Column::BillingAccountType);
    m_cells.put(m_line.subAccountId, Column::SubAccountId);
    m_cells.put(m_line.subAccountName, Column::SubAccountName);
    m_cells.put(m_line.subAccountType, Column::SubAccountType);
    m_cells.put(m_line.invoiceId, Column::InvoiceId);
    m_cells.put(m_line.invoiceIssuer, Column::InvoiceIssuerName);
}

void LineReader::Row::product()
{
    model::BillProduct &product = m_line.product;
    m_cells.put(product.provider, Column::ProviderName);
    m_cells.put(product.publisher, Column::PublisherName);
    m_cells.put(product.serviceCategory, Column::ServiceCategory);
    m_cells.put(product.serviceSubcategory, Column::ServiceSubcategory);
    m_cells.put(product.serviceName, Column::ServiceName);
    m_cells.put(product.skuId, Column::SkuId);
    m_cells.put(product.skuPriceId, Column::SkuPriceId);
    m_cells.put(product.skuMeter, Column::SkuMeter);
    product.skuDetails = details();
    product.listUnitPrice = m_cells.decimal(Column::ListUnitPrice, m_line);
    product.contractedUnitPrice = m_cells.decimal(Column::ContractedUnitPrice, m_line);
}

void LineReader::Row::resource()
{
    model::BillResource &resource = m_line.resource;
    m_cells.put(resource.id, Column::ResourceId);
    m_cells.put(resource.name, Column::ResourceName);
    m_cells.put(resource.type, Column::ResourceType);
    m_cells.put(resource.regionId, Column::RegionId);
    m_cells.put(resource.regionName, Column::RegionName);
    m_cells.put(resource.zone, Column::AvailabilityZone);
    m_cells.put(m_line.capacityReservationId, Column::CapacityReservationId);
    m_line.capacityReservation = m_cells.word(Column::CapacityReservationStatus, model::UseStatus::Unknown, m_line);
}

void LineReader::Row::commitment()
{
    model::BillCommitment &commitment = m_line.commitment;
    m_cells.put(commitment.id, Column::CommitmentDiscountId);
    m_cells.put(commitment.name, Column::CommitmentDiscountName);
    m_cells.put(commitment.type, Column::CommitmentDiscountType);
    commitment.category = m_cells.word(Column::CommitmentDiscountCategory, model::CommitmentCategory::Unknown, m_line);
    commitment.status = m_cells.word(Column::CommitmentDiscountStatus, model::UseStatus::Unknown, m_line);
    quantity(commitment.quantity, Column::CommitmentDiscountQuantity, Column::CommitmentDiscountUnit);
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

LineReader::Verdict LineReader::read(const TextRow &row, BillLine &line, LineNotes &notes)
{
    line.file = m_file;
    line.row = row.line();
    notes.clear();
    return Row(*this, row, line, notes).read();
}

} // namespace gpuledger::focus

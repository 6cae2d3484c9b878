// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/cur/currow.h"

#include <algorithm>

namespace gpuledger::cur {

using base::Result;
using format::TextRow;

namespace {

constexpr std::array<std::string_view, kToColumns> kToNames{
    "BilledCost",
    "EffectiveCost",
    "ListCost",
    "ContractedCost",
    "BillingAccountId",
    "BillingAccountName",
    "SubAccountId",
    "SubAccountName",
    "BillingCurrency",
    "BillingPeriodStart",
    "BillingPeriodEnd",
    "ChargePeriodStart",
    "ChargePeriodEnd",
    "ChargeCategory",
    "ChargeClass",
    "ChargeFrequency",
    "ChargeDescription",
    "PricingCategory",
    "PricingQuantity",
    "PricingUnit",
    "ConsumedQuantity",
    "ConsumedUnit",
    "ListUnitPrice",
    "ContractedUnitPrice",
    "InvoiceId",
    "InvoiceIssuerName",
    "ProviderName",
    "PublisherName",
    "ServiceCategory",
    "ServiceName",
    "ResourceId",
    "RegionId",
    "AvailabilityZone",
    "CapacityReservationId",
    "CapacityReservationStatus",
    "CommitmentDiscountCategory",
    "CommitmentDiscountId",
    "CommitmentDiscountType",
    "CommitmentDiscountStatus",
    "SkuId",
    "SkuPriceId",
    "SkuPriceDetails",
    "Tags",
    "x_UsageType",
    "x_Operation",
    "x_ServiceCode",
    "x_LineItemType",
    "x_CostCategories",
    "x_Discounts",
};
static_assert(!kToNames.back().empty());

class ReportRows final : public format::TextRows {
public:
    ReportRows(std::unique_ptr<format::TextRows> rows, UsageReports &reports, std::uint32_t file)
        : m_rows(std::move(rows))
        , m_reports(reports)
        , m_file(file)
    {
    }

    Result<bool> next(TextRow &row) override
    {
        if (!m_isHeaderRead)
            return header(row);
        if (!m_maker)
            return m_rows->next(row);
        if (m_made.second) {
            write(*m_made.second, row);
            m_made.second.reset();
            return true;
        }
        for (;;) {
            const auto more = m_rows->next(m_read);
            if (!more || !*more)
                return more;
            if (m_read.problem() != TextRow::Problem::None || m_read.size() != m_maker->columns().fields()) {
                damaged(row);
                return true;
            }
            GPULEDGER_TRY(m_maker->make(m_read, m_made));
            if (!m_made.first)
                continue;
            write(*m_made.first, row);
            return true;
        }
    }

private:
    Result<bool> header(TextRow &row)
    {
        m_isHeaderRead = true;
        auto more = m_rows->next(row);
        if (!more || !*more)
            return more;
        auto columns = CurColumns::fromHeader(row);
        if (!columns || !columns->check())
            return true;
        m_read = row;
        for (std::size_t i = 0; i < kToColumns; ++i) {
            if (isGiven(static_cast<To>(i), *columns))
                m_to.push_back(i);
        }
        m_maker = std::make_unique<RowMaker>(std::move(*columns), m_reports, m_file);
        format::TextRowWriter to(row, m_read);
        for (const std::size_t i : m_to)
            to.add(kToNames[i]);
        return true;
    }

    void write(const FocusRow &from, TextRow &row) const
    {
        format::TextRowWriter to(row, m_read);
        for (const std::size_t i : m_to)
            to.add(from.values[i]);
    }

    // Nothing in it can be trusted. It has too few or too many fields, as in the file.
    void damaged(TextRow &row) const
    {
        format::TextRowWriter to(row, m_read);
        to.add(m_read.size() < m_maker->columns().fields() ? 0 : m_to.size() + 1);
    }

    std::unique_ptr<format::TextRows> m_rows;
    UsageReports &m_reports;
    std::uint32_t m_file;
    bool m_isHeaderRead = false;
    TextRow m_read; // the last row of the report
    std::vector<std::size_t> m_to; // the columns that are handed on
    std::unique_ptr<RowMaker> m_maker; // null: another table
    RowMaker::Made m_made;
};

} // namespace

std::string_view nameOf(To column)
{
    return kToNames[static_cast<std::size_t>(column)];
}

std::unique_ptr<format::TextRows> asFocus(std::unique_ptr<format::TextRows> rows, UsageReports &reports,
                                          std::uint32_t file)
{
    return std::make_unique<ReportRows>(std::move(rows), reports, file);
}

Result<void> problemOf(const TextRow &header)
{
    const auto columns = CurColumns::fromHeader(header);
    return columns ? columns->check() : Result<void>();
}

bool isReport(const TextRow &header)
{
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (header[i] == nameOf(To::LineItemType))
            return true;
    }
    return false;
}

} // namespace gpuledger::cur

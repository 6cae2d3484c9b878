// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/rowcells.h"

#include "app/base/text/text.h"
#include "connectors/format/focus/focusvalues.h"

namespace gpuledger::focus {

using ports::BillFindingText;

std::string RowCells::repaired(std::string_view text) const
{
    if (base::isUtf8(text))
        return std::string(text);
    m_notes.meet(BillFindingText::InvalidUtf8);
    return base::repairedUtf8(text);
}

std::optional<base::Decimal> RowCells::decimal(Column column, model::BillLine &line) const
{
    const std::string_view value = bare(column);
    if (value.empty())
        return std::nullopt;
    const auto number = base::Decimal::parse(value);
    if (number)
        return *number;
    keepUnread(BillFindingText::ValueUnreadable, column, value, line);
    return std::nullopt;
}

void RowCells::readAmount(std::string_view value, base::Currency currency)
{
    auto exact = base::Decimal::parse(value);
    auto money = exact ? exact->toMoney(currency) : base::Result<base::Money>(base::fail(exact.error()));
    m_amount.emplace(Amount{std::move(exact), std::move(money)});
    m_amountText = value;
    m_amountCurrency = currency;
}

std::optional<base::Money> RowCells::money(Column column, base::Currency currency, model::BillLine &line)
{
    const std::string_view value = bare(column);
    if (value.empty())
        return std::nullopt;
    if (const Amount &read = amount(value, currency); read.money)
        return *read.money;
    keepUnread(BillFindingText::ValueUnreadable, column, value, line);
    return std::nullopt;
}

void RowCells::keepUnread(BillFindingText text, Column column, std::string_view value, model::BillLine &line) const
{
    line.extra.push_back({std::string(nameOf(column)), utf8(value)});
    m_notes.columns.push_back({text, column, std::string(value)});
}

std::vector<model::ExtraColumn> RowCells::extras() const
{
    std::vector<model::ExtraColumn> all;
    for (const ColumnMap::Extra &extra : m_columns.extras()) {
        std::string value = textAt(static_cast<int>(extra.field));
        if (!value.empty())
            all.push_back({extra.name, std::move(value)});
    }
    return all;
}

} // namespace gpuledger::focus

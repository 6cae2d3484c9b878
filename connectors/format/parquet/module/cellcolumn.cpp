// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/parquet/module/cellcolumn.h"

#include "connectors/format/parquet/module/celltext.h"

#include <arrow/array.h>
#include <arrow/type.h>

#include <cstring>

namespace gpuledger::format {

namespace {

// Whether equal bytes are equal texts, and no text column's.
bool isRemembered(arrow::Type::type type)
{
    switch (type) {
    case arrow::Type::INT32:
    case arrow::Type::UINT32:
    case arrow::Type::INT64:
    case arrow::Type::UINT64:
    case arrow::Type::FLOAT:
    case arrow::Type::DOUBLE:
    case arrow::Type::DECIMAL32:
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
    case arrow::Type::DATE32:
    case arrow::Type::DATE64:
    case arrow::Type::TIMESTAMP:
        return true;
    default:
        return false;
    }
}

} // namespace

void CellColumn::setArray(std::shared_ptr<arrow::Array> array)
{
    m_array = std::move(array);
    m_values = nullptr;
    if (!m_array || !isRemembered(m_array->type_id()))
        return;
    const arrow::ArrayData &data = *m_array->data();
    if (data.buffers.size() < 2 || !data.buffers[1])
        return;
    m_width = static_cast<std::size_t>(static_cast<const arrow::FixedWidthType &>(*m_array->type()).bit_width()) / 8;
    m_values = data.buffers[1]->data() + static_cast<std::size_t>(data.offset) * m_width;
    m_memos.resize(kMemos);
}

CellColumn::Value CellColumn::valueAt(std::int64_t row) const
{
    Value value;
    const std::uint8_t *bytes = m_values + static_cast<std::size_t>(row) * m_width;
    const std::size_t first = m_width < sizeof value.low ? m_width : sizeof value.low;
    std::memcpy(&value.low, bytes, first);
    std::memcpy(&value.high, bytes + first, m_width - first);
    return value;
}

bool CellColumn::append(std::int64_t row, std::string &out)
{
    if (!m_values || m_array->IsNull(row))
        return appendCell(*m_array, row, out);
    const Value value = valueAt(row);
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15; // spreads the bits: the golden ratio of 2^64
    Memo &memo = m_memos[((value.low ^ value.high) * kOdd) >> 60];
    if (memo.text.empty() || memo.value != value) {
        const std::size_t begin = out.size();
        appendCell(*m_array, row, out);
        memo.value = value;
        memo.text.assign(out, begin);
        return false;
    }
    out += memo.text;
    return false;
}

} // namespace gpuledger::format

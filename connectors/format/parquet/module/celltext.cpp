// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/parquet/module/celltext.h"

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace gpuledger::format {

namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kDaySeconds = 86'400;

template <typename Number> void appendNumber(Number value, std::string &out)
{
    std::array<char, 64> text; // the longest double has 24 characters
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    out.append(text.data(), end.ptr);
}

// `digits` is an integer; the value has `scale` of them behind its point.
void appendDecimal(std::string digits, std::int32_t scale, std::string &out)
{
    const bool isNegative = digits.starts_with('-');
    if (isNegative) {
        out += '-';
        digits.erase(0, 1);
    }
    if (scale <= 0) {
        out += digits;
        out.append(digits == "0" ? 0 : static_cast<std::size_t>(-scale), '0');
        return;
    }
    const auto behind = static_cast<std::size_t>(scale);
    if (digits.size() <= behind)
        digits.insert(0, behind + 1 - digits.size(), '0');
    std::string_view fraction = std::string_view(digits).substr(digits.size() - behind);
    out.append(digits, 0, digits.size() - behind);
    while (fraction.ends_with('0'))
        fraction.remove_suffix(1);
    if (!fraction.empty())
        out.append(".").append(fraction);
}

// 0 to 99.
void appendTwo(int value, std::string &out)
{
    out += static_cast<char>('0' + value / 10);
    out += static_cast<char>('0' + value % 10);
}

void appendDay(std::int64_t days, std::string &out)
{
    using namespace std::chrono;
    // A year beyond four digits is no date: the number of days is refused as such. std::chrono's years end earlier
    // than days do.
    if (days < -4'000'000 || days > 4'000'000) {
        appendNumber(days, out);
        return;
    }
    const year_month_day date{sys_days(std::chrono::days(days))};
    const int year = static_cast<int>(date.year());
    if (year < 0 || year > 9999) {
        appendNumber(days, out);
        return;
    }
    appendTwo(year / 100, out);
    appendTwo(year % 100, out);
    out += '-';
    appendTwo(static_cast<int>(static_cast<unsigned>(date.month())), out);
    out += '-';
    appendTwo(static_cast<int>(static_cast<unsigned>(date.day())), out);
}

std::int64_t perSecond(arrow::TimeUnit::type unit)
{
    switch (unit) {
    case arrow::TimeUnit::SECOND:
        return 1;
    case arrow::TimeUnit::MILLI:
        return 1'000;
    case arrow::TimeUnit::MICRO:
        return 1'000'000;
    case arrow::TimeUnit::NANO:
        return 1'000'000'000;
    }
    return 1;
}

// Rounds towards minus infinity.
std::int64_t floored(std::int64_t value, std::int64_t by)
{
    return value / by - (value % by < 0 ? 1 : 0);
}

void appendTime(std::int64_t value, std::int64_t perSecond, std::string &out)
{
    const std::int64_t seconds = floored(value, perSecond);
    const std::int64_t day = floored(seconds, kDaySeconds);
    appendDay(day, out);
    const std::int64_t ofDay = seconds - day * kDaySeconds;
    out += 'T';
    appendTwo(static_cast<int>(ofDay / 3600), out);
    out += ':';
    appendTwo(static_cast<int>(ofDay / 60 % 60), out);
    out += ':';
    appendTwo(static_cast<int>(ofDay % 60), out);
    if (const std::int64_t rest = value % perSecond; rest != 0) {
        // "1" before the fraction with all its zeros
        const std::string digits = std::to_string(perSecond + rest + (rest < 0 ? perSecond : 0));
        out.append(".").append(digits, 1);
    }
    out += 'Z';
}

template <typename Array> auto valueOf(const arrow::Array &array, std::int64_t row)
{
    return static_cast<const Array &>(array).GetView(row);
}

template <typename Array> void appendDecimalOf(const arrow::Array &array, std::int64_t row, std::string &out)
{
    const auto &decimals = static_cast<const Array &>(array);
    using Value = typename arrow::TypeTraits<typename Array::TypeClass>::CType;
    appendDecimal(Value(decimals.GetValue(row)).ToIntegerString(),
                  static_cast<const arrow::DecimalType &>(*array.type()).scale(), out);
}

// True if the type is a number, time or truth value.
bool appendPlain(const arrow::Array &array, std::int64_t row, std::string &out)
{
    switch (array.type_id()) {
    case arrow::Type::BOOL:
        out += valueOf<arrow::BooleanArray>(array, row) ? "true" : "false";
        return true;
    case arrow::Type::INT8:
        appendNumber(static_cast<int>(valueOf<arrow::Int8Array>(array, row)), out);
        return true;
    case arrow::Type::UINT8:
        appendNumber(static_cast<int>(valueOf<arrow::UInt8Array>(array, row)), out);
        return true;
    case arrow::Type::INT16:
        appendNumber(valueOf<arrow::Int16Array>(array, row), out);
        return true;
    case arrow::Type::UINT16:
        appendNumber(valueOf<arrow::UInt16Array>(array, row), out);
        return true;
    case arrow::Type::INT32:
        appendNumber(valueOf<arrow::Int32Array>(array, row), out);
        return true;
    case arrow::Type::UINT32:
        appendNumber(valueOf<arrow::UInt32Array>(array, row), out);
        return true;
    case arrow::Type::INT64:
        appendNumber(valueOf<arrow::Int64Array>(array, row), out);
        return true;
    case arrow::Type::UINT64:
        appendNumber(valueOf<arrow::UInt64Array>(array, row), out);
        return true;
    case arrow::Type::FLOAT:
        appendNumber(valueOf<arrow::FloatArray>(array, row), out);
        return true;
    case arrow::Type::DOUBLE:
        appendNumber(valueOf<arrow::DoubleArray>(array, row), out);
        return true;
    case arrow::Type::DECIMAL32:
        appendDecimalOf<arrow::Decimal32Array>(array, row, out);
        return true;
    case arrow::Type::DECIMAL64:
        appendDecimalOf<arrow::Decimal64Array>(array, row, out);
        return true;
    case arrow::Type::DECIMAL128:
        appendDecimalOf<arrow::Decimal128Array>(array, row, out);
        return true;
    case arrow::Type::DECIMAL256:
        appendDecimalOf<arrow::Decimal256Array>(array, row, out);
        return true;
    case arrow::Type::DATE32:
        appendDay(valueOf<arrow::Date32Array>(array, row), out);
        return true;
    case arrow::Type::DATE64:
        appendTime(valueOf<arrow::Date64Array>(array, row), 1'000, out);
        return true;
    case arrow::Type::TIMESTAMP:
        appendTime(valueOf<arrow::TimestampArray>(array, row),
                   perSecond(static_cast<const arrow::TimestampType &>(*array.type()).unit()), out);
        return true;
    default:
        return false;
    }
}

// A NUL in CSV tells of damage; here it is what the file says, and costs no row.
void appendWithoutNul(std::string_view text, std::string &out)
{
    static constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
    for (std::size_t nul = text.find('\0'); nul != std::string_view::npos; nul = text.find('\0')) {
        out.append(text.substr(0, nul)).append(kReplacement);
        text.remove_prefix(nul + 1);
    }
    out += text;
}

// True if the type is a text.
bool appendText(const arrow::Array &array, std::int64_t row, std::string &out)
{
    switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
        appendWithoutNul(valueOf<arrow::BinaryArray>(array, row), out);
        return true;
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
        appendWithoutNul(valueOf<arrow::LargeBinaryArray>(array, row), out);
        return true;
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
        appendWithoutNul(valueOf<arrow::BinaryViewArray>(array, row), out);
        return true;
    default:
        return false;
    }
}

ordered_json jsonOf(const arrow::Array &array, std::int64_t row);

ordered_json listOf(const arrow::Array &values, std::int64_t from, std::int64_t size)
{
    ordered_json out = ordered_json::array();
    for (std::int64_t i = 0; i < size; ++i)
        out.push_back(jsonOf(values, from + i));
    return out;
}

std::string textOf(const arrow::Array &array, std::int64_t row)
{
    std::string out;
    appendCell(array, row, out);
    return out;
}

ordered_json mapOf(const arrow::MapArray &map, std::int64_t row)
{
    ordered_json out = ordered_json::object();
    for (std::int64_t i = map.value_offset(row); i < map.value_offset(row) + map.value_length(row); ++i)
        out[textOf(*map.keys(), i)] = jsonOf(*map.items(), i);
    return out;
}

ordered_json structOf(const arrow::StructArray &fields, std::int64_t row)
{
    ordered_json out = ordered_json::object();
    for (int i = 0; i < fields.num_fields(); ++i)
        out[fields.struct_type()->field(i)->name()] = jsonOf(*fields.field(i), row);
    return out;
}

template <typename Lists> ordered_json listsOf(const arrow::Array &array, std::int64_t row)
{
    const auto &lists = static_cast<const Lists &>(array);
    return listOf(*lists.values(), lists.value_offset(row), lists.value_length(row));
}

ordered_json jsonOf(const arrow::Array &array, std::int64_t row)
{
    if (array.IsNull(row))
        return nullptr;
    switch (array.type_id()) {
    case arrow::Type::MAP:
        return mapOf(static_cast<const arrow::MapArray &>(array), row);
    case arrow::Type::STRUCT:
        return structOf(static_cast<const arrow::StructArray &>(array), row);
    case arrow::Type::LIST:
        return listsOf<arrow::ListArray>(array, row);
    case arrow::Type::LARGE_LIST:
        return listsOf<arrow::LargeListArray>(array, row);
    case arrow::Type::FIXED_SIZE_LIST:
        return listsOf<arrow::FixedSizeListArray>(array, row);
    case arrow::Type::BOOL:
        return valueOf<arrow::BooleanArray>(array, row);
    default:
        return textOf(array, row); // numbers, too, so that they stay as exact as they are
    }
}

bool isNested(const arrow::DataType &type)
{
    return type.id() == arrow::Type::MAP || type.id() == arrow::Type::STRUCT || type.id() == arrow::Type::LIST
        || type.id() == arrow::Type::LARGE_LIST || type.id() == arrow::Type::FIXED_SIZE_LIST;
}

int nestingBelow(const arrow::DataType &type, int level)
{
    int deepest = level;
    for (int i = 0; i < type.num_fields() && deepest <= kMostNested; ++i)
        deepest = std::max(deepest, nestingBelow(*type.field(i)->type(), level + 1));
    return deepest;
}

} // namespace

int nestingOf(const arrow::DataType &type)
{
    return nestingBelow(type, 0);
}

bool appendCell(const arrow::Array &array, std::int64_t row, std::string &out)
{
    if (array.IsNull(row))
        return false;
    if (appendText(array, row, out))
        return true;
    if (appendPlain(array, row, out))
        return false;
    if (array.type_id() == arrow::Type::DICTIONARY) {
        const auto &coded = static_cast<const arrow::DictionaryArray &>(array);
        return appendCell(*coded.dictionary(), coded.GetValueIndex(row), out);
    }
    if (array.type_id() == arrow::Type::EXTENSION)
        return appendCell(*static_cast<const arrow::ExtensionArray &>(array).storage(), row, out);
    if (isNested(*array.type())) {
        out += jsonOf(array, row).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
        return true;
    }
    if (const auto scalar = array.GetScalar(row); scalar.ok())
        appendWithoutNul((*scalar)->ToString(), out);
    return true;
}

} // namespace gpuledger::format

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/tableorder.h"

#include <QHash>
#include <QStringMatcher>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace gpuledger::ui {

namespace {

constexpr quint64 kSign = quint64{1} << 63;

// Both compare as unsigned numbers like the values they stand for.
quint64 orderedBits(qint64 value)
{
    return static_cast<quint64>(value) ^ kSign;
}

quint64 orderedBits(double value)
{
    const auto bits = std::bit_cast<quint64>(value == 0 ? 0.0 : value); // -0 is 0
    return bits & kSign ? ~bits : bits | kSign;
}

bool isKnown(const TableValue &value)
{
    if (const auto *number = std::get_if<double>(&value))
        return !std::isnan(*number);
    if (const auto *text = std::get_if<QString>(&value))
        return !text->isEmpty();
    return std::holds_alternative<qint64>(value);
}

double asDouble(const TableValue &value)
{
    const auto *whole = std::get_if<qint64>(&value);
    const auto *number = std::get_if<double>(&value);
    return whole ? static_cast<double>(*whole) : number ? *number : 0;
}

template <typename T> int threeWay(const T &a, const T &b)
{
    return a < b ? -1 : b < a ? 1 : 0;
}

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

} // namespace

TableOrder::TableOrder(std::shared_ptr<const TableSnapshot> snapshot, std::vector<TableColumn> columns,
                       const QLocale &locale)
    : m_snapshot(std::move(snapshot))
    , m_columns(std::move(columns))
    , m_collator(locale.language() == QLocale::C ? QLocale(QLocale::English) : locale) // C knows bytes only
    , m_keys(m_columns.size())
{
    m_collator.setCaseSensitivity(Qt::CaseInsensitive);
    m_collator.setNumericMode(true); // gpu-2 before gpu-10
}

QString TableOrder::folded(const QString &text)
{
    const bool ascii = std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 128; });
    if (ascii)
        return text.toLower();
    QString plain = text.normalized(QString::NormalizationForm_KD);
    plain.removeIf([](QChar c) { return c.category() == QChar::Mark_NonSpacing; });
    return plain.toCaseFolded().replace(QChar(0xDF), QLatin1String("ss")); // Qt folds letter by letter
}

void TableOrder::makeHaystack()
{
    const int rows = m_snapshot->rowCount();
    m_starts.reserve(at(rows) + 1);
    m_haystack.reserve(qsizetype{rows} * 32);
    for (int row = 0; row < rows; ++row) {
        m_starts.push_back(m_haystack.size());
        for (int column = 0; column < static_cast<int>(m_columns.size()); ++column) {
            if (m_columns[at(column)].isSearched)
                m_haystack += folded(m_snapshot->text(row, column)) + QLatin1Char('\n');
        }
    }
    m_starts.push_back(m_haystack.size());
}

std::vector<int> TableOrder::filtered(const QString &text)
{
    const int count = m_snapshot ? m_snapshot->rowCount() : 0;
    QStringList words = folded(text).simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<int> rows;
    if (words.isEmpty()) {
        rows.resize(at(count));
        std::iota(rows.begin(), rows.end(), 0);
        return rows;
    }
    if (m_starts.empty())
        makeHaystack();
    // The first word is looked for in all rows at once: no word has the line break that ends a cell.
    const QStringMatcher first(words.takeFirst());
    for (qsizetype hit = first.indexIn(m_haystack); hit >= 0;) {
        const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), hit);
        const auto row = static_cast<int>(next - m_starts.begin()) - 1;
        const QStringView cells = QStringView(m_haystack).mid(m_starts[at(row)], *next - m_starts[at(row)]);
        if (std::all_of(words.begin(), words.end(), [&](const QString &word) { return cells.contains(word); }))
            rows.push_back(row);
        hit = first.indexIn(m_haystack, *next);
    }
    return rows;
}

TableOrder::Keys TableOrder::numberKeys(int column) const
{
    const int count = m_snapshot->rowCount();
    std::vector<TableValue> values;
    values.reserve(at(count));
    for (int row = 0; row < count; ++row)
        values.push_back(m_snapshot->value(row, column));
    const bool whole = std::none_of(values.begin(), values.end(),
                                    [](const TableValue &v) { return std::holds_alternative<double>(v); });
    Keys result{std::vector<quint64>(at(count)), std::vector<bool>(at(count))};
    for (std::size_t i = 0; i < values.size(); ++i) {
        result.known[i] = isKnown(values[i]) && !std::holds_alternative<QString>(values[i]);
        if (result.known[i])
            result.keys[i] = whole ? orderedBits(std::get<qint64>(values[i])) : orderedBits(asDouble(values[i]));
    }
    return result;
}

TableOrder::Keys TableOrder::textKeys(int column) const
{
    const int count = m_snapshot->rowCount();
    Keys result{std::vector<quint64>(at(count)), std::vector<bool>(at(count))};
    QHash<QString, quint32> numbers; // a team stands in thousands of rows and is collated once
    std::vector<std::pair<QCollatorSortKey, quint32>> distinct;
    for (int row = 0; row < count; ++row) {
        const TableValue value = m_snapshot->value(row, column);
        const auto *text = std::get_if<QString>(&value);
        if (!text || text->isEmpty())
            continue;
        const auto number = static_cast<quint32>(distinct.size());
        const auto known = numbers.constFind(*text);
        if (known == numbers.constEnd()) {
            numbers.insert(*text, number);
            distinct.emplace_back(m_collator.sortKey(*text), number);
        }
        result.known[at(row)] = true;
        result.keys[at(row)] = known == numbers.constEnd() ? number : *known;
    }
    std::sort(distinct.begin(), distinct.end(),
              [](const auto &a, const auto &b) { return a.first.compare(b.first) < 0; });
    std::vector<quint64> ranks(distinct.size());
    for (std::size_t i = 1; i < distinct.size(); ++i) {
        const bool same = distinct[i - 1].first.compare(distinct[i].first) == 0;
        ranks[distinct[i].second] = ranks[distinct[i - 1].second] + (same ? 0 : 1);
    }
    for (std::size_t row = 0; row < result.keys.size(); ++row) {
        if (result.known[row])
            result.keys[row] = ranks[result.keys[row]];
    }
    return result;
}

const TableOrder::Keys &TableOrder::keysOf(int column)
{
    std::optional<Keys> &keys = m_keys[at(column)];
    if (!keys)
        keys = m_columns[at(column)].type == TableValueType::Text ? textKeys(column) : numberKeys(column);
    return *keys;
}

const std::vector<quint32> &TableOrder::idRanks()
{
    const auto count = at(m_snapshot->rowCount());
    if (m_idRanks.size() == count)
        return m_idRanks;
    std::vector<QString> ids(count);
    for (std::size_t i = 0; i < count; ++i)
        ids[i] = m_snapshot->id(static_cast<int>(i));
    std::vector<quint32> order(count);
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&ids](quint32 a, quint32 b) { return ids[a] < ids[b]; };
    if (!std::is_sorted(order.begin(), order.end(), before))
        std::sort(order.begin(), order.end(), before);
    m_idRanks.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        m_idRanks[order[i]] = static_cast<quint32>(i);
    return m_idRanks;
}

void TableOrder::sort(std::vector<int> &rows, int column, Qt::SortOrder order)
{
    struct Entry {
        quint64 key;
        quint32 rank;
        int row;
    };
    const Keys &keys = keysOf(column);
    const std::vector<quint32> &ranks = idRanks();
    std::vector<Entry> entries;
    entries.reserve(rows.size());
    std::vector<Entry> unknown;
    const quint64 flip = order == Qt::DescendingOrder ? ~quint64{0} : 0;
    for (const int row : rows) {
        if (keys.known[at(row)])
            entries.push_back({keys.keys[at(row)] ^ flip, ranks[at(row)], row});
        else
            unknown.push_back({0, ranks[at(row)], row});
    }
    const auto before = [](const Entry &a, const Entry &b) { return a.key != b.key ? a.key < b.key : a.rank < b.rank; };
    std::sort(entries.begin(), entries.end(), before);
    std::sort(unknown.begin(), unknown.end(), before);
    auto place = std::transform(entries.begin(), entries.end(), rows.begin(), [](const Entry &e) { return e.row; });
    std::transform(unknown.begin(), unknown.end(), place, [](const Entry &e) { return e.row; });
}

int TableOrder::compare(const TableValue &a, const TableValue &b, Qt::SortOrder order) const
{
    if (!isKnown(a) || !isKnown(b))
        return isKnown(a) ? -1 : isKnown(b) ? 1 : 0;
    const auto *left = std::get_if<QString>(&a);
    const auto *right = std::get_if<QString>(&b);
    int result = 0;
    if (left && right)
        result = m_collator.compare(*left, *right);
    else if (left || right)
        return left ? 1 : -1; // numbers before words
    else if (std::holds_alternative<qint64>(a) && std::holds_alternative<qint64>(b))
        result = threeWay(std::get<qint64>(a), std::get<qint64>(b));
    else
        result = threeWay(asDouble(a), asDouble(b));
    return order == Qt::DescendingOrder ? -result : result;
}

} // namespace gpuledger::ui

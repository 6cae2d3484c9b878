// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/tables/tableorder.h"

#include "ui/viewmodels/tables/asciicollation.h"

#include <QHash>
#include <QStringMatcher>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace gpuledger::ui {

namespace {

constexpr quint64 kSign = quint64{1} << 63;

// Both functions return unsigned numbers that compare like their arguments.
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

} // namespace

TableOrder::TableOrder(std::shared_ptr<const TableSnapshot> snapshot, std::vector<TableColumn> columns,
                       const QLocale &locale)
    : m_snapshot(std::move(snapshot))
    , m_columns(std::move(columns))
    , m_collator(locale.language() == QLocale::C ? QLocale(QLocale::English) : locale) // the C locale compares bytes
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
    return plain.toCaseFolded().replace(QChar(0xDF), QLatin1String("ss")); // Qt folds character by character
}

namespace {

// Appends the folded text of a cell and its terminator; plain ASCII without an intermediate copy.
void appendFolded(const QString &text, QString &to)
{
    const qsizetype begin = to.size();
    to.resize(begin + text.size() + 1);
    QChar *out = to.data() + begin;
    ushort seen = 0;
    for (const QChar c : text) {
        const ushort unit = c.unicode();
        seen |= unit;
        *out++ = QChar(static_cast<ushort>(unit >= 'A' && unit <= 'Z' ? unit + ('a' - 'A') : unit));
    }
    *out = QLatin1Char('\n');
    if (seen < 128)
        return;
    to.truncate(begin);
    to += TableOrder::folded(text) + QLatin1Char('\n');
}

} // namespace

void TableOrder::makeHaystack()
{
    const int rows = m_snapshot->rowCount();
    std::vector<int> searched;
    for (int column = 0; column < static_cast<int>(m_columns.size()); ++column) {
        if (m_columns[unsignedIndex(column)].isSearched)
            searched.push_back(column);
    }
    m_starts.reserve(unsignedIndex(rows) + 1);
    m_haystack.reserve(qsizetype{rows} * 32);
    for (int row = 0; row < rows; ++row) {
        m_starts.push_back(m_haystack.size());
        for (const int column : searched)
            appendFolded(m_snapshot->text(row, column), m_haystack);
    }
    m_starts.push_back(m_haystack.size());
}

std::vector<int> TableOrder::filtered(const QString &text)
{
    const int count = m_snapshot ? m_snapshot->rowCount() : 0;
    QStringList words = folded(text).simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<int> rows;
    if (words.isEmpty()) {
        rows.resize(unsignedIndex(count));
        std::iota(rows.begin(), rows.end(), 0);
        return rows;
    }
    if (m_starts.empty())
        makeHaystack();
    // The first word is searched in all rows at once: no word contains the line break that ends a cell.
    const QStringMatcher first(words.takeFirst());
    auto next = m_starts.cbegin();
    for (qsizetype hit = first.indexIn(m_haystack); hit >= 0;) {
        // The hit is usually in the next row or one near it.
        constexpr std::ptrdiff_t kNear = 4;
        const auto near = m_starts.cend() - next > kNear ? next + kNear : m_starts.cend();
        next = std::upper_bound(next, near, hit);
        if (next == near)
            next = std::upper_bound(near, m_starts.cend(), hit);
        const auto row = static_cast<int>(next - m_starts.cbegin()) - 1;
        const QStringView cells =
            QStringView(m_haystack).mid(m_starts[unsignedIndex(row)], *next - m_starts[unsignedIndex(row)]);
        if (std::all_of(words.begin(), words.end(), [&](const QString &word) { return cells.contains(word); }))
            rows.push_back(row);
        hit = first.indexIn(m_haystack, *next);
    }
    return rows;
}

TableOrder::Keys TableOrder::numberKeys(int column) const
{
    const int count = m_snapshot->rowCount();
    Keys result{std::vector<quint64>(unsignedIndex(count)), std::vector<quint8>(unsignedIndex(count))};
    bool anyWhole = false, anyReal = false;
    for (int row = 0; row < count; ++row) {
        const TableValue value = m_snapshot->value(row, column);
        if (const auto *whole = std::get_if<qint64>(&value)) {
            anyWhole = true;
            result.known[unsignedIndex(row)] = 1;
            result.keys[unsignedIndex(row)] = orderedBits(*whole);
        } else if (const auto *real = std::get_if<double>(&value)) {
            anyReal = true;
            result.known[unsignedIndex(row)] = !std::isnan(*real);
            result.keys[unsignedIndex(row)] = result.known[unsignedIndex(row)] ? orderedBits(*real) : 0;
        }
    }
    if (!anyWhole || !anyReal)
        return result;
    // Integers and real numbers in one column compare as real numbers.
    for (int row = 0; row < count; ++row) {
        if (result.known[unsignedIndex(row)])
            result.keys[unsignedIndex(row)] = orderedBits(asDouble(m_snapshot->value(row, column)));
    }
    return result;
}

TableOrder::Keys TableOrder::textKeys(int column) const
{
    const int count = m_snapshot->rowCount();
    Keys result{std::vector<quint64>(unsignedIndex(count)), std::vector<quint8>(unsignedIndex(count))};
    std::vector<QString> texts(unsignedIndex(count));
    for (int row = 0; row < count; ++row) {
        TableValue value = m_snapshot->value(row, column);
        if (auto *text = std::get_if<QString>(&value))
            texts[unsignedIndex(row)] = std::move(*text);
        result.known[unsignedIndex(row)] = !texts[unsignedIndex(row)].isEmpty();
    }
    if (auto ranks = asciiRanks(m_collator, texts)) {
        result.keys = std::move(*ranks);
        return result;
    }
    QHash<QString, quint32> numbers; // a team appears in thousands of rows and is collated once
    std::vector<std::pair<QCollatorSortKey, quint32>> distinct;
    for (int row = 0; row < count; ++row) {
        const QString &text = texts[unsignedIndex(row)];
        if (text.isEmpty())
            continue;
        const auto number = static_cast<quint32>(distinct.size());
        const auto known = numbers.constFind(text);
        if (known == numbers.constEnd()) {
            numbers.insert(text, number);
            distinct.emplace_back(m_collator.sortKey(text), number);
        }
        result.keys[unsignedIndex(row)] = known == numbers.constEnd() ? number : *known;
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
    std::optional<Keys> &keys = m_keys[unsignedIndex(column)];
    if (!keys)
        keys = m_columns[unsignedIndex(column)].type == TableValueType::Text ? textKeys(column) : numberKeys(column);
    return *keys;
}

void TableOrder::rankIds()
{
    if (m_idsRanked)
        return;
    m_idsRanked = true;
    const int count = m_snapshot->rowCount();
    bool sorted = true;
    QString before = count > 0 ? m_snapshot->id(0) : QString();
    for (int row = 1; row < count && sorted; ++row) {
        QString id = m_snapshot->id(row);
        sorted = before < id;
        before = std::move(id);
    }
    if (sorted)
        return;
    std::vector<QString> ids(unsignedIndex(count));
    for (int row = 0; row < count; ++row)
        ids[unsignedIndex(row)] = m_snapshot->id(row);
    m_rowsById.resize(unsignedIndex(count));
    std::iota(m_rowsById.begin(), m_rowsById.end(), 0);
    std::sort(m_rowsById.begin(), m_rowsById.end(),
              [&](int a, int b) { return ids[unsignedIndex(a)] < ids[unsignedIndex(b)]; });
}

namespace {

struct SortEntry {
    quint64 key;
    int row;
};

// Stable radix sort by key, from the lowest digit up, which for this many entries takes a fraction of the time of a
// comparison sort.
void sortStably(std::vector<SortEntry> &entries)
{
    constexpr int kDigitBits = 11, kDigits = 6;
    constexpr std::size_t kValues = std::size_t{1} << kDigitBits;
    constexpr std::size_t kFewEntries = 1024;
    if (entries.size() < kFewEntries) {
        std::stable_sort(entries.begin(), entries.end(),
                         [](const SortEntry &a, const SortEntry &b) { return a.key < b.key; });
        return;
    }
    const auto digit = [](quint64 key, int place) -> std::size_t {
        return (key >> (place * kDigitBits)) & (kValues - 1);
    };
    std::vector<std::array<quint32, kValues>> counts(kDigits);
    for (const SortEntry &entry : entries) {
        for (int place = 0; place < kDigits; ++place)
            ++counts[unsignedIndex(place)][digit(entry.key, place)];
    }
    std::vector<SortEntry> other(entries.size());
    for (int place = 0; place < kDigits; ++place) {
        std::array<quint32, kValues> &starts = counts[unsignedIndex(place)];
        if (starts[digit(entries.front().key, place)] == entries.size())
            continue; // all equal
        quint32 sum = 0;
        for (quint32 &start : starts)
            start = std::exchange(sum, sum + start);
        for (const SortEntry &entry : entries)
            other[starts[digit(entry.key, place)]++] = entry;
        entries.swap(other);
    }
}

} // namespace

void TableOrder::sort(std::vector<int> &rows, int column, Qt::SortOrder order)
{
    const Keys &keys = keysOf(column);
    rankIds();
    if (!m_rowsById.empty()) { // equal rows keep their order
        std::vector<quint8> wanted(m_rowsById.size());
        for (const int row : rows)
            wanted[unsignedIndex(row)] = 1;
        rows.clear();
        std::copy_if(m_rowsById.begin(), m_rowsById.end(), std::back_inserter(rows),
                     [&](int row) { return wanted[unsignedIndex(row)] != 0; });
    }
    const quint64 flip = order == Qt::DescendingOrder ? ~quint64{0} : 0;
    std::vector<SortEntry> entries;
    entries.reserve(rows.size());
    std::vector<int> unknown;
    for (const int row : rows) {
        if (keys.known[unsignedIndex(row)])
            entries.push_back({keys.keys[unsignedIndex(row)] ^ flip, row});
        else
            unknown.push_back(row);
    }
    sortStably(entries);
    const auto place =
        std::transform(entries.begin(), entries.end(), rows.begin(), [](const SortEntry &e) { return e.row; });
    std::copy(unknown.begin(), unknown.end(), place);
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
        return left ? 1 : -1; // numbers before text
    else if (std::holds_alternative<qint64>(a) && std::holds_alternative<qint64>(b))
        result = threeWay(std::get<qint64>(a), std::get<qint64>(b));
    else
        result = threeWay(asDouble(a), asDouble(b));
    return order == Qt::DescendingOrder ? -result : result;
}

} // namespace gpuledger::ui

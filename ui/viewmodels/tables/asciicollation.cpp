// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/tables/asciicollation.h"

#include <algorithm>
#include <string_view>

namespace gpuledger::ui {

namespace {

constexpr char16_t kFirst = u' ', kLast = u'~';
constexpr qsizetype kMostDigits = 200; // longer runs are not numbers that anyone compares

bool isDigit(QChar c)
{
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
}

} // namespace

std::optional<AsciiCollation> AsciiCollation::of(const QCollator &collator)
{
    const QLocale::Language language = collator.locale().language();
    const bool isPlain = language == QLocale::English || language == QLocale::German;
    if (!isPlain || !collator.numericMode() || collator.caseSensitivity() != Qt::CaseInsensitive
        || collator.ignorePunctuation())
        return std::nullopt;
    std::vector<QString> letters;
    for (char16_t c = kFirst; c <= kLast; ++c)
        letters.push_back(QString(QChar(c)));
    std::sort(letters.begin(), letters.end(),
              [&](const QString &a, const QString &b) { return collator.compare(a, b) < 0; });
    if (collator.compare(QString(), letters.front()) >= 0) // a character that the collator ignores
        return std::nullopt;
    AsciiCollation result;
    unsigned char rank = 1;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (i > 0 && collator.compare(letters[i - 1], letters[i]) != 0)
            ++rank;
        result.m_ranks[letters[i].front().unicode()] = rank;
    }
    const bool digitsInARow = result.m_ranks['9'] == result.m_ranks['0'] + 9;
    return digitsInARow ? std::optional(result) : std::nullopt;
}

bool AsciiCollation::appendKey(QStringView text, std::string &keys) const
{
    const std::size_t begin = keys.size();
    for (qsizetype i = 0; i < text.size();) {
        const char16_t unit = text[i].unicode();
        const unsigned char rank = unit < m_ranks.size() ? m_ranks[unit] : 0;
        if (rank == 0) {
            keys.resize(begin);
            return false;
        }
        if (!isDigit(text[i])) {
            keys.push_back(static_cast<char>(rank));
            ++i;
            continue;
        }
        // A number: compared by the position of its digits, then their count, then the digits; leading zeros are
        // ignored.
        while (i < text.size() && text[i] == QLatin1Char('0'))
            ++i;
        qsizetype end = i;
        while (end < text.size() && isDigit(text[end]))
            ++end;
        if (end - i > kMostDigits) {
            keys.resize(begin);
            return false;
        }
        keys.push_back(static_cast<char>(m_ranks['0']));
        keys.push_back(static_cast<char>(end - i + 1));
        for (; i < end; ++i)
            keys.push_back(static_cast<char>(text[i].unicode()));
    }
    return true;
}

std::optional<std::vector<quint64>> asciiRanks(const QCollator &collator, const std::vector<QString> &texts)
{
    const auto collation = AsciiCollation::of(collator);
    if (!collation)
        return std::nullopt;
    struct Entry {
        quint64 head; // the first bytes after the common prefix of all keys
        std::size_t begin, size; // of the key
        std::size_t text;
    };
    constexpr std::size_t kUsualKey = 24;
    std::string keys;
    keys.reserve(texts.size() * kUsualKey);
    std::vector<Entry> entries;
    entries.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t begin = keys.size();
        if (!collation->appendKey(texts[i], keys))
            return std::nullopt;
        if (keys.size() > begin)
            entries.push_back({0, begin, keys.size() - begin, i});
    }
    const auto keyOf = [&keys](const Entry &e) { return std::string_view(keys).substr(e.begin, e.size); };
    std::string_view common = entries.empty() ? std::string_view() : keyOf(entries.front());
    for (const Entry &entry : entries) {
        const std::string_view key = keyOf(entry);
        const auto differ = std::mismatch(common.begin(), common.end(), key.begin(), key.end());
        common = common.substr(0, static_cast<std::size_t>(differ.first - common.begin()));
    }
    for (Entry &entry : entries) {
        const std::string_view tail = keyOf(entry).substr(common.size());
        for (std::size_t i = 0; i < sizeof entry.head; ++i)
            entry.head = entry.head << 8 | (i < tail.size() ? static_cast<unsigned char>(tail[i]) : 0);
    }
    const auto less = [&keyOf](const Entry &a, const Entry &b) {
        return a.head != b.head ? a.head < b.head : keyOf(a) < keyOf(b);
    };
    std::sort(entries.begin(), entries.end(), less);
    std::vector<quint64> ranks(texts.size());
    quint64 rank = 1;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        rank += i > 0 && less(entries[i - 1], entries[i]) ? 1 : 0;
        ranks[entries[i].text] = rank;
    }
    return ranks;
}

} // namespace gpuledger::ui

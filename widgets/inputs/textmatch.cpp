// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/textmatch.h"

#include <algorithm>

namespace gpuledger::widgets {

namespace {

// Each class of matches ranks below the previous one, however long the name is.
constexpr int kWordStart = 1000;
constexpr int kInside = 2000;
constexpr int kGaps = 1'000'000; // more than many words inside words add up to
constexpr int kFarthest = 999;

bool startsWord(const QString &text, qsizetype at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

// Matches the letters of `word` in order; returns the number of other letters between them.
std::optional<int> gaps(const QString &word, const QString &text)
{
    qsizetype first = -1, at = -1;
    for (const QChar c : word) {
        at = text.indexOf(c, at + 1);
        if (at < 0)
            return std::nullopt;
        if (first < 0)
            first = at;
    }
    return static_cast<int>(at - first + 1 - word.size());
}

std::optional<int> distanceOf(const QString &word, const QString &text)
{
    const auto near = [](qsizetype at) { return static_cast<int>(std::min<qsizetype>(at, kFarthest)); };
    const qsizetype inside = text.indexOf(word);
    if (inside == 0)
        return 0;
    for (qsizetype at = inside; at >= 0; at = text.indexOf(word, at + 1)) {
        if (startsWord(text, at))
            return kWordStart + near(at);
    }
    if (inside >= 0)
        return kInside + near(inside);
    const auto between = gaps(word, text);
    // One or two letters with gaps would match everything.
    return between && word.size() > 2 ? std::optional(kGaps + near(*between)) : std::nullopt;
}

} // namespace

TextMatch::TextMatch(const QString &pattern)
    : m_words(fold(pattern).simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts))
{
}

bool TextMatch::isLoose(int distance)
{
    return distance >= kGaps;
}

std::optional<int> TextMatch::distance(const QString &folded) const
{
    int sum = 0;
    for (const QString &word : m_words) {
        const auto one = distanceOf(word, folded);
        if (!one)
            return std::nullopt;
        sum += *one;
    }
    return sum;
}

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace gpuledger::widgets {

// A search text to be matched against names. Case-insensitive; every word must occur. Create one per search and use it
// for many names; any thread.
class TextMatch {
public:
    explicit TextMatch(const QString &pattern);

    bool isEmpty() const { return m_words.isEmpty(); }
    // The quality of the match; 0 is best. Starts of words rank first, then the inside of words, then letters in order
    // with gaps. std::nullopt if there is no match. `folded` is a name returned by fold().
    std::optional<int> distance(const QString &folded) const;
    // True for the distance of a match in which a word was only found as letters with gaps.
    static bool isLoose(int distance);

    static QString fold(const QString &text) { return text.toCaseFolded(); }

private:
    QStringList m_words;
};

} // namespace gpuledger::widgets

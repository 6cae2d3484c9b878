// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace gpuledger::widgets {

// What somebody typed to find something among names. Case does not matter; every word of it must occur. Make one a
// search and use it on many names; any thread.
class TextMatch {
public:
    explicit TextMatch(const QString &pattern);

    bool isEmpty() const { return m_words.isEmpty(); }
    // How far from what was meant: 0 is best. Starts of words come first, then the inside of words, then letters in
    // their order with gaps. Nothing: no match. `folded` is a name made by fold().
    std::optional<int> distance(const QString &folded) const;

    static QString fold(const QString &text) { return text.toCaseFolded(); }

private:
    QStringList m_words;
};

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCollator>
#include <QString>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// The order that a collator gives to plain ASCII texts, as keys that compare byte by byte: names of pods and nodes are
// nothing else, and a collator takes microseconds for each of 100,000. Immutable; any thread.
class AsciiCollation {
public:
    // For a collator that ignores case and reads numbers. Nothing where the language orders pairs of letters anew.
    static std::optional<AsciiCollation> of(const QCollator &collator);
    // Appends the key of a text; false, and nothing appended, where it has anything but printable ASCII.
    bool appendKey(QStringView text, std::string &keys) const;

private:
    AsciiCollation() = default;

    std::array<unsigned char, 128> m_ranks{}; // 0: not printable
};

// Numbers that compare as the collator compares the texts, equal ones for texts that are equal to it; 0 for an empty
// one. Nothing where a text is not ASCII or the language's order is not a plain one.
std::optional<std::vector<quint64>> asciiRanks(const QCollator &collator, const std::vector<QString> &texts);

} // namespace gpuledger::ui

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
// always ASCII, and a collator takes microseconds for each of 100,000. Immutable; any thread.
class AsciiCollation {
public:
    // For a case-insensitive collator in numeric mode. std::nullopt if the language collates pairs of letters
    // specially.
    static std::optional<AsciiCollation> of(const QCollator &collator);
    // Appends the key of a text; returns false, with nothing appended, if it contains anything but printable ASCII.
    bool appendKey(QStringView text, std::string &keys) const;

private:
    AsciiCollation() = default;

    std::array<unsigned char, 128> m_ranks{}; // 0: not printable
};

// Numbers that compare as the collator compares the texts, equal for texts that it considers equal; 0 for an empty
// text. std::nullopt if a text is not ASCII or the language's order is not a simple one.
std::optional<std::vector<quint64>> asciiRanks(const QCollator &collator, const std::vector<QString> &texts);

} // namespace gpuledger::ui

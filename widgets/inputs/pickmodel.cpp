// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/pickmodel.h"

#include "widgets/inputs/textmatch.h"
#include "widgets/state/plaintext.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::widgets {

void PickModel::setEntries(std::vector<PickEntry> entries)
{
    beginResetModel();
    m_entries = std::move(entries);
    m_folded.clear();
    m_folded.reserve(m_entries.size());
    for (const PickEntry &entry : m_entries)
        m_folded.push_back(TextMatch::fold(entry.text + QLatin1Char(' ') + entry.kind + QLatin1Char(' ') + entry.also));
    match();
    endResetModel();
}

void PickModel::setPattern(const QString &pattern)
{
    if (m_pattern == pattern)
        return;
    beginResetModel();
    m_pattern = pattern;
    match();
    endResetModel();
}

void PickModel::match()
{
    const TextMatch wanted(m_pattern);
    std::vector<std::pair<int, std::size_t>> found;
    bool anyWords = false;
    const auto isLoose = [&](const auto &one) { return TextMatch::isLoose(one.first); };
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (wanted.isEmpty()) {
            if (!m_entries[i].quiet)
                found.emplace_back(0, i);
        } else if (const auto distance = wanted.distance(m_folded[i])) {
            found.emplace_back(*distance, i);
            anyWords = anyWords || !isLoose(found.back());
        }
    }
    if (anyWords)
        std::erase_if(found, isLoose);
    std::sort(found.begin(), found.end());
    m_shown.clear();
    for (const auto &[distance, i] : found)
        m_shown.push_back(i);
}

int PickModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant PickModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PickEntry &entry = entryAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return plainLine(entry.text);
    case Qt::AccessibleTextRole: {
        QStringList parts{plainLine(entry.text)};
        for (const QString &part : {entry.kind, entry.detail}) {
            if (!part.isEmpty())
                parts << part;
        }
        return parts.join(QStringLiteral(", "));
    }
    case KeyRole:
        return entry.key;
    case DetailRole:
        return entry.detail;
    case KindRole:
        return entry.kind;
    default:
        return {};
    }
}

} // namespace gpuledger::widgets

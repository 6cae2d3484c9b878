// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/tablesample.h"

#include <QLocale>
#include <QRandomGenerator>
#include <QStringList>

#include <cmath>

namespace gpuledger::tests {

using ui::TableColumn;
using ui::TableValue;
using ui::TableValueType;

namespace {

const QString kUnowned = QStringLiteral("unowned");

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

template <typename T> TableValue valueOf(const std::optional<T> &value)
{
    return value ? TableValue(*value) : TableValue();
}

QString durationText(std::optional<double> seconds)
{
    if (!seconds)
        return QStringLiteral("–");
    const auto hours = static_cast<qint64>(*seconds / 3600);
    return hours >= 24 ? QStringLiteral("%1 d %2 h").arg(hours / 24).arg(hours % 24)
                       : QStringLiteral("%1 h").arg(hours);
}

} // namespace

std::vector<TableColumn> sampleColumns()
{
    const auto text = [](const char *key, const char *title, TableValueType type) {
        TableColumn column{QString::fromLatin1(key), QString::fromLatin1(title), type};
        column.isFigure = type == TableValueType::Number || type == TableValueType::Duration;
        return column;
    };
    std::vector<TableColumn> columns{text("workload", "Workload", TableValueType::Text),
                                     text("owner", "Owner", TableValueType::Text),
                                     text("gpus", "GPUs", TableValueType::Number),
                                     text("idle", "Idle for", TableValueType::Duration),
                                     text("month", "Per month, USD", TableValueType::Number),
                                     text("confidence", "Confidence", TableValueType::Rank)};
    columns[0].isEmphasized = columns[0].isSearched = columns[1].isSearched = true;
    columns[4].tip = QStringLiteral("What it costs if it is left as it is");
    return columns;
}

QString sampleNumber(std::optional<double> value)
{
    return value ? QLocale(QLocale::English).toString(*value, 'f', 0) : QStringLiteral("–");
}

SampleTable::SampleTable(std::vector<SampleRow> rows, bool withGroups)
    : m_rows(std::move(rows))
{
    QStringList owners;
    for (const SampleRow &row : m_rows) {
        if (withGroups && !owners.contains(row.owner))
            owners.push_back(row.owner);
    }
    for (const QString &owner : owners)
        m_groups.push_back({owner, owner, owner == QStringLiteral("Unknown"), owner == QStringLiteral("Unknown")});
}

TableValue SampleTable::value(int row, int column) const
{
    const SampleRow &r = m_rows[at(row)];
    switch (static_cast<SampleColumn>(column)) {
    case SampleColumn::Workload:
        return r.workload;
    case SampleColumn::Owner:
        return r.owner;
    case SampleColumn::Gpus:
        return valueOf(r.gpus);
    case SampleColumn::IdleFor:
        return valueOf(r.idleSeconds);
    case SampleColumn::PerMonth:
        return valueOf(r.perMonth);
    case SampleColumn::Confidence:
        return r.confidence;
    }
    return {};
}

QString SampleTable::text(int row, int column) const
{
    const SampleRow &r = m_rows[at(row)];
    switch (static_cast<SampleColumn>(column)) {
    case SampleColumn::Workload:
        return r.workload;
    case SampleColumn::Owner:
        return r.owner;
    case SampleColumn::Gpus:
        return r.gpus ? QString::number(*r.gpus) : QStringLiteral("–");
    case SampleColumn::IdleFor:
        return durationText(r.idleSeconds);
    case SampleColumn::PerMonth:
        return sampleNumber(r.perMonth);
    case SampleColumn::Confidence:
        return r.confidence == 2 ? QStringLiteral("high")
            : r.confidence == 1  ? QStringLiteral("medium")
                                 : QStringLiteral("low");
    }
    return {};
}

QString SampleTable::sourceLine(int, int column) const
{
    return static_cast<SampleColumn>(column) == SampleColumn::PerMonth ? QStringLiteral("Price list, 1 h ago")
                                                                       : QStringLiteral("prometheus-prod, 2 min ago");
}

int SampleTable::groupOf(int row) const
{
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        if (m_groups[i].id == m_rows[at(row)].owner)
            return static_cast<int>(i);
    }
    return -1;
}

QString SampleTable::groupDetail(int, std::span<const int> rows) const
{
    qint64 gpus = 0;
    for (const int row : rows)
        gpus += m_rows[at(row)].gpus.value_or(0);
    return QStringLiteral("%1 workloads, %2 GPUs").arg(rows.size()).arg(gpus);
}

TableValue SampleTable::groupValue(int, int column, std::span<const int> rows) const
{
    if (static_cast<SampleColumn>(column) != SampleColumn::PerMonth)
        return {};
    double sum = 0;
    for (const int row : rows)
        sum += m_rows[at(row)].perMonth.value_or(0);
    return sum;
}

QString SampleTable::groupText(int group, int column, std::span<const int> rows) const
{
    const TableValue sum = groupValue(group, column, rows);
    const auto *number = std::get_if<double>(&sum);
    return number ? sampleNumber(*number) : QString();
}

std::vector<SampleRow> idleRows()
{
    const auto hours = [](double h) { return h * 3600; };
    const auto row = [](const char *name, const char *owner, qint64 gpus, double idle, double month, qint64 sure) {
        return SampleRow{QString::fromLatin1(name),
                         QString::fromLatin1(name),
                         QString::fromLatin1(owner),
                         gpus,
                         idle,
                         month,
                         sure,
                         sure > 0};
    };
    return {row("notebook/ablation-8", "research", 8, hours(52), 14483, 2),
            row("notebook/eval-4", "research", 4, hours(19), 7242, 2),
            row("job/tokenizer-bench", "research", 8, hours(1.4), 14483, 1),
            row("pod/default/cuda-test-3f9", "unowned", 4, hours(146), 11651, 2),
            row("vm/i-0f2a9c41d77", "unowned", 8, hours(11), 5913, 2),
            row("deploy/llama-canary", "llm-platform", 4, hours(31), 11651, 0),
            row("notebook/prompt-lab", "llm-platform", 2, hours(3), 1051, 2),
            SampleRow{QStringLiteral("node/gpu-09"),
                      QStringLiteral("node/gpu-09"),
                      QStringLiteral("Unknown"),
                      9,
                      {},
                      {},
                      0,
                      false}};
}

std::vector<SampleRow> randomRows(int count, quint32 seed)
{
    QRandomGenerator random(seed);
    const QStringList names{QStringLiteral("notebook/run-%1"),    QStringLiteral("Über-%1"),
                            QStringLiteral("job/eval-%1"),        QStringLiteral("<b>vision</b> %1"),
                            QStringLiteral("=cmd|' /C calc'!%1"), QStringLiteral("élan %1"),
                            QStringLiteral("pod\t%1\nsecond"),    QString()};
    const QStringList owners{QStringLiteral("research"), kUnowned,
                             QStringLiteral("Vision"),   QStringLiteral("vision"),
                             QStringLiteral("Ägypten"),  QStringLiteral("zoo"),
                             QStringLiteral("team 2"),   QStringLiteral("team 10")};
    std::vector<SampleRow> rows;
    for (int i = 0; i < count; ++i) {
        SampleRow row;
        row.id = QStringLiteral("id-%1-%2").arg(random.bounded(1000)).arg(i);
        const QString name = names.at(random.bounded(static_cast<int>(names.size())));
        row.workload = name.contains(QLatin1Char('%')) ? name.arg(random.bounded(40)) : name;
        row.owner = owners.at(random.bounded(static_cast<int>(owners.size())));
        if (random.bounded(8) > 0)
            row.gpus = random.bounded(9);
        if (random.bounded(8) > 0)
            row.idleSeconds = random.bounded(10) == 0 ? std::nan("") : random.bounded(50) * 3600.0;
        if (random.bounded(8) > 0)
            row.perMonth = random.bounded(2000) - 200.5;
        row.confidence = random.bounded(3);
        row.isCheckable = random.bounded(4) > 0;
        rows.push_back(row);
    }
    return rows;
}

std::shared_ptr<const SampleTable> sampleTable(std::vector<SampleRow> rows, bool withGroups)
{
    return std::make_shared<SampleTable>(std::move(rows), withGroups);
}

} // namespace gpuledger::tests

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/tablebench.h"

#include "ui/viewmodels/tables/tablemodel.h"

#include <QPersistentModelIndex>
#include <QRandomGenerator>

#include <algorithm>
#include <cstdio>

namespace gpuledger::bench {

namespace {

using ui::TableColumn;
using ui::TableModel;
using ui::TableValue;
using ui::TableValueType;

constexpr int kRows = 100'000;
constexpr int kRuns = 9;

// Pods of a large cluster: name, team and cost.
class Pods : public ui::TableSnapshot {
public:
    explicit Pods(quint32 seed)
    {
        QRandomGenerator random(seed);
        for (int i = 0; i < kRows; ++i) {
            m_names.push_back(
                QStringLiteral("pod/team-%1/worker-%2").arg(random.bounded(200)).arg(i, 6, 10, QLatin1Char('0')));
            m_teams.push_back(QStringLiteral("team-%1").arg(random.bounded(200)));
            m_costs.push_back(random.generateDouble() * 1e5);
        }
    }
    int rowCount() const override { return kRows; }
    QString id(int row) const override { return m_names[static_cast<std::size_t>(row)]; }
    TableValue value(int row, int column) const override
    {
        const auto i = static_cast<std::size_t>(row);
        return column == 0 ? TableValue(m_names[i]) : column == 1 ? TableValue(m_teams[i]) : TableValue(m_costs[i]);
    }
    QString text(int row, int column) const override
    {
        const auto i = static_cast<std::size_t>(row);
        return column == 0 ? m_names[i] : column == 1 ? m_teams[i] : QString::number(m_costs[i], 'f', 2);
    }
    const std::vector<double> &costs() const { return m_costs; }
    const std::vector<QString> &names() const { return m_names; }

private:
    std::vector<QString> m_names;
    std::vector<QString> m_teams;
    std::vector<double> m_costs;
};

std::vector<TableColumn> columns()
{
    std::vector<TableColumn> result(3);
    result[0].key = QStringLiteral("name");
    result[1].key = QStringLiteral("team");
    result[2].key = QStringLiteral("cost");
    result[2].type = TableValueType::Number;
    result[0].isSearched = result[1].isSearched = true;
    return result;
}

template <typename Key> double sortOfKeys(const std::vector<Key> &keys)
{
    std::vector<double> times;
    for (int i = 0; i < kRuns; ++i) {
        std::vector<Key> copy = keys;
        times.push_back(cpuMillisecondsOf([&] { std::sort(copy.begin(), copy.end()); }));
    }
    return median(times);
}

struct Times {
    double first = 0; // including the making of sort keys
    double again = 0;
};

template <typename Work> Times timesOf(const std::shared_ptr<const Pods> &pods, const Work &work)
{
    Times result;
    std::vector<double> first;
    std::vector<double> again;
    for (int i = 0; i < 3; ++i) {
        TableModel model(columns());
        model.setSnapshot(pods);
        const QPersistentModelIndex current = model.index(kRows / 2, 0); // as in a view
        first.push_back(cpuMillisecondsOf([&] { work(model, 0); }));
        for (int run = 1; run <= kRuns; ++run)
            again.push_back(cpuMillisecondsOf([&] { work(model, run); }));
    }
    return {median(first), median(again)};
}

Figure figureOf(const char *name, const Times &times, const char *reference, double referenceValue)
{
    char note[128];
    std::snprintf(note, sizeof note, "CPU time; the first time, when the keys are made, takes %.1f ms", times.first);
    return {name, times.again, "ms", reference, referenceValue, 3.0, note};
}

} // namespace

std::vector<Figure> tableFigures()
{
    const auto pods = std::make_shared<const Pods>(12);
    const double numbers = sortOfKeys(pods->costs());
    const double names = sortOfKeys(pods->names());
    const auto sortBy = [](int column) {
        return [column](TableModel &model, int run) {
            model.sort(column, run % 2 ? Qt::DescendingOrder : Qt::AscendingOrder);
        };
    };
    // As people type: one more letter each time, then another word.
    const auto type = [](TableModel &model, int run) {
        static const QString kWords[] = {QStringLiteral("t"), QStringLiteral("te"), QStringLiteral("team-1"),
                                         QStringLiteral("worker-05"), QStringLiteral("team-19 worker")};
        model.setFilterText(kWords[run % 5]);
    };
    return {figureOf("P12 sort by number, 100,000 rows", timesOf(pods, sortBy(2)), "std::sort of the numbers", numbers),
            figureOf("P12 sort by text, 100,000 rows", timesOf(pods, sortBy(0)), "std::sort of the texts", names),
            figureOf("P12 filter, 100,000 rows", timesOf(pods, type), "std::sort of the numbers", numbers)};
}

} // namespace gpuledger::bench

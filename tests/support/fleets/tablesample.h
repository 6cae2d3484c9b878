// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

// Rows like those of the Idle page, for tests, screenshots and benchmarks of the table.
namespace gpuledger::tests {

enum class SampleColumn { Workload, Owner, Gpus, IdleFor, PerMonth, Confidence };

// One row of the sample; an empty value is unknown.
struct SampleRow {
    QString id;
    QString workload;
    QString owner;
    std::optional<qint64> gpus;
    std::optional<double> idleSeconds;
    std::optional<double> perMonth;
    qint64 confidence = 2; // 0 low, 2 high
    bool isCheckable = true;
};

std::vector<ui::TableColumn> sampleColumns();
QString sampleNumber(std::optional<double> value); // "14,483"; a dash if unknown

// The sample rows as a table snapshot, optionally grouped.
class SampleTable : public ui::TableSnapshot {
public:
    SampleTable(std::vector<SampleRow> rows, bool withGroups);

    const std::vector<SampleRow> &rows() const { return m_rows; }
    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return m_rows[static_cast<std::size_t>(row)].id; }
    ui::TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    bool isCheckable(int row) const override { return m_rows[static_cast<std::size_t>(row)].isCheckable; }
    std::vector<ui::TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override;
    QString groupDetail(int group, std::span<const int> rows) const override;
    ui::TableValue groupValue(int group, int column, std::span<const int> rows) const override;
    QString groupText(int group, int column, std::span<const int> rows) const override;

private:
    std::vector<SampleRow> m_rows;
    std::vector<ui::TableGroup> m_groups;
};

// The rows of the mock-up of the Idle page.
std::vector<SampleRow> idleRows();
// Many rows with ties, unknown values, accents and hostile names; the same for the same seed.
std::vector<SampleRow> randomRows(int count, quint32 seed);
std::shared_ptr<const SampleTable> sampleTable(std::vector<SampleRow> rows, bool withGroups = false);

} // namespace gpuledger::tests

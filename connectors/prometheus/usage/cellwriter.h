// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/usage.h"
#include "connectors/prometheus/series/exportermapping.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace gpuledger::prometheus {

enum class Aggregate { Mean, Max, Count };

inline constexpr double kMaxMemoryMib = 10.0 * 1024 * 1024; // per device; a larger value is not a measurement

// A raw series' report about one bucket; kNo… where it reports nothing.
struct UsageCell {
    std::array<std::uint16_t, kSignals> activity{model::kNoShare, model::kNoShare, model::kNoShare, model::kNoShare};
    std::array<std::uint16_t, kSignals> samples{};
    std::uint16_t tensor = model::kNoShare;
    std::uint16_t power = model::kNoPower;
    std::uint32_t memoryMean = model::kNoMemory;
    std::uint32_t memoryMax = model::kNoMemory;

    bool operator==(const UsageCell &) const = default;
};

inline bool hasNoSamples(const UsageCell &cell)
{
    return cell.samples == UsageCell().samples;
}

// Scales and validates the values of one metric and writes them into cells. Created once per series, so that whatever
// is the same for all samples is determined once. Value type.
class CellWriter {
public:
    // `percent`: the target exports percentages under the name of a ratio.
    CellWriter(const MetricMapping &metric, Aggregate aggregate, bool percent);

    bool plausible(double raw) const
    {
        const double value = raw * m_factor;
        return value >= 0 && value <= m_most; // false for NaN
    }
    double scaled(double raw) const { return raw * m_factor; }
    // Returns false if the value is not a measurement; the cell is then unchanged.
    bool write(UsageCell &cell, double raw) const
    {
        const double value = raw * m_factor;
        if (!(value >= 0 && value <= m_most))
            return false;
        switch (m_field) {
        case Field::Activity:
            cell.activity[m_signal] = model::toShare(value);
            break;
        case Field::Samples:
            cell.samples[m_signal] = static_cast<std::uint16_t>(value);
            break;
        case Field::Tensor:
            cell.tensor = model::toShare(value);
            break;
        case Field::Power:
            cell.power = static_cast<std::uint16_t>(std::lround(value * 10));
            break;
        case Field::MemoryMean:
            cell.memoryMean = static_cast<std::uint32_t>(std::lround(value));
            break;
        case Field::MemoryMax:
            cell.memoryMax = static_cast<std::uint32_t>(std::lround(value));
            break;
        case Field::None:
            break;
        }
        return true;
    }

private:
    enum class Field { None, Activity, Samples, Tensor, Power, MemoryMean, MemoryMax };
    static Field fieldOf(Quantity quantity, Aggregate aggregate);

    Field m_field;
    std::size_t m_signal;
    double m_factor = 1;
    double m_most = 0;
};

} // namespace gpuledger::prometheus

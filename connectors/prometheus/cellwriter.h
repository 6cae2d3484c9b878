// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/usage.h"
#include "connectors/prometheus/exportermapping.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace gpuledger::prometheus {

enum class Aggregate { Mean, Max, Count };

inline constexpr double kMaxMemoryMib = 10.0 * 1024 * 1024; // of a device; more is no measurement

// What one raw series says about one bucket; kNo… where nothing was said.
struct UsageCell {
    std::array<std::uint16_t, kSignals> activity{model::kNoShare, model::kNoShare, model::kNoShare, model::kNoShare};
    std::array<std::uint16_t, kSignals> samples{};
    std::uint16_t tensor = model::kNoShare;
    std::uint16_t power = model::kNoPower;
    std::uint32_t memoryMean = model::kNoMemory;
    std::uint32_t memoryMax = model::kNoMemory;
};

// Scales and checks the values of one metric, and writes them into cells. Made for a whole series, so that what is the
// same for all its samples is found out once. Value type.
class CellWriter {
public:
    // `percent`: the target exports percent under the name of a ratio.
    CellWriter(const MetricMapping &metric, Aggregate aggregate, bool percent);

    bool plausible(double raw) const
    {
        const double value = raw * m_factor;
        return value >= 0 && value <= m_most; // false for NaN
    }
    double scaled(double raw) const { return raw * m_factor; }
    // False when the value is no measurement; the cell is then as before.
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

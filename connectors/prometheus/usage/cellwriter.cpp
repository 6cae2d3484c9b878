// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/cellwriter.h"

namespace gpuledger::prometheus {

namespace {

constexpr double kMaxShare = 1.5; // a mean above this contains a value that is not a share
constexpr double kMaxSmActive = 2.0; // profiling counters reach 1.29: clamped
constexpr double kMaxWatts = 6500;
constexpr double kMaxSamples = 65534;

double mostOf(Quantity quantity)
{
    if (isShare(quantity))
        return quantity == Quantity::SmActive ? kMaxSmActive : kMaxShare;
    return quantity == Quantity::Power ? kMaxWatts : kMaxMemoryMib;
}

} // namespace

CellWriter::CellWriter(const MetricMapping &metric, Aggregate aggregate, bool percent)
    : m_field(fieldOf(metric.quantity, aggregate))
    , m_signal(static_cast<std::size_t>(metric.quantity))
{
    const bool count = aggregate == Aggregate::Count;
    m_factor = count ? 1 : percent ? 0.01 : metric.factor;
    m_most = count ? kMaxSamples : mostOf(metric.quantity);
}

CellWriter::Field CellWriter::fieldOf(Quantity quantity, Aggregate aggregate)
{
    const bool memory = quantity == Quantity::MemoryUsed;
    if (aggregate == Aggregate::Count)
        return isSignal(quantity) ? Field::Samples : Field::None;
    if (aggregate == Aggregate::Max)
        return memory ? Field::MemoryMax : Field::None;
    if (isSignal(quantity))
        return Field::Activity;
    return quantity == Quantity::TensorActive ? Field::Tensor
        : quantity == Quantity::Power         ? Field::Power
        : memory                              ? Field::MemoryMean
                                              : Field::None;
}

} // namespace gpuledger::prometheus

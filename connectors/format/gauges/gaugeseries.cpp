// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/gauges/gaugeseries.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::format {

namespace {

constexpr double kPercent = 100;
constexpr double kMostPercent = 101; // some agents round up
constexpr double kMostMib = 10.0 * 1024 * 1024;
constexpr double kMostWatt = 6'000;
constexpr double kMostSamples = 10'000; // in one bucket

bool isMeasured(double value, double most)
{
    return value >= 0 && value <= most; // false for NaN
}

double mostOf(Gauge gauge)
{
    switch (gauge) {
    case Gauge::Utilization:
        return kMostPercent;
    case Gauge::Samples:
        return kMostSamples;
    case Gauge::MemoryMean:
    case Gauge::MemoryMax:
        return kMostMib;
    case Gauge::Power:
        break;
    }
    return kMostWatt;
}

} // namespace

bool isPlausible(Gauge gauge, double value)
{
    return isMeasured(value, mostOf(gauge));
}

bool GaugeSeries::add(Gauge gauge, std::int64_t bucketNumber, double value)
{
    if (!isPlausible(gauge, value))
        return false;
    Cell &cell = m_cells[bucketNumber];
    switch (gauge) {
    case Gauge::Utilization:
        cell.bucket.activity = model::toShare(value / kPercent);
        break;
    case Gauge::Samples:
        cell.samples = value;
        break;
    case Gauge::MemoryMean:
        cell.bucket.memoryMeanMib = static_cast<std::uint32_t>(std::lround(value));
        break;
    case Gauge::MemoryMax:
        cell.bucket.memoryMaxMib = static_cast<std::uint32_t>(std::lround(value));
        break;
    case Gauge::Power:
        cell.bucket.powerDeciwatt = static_cast<std::uint16_t>(std::lround(value * 10));
        break;
    }
    return true;
}

ports::MeasuredGpu GaugeSeries::take(ports::ListedGpu which, std::int64_t first, std::int64_t end) const
{
    double most = 0;
    for (const auto &[number, cell] : m_cells)
        most = std::max(most, cell.samples);
    ports::MeasuredGpu out;
    out.which = which;
    for (auto it = m_cells.lower_bound(first); it != m_cells.end() && it->first < end; ++it) {
        model::UsageBucket bucket = it->second.bucket;
        const double samples = it->second.samples;
        if (bucket.activity == model::kNoShare || samples <= 0) {
            bucket.activity = model::kNoShare;
        } else {
            const double whole = static_cast<double>(base::kBucket.count());
            bucket.observed = static_cast<std::uint16_t>(std::lround(whole * samples / most));
            bucket.signal = model::ActivitySignal::GpuUtilization;
        }
        out.bucketNumbers.push_back(it->first);
        out.buckets.push_back(bucket);
    }
    return out;
}

ports::ActivityReading activityOf(std::vector<GaugeSample> samples, const ports::ActivityQuestion &question)
{
    std::sort(samples.begin(), samples.end(), [](const GaugeSample &a, const GaugeSample &b) { return a.at < b.at; });
    ports::ActivityReading reading;
    reading.signal = model::ActivitySignal::GpuUtilization;
    reading.samples = samples.size();
    std::vector<ports::SampleTime> times;
    for (const GaugeSample &sample : samples)
        times.push_back(sample.at);
    reading.interval = ports::scrapeInterval(times);
    // With too few samples for an interval, all of them count.
    const ports::SampleTime from = reading.interval.count() == 0
        ? ports::SampleTime{}
        : std::min<ports::SampleTime>(question.since, times.back() - 2 * reading.interval);
    for (const GaugeSample &sample : samples) {
        if (!isMeasured(sample.percent, kMostPercent))
            continue;
        const ports::ActivityReading::Sample one{sample.at, std::min(1.0, sample.percent / kPercent)};
        reading.newest = one;
        if (one.at >= from && (!reading.most || one.share >= reading.most->share))
            reading.most = one;
    }
    return reading;
}

base::UtcTime activityFrom(const ports::ActivityQuestion &question, base::UtcTime now)
{
    return std::max(std::min(question.since, now - ports::kActivityWindow), now - ports::kLongestActivityWindow);
}

} // namespace gpuledger::format

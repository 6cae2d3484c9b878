// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/device/devicelines.h"

#include <algorithm>
#include <array>
#include <map>

namespace gpuledger::insight {

using base::Result;
using model::SeriesRole;
using model::UsageBucket;

namespace {

constexpr std::array<std::int64_t, 11> kSteps{300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 604800};
constexpr std::array<std::int64_t, 4> kFineSteps{15, 30, 60, 120};

// A running mean.
struct Mean {
    double sum = 0, weight = 0;
    void add(double value, double w)
    {
        sum += value * w;
        weight += w;
    }
    std::optional<double> value() const { return weight > 0 ? std::optional(sum / weight) : std::nullopt; }
};

// One slice in one base bucket. Series of the slice and its copies are averaged; per-process values are summed, and
// count only if the slice itself reports nothing.
struct Moment {
    Mean activity, memory, power;
    double seconds = 0; // observed
    std::optional<double> ownActivity, ownMemory;

    void add(const UsageBucket &b, SeriesRole role)
    {
        const double weight = std::max<double>(b.observed, 1);
        if (b.powerDeciwatt != model::kNoPower)
            power.add(b.powerDeciwatt / 10.0, weight);
        if (role == SeriesRole::ProcessShare) {
            if (b.activity != model::kNoShare)
                ownActivity = ownActivity.value_or(0) + model::shareToDouble(b.activity);
            if (b.memoryMeanMib != model::kNoMemory)
                ownMemory = ownMemory.value_or(0) + b.memoryMeanMib;
        } else {
            if (b.activity != model::kNoShare)
                activity.add(model::shareToDouble(b.activity), weight);
            if (b.memoryMeanMib != model::kNoMemory)
                memory.add(b.memoryMeanMib, weight);
        }
        if (b.activity != model::kNoShare)
            seconds = std::max<double>(seconds, b.observed);
    }
    std::optional<double> activityValue() const
    {
        const auto value = activity.value() ? activity.value() : ownActivity;
        return value ? std::optional(std::min(*value, 1.0)) : std::nullopt;
    }
    std::optional<double> memoryValue() const { return memory.value() ? memory.value() : ownMemory; }
};

class LineBuilder {
public:
    LineBuilder(base::TimeRange range, base::Seconds step)
        : m_range(range)
        , m_step(step)
        , m_first(base::floorTo(range.start, step))
        , m_count(range.empty() ? 0 : static_cast<std::size_t>((base::ceilTo(range.end, step) - m_first) / step))
        , m_power(m_count)
    {
    }

    void add(const model::DeviceDay &day)
    {
        m_day.clear();
        for (const model::UsageTrack &track : day.tracks) {
            for (const UsageBucket &bucket : track.buckets) {
                const base::UtcTime start = day.day.start() + bucket.index * base::kBucket;
                if (!m_range.contains(start))
                    continue;
                m_day[{bucket.index, track.gpuInstance}].add(bucket, track.role);
                if (start >= m_newest && bucket.signal != model::ActivitySignal::None) {
                    m_newest = start;
                    m_signal = bucket.signal;
                }
            }
        }
        for (auto at = m_day.begin(); at != m_day.end();) {
            const int index = at->first.first;
            const auto step = static_cast<std::size_t>((day.day.start() + index * base::kBucket - m_first) / m_step);
            std::optional<double> power;
            for (; at != m_day.end() && at->first.first == index; ++at) {
                addMoment(at->first.second, step, at->second);
                if (const auto draw = at->second.power.value())
                    power = std::max(power.value_or(0), *draw); // every slice repeats the device's value
            }
            if (power)
                m_power[step].add(*power, 1);
        }
    }

    DeviceLines result(const model::Device &device) const
    {
        DeviceLines out;
        out.first = m_first;
        out.step = m_step;
        out.count = m_count;
        out.signal = m_signal;
        for (const auto &[slice, unit] : m_units) {
            DeviceLines::Unit line;
            line.slice = slice;
            for (const model::MigSlice &known : device.slices) {
                if (known.gpuInstance == slice)
                    line.profile = known.profile;
            }
            line.activity = values(unit.activity);
            line.memoryMib = values(unit.memory);
            out.units.push_back(std::move(line));
        }
        out.powerW = values(m_power);
        return out;
    }

private:
    struct Unit {
        std::vector<Mean> activity, memory;
    };

    void addMoment(const std::string &slice, std::size_t step, const Moment &moment)
    {
        Unit &unit =
            m_units.try_emplace(slice, Unit{std::vector<Mean>(m_count), std::vector<Mean>(m_count)}).first->second;
        if (const auto value = moment.activityValue(); value && moment.seconds > 0)
            unit.activity[step].add(*value, moment.seconds);
        if (const auto value = moment.memoryValue())
            unit.memory[step].add(*value, 1);
    }
    static std::vector<std::optional<double>> values(const std::vector<Mean> &means)
    {
        std::vector<std::optional<double>> out;
        out.reserve(means.size());
        for (const Mean &mean : means)
            out.push_back(mean.value());
        return out;
    }

    const base::TimeRange m_range;
    const base::Seconds m_step;
    const base::UtcTime m_first;
    const std::size_t m_count;
    std::map<std::pair<int, std::string>, Moment> m_day; // by bucket and slice
    std::map<std::string, Unit> m_units;
    std::vector<Mean> m_power;
    base::UtcTime m_newest{};
    model::ActivitySignal m_signal = model::ActivitySignal::None;
};

} // namespace

base::Seconds lineStep(base::TimeRange range, int points, base::Seconds atLeast)
{
    const std::int64_t wanted = range.length().count() / std::max(points, 1);
    const auto fits = [&](std::int64_t step) { return step >= atLeast.count() && step >= wanted; };
    const auto *fine = std::find_if(kFineSteps.begin(), kFineSteps.end(), fits);
    if (fine != kFineSteps.end())
        return base::Seconds{*fine};
    const auto *step = std::find_if(kSteps.begin(), kSteps.end(), fits);
    if (step != kSteps.end())
        return base::Seconds{*step};
    const std::int64_t week = kSteps.back();
    return base::Seconds{(std::max(wanted, atLeast.count()) + week - 1) / week * week};
}

Result<DeviceLines> deviceLines(store::FactReader &facts, const model::Device &device, base::TimeRange range,
                                int points)
{
    LineBuilder builder(range, lineStep(range, points));
    if (!range.empty()) {
        const std::array wanted{device.id};
        GPULEDGER_TRY(facts.deviceDays(base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), wanted,
                                       [&](const model::DeviceDay &day) -> Result<void> {
                                           builder.add(day);
                                           return {};
                                       }));
    }
    return builder.result(device);
}

} // namespace gpuledger::insight

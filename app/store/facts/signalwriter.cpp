// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/facts/factwriter.h"

namespace gpuledger::store {

using base::Result;
using ports::FactBatch;

std::size_t FactWriter::countOf(model::HourSignal signal, const FactBatch &batch)
{
    switch (model::subjectOf(signal)) {
    case model::SignalOf::Device:
        return batch.devices.size();
    case model::SignalOf::Node:
        return batch.nodes.size();
    case model::SignalOf::Subject:
        break;
    }
    return batch.subjects.size();
}

bool FactWriter::isSound(const FactBatch::Signal &s, const FactBatch &batch)
{
    constexpr std::int64_t kLastHour = std::int64_t{1} << 32;
    const auto signal = static_cast<int>(s.signal);
    return signal >= 1 && signal <= model::kHourSignals && s.of < countOf(s.signal, batch) && s.hour.hour >= 0
        && s.hour.hour <= kLastHour && s.hour.seconds > 0 && s.hour.seconds <= 3600 && s.hour.value >= 0
        && s.hour.value <= (model::isShare(s.signal) ? model::kSignalShareScale : model::kMostSignal);
}

// A value of a longer part of its hour replaces that of a shorter one.
Result<void> FactWriter::putSignals(const FactBatch &batch)
{
    if (batch.signals.empty())
        return {};
    Statement put = m_db.statement("INSERT INTO signal_hour (signal, of_id, hour, seconds, value)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (signal, of_id, hour) DO UPDATE"
                                   " SET seconds = excluded.seconds, value = excluded.value"
                                   " WHERE excluded.seconds >= signal_hour.seconds");
    for (const FactBatch::Signal &s : batch.signals) {
        const model::SignalOf kind = model::subjectOf(s.signal);
        const std::int64_t id = kind == model::SignalOf::Device ? m_devices[s.of]
            : kind == model::SignalOf::Node                     ? m_nodes[s.of]
                                                                : m_subjects[s.of];
        put.bind(1, static_cast<std::int64_t>(s.signal)).bind(2, id).bind(3, s.hour.hour);
        GPULEDGER_TRY(put.bind(4, std::int64_t{s.hour.seconds}).bind(5, s.hour.value).run());
    }
    return {};
}

} // namespace gpuledger::store

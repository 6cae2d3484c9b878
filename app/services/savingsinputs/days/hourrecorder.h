// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/attribution.h"
#include "app/services/savingsinputs/days/hourcodec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

// Turns the attributed devices of one UTC day, all of them, into the blob of the day. One object per day; one thread.
class HourRecorder {
public:
    // `threshold` as in RightSizeQuestion.
    HourRecorder(base::Day day, std::uint16_t threshold)
        : m_threshold(threshold)
        , m_out(day)
    {
    }
    void add(const model::DeviceAttribution &device);
    // Once. std::nullopt: an amount of the day is too large, so that it can't be kept.
    std::optional<std::string> take();

private:
    struct Holding { // of an hour, with the holder's index in the device's table
        std::int32_t holder = 0;
        bool paid = false;
        HourHold sum;
    };
    void addPart(const model::UsagePart &part);
    Holding &holdingOf(const model::UsagePart &part, bool used);
    savings::RightSizeWorkload &useOf(std::int32_t holder);
    std::uint32_t storedIndexOf(std::int32_t holder, const model::DeviceAttribution &device);
    void endHour(const model::DeviceAttribution &device);
    void putPiece(const model::DeviceAttribution &device);

    const std::uint16_t m_threshold;
    HourWriter m_out;
    std::vector<HourSpan> m_spans; // of the piece, as the next ones
    std::vector<HourHold> m_holds;
    std::vector<std::pair<std::int32_t, std::uint32_t>> m_known; // holders of the device, as they are stored
    int m_hour = -1; // that is being read
    HourLine m_line;
    std::vector<Holding> m_holdings;
    std::vector<std::pair<std::int32_t, savings::RightSizeWorkload>> m_uses;
    bool m_fits = true;
};

} // namespace gpuledger::services

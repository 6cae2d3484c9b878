// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/savingsinputs/days/hourfacts.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The blob of a day of hours: version (1 byte) | texts | holders | pieces | checksum over everything before it and the
// day (4 bytes). Numbers are varints; ids are stored as the difference from the previous one, and what is usual (a
// whole hour, a cost that is the list price) as a flag.
namespace gpuledger::services {

// A day that was stored in another form is read from its facts: increase it whenever the form or its meaning changes,
// or what is protected where the configuration has no rules for it (no roll-up depends on that).
inline constexpr char kHourForm = 1;

// Encodes one day. One thread.
class HourWriter {
public:
    explicit HourWriter(base::Day day)
        : m_day(day)
    {
    }
    // Of the holder in HourPiece::holders when the day is read. Equal holders have one.
    std::uint32_t indexOf(const model::AttributedHolder &who);
    // In the order in which they are read. Devices, nodes and holders are stored by id.
    void add(const HourPiece &piece);
    std::string take(); // once

private:
    std::uint64_t textOf(std::string_view text);
    void putSpan(const HourPiece &piece, const HourSpan &span);
    void putHold(const HourHold &hold);
    void putUse(const HolderUse &use);

    const base::Day m_day;
    std::unordered_map<std::string, std::uint64_t> m_textIndex;
    std::string m_texts, m_holders, m_pieces;
    std::unordered_map<std::string, std::uint32_t> m_holderIndex; // by what is stored of it
    std::uint64_t m_pieceCount = 0;
    std::int64_t m_device = 0, m_node = 0; // of the last piece
    std::int64_t m_holder = 0; // of the last record
    int m_hour = 0; // after the last span
};

// Where the ids of a blob lead.
struct HourFleet {
    std::unordered_map<std::int64_t, const model::Device *> devices;
    std::unordered_map<std::int64_t, const model::Node *> nodes;
};

// A day in memory, about 1 KiB for a device with a holder. One thread reads; then any number may use the pieces.
class HourDay {
public:
    // Replaces what it had. False: the blob is damaged, or names a device or node that `fleet` does not have, and there
    // are no pieces. The fleet must outlive the pieces.
    [[nodiscard]] bool read(base::Day day, std::string_view blob, const HourFleet &fleet);
    // In the order in which they were stored; valid until the next read().
    std::span<const HourPiece> pieces() const { return m_pieces; }

private:
    friend class HourReader;
    struct Counts { // what a piece has of the vectors below
        std::uint32_t spans = 0, holds = 0, uses = 0;
    };
    void clear();
    void join();
    model::AttributedHolder &addHolder();

    std::vector<std::string> m_texts;
    std::vector<model::AttributedHolder> m_holders; // with those of earlier days, so that their texts need no new room
    std::size_t m_holderCount = 0; // of the day
    std::vector<HourPiece> m_pieces;
    std::vector<Counts> m_counts; // by piece
    std::vector<HourSpan> m_spans;
    std::vector<HourHold> m_holds;
    std::vector<HolderUse> m_uses;
    std::vector<std::uint32_t> m_loadCounts; // by use
    std::vector<HourLoad> m_loads;
};

} // namespace gpuledger::services

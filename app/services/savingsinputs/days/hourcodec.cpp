// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/days/hourcodec.h"

#include "app/services/savingsinputs/days/tightgrowth.h"
#include "app/store/codecs/bytes.h"
#include "app/store/codecs/packedtext.h"
#include "app/store/sqlite/checksum.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using base::GpuTime;
using store::ByteReader;
using store::putVarint;
using store::unzigzag;
using store::zigzag;

namespace {

constexpr std::size_t kHourChecksumSize = 4;
constexpr std::uint64_t kHourDayHours = 24, kHourKinds = 6, kHourWhats = 3;
constexpr std::int64_t kWholeHour = GpuTime::wholeDevice(base::Seconds{3600}).ticks;
constexpr std::int64_t kWholeBucket = GpuTime::wholeDevice(base::kBucket).ticks;

// Of a line.
constexpr std::uint64_t kUnpriced = 1, kForeign = 2, kFullLine = 4, kAtList = 8, kHasParts = 16;
// Of a hold. Without kSomeActive, all of it is active or none; without kSomeIdleCost, all of its cost is idle or none.
constexpr std::uint64_t kUsed = 1, kPriced = 2, kAllBuckets = 4, kFullHold = 8, kAllActive = 16, kSomeActive = 32,
                        kAllIdleCost = 64, kSomeIdleCost = 128;

std::uint64_t flag(bool is, std::uint64_t bit)
{
    return is ? bit : 0;
}

void putSigned(std::string &out, std::int64_t v)
{
    putVarint(out, zigzag(v));
}

// Most times are whole buckets. Times are not negative.
void putTicks(std::string &out, std::int64_t ticks)
{
    const bool isWhole = ticks % kWholeBucket == 0;
    putVarint(out, static_cast<std::uint64_t>(isWhole ? ticks / kWholeBucket : ticks) * 2 + (isWhole ? 0 : 1));
}

std::int64_t ticksOf(ByteReader &in)
{
    const std::uint64_t v = in.varint();
    const auto number = static_cast<std::int64_t>(v / 2);
    return v % 2 != 0 ? number : static_cast<std::int64_t>(static_cast<std::uint64_t>(number) * kWholeBucket);
}

void putText(std::string &out, std::string_view text)
{
    putVarint(out, text.size());
    out += text;
}

// The bytes between version and checksum; empty if the blob is damaged or has another form.
std::string_view hourBody(base::Day day, std::string_view blob)
{
    if (blob.size() <= kHourChecksumSize + 1 || blob.front() != kHourForm)
        return {};
    const std::size_t size = blob.size() - kHourChecksumSize;
    if (store::checksum(blob.substr(0, size), day.number) != ByteReader(blob.substr(size)).u32())
        return {};
    return blob.substr(1, size - 1);
}

} // namespace

// Reads the parts of a day one after the other; what they refer to is set in the end, because the vectors grow.
class HourReader {
public:
    HourReader(base::Day day, std::string_view body, const HourFleet &fleet, HourDay &out)
        : m_in(body)
        , m_fleet(fleet)
        , m_out(out)
        , m_day(day)
    {
    }

    bool read()
    {
        for (std::size_t left = length(); left > 0; --left)
            m_out.m_texts.emplace_back(m_in.bytes(m_in.varint()));
        for (std::size_t left = length(); left > 0 && m_in.ok(); --left)
            readHolder();
        for (std::size_t left = length(); left > 0; --left) {
            if (!readPiece())
                return false;
        }
        return isGood() && m_in.left() == 0;
    }

private:
    bool isGood() const { return m_good && m_in.ok(); }
    // An entry takes at least one byte, so that a damaged length cannot cause a huge allocation.
    std::size_t length()
    {
        const std::uint64_t n = m_in.varint();
        m_good = m_good && n <= m_in.left();
        return m_good ? static_cast<std::size_t>(n) : 0;
    }
    std::uint64_t below(std::uint64_t end)
    {
        const std::uint64_t v = m_in.varint();
        m_good = m_good && v < end;
        return v < end ? v : 0;
    }
    std::string_view text()
    {
        const std::uint64_t index = below(m_out.m_texts.size());
        return index < m_out.m_texts.size() ? std::string_view(m_out.m_texts[index]) : std::string_view();
    }
    std::int64_t number() { return unzigzag(m_in.varint()); }

    void readHolder()
    {
        model::AttributedHolder &who = m_out.addHolder();
        who.holder.value = number();
        who.subject.value = number();
        who.what = static_cast<model::SubjectKind>(below(kHourWhats));
        who.kind = static_cast<model::WorkloadKind>(below(kHourKinds));
        for (std::string *to :
             {&who.cluster, &who.nameSpace, &who.team, &who.environment, &who.ownerKind, &who.protection})
            *to = text();
        who.name = m_in.bytes(m_in.varint());
        const std::uint64_t owner = m_in.varint();
        if (owner % 2 != 0)
            who.ownerName.assign(who.name, 0, static_cast<std::size_t>(owner / 2));
        else
            who.ownerName = m_in.bytes(owner / 2);
    }

    template <typename Places> static auto placeOf(const Places &places, std::int64_t id)
    {
        const auto found = places.find(id);
        return found == places.end() ? typename Places::mapped_type() : found->second;
    }

    bool readPiece()
    {
        m_device += number();
        m_node += number();
        HourPiece &piece = oneMore(m_out.m_pieces);
        piece.day = m_day;
        piece.gpuModel = text();
        piece.nodeOwner = text();
        if (!m_lastDevice || m_lastDevice->id.value != m_device)
            m_lastDevice = placeOf(m_fleet.devices, m_device);
        if (m_node != 0 && (!m_lastNode || m_lastNode->id.value != m_node))
            m_lastNode = placeOf(m_fleet.nodes, m_node);
        if (!m_lastDevice || (m_node != 0 && !m_lastNode))
            return false;
        piece.device = m_lastDevice;
        piece.node = m_node != 0 ? m_lastNode : nullptr;
        HourDay::Counts &counts = oneMore(m_out.m_counts);
        const std::size_t firstSpan = m_out.m_spans.size();
        m_firstHold = m_out.m_holds.size();
        m_hour = 0;
        for (std::size_t left = length(); left > 0 && isGood(); --left)
            readSpan();
        counts.spans = static_cast<std::uint32_t>(m_out.m_spans.size() - firstSpan);
        counts.holds = static_cast<std::uint32_t>(m_out.m_holds.size() - m_firstHold);
        counts.uses = static_cast<std::uint32_t>(length());
        for (std::size_t left = counts.uses; left > 0 && isGood(); --left)
            readUse();
        return isGood();
    }

    void readSpan()
    {
        HourSpan &span = oneMore(m_out.m_spans);
        m_hour += below(kHourDayHours);
        span.first = static_cast<std::uint8_t>(m_hour);
        span.count = static_cast<std::uint8_t>(below(kHourDayHours) + 1);
        m_hour += span.count;
        m_good = m_good && m_hour <= kHourDayHours;
        HourLine &line = span.line;
        const std::uint64_t flags = m_in.varint();
        line.unpriced = (flags & kUnpriced) != 0;
        line.foreign = (flags & kForeign) != 0;
        line.ticks = (flags & kFullLine) != 0 ? kWholeHour : ticksOf(m_in);
        line.cost = number();
        line.base = (flags & kAtList) != 0 ? line.cost : number();
        if ((flags & kHasParts) != 0) {
            line.unallocated = ticksOf(m_in);
            line.unseen = ticksOf(m_in);
        }
        span.firstHold = m_out.m_holds.size() - m_firstHold;
        span.holds = length();
        for (std::size_t left = span.holds; left > 0 && isGood(); --left)
            readHold();
    }

    std::uint32_t holder()
    {
        const std::int64_t next = m_holder + number();
        m_good = m_good && next >= 0 && next < static_cast<std::int64_t>(m_out.m_holderCount);
        m_holder = m_good ? next : 0;
        return static_cast<std::uint32_t>(m_holder);
    }

    void readHold()
    {
        HourHold &hold = oneMore(m_out.m_holds);
        hold.holder = holder();
        const std::uint64_t flags = m_in.varint();
        hold.used = (flags & kUsed) != 0;
        hold.priced = (flags & kPriced) != 0;
        hold.buckets = (flags & kAllBuckets) != 0
            ? kAllHourBuckets
            : static_cast<std::uint16_t>(below(kAllHourBuckets + std::uint64_t{1}));
        hold.ticks = (flags & kFullHold) != 0 ? kWholeHour : ticksOf(m_in);
        hold.active = (flags & kAllActive) != 0 ? hold.ticks : 0;
        if ((flags & kSomeActive) != 0) {
            hold.active = ticksOf(m_in);
            hold.unobserved = ticksOf(m_in);
        }
        hold.cost = number();
        hold.idleCost = (flags & kAllIdleCost) != 0 ? hold.cost : (flags & kSomeIdleCost) != 0 ? number() : 0;
    }

    void readUse()
    {
        HolderUse &use = oneMore(m_out.m_uses);
        use.holder = holder();
        const std::uint64_t flags = m_in.varint();
        use.sliced = (flags & 1) != 0;
        if ((flags & 2) != 0) {
            use.unobserved = ticksOf(m_in);
            use.memoryUnknown = ticksOf(m_in);
            use.coarse = ticksOf(m_in);
        }
        const std::size_t count = length();
        oneMore(m_out.m_loadCounts) = static_cast<std::uint32_t>(count);
        savings::RightSizeLoad before;
        for (std::size_t left = count; left > 0; --left) {
            before.memory += static_cast<std::int32_t>(number());
            before.activity += static_cast<std::int32_t>(number());
            oneMore(m_out.m_loads) = {before, ticksOf(m_in)};
        }
    }

    ByteReader m_in;
    const HourFleet &m_fleet;
    HourDay &m_out;
    const base::Day m_day;
    const model::Device *m_lastDevice = nullptr; // of the last piece that had one
    const model::Node *m_lastNode = nullptr;
    std::size_t m_firstHold = 0; // of the piece
    std::int64_t m_device = 0, m_node = 0, m_holder = 0;
    std::uint64_t m_hour = 0;
    bool m_good = true;
};

std::uint64_t HourWriter::textOf(std::string_view text)
{
    const auto [at, isNew] = m_textIndex.try_emplace(std::string(text), m_textIndex.size());
    if (isNew)
        putText(m_texts, text);
    return at->second;
}

std::uint32_t HourWriter::indexOf(const model::AttributedHolder &who)
{
    std::string row;
    putSigned(row, who.holder.value);
    putSigned(row, who.subject.value);
    putVarint(row, static_cast<std::uint64_t>(who.what));
    putVarint(row, static_cast<std::uint64_t>(who.kind));
    for (const std::string *text :
         {&who.cluster, &who.nameSpace, &who.team, &who.environment, &who.ownerKind, &who.protection})
        putVarint(row, textOf(*text));
    putText(row, who.name);
    if (const auto prefix = store::packedOwner(who.ownerName, who.name)) {
        putVarint(row, *prefix * 2 + 1);
    } else {
        putVarint(row, who.ownerName.size() * 2);
        row += who.ownerName;
    }
    const auto [at, isNew] = m_holderIndex.try_emplace(row, static_cast<std::uint32_t>(m_holderIndex.size()));
    if (isNew)
        m_holders += row;
    return at->second;
}

void HourWriter::add(const HourPiece &piece)
{
    const std::int64_t node = piece.node ? piece.node->id.value : 0;
    putSigned(m_pieces, piece.device->id.value - std::exchange(m_device, piece.device->id.value));
    putSigned(m_pieces, node - std::exchange(m_node, node));
    putVarint(m_pieces, textOf(piece.gpuModel));
    putVarint(m_pieces, textOf(piece.nodeOwner));
    putVarint(m_pieces, piece.spans.size());
    m_hour = 0;
    for (const HourSpan &span : piece.spans)
        putSpan(piece, span);
    putVarint(m_pieces, piece.uses.size());
    for (const HolderUse &use : piece.uses)
        putUse(use);
    ++m_pieceCount;
}

std::string HourWriter::take()
{
    std::string out{kHourForm};
    putVarint(out, m_textIndex.size());
    out += m_texts;
    putVarint(out, m_holderIndex.size());
    out += m_holders;
    putVarint(out, m_pieceCount);
    out += m_pieces;
    store::putU32(out, store::checksum(out, m_day.number));
    return out;
}

void HourWriter::putSpan(const HourPiece &piece, const HourSpan &span)
{
    putVarint(m_pieces, static_cast<std::uint64_t>(span.first - m_hour));
    putVarint(m_pieces, span.count - std::uint64_t{1});
    m_hour = span.first + span.count;
    const HourLine &line = span.line;
    const bool isFull = line.ticks == kWholeHour, isAtList = line.base == line.cost;
    const bool hasParts = line.unallocated != 0 || line.unseen != 0;
    putVarint(m_pieces,
              flag(line.unpriced, kUnpriced) | flag(line.foreign, kForeign) | flag(isFull, kFullLine)
                  | flag(isAtList, kAtList) | flag(hasParts, kHasParts));
    if (!isFull)
        putTicks(m_pieces, line.ticks);
    putSigned(m_pieces, line.cost);
    if (!isAtList)
        putSigned(m_pieces, line.base);
    if (hasParts) {
        putTicks(m_pieces, line.unallocated);
        putTicks(m_pieces, line.unseen);
    }
    putVarint(m_pieces, span.holds);
    for (const HourHold &hold : piece.holdsOf(span))
        putHold(hold);
}

void HourWriter::putHold(const HourHold &hold)
{
    putSigned(m_pieces, std::int64_t{hold.holder} - std::exchange(m_holder, hold.holder));
    const bool isWhole = hold.buckets == kAllHourBuckets, isFull = hold.ticks == kWholeHour;
    const bool isAllActive = hold.active == hold.ticks && hold.unobserved == 0;
    const bool isSomeActive = !isAllActive && (hold.active != 0 || hold.unobserved != 0);
    const bool isAllIdle = hold.idleCost == hold.cost, isSomeIdle = !isAllIdle && hold.idleCost != 0;
    putVarint(m_pieces,
              flag(hold.used, kUsed) | flag(hold.priced, kPriced) | flag(isWhole, kAllBuckets) | flag(isFull, kFullHold)
                  | flag(isAllActive, kAllActive) | flag(isSomeActive, kSomeActive) | flag(isAllIdle, kAllIdleCost)
                  | flag(isSomeIdle, kSomeIdleCost));
    if (!isWhole)
        putVarint(m_pieces, hold.buckets);
    if (!isFull)
        putTicks(m_pieces, hold.ticks);
    if (isSomeActive) {
        putTicks(m_pieces, hold.active);
        putTicks(m_pieces, hold.unobserved);
    }
    putSigned(m_pieces, hold.cost);
    if (isSomeIdle)
        putSigned(m_pieces, hold.idleCost);
}

void HourWriter::putUse(const HolderUse &use)
{
    putSigned(m_pieces, std::int64_t{use.holder} - std::exchange(m_holder, use.holder));
    const bool hasParts = use.unobserved != 0 || use.memoryUnknown != 0 || use.coarse != 0;
    putVarint(m_pieces, (use.sliced ? std::uint64_t{1} : 0) | flag(hasParts, 2));
    if (hasParts) {
        putTicks(m_pieces, use.unobserved);
        putTicks(m_pieces, use.memoryUnknown);
        putTicks(m_pieces, use.coarse);
    }
    putVarint(m_pieces, use.loads.size());
    savings::RightSizeLoad before;
    for (const auto &[load, ticks] : use.loads) {
        putSigned(m_pieces, load.memory - before.memory);
        putSigned(m_pieces, load.activity - before.activity);
        putTicks(m_pieces, ticks);
        before = load;
    }
}

bool HourDay::read(base::Day day, std::string_view blob, const HourFleet &fleet)
{
    clear();
    const std::string_view body = hourBody(day, blob);
    if (body.empty() || !HourReader(day, body, fleet, *this).read()) {
        clear();
        return false;
    }
    join();
    return true;
}

void HourDay::clear()
{
    m_texts.clear();
    m_holderCount = 0;
    m_pieces.clear();
    m_counts.clear();
    m_spans.clear();
    m_holds.clear();
    m_uses.clear();
    m_loadCounts.clear();
    m_loads.clear();
}

// All that is stored of a holder is set anew; nothing else ever is.
model::AttributedHolder &HourDay::addHolder()
{
    if (m_holderCount == m_holders.size())
        oneMore(m_holders);
    return m_holders[m_holderCount++];
}

void HourDay::join()
{
    const HourLoad *load = m_loads.data();
    for (std::size_t i = 0; i < m_uses.size(); ++i) {
        m_uses[i].loads = {load, m_loadCounts[i]};
        load += m_loadCounts[i];
    }
    const HourSpan *span = m_spans.data();
    const HourHold *hold = m_holds.data();
    const HolderUse *use = m_uses.data();
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        HourPiece &piece = m_pieces[i];
        const Counts &counts = m_counts[i];
        piece.spans = {std::exchange(span, span + counts.spans), counts.spans};
        piece.holds = {std::exchange(hold, hold + counts.holds), counts.holds};
        piece.uses = {std::exchange(use, use + counts.uses), counts.uses};
        piece.holders = {m_holders.data(), m_holderCount};
    }
}

} // namespace gpuledger::services

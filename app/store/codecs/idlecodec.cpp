// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/codecs/idlecodec.h"

#include "app/store/codecs/bytes.h"
#include "app/store/sqlite/checksum.h"

#include <bit>

namespace gpuledger::store::idlecodec {

namespace {

constexpr char kDayVersion = 2; // 2: includes whole days
constexpr char kDayWithoutWhole = 1;
constexpr char kCandidateVersion = 3; // 3: includes the node pool
constexpr std::size_t kIdleChecksumSize = 4;

// Writer and Reader have the same interface, so that one list of fields serves both.
class Writer {
public:
    explicit Writer(char version)
        : m_out{version}
    {
    }
    void operator()(bool v) { m_out.push_back(v ? 1 : 0); }
    // Both in one byte, so that what was written before there was a second flag is read as not having it.
    void both(bool first, bool second) { m_out.push_back(static_cast<char>((first ? 1 : 0) + (second ? 2 : 0))); }
    void operator()(std::int64_t v) { putVarint(m_out, zigzag(v)); }
    void operator()(double v)
    {
        const auto bits = std::bit_cast<std::uint64_t>(v);
        putU32(m_out, static_cast<std::uint32_t>(bits));
        putU32(m_out, static_cast<std::uint32_t>(bits >> 32));
    }
    void operator()(const std::string &v)
    {
        putVarint(m_out, v.size());
        m_out += v;
    }
    void operator()(base::UtcTime v) { (*this)(base::toUnix(v)); }
    template <typename Tag> void operator()(base::Id<Tag> v) { (*this)(v.value); }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void operator()(Enum v) { (*this)(static_cast<std::int64_t>(v)); }
    template <typename T, typename Each> void list(const std::vector<T> &v, Each each)
    {
        putVarint(m_out, v.size());
        for (const T &t : v)
            each(t);
    }
    std::string finish(std::int64_t rowId)
    {
        putU32(m_out, checksum(m_out, rowId));
        return std::move(m_out);
    }

private:
    std::string m_out;
};

class Reader {
public:
    Reader(char version, std::int64_t rowId, std::string_view blob)
        : m_in({})
    {
        if (blob.size() <= kIdleChecksumSize + 1 || blob.front() != version)
            return;
        const std::size_t body = blob.size() - kIdleChecksumSize;
        m_whole = checksum(blob.substr(0, body), rowId) == ByteReader(blob.substr(body)).u32();
        m_in = ByteReader(blob.substr(1, body - 1));
    }
    std::int64_t integer() { return unzigzag(m_in.varint()); }
    void operator()(bool &v) { v = m_in.bytes(1) == std::string_view("\1", 1); }
    void both(bool &first, bool &second)
    {
        const auto byte = m_in.bytes(1);
        const int flags = byte.empty() ? 0 : byte[0];
        first = (flags & 1) != 0;
        second = (flags & 2) != 0;
    }
    void operator()(std::int64_t &v) { v = integer(); }
    void operator()(double &v)
    {
        const std::uint64_t low = m_in.u32();
        v = std::bit_cast<double>(low | (std::uint64_t{m_in.u32()} << 32));
    }
    void operator()(std::string &v) { v = m_in.bytes(m_in.varint()); }
    void operator()(base::UtcTime &v) { v = base::fromUnix(integer()); }
    template <typename Tag> void operator()(base::Id<Tag> &v) { (*this)(v.value); }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void operator()(Enum &v) { v = static_cast<Enum>(integer()); }
    template <typename T, typename Each> void list(std::vector<T> &v, Each each)
    {
        // An entry takes at least one byte, so that a damaged length cannot cause a huge allocation.
        const std::uint64_t n = m_in.varint();
        v.resize(n <= m_in.left() ? n : 0);
        for (T &t : v)
            each(t);
    }
    bool finish() const { return m_whole && m_in.ok() && m_in.left() == 0; }
    bool whole() const { return m_whole; }

private:
    ByteReader m_in;
    bool m_whole = false;
};

void tail(Writer &out, const std::optional<IdleTail> &t)
{
    out(t.has_value());
    if (!t)
        return;
    out(std::int64_t{t->first});
    out(t->idleSeconds);
    out(t->wastedNanos);
    out.both(t->unobserved, t->unpriced);
}

void tail(Reader &in, std::optional<IdleTail> &t)
{
    bool has = false;
    in(has);
    if (!has)
        return;
    t.emplace().first = static_cast<std::uint16_t>(in.integer());
    in(t->idleSeconds);
    in(t->wastedNanos);
    in.both(t->unobserved, t->unpriced);
}

template <typename Io, typename Who> void who(Io &io, Who &w)
{
    io(w.holder);
    io(w.subject);
    io(w.what);
    for (auto *text : {&w.cluster, &w.nameSpace, &w.name, &w.uid, &w.ownerKind, &w.ownerName})
        io(*text);
    io(w.kind);
    for (auto *text : {&w.team, &w.environment, &w.node, &w.protection})
        io(*text);
    io(w.seen.start);
    io(w.seen.end);
    io(w.inferred);
}

template <typename Io, typename Place> void place(Io &io, Place &p)
{
    for (auto *text : {&p.group.team, &p.group.cluster, &p.group.cloud, &p.group.region, &p.group.gpuModel,
                       &p.group.workloadKind, &p.group.environment, &p.group.nodePool, &p.node, &p.device})
        io(*text);
}

template <typename Io, typename Unit> void unit(Io &io, Unit &u)
{
    for (auto *text : {&u.uuid, &u.gpuInstance, &u.gpuModel, &u.node})
        io(*text);
    io(u.device);
    io(u.fraction);
    io(u.priced);
    io(u.restingW);
    io(u.signal);
    for (auto *number : {&u.windowSeconds, &u.observedSeconds, &u.peakActivity, &u.powerW, &u.idleSeconds})
        io(*number);
    for (auto *flag : {&u.activeInWindow, &u.memoryChanged, &u.sharedEqually})
        io(*flag);
    io.both(u.unobservedSince, u.unpricedSince);
    io(u.memoryMib);
    io(u.wastedNanos);
    io.list(u.places, [&](auto &p) { place(io, p); });
}

} // namespace

std::string encode(base::Day day, const IdleDay &units)
{
    Writer out(kDayVersion);
    IdleUnitDay before;
    out.list(units, [&](const IdleUnitDay &u) {
        out(u.who.holder - before.who.holder);
        out(u.who.subject - before.who.subject);
        out(u.unit.device - before.unit.device);
        for (const std::int64_t v : {std::int64_t{u.unit.slice}, std::int64_t{u.lastActive}, std::int64_t{u.lastPart}})
            out(v);
        out(u.kind);
        tail(out, u.tail);
        tail(out, u.whole);
        before = u;
    });
    return out.finish(day.number);
}

bool isOlderDay(std::string_view blob)
{
    return !blob.empty() && blob.front() == kDayWithoutWhole;
}

bool decode(base::Day day, std::string_view blob, IdleDay &units)
{
    units.clear();
    const bool hasWhole = !isOlderDay(blob);
    Reader in(hasWhole ? kDayVersion : kDayWithoutWhole, day.number, blob);
    if (!in.whole())
        return false;
    IdleUnitDay before;
    in.list(units, [&](IdleUnitDay &u) {
        u.who = {before.who.holder + in.integer(), before.who.subject + in.integer()};
        u.unit.device = before.unit.device + in.integer();
        u.unit.slice = static_cast<std::int16_t>(in.integer());
        u.lastActive = static_cast<std::int16_t>(in.integer());
        u.lastPart = static_cast<std::uint16_t>(in.integer());
        in(u.kind);
        tail(in, u.tail);
        if (hasWhole)
            tail(in, u.whole);
        before = u;
    });
    return in.finish();
}

std::string encode(std::int64_t rowId, const IdleCandidate &c)
{
    Writer out(kCandidateVersion);
    who(out, c.who);
    out(c.who.startedAt.has_value());
    if (c.who.startedAt)
        out(*c.who.startedAt);
    out(c.since);
    out.list(c.units, [&](const IdleUnit &u) {
        unit(out, u);
        out(std::string(u.rate.currency().code()));
        out(u.rate.nanosPerHour());
    });
    return out.finish(rowId);
}

bool decode(std::int64_t rowId, std::string_view blob, IdleCandidate &c)
{
    c = {};
    Reader in(kCandidateVersion, rowId, blob);
    if (!in.whole())
        return false;
    who(in, c.who);
    bool started = false;
    in(started);
    if (started)
        in(c.who.startedAt.emplace());
    in(c.since);
    bool priceable = true;
    in.list(c.units, [&](IdleUnit &u) {
        unit(in, u);
        std::string code;
        in(code);
        const auto currency = base::Currency::parse(code);
        priceable = priceable && (currency || code.empty());
        u.rate = base::Rate(in.integer(), currency.value_or(base::Currency{}));
    });
    return priceable && in.finish();
}

} // namespace gpuledger::store::idlecodec

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/bills/allocationrows.h"

#include "app/base/remedy.h"
#include "app/store/names/names.h"
#include "app/store/sqlite/checksum.h"

#include <sstream>
#include <utility>

namespace gpuledger::store {

using base::Day;
using base::fail;
using base::Result;
using model::AllocatedIdle;
using model::AllocatedNode;
using model::AllocationDay;

namespace {

using Amount = std::optional<std::int64_t>;
// Values of allocation_day.final.
constexpr std::int64_t kChanges = 0, kFinal = 1, kHeld = 2;
constexpr char kAddressKey[] = "allocator "; // followed by the source, in meta
constexpr char kHeldKey[] = "held "; // likewise, with the day number before the source
constexpr char kNodeTable[] = "SELECT n.position, c.value, m.value, i.value, p.value, t.value, n.seconds, n.gpu_millis,"
                              " n.gpu_seconds, n.cpu_cost, n.ram_cost, n.gpu_cost, n.adjustment, n.total, n.spot,"
                              " n.pods, n.pod_gpu_seconds, n.pod_gpu_cost FROM allocation_node n"
                              " LEFT JOIN text c ON c.id = n.cluster LEFT JOIN text m ON m.id = n.name"
                              " LEFT JOIN text i ON i.id = n.provider_id LEFT JOIN text p ON p.id = n.provider"
                              " LEFT JOIN text t ON t.id = n.instance_type WHERE n.allocation = ?1 ORDER BY n.position";

void appendToChecked(std::string &bytes, std::int64_t number)
{
    bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
}

void appendToChecked(std::string &bytes, const Amount &amount)
{
    appendToChecked(bytes, static_cast<std::int64_t>(amount.has_value()));
    appendToChecked(bytes, amount.value_or(0));
}

void appendToChecked(std::string &bytes, const std::string &text)
{
    appendToChecked(bytes, static_cast<std::int64_t>(text.size()));
    bytes += text;
}

std::int64_t checksumOf(const AllocationDay &day)
{
    std::string bytes;
    appendToChecked(bytes, static_cast<std::int64_t>(day.product));
    appendToChecked(bytes, std::string(day.currency.code()));
    appendToChecked(bytes, static_cast<std::int64_t>(day.toldGpuUse));
    for (const AllocatedNode &node : day.nodes) {
        for (const std::string *text :
             {&node.cluster, &node.name, &node.providerId, &node.provider, &node.instanceType})
            appendToChecked(bytes, *text);
        for (const Amount *amount :
             {&node.seconds, &node.gpuMillis, &node.gpuSeconds, &node.cpuCost, &node.ramCost, &node.gpuCost,
              &node.adjustment, &node.total, &node.pods.gpuSeconds, &node.pods.gpuCost})
            appendToChecked(bytes, *amount);
        appendToChecked(bytes, static_cast<std::int64_t>(node.spot));
        appendToChecked(bytes, node.pods.pods);
    }
    appendToChecked(bytes, static_cast<std::int64_t>(day.idle.size()));
    for (const AllocatedIdle &idle : day.idle) {
        appendToChecked(bytes, idle.cluster);
        appendToChecked(bytes, idle.node);
        for (const Amount *amount : {&idle.total, &idle.gpuCost, &idle.gpuSeconds})
            appendToChecked(bytes, *amount);
    }
    return checksum(bytes, day.day.number);
}

Result<void> putNodes(Database &database, std::int64_t id, const std::vector<AllocatedNode> &nodes)
{
    Names names(database);
    Statement add = database.statement("INSERT INTO allocation_node (allocation, position, cluster, name, provider_id,"
                                       " provider, instance_type, seconds, gpu_millis, gpu_seconds, cpu_cost, ram_cost,"
                                       " gpu_cost, adjustment, total, spot, pods, pod_gpu_seconds, pod_gpu_cost) VALUES"
                                       " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,"
                                       " ?18, ?19)");
    std::int64_t position = 0;
    for (const AllocatedNode &node : nodes) {
        int column = 3;
        for (const std::string *text :
             {&node.cluster, &node.name, &node.providerId, &node.provider, &node.instanceType}) {
            const auto value = names.text(*text);
            GPULEDGER_TRY(value);
            add.bind(column++, *value);
        }
        add.bind(1, id).bind(2, position++).bind(8, node.seconds).bind(9, node.gpuMillis).bind(10, node.gpuSeconds);
        add.bind(11, node.cpuCost).bind(12, node.ramCost).bind(13, node.gpuCost).bind(14, node.adjustment);
        add.bind(15, node.total).bind(16, std::int64_t{node.spot ? 1 : 0}).bind(17, node.pods.pods);
        add.bind(18, node.pods.gpuSeconds).bind(19, node.pods.gpuCost);
        GPULEDGER_TRY(add.run());
    }
    return {};
}

Result<void> putIdle(Database &database, std::int64_t id, const std::vector<AllocatedIdle> &all)
{
    Names names(database);
    Statement add =
        database.statement("INSERT INTO allocation_idle (allocation, position, cluster, node, total, gpu_cost,"
                           " gpu_seconds) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    std::int64_t position = 0;
    for (const AllocatedIdle &idle : all) {
        const auto cluster = names.text(idle.cluster), node = names.text(idle.node);
        GPULEDGER_TRY(cluster);
        GPULEDGER_TRY(node);
        add.bind(1, id).bind(2, position++).bind(3, *cluster).bind(4, *node).bind(5, idle.total);
        add.bind(6, idle.gpuCost).bind(7, idle.gpuSeconds);
        GPULEDGER_TRY(add.run());
    }
    return {};
}

Result<void> readNodes(Database &database, std::int64_t id, std::vector<AllocatedNode> &nodes)
{
    Statement s = database.statement(kNodeTable);
    return s.bind(1, id).each([&] {
        AllocatedNode &node = nodes.emplace_back();
        node.cluster = s.text(1);
        node.name = s.text(2);
        node.providerId = s.text(3);
        node.provider = s.text(4);
        node.instanceType = s.text(5);
        node.seconds = s.optionalInteger(6);
        node.gpuMillis = s.optionalInteger(7);
        node.gpuSeconds = s.optionalInteger(8);
        node.cpuCost = s.optionalInteger(9);
        node.ramCost = s.optionalInteger(10);
        node.gpuCost = s.optionalInteger(11);
        node.adjustment = s.optionalInteger(12);
        node.total = s.optionalInteger(13);
        node.spot = s.integer(14) != 0;
        node.pods = {s.integer(15), s.optionalInteger(16), s.optionalInteger(17)};
    });
}

Result<void> readIdle(Database &database, std::int64_t id, std::vector<AllocatedIdle> &all)
{
    Statement s =
        database.statement("SELECT c.value, n.value, i.total, i.gpu_cost, i.gpu_seconds FROM allocation_idle i"
                           " LEFT JOIN text c ON c.id = i.cluster LEFT JOIN text n ON n.id = i.node"
                           " WHERE i.allocation = ?1 ORDER BY i.position");
    return s.bind(1, id).each([&] {
        all.push_back({s.text(0), s.text(1), s.optionalInteger(2), s.optionalInteger(3), s.optionalInteger(4)});
    });
}

struct Row {
    std::int64_t id = 0, checksum = 0;
    std::string source;
    AllocationDay day;
};

Result<std::vector<Row>> rowsOf(Database &database, Day day)
{
    std::vector<Row> rows;
    Statement s = database.statement("SELECT a.id, s.name, a.product, a.currency, a.told_use, a.checksum"
                                     " FROM allocation_day a JOIN source s ON s.id = a.source WHERE a.day = ?1"
                                     " ORDER BY s.name");
    GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).each([&] {
        Row &row = rows.emplace_back();
        row.id = s.integer(0);
        row.source = s.text(1);
        row.checksum = s.integer(5);
        row.day.day = day;
        row.day.product = s.integer(2) == 1 ? model::AllocationProduct::Kubecost : model::AllocationProduct::OpenCost;
        if (const auto currency = base::Currency::parse(s.text(3)))
            row.day.currency = *currency;
        row.day.toldGpuUse = s.integer(4) != 0;
    }));
    return rows;
}

// The row of the day, new or existing, and the checksum that it had.
Result<std::pair<std::int64_t, Amount>> rowFor(Database &database, const std::string &source, Day day)
{
    Statement name = database.statement("INSERT INTO source (name) VALUES (?1) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(name.bind(1, source).run());
    std::pair<std::int64_t, Amount> row;
    Statement find = database.statement("SELECT a.id, a.checksum FROM allocation_day a JOIN source s ON s.id = a.source"
                                        " WHERE s.name = ?1 AND a.day = ?2");
    GPULEDGER_TRY(find.bind(1, source).bind(2, std::int64_t{day.number}).each([&] {
        row = {find.integer(0), find.integer(1)};
    }));
    if (row.first != 0)
        return row;
    Statement add =
        database.statement("INSERT INTO allocation_day (source, day, product, currency, told_use, fetched_at,"
                           " final, checksum) SELECT id, ?2, 0, '', 0, 0, 0, 0 FROM source WHERE name = ?1");
    GPULEDGER_TRY(add.bind(1, source).bind(2, std::int64_t{day.number}).run());
    row.first = database.lastInsertId();
    return row;
}

std::string heldKey(const std::string &source, Day day)
{
    return kHeldKey + std::to_string(day.number) + ' ' + source;
}

Result<void> forgetTold(Database &database, const std::string &source, Day day)
{
    Statement s = database.statement("DELETE FROM meta WHERE key = ?1");
    return s.bind(1, heldKey(source, day)).run();
}

Result<void> noteTold(Database &database, const std::string &source, Day day, const model::AllocatedSize &told)
{
    std::ostringstream text;
    text << told.pricedNodes << ' ' << told.seconds << ' ' << told.gpuSeconds << ' ' << told.cost.nanos() << ' '
         << told.cost.currency().code();
    Statement s = database.statement("INSERT INTO meta (key, value) VALUES (?1, ?2)"
                                     " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    return s.bind(1, heldKey(source, day)).bind(2, text.str()).run();
}

Result<std::optional<model::AllocatedSize>> toldOf(Database &database, const std::string &source, Day day)
{
    std::optional<model::AllocatedSize> told;
    Statement s = database.statement("SELECT value FROM meta WHERE key = ?1");
    GPULEDGER_TRY(s.bind(1, heldKey(source, day)).each([&] {
        std::istringstream text(s.text(0));
        model::AllocatedSize size;
        std::int64_t cost = 0;
        std::string code;
        if (!(text >> size.pricedNodes >> size.seconds >> size.gpuSeconds >> cost))
            return;
        text >> code; // an empty answer has no currency code
        const auto currency = base::Currency::parse(code);
        size.cost = base::Money(cost, currency ? *currency : base::Currency());
        told = size;
    }));
    return told;
}

} // namespace

Result<bool> putAllocationDay(Database &database, const std::string &source, const AllocationDay &day,
                              base::UtcTime now, bool final)
{
    const auto row = rowFor(database, source, day.day);
    GPULEDGER_TRY(row);
    const auto [id, before] = *row;
    const std::int64_t sum = checksumOf(day);
    Statement change = database.statement("UPDATE allocation_day SET product = ?2, currency = ?3, told_use = ?4,"
                                          " fetched_at = ?5, final = ?6, checksum = ?7 WHERE id = ?1");
    change.bind(1, id).bind(2, static_cast<std::int64_t>(day.product)).bind(3, std::string(day.currency.code()));
    change.bind(4, std::int64_t{day.toldGpuUse ? 1 : 0}).bind(5, base::toUnix(now)).bind(6, final ? kFinal : kChanges);
    GPULEDGER_TRY(change.bind(7, sum).run());
    GPULEDGER_TRY(forgetTold(database, source, day.day));
    if (before == sum) {
        AllocationDay stored{day.day, day.product, day.currency, day.toldGpuUse, {}, {}};
        GPULEDGER_TRY(readNodes(database, id, stored.nodes));
        GPULEDGER_TRY(readIdle(database, id, stored.idle));
        if (stored == day)
            return false;
    }
    Statement nodes = database.statement("DELETE FROM allocation_node WHERE allocation = ?1");
    GPULEDGER_TRY(nodes.bind(1, id).run());
    Statement idle = database.statement("DELETE FROM allocation_idle WHERE allocation = ?1");
    GPULEDGER_TRY(idle.bind(1, id).run());
    GPULEDGER_TRY(putNodes(database, id, day.nodes));
    GPULEDGER_TRY(putIdle(database, id, day.idle));
    return true;
}

Result<void> readAllocations(Database &database, Day day, const AllocatedVisitor &visit)
{
    auto rows = rowsOf(database, day);
    GPULEDGER_TRY(rows);
    for (Row &row : *rows) {
        GPULEDGER_TRY(readNodes(database, row.id, row.day.nodes));
        GPULEDGER_TRY(readIdle(database, row.id, row.day.idle));
        if (checksumOf(row.day) != row.checksum)
            return fail(base::ErrorCode::StorageCorrupt,
                        "the data of source \"" + row.source + "\" for " + base::toRfc3339(day.start()).substr(0, 10)
                            + " is damaged",
                        base::Remedy::RepairCache);
        GPULEDGER_TRY(visit(row.source, row.day));
    }
    return {};
}

Result<bool> holdAllocationDay(Database &database, const std::string &source, Day day, const model::AllocatedSize &told,
                               base::UtcTime now, bool final)
{
    const std::int64_t state = final ? kFinal : kHeld;
    const auto toldBefore = toldOf(database, source, day);
    GPULEDGER_TRY(toldBefore);
    bool isNew = !final && *toldBefore != told;
    Statement before =
        database.statement("SELECT a.final FROM allocation_day a JOIN source s ON s.id = a.source WHERE s.name = ?1"
                           " AND a.day = ?2");
    GPULEDGER_TRY(before.bind(1, source).bind(2, std::int64_t{day.number}).each([&] {
        isNew = isNew || before.integer(0) != state;
    }));
    Statement hold = database.statement("UPDATE allocation_day SET final = ?3, fetched_at = ?4 WHERE day = ?2"
                                        " AND source = (SELECT id FROM source WHERE name = ?1)");
    hold.bind(1, source).bind(2, std::int64_t{day.number}).bind(3, state).bind(4, base::toUnix(now));
    GPULEDGER_TRY(hold.run());
    GPULEDGER_TRY(final ? forgetTold(database, source, day) : noteTold(database, source, day, told));
    return isNew;
}

Result<std::vector<HeldDay>> heldAllocationDays(Database &database, Day first, Day last)
{
    std::vector<HeldDay> days;
    Statement s = database.statement("SELECT s.name, a.day FROM allocation_day a JOIN source s ON s.id = a.source"
                                     " WHERE a.final = ?3 AND a.day BETWEEN ?1 AND ?2 ORDER BY s.name, a.day");
    s.bind(1, std::int64_t{first.number}).bind(2, std::int64_t{last.number}).bind(3, kHeld);
    GPULEDGER_TRY(s.each([&] { days.push_back({s.text(0), {static_cast<std::int32_t>(s.integer(1))}, {}, {}}); }));
    for (HeldDay &held : days) {
        GPULEDGER_TRY(readAllocations(database, held.day,
                                      [&](const std::string &source, const AllocationDay &day) -> Result<void> {
                                          if (source == held.source)
                                              held.before = model::sizeOf(day);
                                          return {};
                                      }));
        const auto told = toldOf(database, held.source, held.day);
        GPULEDGER_TRY(told);
        held.now = *told;
    }
    return days;
}

Result<std::vector<AllocatedState>> allocatedStates(Database &database, const std::string &source)
{
    std::vector<AllocatedState> states;
    Statement s = database.statement("SELECT a.day, a.fetched_at, a.final,"
                                     " EXISTS (SELECT 1 FROM allocation_node WHERE allocation = a.id)"
                                     " FROM allocation_day a JOIN source s ON s.id = a.source WHERE s.name = ?1"
                                     " ORDER BY a.day");
    GPULEDGER_TRY(s.bind(1, source).each([&] {
        states.push_back({{static_cast<std::int32_t>(s.integer(0))},
                          base::fromUnix(s.integer(1)),
                          s.integer(2) == kFinal,
                          s.integer(3) == 0,
                          s.integer(2) == kHeld});
    }));
    return states;
}

std::int64_t addressNumber(const std::string &address)
{
    return checksum(address, 0);
}

Result<std::optional<std::int64_t>> allocatorAddress(Database &database, const std::string &source)
{
    std::optional<std::int64_t> number;
    Statement s = database.statement("SELECT value FROM meta WHERE key = ?1");
    GPULEDGER_TRY(s.bind(1, std::string(kAddressKey) + source).each([&] { number = s.integer(0); }));
    return number;
}

Result<void> putAllocatorAddress(Database &database, const std::string &source, const std::string &address)
{
    Statement s = database.statement("INSERT INTO meta (key, value) VALUES (?1, ?2)"
                                     " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    return s.bind(1, std::string(kAddressKey) + source).bind(2, addressNumber(address)).run();
}

Result<std::vector<Day>> allocatedDays(Database &database)
{
    std::vector<Day> days;
    Statement s = database.statement("SELECT DISTINCT day FROM allocation_day ORDER BY day");
    GPULEDGER_TRY(s.each([&] { days.push_back({static_cast<std::int32_t>(s.integer(0))}); }));
    return days;
}

Result<void> putAllocationFindings(Database &database, Day day, const AllocationFindings &findings)
{
    Statement clear = database.statement("DELETE FROM allocation_finding WHERE day = ?1");
    GPULEDGER_TRY(clear.bind(1, std::int64_t{day.number}).run());
    Statement add =
        database.statement("INSERT INTO allocation_finding (day, source, cluster, reason, product, currency,"
                           " theirs, ours, nodes, example)"
                           " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    for (const model::AllocationFinding &one : findings) {
        add.bind(1, std::int64_t{day.number}).bind(2, one.source).bind(3, one.cluster);
        add.bind(4, static_cast<std::int64_t>(one.reason)).bind(5, static_cast<std::int64_t>(one.product));
        add.bind(6, std::string(one.currency.code())).bind(7, one.theirs).bind(8, one.ours).bind(9, one.nodes);
        GPULEDGER_TRY(add.bind(10, one.example).run());
    }
    return {};
}

Result<void> readAllocationFindings(Database &database, Day first, Day last, const AllocationFindingVisitor &visit)
{
    Statement s =
        database.statement("SELECT day, source, cluster, reason, product, currency, theirs, ours, nodes, example"
                           " FROM allocation_finding WHERE day BETWEEN ?1 AND ?2"
                           " ORDER BY day, source, cluster, reason, product, currency");
    s.bind(1, std::int64_t{first.number}).bind(2, std::int64_t{last.number});
    return s.each([&]() -> Result<void> {
        model::AllocationFinding one;
        one.source = s.text(1);
        one.cluster = s.text(2);
        one.reason = static_cast<model::AllocationReason>(s.integer(3));
        one.product = s.integer(4) == 1 ? model::AllocationProduct::Kubecost : model::AllocationProduct::OpenCost;
        if (const auto currency = base::Currency::parse(s.text(5)))
            one.currency = *currency;
        one.theirs = s.optionalInteger(6);
        one.ours = s.optionalInteger(7);
        one.nodes = s.integer(8);
        one.example = s.text(9);
        return visit({static_cast<std::int32_t>(s.integer(0))}, one);
    });
}

} // namespace gpuledger::store

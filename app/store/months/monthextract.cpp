// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/months/monthextract.h"

#include "app/model/money/billdays.h"
#include "app/store/bills/billcolumns.h"
#include "app/store/bills/billwriter.h"
#include "app/store/months/cuttables.h"
#include "app/store/months/timestampcompactor.h"
#include "app/store/names/names.h"
#include "app/store/sqlite/migrations.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr char kCutKey[] = "cut_to_days"; // in meta
constexpr char kElsewhen[] = "(other months)"; // stands for every holder that was placed then

struct Placed {
    std::int64_t device = 0;
    std::string gpuInstance;
    std::int64_t subject = 0, node = 0, role = 0, start = 0, end = 0;
};

struct Span {
    std::int64_t of = 0, source = 0, start = 0, end = 0;
};

// Edits the copy, in one transaction.
class Cutter {
public:
    Cutter(Database &database, const MonthCut &cut)
        : m_db(database)
        , m_cut(cut)
        , m_start(base::toUnix(cut.first.start()))
        , m_end(base::toUnix(cut.last.end()))
        , m_kept{cut.first.start() - base::kDay, cut.last.end() + base::kDay}
        , m_fold(m_kept)
    {
    }

    Result<void> cut()
    {
        GPULEDGER_TRY(checkTables());
        GPULEDGER_TRY(m_db.execute("PRAGMA foreign_keys=OFF"));
        GPULEDGER_TRY(takeTriggersAway());
        Transaction transaction(m_db);
        GPULEDGER_TRY(transaction.beginWrite());
        GPULEDGER_TRY(cutDays());
        GPULEDGER_TRY(cutBills());
        GPULEDGER_TRY(cutSources());
        GPULEDGER_TRY(foldTimes());
        GPULEDGER_TRY(dropNames());
        GPULEDGER_TRY(putMark());
        for (const std::string &sql : m_triggers)
            GPULEDGER_TRY(m_db.execute(sql));
        GPULEDGER_TRY(transaction.commit());
        GPULEDGER_TRY(m_db.execute("PRAGMA journal_mode=DELETE; VACUUM"));
        return checkReferences();
    }

private:
    Result<void> checkTables()
    {
        std::string unknown;
        Statement s =
            m_db.statement("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
        GPULEDGER_TRY(s.each([&] {
            if (!cutTables().contains(s.text(0)))
                unknown = s.text(0);
        }));
        if (!unknown.empty())
            return fail(ErrorCode::Internal, "it is not defined what a report contains of table " + unknown);
        return {};
    }

    // The triggers keep signed-off months from being changed.
    Result<void> takeTriggersAway()
    {
        std::vector<std::string> names;
        Statement s = m_db.statement("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name");
        GPULEDGER_TRY(s.each([&] {
            names.push_back(s.text(0));
            m_triggers.push_back(s.text(1));
        }));
        for (const std::string &name : names)
            GPULEDGER_TRY(m_db.execute("DROP TRIGGER " + name));
        return {};
    }

    Result<void> cutDays()
    {
        const std::string outside =
            " NOT BETWEEN " + std::to_string(m_cut.first.number) + " AND " + std::to_string(m_cut.last.number) + ";";
        const std::string other = " WHERE month <> '" + m_cut.month + "';";
        return m_db.execute(
            "DELETE FROM usage_day WHERE id >> 32" + outside + "DELETE FROM rollup WHERE (id >> 24) & 16777215"
            + outside + "DELETE FROM rollup_day WHERE day" + outside
            + "DELETE FROM rollup_group WHERE id NOT IN (SELECT group_id FROM rollup_day);"
            + "DELETE FROM idle_day WHERE day" + outside + "DELETE FROM gap_day WHERE day" + outside
            + "DELETE FROM signal_hour WHERE hour / 24" + outside
            + "DELETE FROM gap_past; DELETE FROM idle_candidate; DELETE FROM meta WHERE key IN ('idle_candidates', "
              "'audit_head', 'price_counted', 'price_clock')"
            + " OR key LIKE 'told:%' OR key LIKE 'allocator %' OR key LIKE 'held %';"
            + "DELETE FROM ledger_line WHERE day" + outside
            + "DELETE FROM ledger_key WHERE id NOT IN (SELECT key FROM ledger_line);"
            + "DELETE FROM allocation_day WHERE day" + outside
            + "DELETE FROM allocation_node WHERE allocation NOT IN (SELECT id FROM allocation_day);"
            + "DELETE FROM allocation_idle WHERE allocation NOT IN (SELECT id FROM allocation_day);"
            + "DELETE FROM allocation_finding WHERE day" + outside + "DELETE FROM closed_row" + other
            + "DELETE FROM month_close" + other + "DELETE FROM month_review" + other + "DELETE FROM team_review" + other
            + "DELETE FROM audit_entry;" + "DELETE FROM action_step; DELETE FROM action; DELETE FROM lease;"
            + "DELETE FROM price_quote; DELETE FROM price_list; DELETE FROM day_fact;"
            + "DELETE FROM alert_ack; DELETE FROM alert_change; DELETE FROM alert_leader; DELETE FROM alert_message;"
            + "DELETE FROM alert_silence; DELETE FROM alert_state; DELETE FROM alert_told;"
            + "DELETE FROM waiting_span; DELETE FROM waiting_known; DELETE FROM bill_growth;"
            + "DELETE FROM bill_day WHERE day" + outside + "DELETE FROM bill_sum WHERE day" + outside);
    }

    // A line stays if part of its cost lies in the month; the checksum of its part is recomputed.
    Result<void> cutBills()
    {
        struct Part {
            std::int64_t id = 0, periodStart = 0;
        };
        std::vector<Part> parts;
        Statement all = m_db.statement("SELECT id, period_start FROM bill_part");
        GPULEDGER_TRY(all.each([&] { parts.push_back({all.integer(0), all.integer(1)}); }));
        for (const Part &part : parts)
            GPULEDGER_TRY(cutPart(part.id, base::fromUnix(part.periodStart)));
        GPULEDGER_TRY(m_db.execute(
            "DELETE FROM bill_part WHERE lines = 0; DELETE FROM bill_item WHERE id NOT IN (SELECT item FROM bill_line);"
            "DELETE FROM bill_delivery WHERE id NOT IN (SELECT delivery FROM bill_part);"
            "DELETE FROM bill_file WHERE delivery NOT IN (SELECT id FROM bill_delivery)"));
        return shortenPaths();
    }

    Result<void> cutPart(std::int64_t part, base::UtcTime periodStart)
    {
        std::vector<std::int64_t> gone;
        std::int64_t count = 0, checksum = 0;
        model::BillLine line;
        Statement s = m_db.statement("SELECT id, charge_start, charge_end, billed, effective FROM bill_line"
                                     " WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
        const std::int64_t first = part << kBillNumberBits;
        GPULEDGER_TRY(s.bind(1, first).bind(2, first | 0xFFFFFFFFLL).each([&] {
            line.chargePeriod = {base::fromUnix(s.integer(1)), base::fromUnix(s.integer(2))};
            const model::Placement at = model::placementOf(line.chargePeriod, periodStart);
            if (at.last < m_cut.first || m_cut.last < at.first) {
                gone.push_back(s.integer(0));
                return;
            }
            line.billed = base::Money(s.integer(3), {});
            line.effective = base::Money(s.integer(4), {});
            checksum = BillWriter::chained(checksum, line);
            ++count;
        }));
        Statement drop = m_db.statement("DELETE FROM bill_line WHERE id = ?1");
        for (const std::int64_t id : gone)
            GPULEDGER_TRY(drop.bind(1, id).run());
        Statement put = m_db.statement("UPDATE bill_part SET lines = ?2, checksum = ?3 WHERE id = ?1");
        return put.bind(1, part).bind(2, count).bind(3, checksum).run();
    }

    // The location of files is private; their names are enough to identify them.
    Result<void> shortenPaths()
    {
        std::vector<std::tuple<std::int64_t, std::int64_t, std::string>> files;
        Statement s = m_db.statement("SELECT delivery, position, path FROM bill_file");
        GPULEDGER_TRY(s.each([&] { files.emplace_back(s.integer(0), s.integer(1), s.text(2)); }));
        Statement put = m_db.statement("UPDATE bill_file SET path = ?3 WHERE delivery = ?1 AND position = ?2");
        for (auto &[delivery, position, path] : files) {
            path = path.substr(0, path.find('?'));
            path = path.substr(path.find_last_of('/') + 1);
            GPULEDGER_TRY(put.bind(1, delivery).bind(2, position).bind(3, path).run());
        }
        return {};
    }

    Result<void> cutSources()
    {
        const std::string start = std::to_string(m_start), end = std::to_string(m_end);
        return m_db.execute(
            "UPDATE sync_range SET range_end = " + end + " WHERE range_end > " + end
            + "; DELETE FROM sync_range WHERE range_end <= " + start + " OR range_start >= " + end
            + "; UPDATE sync_range SET range_start = " + start + " WHERE range_start < " + start
            + "; UPDATE sync_state SET last_error = '', last_error_code = '', hull_start = max(hull_start, " + start
            + "), hull_end = min(hull_end, " + end
            + "); UPDATE sync_state SET hull_start = NULL, hull_end = NULL WHERE hull_start >= hull_end");
    }

    std::vector<Span> spans(Statement &s, Result<void> &read)
    {
        std::vector<Span> all;
        read = s.each([&] {
            all.push_back({s.integer(0), s.integer(1), s.integer(2), s.integer(3)});
            m_fold.add(all.back().start);
            m_fold.add(all.back().end);
        });
        return all;
    }

    Result<void> putSpans(const std::vector<Span> &all, Statement &put)
    {
        for (const Span &one : all) {
            put.bind(1, one.of).bind(2, one.source).bind(3, m_fold.of(one.start)).bind(4, m_fold.of(one.end));
            GPULEDGER_TRY(put.run());
        }
        return {};
    }

    Result<void> foldTimes()
    {
        const std::string from = std::to_string(base::toUnix(m_kept.start)),
                          to = std::to_string(base::toUnix(m_kept.end));
        GPULEDGER_TRY(m_db.execute("DELETE FROM holder_span WHERE holder NOT IN (SELECT holder FROM holder_span"
                                   " WHERE span_end > "
                                   + from + " AND span_start < " + to
                                   + "); DELETE FROM holder WHERE id NOT IN (SELECT holder FROM holder_span)"));
        Result<void> read;
        Statement h = m_db.statement("SELECT holder, source, span_start, span_end FROM holder_span");
        const std::vector<Span> holders = spans(h, read);
        GPULEDGER_TRY(read);
        Statement n = m_db.statement("SELECT node, source, span_start, span_end FROM node_span");
        const std::vector<Span> nodes = spans(n, read);
        GPULEDGER_TRY(read);
        const auto placements = readPlacements();
        GPULEDGER_TRY(placements);
        m_fold.settle();
        GPULEDGER_TRY(m_db.execute("DELETE FROM holder_span; DELETE FROM node_span; DELETE FROM placement"));
        Statement putHolder = m_db.statement("INSERT INTO holder_span VALUES (?1, ?2, ?3, ?4)");
        GPULEDGER_TRY(putSpans(holders, putHolder));
        Statement putNode = m_db.statement("INSERT INTO node_span VALUES (?1, ?2, ?3, ?4)");
        GPULEDGER_TRY(putSpans(nodes, putNode));
        return putPlacements(*placements);
    }

    Result<std::vector<Placed>> readPlacements()
    {
        std::vector<Placed> all;
        Statement s =
            m_db.statement("SELECT device, gpu_instance, subject, node, role, seen_start, seen_end FROM placement");
        GPULEDGER_TRY(s.each([&] {
            all.push_back(
                {s.integer(0), s.text(1), s.integer(2), s.integer(3), s.integer(4), s.integer(5), s.integer(6)});
            m_fold.add(all.back().start);
            m_fold.add(all.back().end);
        }));
        return all;
    }

    // Subjects that were placed somewhere in the kept time, or whose record extends into it.
    Result<std::set<std::int64_t>> namedSubjects(const std::vector<Placed> &placements)
    {
        std::set<std::int64_t> named{0};
        const std::int64_t from = base::toUnix(m_kept.start), to = base::toUnix(m_kept.end);
        for (const Placed &one : placements) {
            if (one.end > from && one.start < to)
                named.insert(one.subject);
        }
        Statement s = m_db.statement("SELECT id FROM subject WHERE id IN (SELECT subject FROM holder)"
                                     " OR base IN (SELECT subject FROM holder)");
        GPULEDGER_TRY(s.each([&] { named.insert(s.integer(0)); }));
        return named;
    }

    Result<void> putPlacements(const std::vector<Placed> &placements)
    {
        const auto named = namedSubjects(placements);
        GPULEDGER_TRY(named);
        std::int64_t other = 0;
        Statement put = m_db.statement("INSERT INTO placement (device, gpu_instance, subject, node, role, seen_start,"
                                       " seen_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE"
                                       " SET seen_end = max(seen_end, excluded.seen_end)");
        for (const Placed &one : placements) {
            const bool isNamed = named->contains(one.subject);
            if (!isNamed && other == 0) {
                const auto made = makeOther();
                GPULEDGER_TRY(made);
                other = *made;
            }
            put.bind(1, one.device).bind(2, one.gpuInstance).bind(3, isNamed ? one.subject : other).bind(4, one.node);
            put.bind(5, one.role).bind(6, m_fold.of(one.start)).bind(7, m_fold.of(one.end));
            GPULEDGER_TRY(put.run());
        }
        return {};
    }

    // The one name for all subjects that were placed in other months only.
    Result<std::int64_t> makeOther()
    {
        GPULEDGER_TRY(m_db.execute("INSERT INTO namespace (cluster, name) SELECT min(id), '" + std::string(kElsewhen)
                                   + "' FROM cluster"));
        const std::int64_t space = m_db.lastInsertId();
        Statement put = m_db.statement("INSERT INTO subject (namespace, name, name_hash, base, uid, kind, told,"
                                       " exporter_like) VALUES (?1, ?2, ?3, NULL, '', 0, 1, 0)");
        put.bind(1, space).bind(2, std::string(kElsewhen)).bind(3, Names::hashOf(kElsewhen, space));
        GPULEDGER_TRY(put.run());
        return m_db.lastInsertId();
    }

    Result<void> dropNames()
    {
        std::string texts =
            "SELECT node AS id FROM holder UNION SELECT owner_kind FROM holder UNION SELECT labels FROM holder"
            " UNION SELECT namespace_labels FROM holder UNION SELECT gpu_requests FROM holder"
            " UNION SELECT tags FROM bill_item UNION SELECT sku_details FROM bill_item"
            " UNION SELECT extra FROM bill_item UNION SELECT cluster FROM allocation_idle"
            " UNION SELECT node FROM allocation_idle";
        for (const BillTextColumn &column : kBillTexts)
            texts += " UNION SELECT " + std::string(column.name) + " FROM bill_item";
        for (const char *column : {"cluster", "name", "provider_id", "provider", "instance_type"})
            texts += " UNION SELECT " + std::string(column) + " FROM allocation_node";
        return m_db.execute(
            "DELETE FROM subject WHERE id NOT IN (SELECT subject FROM placement UNION SELECT subject FROM holder"
            " UNION SELECT base FROM subject WHERE base IS NOT NULL AND id IN (SELECT subject FROM placement));"
            "DELETE FROM namespace WHERE id NOT IN (SELECT namespace FROM subject);"
            "DELETE FROM text WHERE id NOT IN (SELECT id FROM ("
            + texts
            + ") WHERE id IS NOT NULL);"
              "DELETE FROM sync_state WHERE hull_start IS NULL AND source NOT IN (SELECT source FROM bill_part);"
              "DELETE FROM source WHERE id NOT IN (SELECT source FROM sync_state UNION SELECT source FROM sync_range"
              " UNION SELECT source FROM holder_span UNION SELECT source FROM node_span UNION SELECT source FROM "
              "bill_part"
              " UNION SELECT source FROM bill_delivery UNION SELECT source FROM allocation_day)");
    }

    Result<void> putMark()
    {
        Statement s = m_db.statement("INSERT INTO meta (key, value) VALUES (?1, ?2)");
        return s.bind(1, std::string(kCutKey))
            .bind(2, std::to_string(m_cut.first.number) + ' ' + std::to_string(m_cut.last.number))
            .run();
    }

    Result<void> checkReferences()
    {
        std::string broken;
        Statement s = m_db.statement("PRAGMA foreign_key_check");
        GPULEDGER_TRY(s.each([&] { broken = s.text(0) + " to " + s.text(2); }));
        if (!broken.empty())
            return fail(ErrorCode::Internal, "the month could not be extracted: dangling references from " + broken);
        return {};
    }

    Database &m_db;
    const MonthCut &m_cut;
    std::int64_t m_start, m_end; // of the month
    base::TimeRange m_kept; // of placements
    TimestampCompactor m_fold;
    std::vector<std::string> m_triggers;
};

std::string quoted(const std::string &text)
{
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + '\'';
}

} // namespace

Result<void> extractMonth(Database &from, const MonthCut &cut, const std::filesystem::path &to)
{
    GPULEDGER_TRY(from.execute("VACUUM INTO " + quoted(to.string())));
    auto copy = Database::open(to, Database::Mode::Writer);
    GPULEDGER_TRY(copy);
    return Cutter(**copy, cut).cut();
}

Result<std::optional<CutDays>> cutOf(Database &database)
{
    std::optional<CutDays> days;
    Statement s = database.statement("SELECT CAST(substr(value, 1, instr(value, ' ')) AS INTEGER),"
                                     " CAST(substr(value, instr(value, ' ')) AS INTEGER) FROM meta"
                                     " WHERE key = 'cut_to_days'");
    GPULEDGER_TRY(s.each([&] {
        days = CutDays{{static_cast<std::int32_t>(s.integer(0))}, {static_cast<std::int32_t>(s.integer(1))}};
    }));
    return days;
}

} // namespace gpuledger::store

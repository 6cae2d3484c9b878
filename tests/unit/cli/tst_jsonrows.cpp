// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that are written row by row, and the ids of their figures.
#include "app/insight/proof/figure.h"
#include "tests/support/suite.h"
#include "ui/cli/program/jsonrows.h"
#include "ui/cli/proof/heatmapids.h"

#include <QTest>

namespace tst_jsonrows {

using namespace gpuledger;
using cli::Json;

namespace {

std::string written(const Json &head, const std::vector<Json> &rows, const Json &tail, int indent)
{
    std::string text;
    const auto done = cli::writeRows(head, {"rows", rows.size(), [&](std::size_t i) { return rows[i]; }}, tail, indent,
                                     [&](const std::string &piece) -> base::Result<void> {
                                         text += piece;
                                         return {};
                                     });
    return done ? text : "failed";
}

std::string whole(Json head, const std::vector<Json> &rows, const Json &tail, int indent)
{
    if (!head.is_object())
        head = Json::object();
    head["rows"] = rows;
    for (const auto &[key, value] : tail.items())
        head[key] = value;
    return head.dump(indent, ' ', true, Json::error_handler_t::replace);
}

insight::HeatmapCell cellOf(std::optional<double> value, std::optional<double> observed, double paid, double notSynced)
{
    insight::HeatmapCell cell;
    cell.value = value;
    cell.observed = observed;
    cell.paidHours = paid;
    cell.notSyncedHours = notSynced;
    return cell;
}

// The ids of a cell, from the figure itself.
Json expectedIds(const insight::Heatmap &map, const insight::HeatmapQuery &query, const insight::HeatmapCell &cell,
                 const std::string &key, const std::optional<std::string> &bin)
{
    Json ids = Json::object();
    if (cell.notSyncedHours > 0 && cell.paidHours <= 0)
        return ids;
    insight::Figure figure = insight::heatmapFigure(query, map.range, key, bin);
    if (cell.value && (cell.notSyncedHours <= 0 || map.metric != insight::Metric::Coverage))
        ids["value"] = toString(figure);
    figure.measure = "held-hours";
    ids["held_hours"] = toString(figure);
    figure.measure = "coverage";
    if (cell.observed && cell.notSyncedHours <= 0)
        ids["observed"] = toString(figure);
    return ids;
}

} // namespace

class TestJsonRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writesWhatTheWholeObjectWouldBe()
    {
        const Json head{
            {"metric", "power"}, {"none", Json::array()}, {"data", {{"from", nullptr}, {"list", {1, 2.5}}}}};
        const Json plain{{"key", "a"}, {"cells", {{{"value", 0.25}}, {{"value", nullptr}}}}, {"empty", Json::object()}};
        const Json strange{{"key", "line\nend \"quoted\" \x1b[31m \xC3\xA4 \xF0\x9F\x98\x80 \xFF\\"}, {"a\nb", "\n"}};
        const Json damage{{"damage", {{"days", {"2026-11-01"}}}}};
        const std::vector<std::vector<Json>> lists{{}, {plain}, {plain, strange, Json::array(), 7, plain}};
        for (const int indent : {cli::kOneLine, 0, 2}) {
            for (const std::vector<Json> &rows : lists) {
                for (const Json &tail : {Json::object(), damage}) {
                    QCOMPARE(written(head, rows, tail, indent), whole(head, rows, tail, indent));
                    QCOMPARE(written(Json(), rows, tail, indent), whole(Json(), rows, tail, indent));
                }
            }
        }
        QVERIFY(written(head, lists[2], damage, 2).find("\xC3") == std::string::npos); // everything is ASCII
    }

    void asksForEachRowOnceAndStopsAtAFailure()
    {
        std::vector<std::size_t> asked;
        int pieces = 0;
        const auto done = cli::writeRows(Json{{"a", 1}},
                                         {"rows", 5,
                                          [&](std::size_t i) {
                                              asked.push_back(i);
                                              return Json(i);
                                          }},
                                         Json::object(), cli::kOneLine, [&](const std::string &) -> base::Result<void> {
                                             if (++pieces == 3) // the head and two rows
                                                 return base::fail(base::ErrorCode::StorageFull, "no space");
                                             return {};
                                         });
        QVERIFY(!done && done.error().code == base::ErrorCode::StorageFull);
        QVERIFY((asked == std::vector<std::size_t>{0, 1}));
    }

    void idsOfCellsAreThoseOfTheirFigures_data()
    {
        QTest::addColumn<int>("metric");
        for (int metric = 0; metric <= static_cast<int>(insight::Metric::Coverage); ++metric)
            QTest::newRow(std::string(toString(static_cast<insight::Metric>(metric))).c_str()) << metric;
    }
    void idsOfCellsAreThoseOfTheirFigures()
    {
        QFETCH(int, metric);
        insight::HeatmapQuery query;
        query.metric = static_cast<insight::Metric>(metric);
        query.bins = insight::Bins::Hour;
        query.by = insight::Dimension::Device;
        query.query.filter.include[insight::Dimension::Team] = {"a&bin=x", "vision"};
        query.query.filter.exclude[insight::Dimension::Cluster] = {"edge"};
        insight::Heatmap map;
        map.metric = query.metric;
        map.range = {base::fromUnix(1'700'000'100), base::fromUnix(1'700'090'100)};
        map.bins = {"", "2026-11-01T13:00+01:00", "Mon 00", "&bin=", "%26 \xC3\xA4"};
        const std::vector<insight::HeatmapCell> cells{cellOf(0.5, 1.0, 1, 0), cellOf({}, 0.5, 1, 0),
                                                      cellOf(1.0, {}, 1, 1), cellOf(1.0, 1.0, 0, 1),
                                                      cellOf(2.0, 1.0, 2, 1)};
        for (const char *key : {"", "GPU-1", "a&bin=b&c", "with space \xC3\xA4 %20"})
            map.rows.push_back({key, cells, cellOf(0.25, 0.75, 5, 0)});
        const cli::HeatmapIds ids(map, query);
        for (const insight::HeatmapRow &row : map.rows) {
            Json json{{"key", row.key},
                      {"cells", std::vector<Json>(cells.size(), Json::object())},
                      {"overall", Json::object()}};
            ids.addTo(json, row);
            QCOMPARE(json["overall"]["figures"].dump(),
                     expectedIds(map, query, row.overall, row.key, std::nullopt).dump());
            for (std::size_t b = 0; b < cells.size(); ++b)
                QCOMPARE(json["cells"][b]["figures"].dump(),
                         expectedIds(map, query, cells[b], row.key, map.bins[b]).dump());
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestJsonRows)

} // namespace tst_jsonrows

#include "tst_jsonrows.moc"

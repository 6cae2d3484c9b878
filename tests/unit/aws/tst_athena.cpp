// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of Athena, and what becomes of its answers. The figures as a whole: tests/integration/run_athena.py.
#include "app/base/remedy.h"
#include "connectors/aws/athena/askedcolumns.h"
#include "connectors/aws/athena/athenaruns.h"
#include "connectors/aws/athena/monthquestion.h"
#include "connectors/aws/awstarget.h"
#include "connectors/format/exports/keptquery.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>

namespace tst_athena {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

std::string tableText(const std::string &columns,
                      const std::string &partitions = "{'Name':'billing_period','Type':'string'}")
{
    return js("{'TableMetadata':{'Name':'t','TableType':'EXTERNAL_TABLE','Columns':[" + columns + "],'PartitionKeys':["
              + partitions + "]}}");
}

std::string columnText(const std::string &name, const std::string &type = "string")
{
    return "{'Name':'" + name + "','Type':'" + type + "'}";
}

// The columns that no report can do without, and more.
std::string reportColumns(const std::string &more = {})
{
    std::string out;
    for (const char *name : {"line_item_line_item_type", "line_item_currency_code", "bill_payer_account_id",
                             "line_item_usage_account_id", "line_item_product_code", "line_item_usage_type"})
        out += columnText(name) + ',';
    for (const char *name : {"bill_billing_period_start_date", "bill_billing_period_end_date",
                             "line_item_usage_start_date", "line_item_usage_end_date"})
        out += columnText(name, "timestamp") + ',';
    return out + columnText("line_item_unblended_cost", "double") + (more.empty() ? "" : ',' + more);
}

aws::AthenaSettings here()
{
    aws::AthenaSettings out;
    out.database = "billing";
    out.table = "cur";
    return out;
}

format::AskedMonthFiles october()
{
    format::AskedMonthFiles out;
    out.period = "2026-10";
    out.names = {"s3://bills/a's.parquet", "s3://bills/b.parquet"};
    out.bytes = 5;
    out.allBytes = 50;
    return out;
}

base::Result<aws::MonthQuestion> questionOf(const std::string &columns, const char *partitions = nullptr)
{
    const auto table = aws::AthenaTable::of(partitions ? tableText(columns, partitions) : tableText(columns));
    if (!table)
        return base::fail(base::Error(table.error()));
    return aws::MonthQuestion::of(here(), *table, october());
}

// Answers the looks at a query with these states, the last one again and again.
struct RunSetup {
    std::vector<std::string> states{"SUCCEEDED"};
    std::string more; // of the answer about the query
    std::vector<std::string> actions;
    std::function<void(const std::string &)> before;
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};

    aws::AthenaRuns runs(const aws::AthenaSettings &settings = here())
    {
        model::SourceSettings source;
        source.name = "bill";
        source.auth.region = "us-east-1";
        aws::Tuning tuning;
        tuning.pause = pause;
        tuning.surroundings = {[](const std::string &name) {
                                   return name == "AWS_ACCESS_KEY_ID"    ? std::string("AKIDEXAMPLE")
                                       : name == "AWS_SECRET_ACCESS_KEY" ? std::string("canary-secret-key")
                                                                         : std::string();
                               },
                               "/nonexistent"};
        auto client =
            std::make_shared<ScriptedClient>([this](const http::Request &request) { return handle(request); });
        auto api = std::make_unique<aws::AwsApi>(aws::Wire(client, clock, aws::placeOf(source, tuning)), "",
                                                 tuning.surroundings, tuning.retries, tuning.pause);
        return {std::move(api), settings, pause, aws::AthenaPauses()};
    }
    int count(const std::string &action) const
    {
        return static_cast<int>(std::count(actions.begin(), actions.end(), action));
    }

private:
    base::Result<http::Response> handle(const http::Request &request)
    {
        std::string action;
        for (const auto &[name, value] : request.headers) {
            if (name == "X-Amz-Target")
                action = value.substr(value.find('.') + 1);
        }
        actions.push_back(action);
        if (before)
            before(action);
        if (action != "GetQueryExecution")
            return answer(js("{'QueryExecutionId':'id-1'}"));
        const std::string state = states.front();
        if (states.size() > 1)
            states.erase(states.begin());
        return answer(
            js("{'QueryExecution':{'QueryExecutionId':'id-1','Status':{'State':'" + state + "'}" + more + "}}"));
    }
};

} // namespace

class TestAthena : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void checksSettings_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("isRight");
        const auto row = [](const char *key, const char *value, bool isRight) {
            QTest::addRow("%s %s", key, value) << QString::fromLatin1(key) << QString::fromLatin1(value) << isRight;
        };
        for (const char *name : {"database", "table"}) {
            row(name, "a_B-9", true);
            for (const char *wrong : {"a\"b", "a b", "a.b", "a;b", "", "\xc3\xa4"})
                row(name, wrong, false);
        }
        row("workgroup", "fin.ops-1", true);
        row("workgroup", "a/b", false);
        row("output", "s3://company-athena/a/b", true);
        row("output", "s3://company-athena", true);
        for (const char *wrong : {"s3://A/b", "https://a.example/b", "s3://a@b/c", "s3://abc/../d", "s3://abc/a//b"})
            row("output", wrong, false);
        row("most_scanned", "1", true);
        for (const char *wrong : {"0", "-1", "1.5", "1000001", "x"})
            row("most_scanned", wrong, false);
        row("refresh", "12h", true);
        row("refresh", "soon", false);
        row("athena_url", "https://vpce.example", true);
        row("athena_url", "file:///etc/passwd", false);
    }
    void checksSettings()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        model::SourceSettings settings;
        settings.name = "bill";
        settings.options = {{"database", "billing"}, {"table", "cur"}};
        settings.options[key.toStdString()] = value.toStdString();
        const auto read = aws::AthenaSettings::of(settings);
        QTEST(read && *read, "isRight");
        QVERIFY(read || read.error().code == ErrorCode::InvalidConfig);
    }

    void asksNothingWithoutATable()
    {
        model::SourceSettings settings;
        const auto none = aws::AthenaSettings::of(settings);
        QVERIFY(none && !*none);
        settings.options["workgroup"] = "finops"; // forgotten: the table
        const auto wrong = aws::AthenaSettings::of(settings);
        QVERIFY(!wrong && wrong.error().text.find("has workgroup") != std::string::npos);
        settings.options["database"] = "billing";
        QVERIFY(!aws::AthenaSettings::of(settings));
    }

    void knowsTypesOfColumns()
    {
        const auto table = aws::AthenaTable::of(tableText(
            columnText("A", "VARCHAR(20)") + ',' + columnText("b", "timestamp") + ',' + columnText("c", "decimal(16,8)")
                + ',' + columnText("d", "map<string,string>") + ',' + columnText("e", "boolean"),
            columnText("Billing_Period") + ',' + columnText("day", "date")));
        QVERIFY(table);
        using Type = aws::TableColumn::Type;
        const std::vector<Type> want{Type::Text, Type::Time, Type::Number, Type::Nested, Type::Other};
        for (std::size_t i = 0; i < want.size(); ++i)
            QVERIFY(table->columns.at(i).type == want[i]);
        QCOMPARE(table->columns.front().name, std::string("a"));
        QCOMPARE(table->partitions, std::vector<std::string>{"billing_period"});
    }

    void refusesOtherAnswers()
    {
        for (const std::string &text :
             {std::string("<html>"), js("{'TableMetadata':[]}"), tableText(""), tableText("7"),
              tableText("{'Name':'a'}"), js("{'TableMetadata':{'Columns':{'a':1}}}")})
            QVERIFY2(aws::AthenaTable::of(text).error().code == ErrorCode::Parse, text.c_str());
        std::string many;
        for (int i = 0; i <= 4096; ++i)
            many += columnText("c" + std::to_string(i)) + (i < 4096 ? "," : "");
        QVERIFY(aws::AthenaTable::of(tableText(many)).error().code == ErrorCode::TooMuch);
        const auto view = aws::AthenaTable::of(js("{'TableMetadata':{'TableType':'VIRTUAL_VIEW','Columns':[]}}"));
        QVERIFY(view.error().code == ErrorCode::Unsupported);
    }

    // Names of files come from a manifest, names of columns from a table: neither is ours.
    void quotesWhatItIsGiven()
    {
        const auto asked = questionOf(reportColumns(columnText("resource_tags_a,\\\" or b")));
        QVERIFY2(asked, asked ? "" : asked.error().text.c_str());
        const auto has = [&](const char *part) { return asked->sql.find(part) != std::string::npos; };
        QVERIFY(has("\"billing\".\"cur\""));
        QVERIFY(
            has("\"billing_period\" = '2026-10' AND \"$path\" IN ('s3://bills/a''s.parquet', 's3://bills/b.parquet')"));
        QVERIFY(has("\"resource_tags_a,\"\" or b\""));
        QCOMPARE(asked->bytes, std::uint64_t{5});
    }

    void addsUpDecimals()
    {
        const auto asked = questionOf(reportColumns(
            columnText("line_item_usage_amount", "double") + ',' + columnText("pricing_public_on_demand_cost") + ','
            + columnText("identity_line_item_id") + ',' + columnText("discount", "map<string,double>")));
        QVERIFY(asked);
        const auto has = [&](const char *part) { return asked->sql.find(part) != std::string::npos; };
        QVERIFY(has("SUM(\"line_item_unblended_cost\")"));
        QVERIFY(has("CAST(\"line_item_unblended_cost\" AS DECIMAL(38,9))"));
        QVERIFY(has("CAST(\"line_item_usage_amount\" AS DECIMAL(38,12))"));
        QVERIFY(has("\"line_item_unblended_cost\" IS NULL")); // a group has amounts or none
        QVERIFY(has("MIN(\"line_item_usage_start_date\")") && has("MAX(\"line_item_usage_end_date\")"));
        // What differs in each row is not asked for.
        QVERIFY(!has("identity_line_item_id") && !has("\"discount\""));
        QCOMPARE(static_cast<int>(std::count(asked->columns.begin(), asked->columns.end(), "line_item_usage_amount")),
                 1);
    }

    void takesMembersOfProducts()
    {
        const std::string map = columnText("product", "map<string,string>");
        const auto asked = questionOf(reportColumns(map + ',' + columnText("product_instance_type")));
        QVERIFY(asked);
        QVERIFY(asked->sql.find("COALESCE(NULLIF(\"product_instance_type\", ''), element_at(\"product\", "
                                "'instance_type')) AS \"product_instance_type\"")
                != std::string::npos);
        QVERIFY(asked->sql.find("element_at(\"product\", 'purchase_option') AS \"product_purchase_option\"")
                != std::string::npos);
        QVERIFY(std::find(asked->columns.begin(), asked->columns.end(), "product") == asked->columns.end());
    }

    void countsAllMonthsWithoutPartitions()
    {
        const auto asked = questionOf(reportColumns(), "");
        QVERIFY(asked);
        QCOMPARE(asked->bytes, std::uint64_t{50});
        QVERIFY(asked->sql.find("billing_period\"") == std::string::npos);
        QVERIFY(asked->sql.find("\"$path\" IN (") != std::string::npos);
    }

    void refusesTablesBeforeAnythingIsPaidFor()
    {
        const auto less = questionOf(columnText("line_item_unblended_cost", "double"));
        QVERIFY(less.error().code == ErrorCode::Unsupported);
        QVERIFY(less.error().text.find("line_item_line_item_type") != std::string::npos);
        QVERIFY(questionOf(columnText("a")).error().code == ErrorCode::Unsupported);
        auto month = october();
        month.names.assign(3000, "s3://bills/" + std::string(100, 'x'));
        const auto table = aws::AthenaTable::of(tableText(reportColumns()));
        const auto many = aws::MonthQuestion::of(here(), *table, month);
        QVERIFY(many.error().code == ErrorCode::TooMuch);
    }

    void waitsLongerEachTime()
    {
        RunSetup setup;
        setup.states = {"QUEUED", "RUNNING", "RUNNING", "RUNNING", "RUNNING", "RUNNING", "SUCCEEDED"};
        setup.more =
            ",'Statistics':{'DataScannedInBytes':7},'ResultConfiguration':{'OutputLocation':'s3://abc/id-1.csv'}";
        const auto end = setup.runs().finish("id-1", {});
        QVERIFY(end && end->state == aws::QueryEnd::State::Succeeded);
        QCOMPARE(end->scanned, std::uint64_t{7});
        QCOMPARE(end->location, std::string("s3://abc/id-1.csv"));
        const std::vector<http::Milliseconds> want{http::Milliseconds{1000},   http::Milliseconds{2000},
                                                   http::Milliseconds{4000},   http::Milliseconds{8000},
                                                   http::Milliseconds{10'000}, http::Milliseconds{10'000}};
        QCOMPARE(setup.pause->waits, want);
    }

    // It would go on, and cost.
    void stopsTheQueryWhenItIsStopped()
    {
        RunSetup setup;
        setup.states = {"RUNNING"};
        std::stop_source stop;
        setup.before = [&](const std::string &) {
            if (setup.count("GetQueryExecution") == 2)
                stop.request_stop();
        };
        const auto end = setup.runs().finish("id-1", stop.get_token());
        QVERIFY(!end && end.error().code == ErrorCode::Cancelled);
        QCOMPARE(setup.count("StopQueryExecution"), 1);
    }

    void stopsAScanAboveTheLimit()
    {
        RunSetup setup;
        setup.states = {"RUNNING"};
        setup.more = ",'Statistics':{'DataScannedInBytes':20000000001}";
        const auto end = setup.runs().finish("id-1", {});
        QVERIFY(end && end->state == aws::QueryEnd::State::Failed && end->error.code == ErrorCode::TooMuch);
        QVERIFY(end->error.text.find("20.1 GB, and most_scanned allows 20.0 GB") != std::string::npos);
        QCOMPARE(end->scanned, std::uint64_t{20'000'000'001});
        QCOMPARE(setup.count("StopQueryExecution"), 1);
    }

    // The next sync goes on with it.
    void leavesAQueryThatTakesTooLong()
    {
        RunSetup setup;
        setup.states = {"QUEUED"};
        const auto end = setup.runs().finish("id-1", {});
        QVERIFY(!end && end.error().code == ErrorCode::Timeout);
        QCOMPARE(setup.count("StopQueryExecution"), 0);
    }

    void knowsWhatAScanCosts()
    {
        const auto nanos = [](std::uint64_t bytes) { return aws::paidForScan(bytes).amount.nanos(); };
        QCOMPARE(nanos(0), std::int64_t{50'000}); // 10 MB
        QCOMPARE(nanos(10'000'000), std::int64_t{50'000});
        QCOMPARE(nanos(10'000'001), std::int64_t{55'000});
        QCOMPARE(nanos(1'000'000'000'000), std::int64_t{5'000'000'000});
        QCOMPARE(nanos(~std::uint64_t{0}), std::int64_t{5'000'000'000'000});
        QCOMPARE(aws::scanText(20'000'000'001), std::string("20.1 GB"));
        QCOMPARE(aws::scanText(0), std::string("0.0 GB"));
    }

    void keepsWhenAMonthWasAsked()
    {
        const base::UtcTime then = *base::parseTime("2026-11-20T10:00:00Z");
        const format::KeptQuery kept{"files", "settings", "hash", then};
        const auto read = format::KeptQuery::fromText(kept.toText());
        QVERIFY(read && read->identity == "files" && read->sha256 == "hash" && read->asked == then);
        const base::Seconds day{86400};
        QVERIFY(read->isFresh("settings", then + day - base::Seconds{1}, day));
        QVERIFY(!read->isFresh("settings", then + day, day));
        QVERIFY(!read->isFresh("others", then, day));
        QVERIFY(!read->isFresh("settings", then - day - base::Seconds{1}, day)); // a clock that was ahead
        for (const char *other : {"", "hash hash hash", "query1 a b c", "query1 a b c x"})
            QVERIFY2(!format::KeptQuery::fromText(other), other);
    }
};

GPULEDGER_SUITE(TestAthena)

} // namespace tst_athena

#include "tst_athena.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/device/extraseries.h"

#include "app/insight/device/devicedetails.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_extraseries {

using namespace gpuledger;
using insight::expandExpression;
using insight::ExtraQuery;

namespace {

constexpr base::Seconds kStep{300};

ExtraQuery queryOf(std::string expression)
{
    ExtraQuery q;
    q.expression = std::move(expression);
    q.cluster = "prod";
    q.node = "gpu-7";
    q.device = "GPU-6b5a";
    q.index = 3;
    q.range = {base::fromUnix(1'700'000'100), base::fromUnix(1'700'000'100 + 86400)};
    return q;
}

} // namespace

class TestExtraSeries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void putsValuesWhereTheyAreMeant_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const char *expression, const char *expected) {
            QTest::newRow(name) << QString::fromUtf8(expression) << QString::fromUtf8(expected);
        };
        row("plain", "up", "up");
        row("quoted", "t{UUID=\"$device\",node='$node'}", "t{UUID=\"GPU-6b5a\",node='gpu-7'}");
        row("braces", "t{UUID=\"${device}\"}", "t{UUID=\"GPU-6b5a\"}");
        row("no quotes", "t{UUID=$device,gpu=\"$index\"}", "t{UUID=\"GPU-6b5a\",gpu=\"3\"}");
        row("number", "t == $index", "t == 3");
        row("raw text", "t{UUID=~`$device`}", "t{UUID=~`GPU-6b5a`}");
        row("end of a line in an expression", "t{node=~\"gpu-.$|$node\"}", "t{node=~\"gpu-.$|gpu-7\"}");
        row("groups", "label_replace(t, \"a\", \"$1\", \"b\", \"(.*)\")",
            "label_replace(t, \"a\", \"$1\", \"b\", \"(.*)\")");
        row("quote in quotes", "t{a=\"\\\"$node\"}", "t{a=\"\\\"gpu-7\"}");
        row("other quote", "t{a=\"'\",b=$node}", "t{a=\"'\",b=\"gpu-7\"}");
        row("pasted from a dashboard", "rate(t[$__rate_interval]) + avg_over_time(u[$__interval]) + v offset $__range",
            "rate(t[315s]) + avg_over_time(u[300s]) + v offset 86400s");
    }
    void putsValuesWhereTheyAreMeant()
    {
        QFETCH(QString, expression);
        QFETCH(QString, expected);
        const auto got = expandExpression(queryOf(expression.toStdString()), kStep);
        QVERIFY(got.has_value());
        QCOMPARE(QString::fromStdString(*got), expected);
    }

    // A label is data: it never ends the string that contains it.
    void hostileValuesStayWithinTheirQuotes()
    {
        ExtraQuery q = queryOf("t{node=\"$node\"}");
        q.node = "x\"} or vector(1) #\\\n";
        QCOMPARE(expandExpression(q, kStep).value(), std::string("t{node=\"x\\\"} or vector(1) #\\\\\\n\"}"));
        q.expression = "t{node='$node',x=\"1\"}";
        q.node = "'}";
        QCOMPARE(expandExpression(q, kStep).value(), std::string("t{node='\\'}',x=\"1\"}"));
        q.expression = "t{node=`$node`}";
        q.node = "`} or t";
        QVERIFY(expandExpression(q, kStep).error().code == base::ErrorCode::InvalidArgument);
    }

    void saysWhatCantBeAsked()
    {
        for (const char *expression : {"", " \n\t", "t{a=\"$devcie\"}", "t{a=\"${pod}\"}"}) {
            const auto got = expandExpression(queryOf(expression), kStep);
            QVERIFY2(!got && got.error().code == base::ErrorCode::InvalidArgument, expression);
            QVERIFY(!got.error().hint.empty());
        }
        ExtraQuery q = queryOf("t{a=\"$node\"}");
        q.node.clear();
        QVERIFY(!expandExpression(q, kStep));
        q.expression = "$index";
        q.index = -1;
        QVERIFY(!expandExpression(q, kStep));
    }

    // Whatever the range and the number of points, a server answers it: its limit of points is far off.
    void theGridFitsTheRoomAndTheServer()
    {
        for (const std::int64_t length : {300LL, 3600LL, 86400LL, 7 * 86400LL, 90 * 86400LL, 3650 * 86400LL}) {
            for (const int points : {1, 50, 400, 1600}) {
                ExtraQuery q = queryOf("up");
                q.range.end = q.range.start + base::Seconds{length};
                q.points = points;
                const auto question = insight::seriesQuestion(q).value();
                QVERIFY(question.count() >= 1 && question.count() <= static_cast<std::size_t>(points) + 1);
                QCOMPARE(base::toUnix(question.first) % question.step.count(), 0);
                QCOMPARE(base::toUnix(question.last) % question.step.count(), 0);
                QVERIFY(question.last <= q.range.end);
                QVERIFY(question.step >= base::Seconds{15});
            }
        }
        ExtraQuery empty = queryOf("up");
        empty.range.end = empty.range.start;
        QVERIFY(!insight::seriesQuestion(empty));
    }
};

GPULEDGER_SUITE(TestExtraSeries)

} // namespace tst_extraseries

#include "tst_extraseries.moc"

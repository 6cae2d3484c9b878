// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/json.h"
#include "connectors/format/samplescan.h"
#include "connectors/format/seriesreader.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace tst_seriesreader {

using namespace gpuledger;
using namespace gpuledger::format;

namespace {

struct Seen {
    std::string labels;
    std::vector<Sample> samples;
};

class Recorder final : public SeriesVisitor {
public:
    void begin() override { all.clear(); }
    void series(std::span<const Label> labels, std::span<const Sample> samples) override
    {
        Seen one;
        for (const Label &l : labels)
            one.labels += std::string(l.name) + '=' + std::string(l.value) + ';';
        one.samples.assign(samples.begin(), samples.end());
        all.push_back(std::move(one));
    }
    void refused(std::string_view reason) override { reasons.emplace_back(reason); }
    void end() override { ended = true; }

    std::vector<Seen> all;
    std::vector<std::string> reasons;
    bool ended = false;
};

// JSON or labels with ' in place of ".
std::string js(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

std::string wrapped(const std::string &result, const std::string &more = {})
{
    return js("{'status':'success','data':{'resultType':'matrix','result':[") + result + "]}" + more + "}";
}

} // namespace

class TestSeriesReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsMatrixSortedByLabelWithoutName()
    {
        std::string body = wrapped(js(
            "{'metric':{'pod':'a','__name__':'m','UUID':'GPU-1','empty':''},'values':[[300,'0.25'],[600.5,'1e+06']]}"));
        Recorder r;
        SeriesReader reader;
        const auto envelope = reader.read(body, r);
        QVERIFY(envelope.has_value());
        QCOMPARE(r.all.size(), std::size_t(1));
        QCOMPARE(r.all[0].labels, std::string("UUID=GPU-1;pod=a;"));
        QCOMPARE(r.all[0].samples.size(), std::size_t(2));
        QCOMPARE(r.all[0].samples[0].value, 0.25);
        QCOMPARE(r.all[0].samples[1].time, 600.5);
        QCOMPARE(r.all[0].samples[1].value, 1e6);
        QVERIFY(r.ended);
    }

    void readsVectorAndValuesBeforeMetric()
    {
        std::string body =
            js("{'data':{'result':[{'value':[1,'5'],'metric':{'a':'b'}}],'resultType':'vector'},'status':'success'}");
        Recorder r;
        SeriesReader reader;
        QVERIFY(reader.read(body, r).has_value());
        QCOMPARE(r.all.at(0).labels, std::string("a=b;"));
        QCOMPARE(r.all.at(0).samples.at(0).value, 5.0);
    }

    void givesWhatIsNoNumberAsNotANumber()
    {
        std::string body = wrapped(js("{'metric':{},'values':[[1,'NaN'],[2,'+Inf'],[3,'-Inf'],[4,'1e999'],[5,''],[6,'x'"
                                      "],[7,'9223372036854776000']]}"));
        Recorder r;
        SeriesReader reader;
        QVERIFY(reader.read(body, r).has_value());
        const auto &s = r.all.at(0).samples;
        QVERIFY(std::isnan(s[0].value));
        QVERIFY(std::isinf(s[1].value) && s[1].value > 0);
        QVERIFY(std::isinf(s[2].value) && s[2].value < 0);
        QVERIFY(std::isinf(s[3].value));
        QVERIFY(std::isnan(s[4].value));
        QVERIFY(std::isnan(s[5].value));
        QVERIFY(s[6].value >= 9.2e18);
    }

    // A space makes an array take the slow path: both paths must return the same bits, and refuse the same input.
    void readsCompactAndSpacedSpellingsAlike_data()
    {
        QTest::addColumn<QByteArray>("pair");
        for (const char *value : {"0",
                                  "-0",
                                  "7",
                                  "00",
                                  "01",
                                  "0.1",
                                  "0.05",
                                  "5.",
                                  ".5",
                                  "-3.25",
                                  "--1",
                                  "+1",
                                  "1e3",
                                  "1e",
                                  "12345678",
                                  "123456789",
                                  "99999999.99999999",
                                  "123456789012345",
                                  "1234567890123456",
                                  "0.7833333333333333",
                                  "12345.6789012345",
                                  "40.4",
                                  "0.30000000000000004",
                                  "9007199254740993",
                                  "1234567890123456789012345",
                                  "NaN",
                                  "+Inf",
                                  "",
                                  " 1",
                                  "1 ",
                                  "1:",
                                  "1/2",
                                  "\\u0031",
                                  "1\\\\",
                                  "\xEF\xBC\x91",
                                  "1\\\"2"})
            QTest::newRow(value) << QByteArray("[300,\"") + value + "\"]";
        for (const char *time : {"1700000000.781", "0", "-5", "1e9", "12345678901234567", "01", "300.", "-", "nan", ""})
            QTest::newRow(qPrintable(QStringLiteral("time ") + QLatin1String(time)))
                << QByteArray(QByteArray("[") + time + ",\"1\"]");
        for (const char *pair : {"[1,2]", "[1]", "[]", "[1,\"2\",3]", "[1,\"2\"", "1,\"2\"]", "[[1,\"2\"]]",
                                 "[1;\"2\"]", "[1,\"2\"}", "[1,\"2\"],", "null", "{\"a\":1}"})
            QTest::newRow(qPrintable(QStringLiteral("pair ") + QLatin1String(pair))) << QByteArray(pair);
    }
    void readsCompactAndSpacedSpellingsAlike()
    {
        QFETCH(QByteArray, pair);
        const auto read = [](const QByteArray &values, Recorder &r) {
            std::string body = wrapped(js("{'metric':{'a':'1'},'values':") + values.toStdString() + "}");
            SeriesReader reader;
            return reader.read(body, r).has_value();
        };
        Recorder compact, spaced;
        const bool good = read("[[1,\"1\"]," + pair + ",[900,\"2\"]]", compact);
        QCOMPARE(good, read("[ [1,\"1\"]," + pair + ",[900,\"2\"]]", spaced));
        if (!good)
            return;
        QCOMPARE(compact.all.size(), spaced.all.size());
        const auto &a = compact.all.at(0).samples, &b = spaced.all.at(0).samples;
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            QCOMPARE(std::bit_cast<std::uint64_t>(a[i].time), std::bit_cast<std::uint64_t>(b[i].time));
            QCOMPARE(std::bit_cast<std::uint64_t>(a[i].value), std::bit_cast<std::uint64_t>(b[i].value));
        }
    }

    void readsRandomNumbersExactly()
    {
        std::mt19937_64 random(20);
        char text[64];
        for (int round = 0; round < 20000; ++round) {
            const double magnitude = std::pow(10.0, static_cast<double>(random() % 18) - 6);
            const double value = static_cast<double>(random() % 2000001 - 1000000) / 1000.0 * magnitude;
            const int precision = static_cast<int>(random() % 17) + 1;
            std::snprintf(text, sizeof text, random() % 2 ? "%.*g" : "%.*f", precision, value);
            std::vector<Sample> samples;
            const std::string array = "[[1,\"" + std::string(text) + "\"]]        ";
            QVERIFY2(scanSamples(std::string_view(array).substr(0, array.size() - 8), samples), text);
            QCOMPARE(samples.at(0).value, std::strtod(text, nullptr));
        }
    }

    void skipsHistogramsAndUnknownFields()
    {
        std::string body = wrapped(
            js("{'metric':{'a':'1'},'histograms':[[1,{'count':'2','buckets':[[0,'1','2','3']]}]],'new':{'x':[1,2]}}"),
            js(",'infos':['hint'],'warnings':['partial response']"));
        Recorder r;
        SeriesReader reader;
        const auto envelope = reader.read(body, r);
        QVERIFY(envelope.has_value());
        QVERIFY(r.all.at(0).samples.empty());
        QCOMPARE(envelope->warnings, std::vector<std::string>{"partial response"});
    }

    // VictoriaMetrics' cluster version answers like this while a storage node is down.
    void saysThatAnAnswerIsPartial()
    {
        for (const bool partial : {true, false}) {
            std::string body = wrapped("", std::string(",\"isPartial\":") + (partial ? "true" : "false"));
            Recorder r;
            SeriesReader reader;
            const auto envelope = reader.read(body, r);
            QVERIFY(envelope.has_value());
            QCOMPARE(envelope->warnings.size(), std::size_t(partial ? 1 : 0));
        }
    }

    void anEmptyResultIsAnAnswer()
    {
        std::string body = wrapped("");
        Recorder r;
        SeriesReader reader;
        QVERIFY(reader.read(body, r).has_value());
        QVERIFY(r.ended);
    }

    void refusesEveryCutOfAnAnswer()
    {
        const std::string whole = wrapped(js("{'metric':{'UUID':'GPU-1'},'values':[[300,'0.25'],[600,'0.5']]}"));
        SeriesReader reader;
        for (std::size_t n = 0; n < whole.size(); ++n) {
            std::string cut = whole.substr(0, n);
            Recorder r;
            const auto envelope = reader.read(cut, r);
            QVERIFY2(!envelope, ("cut at " + std::to_string(n)).c_str());
            QVERIFY(envelope.error().code == base::ErrorCode::Parse
                    || envelope.error().code == base::ErrorCode::Server);
            QVERIFY(!r.ended);
        }
    }

    void refusesOtherTypes_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("null metric") << QByteArray(wrapped(js("{'metric':null,'values':'x'}")).c_str());
        QTest::newRow("triple") << QByteArray(wrapped(js("{'metric':{},'values':[[1,'2',3]]}")).c_str());
        QTest::newRow("number value") << QByteArray(wrapped(js("{'metric':{},'values':[[1,2]]}")).c_str());
        QTest::newRow("deep") << QByteArray(200000, '[');
        QTest::newRow("deep field") << QByteArray((js("{'status':'success','x':") + std::string(200000, '[')).c_str());
        QTest::newRow("html") << QByteArray("<html>login</html>");
        QTest::newRow("trailing") << QByteArray((wrapped("") + wrapped("")).c_str());
        QTest::newRow("scalar") << QByteArray(
            js("{'status':'success','data':{'resultType':'scalar','result':[1,'2']}}").c_str());
        QTest::newRow("null data") << QByteArray(js("{'status':'success','data':null}").c_str());
        QTest::newRow("no data") << QByteArray(js("{'status':'success'}").c_str());
        QTest::newRow("no result") << QByteArray(js("{'status':'success','data':{'resultType':'matrix'}}").c_str());
        QTest::newRow("null result") << QByteArray(
            js("{'status':'success','data':{'resultType':'matrix','result':null}}").c_str());
        QTest::newRow("a series without values") << QByteArray(wrapped(js("{'metric':{'a':'1'}}")).c_str());
        QTest::newRow("no status") << QByteArray(js("{'data':{'resultType':'matrix','result':[]}}").c_str());
    }
    void refusesOtherTypes()
    {
        QFETCH(QByteArray, body);
        std::string text = body.toStdString();
        Recorder r;
        SeriesReader reader;
        QVERIFY(!reader.read(text, r));
        QVERIFY(!r.ended);
    }

    void saysWhatTheServerSays()
    {
        std::string body = js("{'status':'error','errorType':'execution','error':'many\\u0007'}");
        Recorder r;
        SeriesReader reader;
        const auto envelope = reader.read(body, r);
        QVERIFY(!envelope);
        QCOMPARE(envelope.error().text, std::string("the server reports: many\xEF\xBF\xBD"));
    }

    void refusesSeriesWithBrokenText()
    {
        std::string body = wrapped("{\"metric\":{\"UUID\":\"GPU-\xff\xfe\"},\"values\":[[1,\"1\"]]},"
                                   "{\"metric\":{\"UUID\":\"GPU-2\",\"pod\":\"\xC3\xA4\"},\"values\":[[1,\"1\"]]}");
        Recorder r;
        SeriesReader reader;
        QVERIFY(reader.read(body, r).has_value());
        QCOMPARE(r.all.size(), std::size_t(1));
        QCOMPARE(r.all[0].labels, std::string("UUID=GPU-2;pod=\xC3\xA4;"));
        QCOMPARE(r.reasons, std::vector<std::string>{"a label is not valid UTF-8"});
    }

    void refusesHugeLabels()
    {
        std::string body = wrapped(js("{'metric':{'x':'") + std::string(70000, 'a') + js("'},'values':[[1,'1']]}"));
        Recorder r;
        SeriesReader reader;
        QVERIFY(reader.read(body, r).has_value());
        QVERIFY(r.all.empty());
        QCOMPARE(r.reasons.size(), std::size_t(1));
    }

    void treesAreOfLimitedDepth()
    {
        QVERIFY(parseJson(std::string(64, '[') + std::string(64, ']')).has_value());
        QVERIFY(!parseJson(std::string(65, '[') + std::string(65, ']')));
        QVERIFY(!parseJson(std::string(200000, '[')));
        QVERIFY(parseJson(js("{'a':'[[[[\\'[['}")).has_value());
        QVERIFY(!parseJson("{\"a\":"));
    }
};

GPULEDGER_PLAIN_SUITE(TestSeriesReader)

} // namespace tst_seriesreader

#include "tst_seriesreader.moc"

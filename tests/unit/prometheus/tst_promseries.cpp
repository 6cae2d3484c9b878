// SPDX-License-Identifier: GPL-3.0-or-later
// The user's expressions, against a real Prometheus and against servers that fail.
#include "connectors/http/curlhttpclient.h"
#include "connectors/prometheus/prometheussource.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <thread>

namespace tst_promseries {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::SeriesAnswer;
using ports::SeriesQuestion;

namespace {

constexpr std::int64_t kBegin = 1700000100; // a multiple of 300
constexpr int kMinutes = 60;
constexpr int kSeries = 20;

// One value per minute: of GPU-0 with a gap, a NaN and an infinity.
QByteArray samplesText()
{
    std::string text = "# TYPE gpu_temperature gauge\n";
    for (int d = 0; d < kSeries; ++d) {
        for (int m = 0; m <= kMinutes; ++m) {
            if (d == 0 && m >= 20 && m < 30)
                continue;
            const std::string value = d == 0 && m == 40 ? "NaN"
                : d == 0 && m == 45                     ? "+Inf"
                                                        : std::to_string(d * 100 + m);
            text += js("gpu_temperature{UUID='GPU-" + std::to_string(d) + "',job='x'} ") + value + ' '
                + std::to_string(kBegin + m * 60) + '\n';
        }
    }
    return QByteArray::fromStdString(text + "# EOF\n");
}

SeriesQuestion questionOf(std::string expression, std::int64_t step = 300)
{
    SeriesQuestion q;
    q.expression = std::move(expression);
    q.step = base::Seconds{step};
    q.first = base::fromUnix(kBegin);
    q.last = base::fromUnix(kBegin + kMinutes * 60);
    return q;
}

constexpr const char *kBuildInfo = "{'status':'success','data':{'version':'2.42.0','revision':'abc'}}";

} // namespace

class TestPromSeries : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<PrometheusSource> source(const std::string &url, std::shared_ptr<http::HttpClient> client,
                                             Tuning tuning = {})
    {
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = url;
        return std::make_unique<PrometheusSource>(settings, *loadMappings({}), m_secrets, m_clock, std::move(client),
                                                  tuning);
    }
    // The result from a server that answers the query like this.
    base::Result<SeriesAnswer> scripted(const http::Response &response, SeriesQuestion question = questionOf("x"))
    {
        auto client =
            std::make_shared<ScriptedClient>([&](const http::Request &request) -> base::Result<http::Response> {
                if (request.url.find("buildinfo") != std::string::npos)
                    return answer(js(kBuildInfo));
                m_asked = request.body;
                return response;
            });
        return source("http://127.0.0.1:1", client)->series(question, {});
    }

    OneSecret m_secrets;
    base::FrozenClock m_clock{base::fromUnix(kBegin + kMinutes * 60)};
    std::string m_asked;

private Q_SLOTS:
    void answersOfARealServer()
    {
        RealServer server;
        if (!server.start(QStringLiteral("prometheus"), samplesText()))
            QSKIP("no Prometheus here");
        const auto prometheus = source(server.url(), std::make_shared<http::CurlHttpClient>());

        const auto one = prometheus->series(questionOf("gpu_temperature{UUID=\"GPU-0\"}", 60), {});
        QVERIFY2(one.has_value(), one ? "" : one.error().text.c_str());
        QCOMPARE(one->series.size(), std::size_t{1});
        QCOMPARE(one->series[0].labels.at("UUID"), std::string("GPU-0"));
        const auto &values = one->series[0].values;
        QCOMPARE(values.size(), static_cast<std::size_t>(kMinutes + 1));
        for (std::size_t m = 0; m < values.size(); ++m) {
            const bool unobserved = (m >= 20 && m < 30) || m == 40 || m == 45;
            QCOMPARE(std::isnan(values[m]), unobserved); // neither zero nor the previous value
            if (!unobserved)
                QCOMPARE(values[m], static_cast<double>(m));
        }
        const auto computed =
            prometheus->series(questionOf("avg_over_time(gpu_temperature{UUID=\"GPU-1\"}[5m]) * 2"), {});
        QVERIFY(computed.has_value());
        QCOMPARE(computed->series.size(), std::size_t{1});
        QCOMPARE(computed->series[0].values.size(), std::size_t{13});

        const auto many = prometheus->series(questionOf("gpu_temperature"), {});
        QVERIFY(many.has_value());
        QCOMPARE(many->series.size(), SeriesAnswer::kMostSeries);
        QCOMPARE(many->leftOut, std::uint64_t{kSeries - SeriesAnswer::kMostSeries});

        const auto none = prometheus->series(questionOf("no_such_metric"), {});
        QVERIFY(none.has_value() && none->series.empty() && none->leftOut == 0);

        const auto scalar = prometheus->series(questionOf("vector(7)"), {});
        QVERIFY(scalar.has_value() && scalar->series.size() == 1 && scalar->series[0].labels.empty());
        QCOMPARE(scalar->series[0].values.back(), 7.0);

        for (const char *bad : {"gpu_temperature{", "sum(", "gpu_temperature[5m]", "\"text\"", "nothing_known(x)"}) {
            const auto refused = prometheus->series(questionOf(bad), {});
            QVERIFY2(!refused, bad);
            QVERIFY2(refused.error().code == ErrorCode::InvalidArgument, refused.error().text.c_str());
            QVERIFY2(refused.error().text.starts_with("the server reports: "), refused.error().text.c_str());
            QVERIFY(refused.error().text.size() > 30); // its own words
            QCOMPARE(refused.error().source, std::string("prod"));
        }
    }

    void saysAServersWordsAndNothingMore()
    {
        const auto refused = scripted(
            answer(js("{'status':'error','errorType':'bad_data','error':'1:5: parse error: unexpected <eof>'}"), 400));
        QCOMPARE(refused.error().text, std::string("the server reports: 1:5: parse error: unexpected <eof>"));
        QVERIFY(!refused.error().retryable);
        const auto execution = scripted(
            answer(js("{'status':'error','errorType':'execution','error':'multiple matches for labels'}"), 422));
        QVERIFY(execution.error().code == ErrorCode::InvalidArgument);
    }

    void tooMuchIsToldSo()
    {
        const auto samples = scripted(answer(js("{'status':'error','errorType':'execution','error':'query processing "
                                                "would load too many samples into memory'}"),
                                             422));
        QVERIFY(samples.error().code == ErrorCode::TooMuch);
        QVERIFY(samples.error().hint.find("fewer series") != std::string::npos);
        SeriesQuestion fine = questionOf("x", 1);
        fine.last = fine.first + base::Seconds{20'000};
        QVERIFY(scripted(answer("{}"), fine).error().code == ErrorCode::InvalidArgument);
        fine.last = fine.first - base::Seconds{1};
        QVERIFY(!scripted(answer("{}"), fine));
    }

    void whatIsNoNumberIsUnobserved()
    {
        const auto got = scripted(
            answer(js("{'status':'success','warnings':['a store is down'],'data':{'resultType':'matrix','result':["
                      "{'metric':{'a':'nan'},'values':[[1700000100,'NaN'],[1700000400,'+Inf']]},"
                      "{'metric':{'a':'histogram'},'histograms':[[1700000100,{'count':'1'}]]},"
                      "{'metric':{'a':'<b>x</b>'},'values':[[1700000400.001,'2'],[1600000000,'3'],[1900000000,'4']]}"
                      "]}}")));
        QVERIFY2(got.has_value(), got ? "" : got.error().text.c_str());
        QCOMPARE(got->series.size(), std::size_t{1});
        QCOMPARE(got->series[0].labels.at("a"), std::string("<b>x</b>"));
        QVERIFY(std::isnan(got->series[0].values[0]));
        QCOMPARE(got->series[0].values[1], 2.0);
        QCOMPARE(std::count_if(got->series[0].values.begin(), got->series[0].values.end(),
                               [](double v) { return std::isfinite(v); }),
                 std::ptrdiff_t{1}); // values outside the range are not moved into it
        QCOMPARE(got->warnings, std::vector<std::string>{"a store is down"});
        QVERIFY(m_asked.find("start=1700000100&end=1700003700&step=300") != std::string::npos);
    }

    void aBrokenAnswerIsAnError()
    {
        for (const char *body : {"", "{'status':'succ", "<html>login</html>",
                                 "{'status':'success','data':{'resultType':'string','result':[1,'x']}}"}) {
            const auto got = scripted(answer(js(body)));
            QVERIFY2(!got, body);
        }
    }

    // The user waits at the field, so there are no minutes of retries.
    void givesUpSoon()
    {
        Tuning tuning;
        tuning.retries.maxTries = 10;
        auto client =
            std::make_shared<ScriptedClient>([](const http::Request &request) -> base::Result<http::Response> {
                return request.url.find("buildinfo") != std::string::npos ? answer(js(kBuildInfo))
                                                                          : answer("overloaded", 503, "text/plain");
            });
        const auto got = source("http://127.0.0.1:1", client, tuning)->series(questionOf("x"), {});
        QVERIFY(!got);
        QCOMPARE(client->requests.load(), 3); // the kind of server, the query, and one retry
    }

    void stopsWithinAFifthOfASecond()
    {
        FaultyServer server;
        QVERIFY(server.start({}));
        const auto prometheus = source(server.url("/hang"), std::make_shared<http::CurlHttpClient>());
        std::stop_source stop;
        std::atomic<bool> isDone{false};
        QElapsedTimer timer;
        std::jthread asking([&] {
            const auto got = prometheus->series(questionOf("x"), stop.get_token());
            isDone = !got && got.error().code == ErrorCode::Cancelled;
        });
        QTest::qWait(300);
        QVERIFY(!isDone);
        timer.start();
        stop.request_stop();
        asking.join();
        QVERIFY(isDone);
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed()))); // the limit is 200 ms
    }
};

GPULEDGER_SUITE(TestPromSeries)

} // namespace tst_promseries

#include "tst_promseries.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that resemble Prometheus: the queries sent to Thanos and Mimir, and the handling of their answers. Neither is
// in the distribution, so their answers are written here according to their documentation.
#include "connectors/prometheus/prometheussource.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_promdialects {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr std::int64_t kBegin = 1700000100;
constexpr std::int64_t kEnd = kBegin + 3600;

std::string vectorOf(const std::string &rows = {})
{
    return js("{'status':'success','data':{'resultType':'vector','result':[" + rows + "]}}");
}

// The same value at every requested step.
std::string matrixOf(const http::Request &request, const std::string &labels, const std::string &value,
                     const std::string &extra = {})
{
    const auto number = [&](const std::string &name) {
        const std::size_t at = request.body.find(name + '=');
        return std::stoll(request.body.substr(at + name.size() + 1));
    };
    std::string values;
    for (std::int64_t t = number("start"); t <= number("end"); t += 300)
        values += (values.empty() ? "[" : ",[") + std::to_string(t) + ",'" + value + "']";
    return js("{'status':'success'" + extra + ",'data':{'resultType':'matrix','result':[{'metric':{" + labels
              + "},'values':[" + values + "]}]}}");
}

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

const std::string kDevice = "'UUID':'GPU-1','job':'dcgm','instance':'10.0.0.1:9400','Hostname':'n1'";

// A server with one device at 40 %. `change` may answer instead.
class Server {
public:
    using Change = std::function<std::optional<http::Response>(const http::Request &)>;
    Server(std::string buildInfo, Change change)
        : client(std::make_shared<ScriptedClient>([this](const http::Request &r) { return reply(r); }))
        , m_buildInfo(std::move(buildInfo))
        , m_change(std::move(change))
    {
    }

    base::Result<void> sync(const std::map<std::string, std::string> &headers = {}, std::int64_t points = kTargetPoints)
    {
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = "http://127.0.0.1:9";
        settings.headers = headers;
        Tuning tuning;
        tuning.targetPoints = points;
        PrometheusSource source(settings, *loadMappings({}), m_secrets, m_clock, client, tuning, pause);
        return source.fetch({base::fromUnix(kBegin), base::fromUnix(kEnd)}, sink, {});
    }
    int observed() const
    {
        int seconds = 0;
        for (const auto &batch : sink.batches) {
            for (const auto &series : batch.series) {
                for (const auto &bucket : series.buckets)
                    seconds += bucket.observed;
            }
        }
        return seconds;
    }

    std::shared_ptr<ScriptedClient> client;
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::vector<http::Request> asked;
    Sink sink;

private:
    base::Result<http::Response> reply(const http::Request &request)
    {
        asked.push_back(request);
        if (auto changed = m_change ? m_change(request) : std::nullopt)
            return *changed;
        if (has(request.url, "buildinfo"))
            return answer(m_buildInfo);
        if (has(request.url, "__name__"))
            return answer(js("{'status':'success','data':['DCGM_FI_DEV_GPU_UTIL']}"));
        if (!has(request.url, "query_range"))
            return answer(vectorOf());
        return answer(matrixOf(request, kDevice, has(request.body, "count_over_time") ? "10" : "40"));
    }

    std::string m_buildInfo;
    Change m_change;
    OneSecret m_secrets;
    base::FrozenClock m_clock{base::fromUnix(kEnd)};
};

const std::string kThanos = js("{'status':'success','data':{'version':'0.34.1','revision':'x'}}");
const std::string kMimir = js("{'status':'success','data':{'application':'Grafana Mimir','version':'2.12.0'}}");
const std::string kEmpty = js("{'status':'success','data':{'resultType':'matrix','result':[]}}");

} // namespace

class TestPromDialects : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The answer of a real one (v0.42.0) from the moment when it begins to return half of the data.
    void aLostStoreOfThanosMakesItsAnswersPartial()
    {
        for (const std::string &info : {kThanos, js("{'status':'success','data':{'version':'','revision':''}}")}) {
            Server thanos(info, [](const http::Request &r) {
                return has(r.url, "/stores") ? std::optional(
                           answer(js("{'status':'success','data':{'store':[{'name':'10.0.0.1:10901','lastError':null},"
                                     "{'name':'10.0.0.2:10901','lastError':'rpc error: connection refused'}]}}")))
                                             : std::nullopt;
            });
            QVERIFY(thanos.sync().has_value());
            QVERIFY(!thanos.sink.batches.empty());
            for (const auto &batch : thanos.sink.batches) {
                QVERIFY(!batch.complete);
                QVERIFY2(has(batch.warnings.at(0), "Thanos has lost store \"10.0.0.2:10901\""),
                         batch.warnings.at(0).c_str());
            }
        }
    }

    // Its cluster version returns partial data by default, and says so in a field of its own.
    void asksVictoriaMetricsToDenyPartialResponses()
    {
        for (const std::string &info :
             {js("{'status':'success','data':{'version':'2.24.0'}}"), js("{'status':'success'}")}) {
            Server server(info, {}); // the second one may be anything
            QVERIFY(server.sync().has_value());
            for (const http::Request &r : server.asked) {
                const std::string all = r.url + r.body;
                QVERIFY2(has(all, "buildinfo") || has(all, "deny_partial_response=1"), all.c_str());
            }
        }
        Server partial(js("{'status':'success','data':{'version':'2.24.0'}}"), [](const http::Request &r) {
            return has(r.url, "query_range") ? std::optional(
                       answer(js("{'status':'success','isPartial':true,'data':{'resultType':'matrix','result':[]}}")))
                                             : std::nullopt;
        });
        QVERIFY(partial.sync().has_value());
        for (const auto &batch : partial.sink.batches) {
            QVERIFY(!batch.complete);
            QVERIFY(!batch.warnings.empty());
        }
    }

    void asksThanosForTheWholeTruth()
    {
        Server thanos(kThanos, {});
        QVERIFY(thanos.sync().has_value());
        QCOMPARE(thanos.observed(), 3600);
        int queries = 0;
        for (const http::Request &r : thanos.asked) {
            const std::string all = r.url + r.body;
            if (has(all, "buildinfo") || has(all, "/stores"))
                continue;
            ++queries;
            QVERIFY2(has(all, "partial_response=false"), all.c_str());
            QVERIFY2(has(r.url, "__name__") || has(all, "dedup=true"), all.c_str());
            QVERIFY2(!has(all, "max_source_resolution"), all.c_str());
        }
        QVERIFY(queries > 3);
    }

    void failsWhereAStoreOfThanosIsDown()
    {
        Server thanos(kThanos, [](const http::Request &r) -> std::optional<http::Response> {
            if (!has(r.url, "query_range"))
                return std::nullopt;
            return answer(js("{'status':'error','errorType':'execution','error':'expanding series: receive series from "
                             "store-2: no such host'}"),
                          422);
        });
        const auto done = thanos.sync();
        QVERIFY(!done);
        QVERIFY2(has(done.error().text, "store-2"), done.error().text.c_str());
        QVERIFY(thanos.sink.batches.empty());
    }

    // Unknown servers may return partial data; then nothing may be removed because of it.
    void keepsWhatIsPartialIncomplete()
    {
        Server other(js("{'status':'success'}"), [](const http::Request &r) -> std::optional<http::Response> {
            if (!has(r.url, "query_range") || has(r.body, "count_over_time"))
                return std::nullopt;
            return answer(matrixOf(r, kDevice, "40", ",'warnings':['a store is gone']"));
        });
        QVERIFY(other.sync().has_value());
        QVERIFY(!other.sink.batches.at(0).complete);
        QCOMPARE(other.sink.batches[0].warnings.at(0), std::string("a store is gone"));
    }

    // A metric missing from the list of names is not queried: every chunk is incomplete then.
    void keepsAPartialListOfNamesInMind()
    {
        Server other(js("{'status':'success'}"), [](const http::Request &r) -> std::optional<http::Response> {
            if (!has(r.url, "__name__"))
                return std::nullopt;
            return answer(js("{'status':'success','warnings':['names are missing'],'data':['DCGM_FI_DEV_GPU_UTIL']}"));
        });
        QVERIFY(other.sync({}, 6).has_value());
        QVERIFY(other.sink.batches.size() > 1);
        for (const auto &batch : other.sink.batches)
            QVERIFY(!batch.complete);
    }

    // infos are hints about the query and say nothing about the data.
    void takesInfosForNoWarning()
    {
        Server other(js("{'status':'success'}"), [](const http::Request &r) -> std::optional<http::Response> {
            if (!has(r.url, "query_range") || has(r.body, "count_over_time"))
                return std::nullopt;
            return answer(matrixOf(r, kDevice, "40", ",'infos':['metric might not be a counter']"));
        });
        QVERIFY(other.sync().has_value());
        QVERIFY(other.sink.batches.at(0).complete);
        QVERIFY(other.sink.batches[0].warnings.empty());
    }

    void asksThanosForCoarserBlocksWhereRawOnesAreGone()
    {
        for (const std::string &kept : {std::string("5m"), std::string("1h")}) {
            Server thanos(kThanos, [&](const http::Request &r) -> std::optional<http::Response> {
                if (has(r.url, "query_range") && !has(r.body, "max_source_resolution=" + kept))
                    return answer(kEmpty);
                return std::nullopt;
            });
            QVERIFY(thanos.sync().has_value());
            QCOMPARE(thanos.observed(), 3600);
            QCOMPARE(thanos.sink.batches.size(), std::size_t(1));
        }
    }

    void asksNobodyElseForCoarserBlocks()
    {
        Server plain(js("{'status':'success','data':{'version':'2.42.0','revision':'x'}}"),
                     [](const http::Request &r) -> std::optional<http::Response> {
                         if (has(r.url, "query_range"))
                             return answer(kEmpty);
                         return std::nullopt;
                     });
        QVERIFY(plain.sync().has_value());
        QCOMPARE(plain.observed(), 0);
        for (const http::Request &r : plain.asked)
            QVERIFY(!has(r.url + r.body, "max_source_resolution"));
    }

    void namesTheTenantInEveryRequest()
    {
        Server mimir(kMimir, {});
        QVERIFY(mimir.sync({{"X-Scope-OrgID", "ml|infra"}}).has_value());
        QVERIFY(mimir.asked.size() > 4);
        for (const http::Request &r : mimir.asked) {
            const auto it = std::find_if(r.headers.begin(), r.headers.end(),
                                         [](const auto &h) { return h.first == "X-Scope-OrgID"; });
            QVERIFY(it != r.headers.end());
            QCOMPARE(it->second, std::string("ml|infra"));
        }
    }

    void saysThatTheTenantIsMissing()
    {
        Server mimir(kMimir, [](const http::Request &) -> std::optional<http::Response> {
            return answer(js("{'status':'error','errorType':'bad_data','error':'no org id'}"), 401);
        });
        const auto done = mimir.sync();
        QVERIFY(!done && done.error().code == ErrorCode::Unauthorized);
        QVERIFY2(has(done.error().hint, "X-Scope-OrgID"), done.error().hint.c_str());
        Server text(kMimir, [](const http::Request &) -> std::optional<http::Response> {
            return answer("no org id\n", 401, "text/plain");
        });
        const auto plain = text.sync();
        QVERIFY2(!plain && has(plain.error().hint, "X-Scope-OrgID"), plain.error().hint.c_str());
    }

    void asksMimirForLessWhereItRefuses()
    {
        int refused = 0;
        Server mimir(kMimir, [&](const http::Request &r) -> std::optional<http::Response> {
            if (!has(r.url, "query_range") || refused == 3)
                return std::nullopt;
            ++refused;
            return answer(
                js("{'status':'error','errorType':'execution','error':'the query hit the max number of chunks "
                   "limit (err-mimir-max-chunks-per-query)'}"),
                422);
        });
        QVERIFY(mimir.sync().has_value());
        QCOMPARE(mimir.observed(), 3600);
        QCOMPARE(refused, 3);
        QVERIFY(mimir.sink.batches.size() >= 2);
    }

    void waitsWhereTheQueueOfMimirIsFull()
    {
        int refused = 0;
        Server mimir(kMimir, [&](const http::Request &r) -> std::optional<http::Response> {
            if (!has(r.url, "query_range") || refused == 2)
                return std::nullopt;
            ++refused;
            return answer("too many outstanding requests", 429, "text/plain");
        });
        QVERIFY(mimir.sync().has_value());
        QCOMPARE(mimir.observed(), 3600);
        QVERIFY(!mimir.pause->waits.empty());
    }
};

GPULEDGER_PLAIN_SUITE(TestPromDialects)

} // namespace tst_promdialects

#include "tst_promdialects.moc"

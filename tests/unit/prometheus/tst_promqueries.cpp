// SPDX-License-Identifier: GPL-3.0-or-later
// Queries and errors: texts of queries, chunks, retries, mappings, presence, holders.
#include "connectors/prometheus/chunkplanner.h"
#include "connectors/prometheus/kube/kubeassembler.h"
#include "connectors/prometheus/kube/presence.h"
#include "connectors/prometheus/query/promql.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_promqueries {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr std::int64_t kBegin = 1700000100;

base::TimeRange minutes(int from, int to)
{
    return {base::fromUnix(kBegin + from * 60), base::fromUnix(kBegin + to * 60)};
}

class Counter final : public format::SeriesVisitor {
public:
    void series(std::span<const format::Label>, std::span<const format::Sample>) override { ++count; }
    void refused(std::string_view) override { }
    int count = 0;
};

const std::string kGood =
    js("{'status':'success','data':{'resultType':'vector','result':[{'metric':{},'value':[1,'2']}]}}");

struct Setup {
    explicit Setup(ScriptedClient::Script script)
        : client(std::move(script))
        , connection(client, {}, pause)
    {
        connection.endpoint.base = "http://127.0.0.1:9";
    }
    base::Result<void> run(int queries = 1)
    {
        std::vector<Query> all;
        for (int i = 0; i < queries; ++i)
            all.push_back({instantQuery("up", base::fromUnix(1)), &counter});
        return QueryRunner(connection, all, {}).finish();
    }
    ScriptedClient client;
    SimulatedPause pause;
    Connection connection;
    Counter counter;
};

// Feeds the assembler's query that contains this text.
void feed(const std::vector<Query> &queries, const std::string &part, std::span<const format::Label> labels,
          const std::vector<format::Sample> &samples)
{
    for (const Query &query : queries) {
        if (query.call.parameters[0].second.find(part) != std::string::npos) {
            query.visitor->series(labels, samples);
            return;
        }
    }
    qFatal("no query with %s", part.c_str());
}

} // namespace

class TestPromQueries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quotesForeignText()
    {
        QCOMPARE(promql::quoted("a\"b\\c\n"), std::string("\"a\\\"b\\\\c\\n\""));
        const std::vector<std::string> names{"a.b", "c|d\"} or vector(1)"};
        QCOMPARE(promql::anyOf(names), std::string("\"a\\\\.b|c\\\\|d\\\"\\\\} or vector\\\\(1\\\\)\""));
        QCOMPARE(promql::overTime("avg_over_time", "m", "a=\"b\"", base::Seconds(300)),
                 std::string("avg_over_time(m{a=\"b\"}[300s] offset 1ms)"));
    }

    void asksAsEachServerNeeds()
    {
        Endpoint e;
        e.base = "https://x.example/prom";
        e.product = Product::Thanos;
        http::Request r = makeRequest(e, rangeQuery("up", base::fromUnix(300), base::fromUnix(600), base::kBucket));
        QCOMPARE(r.method, std::string("POST"));
        QCOMPARE(r.url, std::string("https://x.example/prom/api/v1/query_range"));
        QVERIFY(r.body.find("partial_response=false") != std::string::npos);
        QVERIFY(r.body.find("start=300&end=600&step=300") != std::string::npos);
        e.product = Product::VictoriaMetrics;
        e.post = false;
        r = makeRequest(e, instantQuery("a+b", base::fromUnix(300), true));
        QCOMPARE(r.method, std::string("GET"));
        QVERIFY(r.url.find("query=a%2Bb&time=299.999") != std::string::npos);
        QVERIFY(r.url.find("nocache=1") != std::string::npos);
    }

    void explainsRefusals()
    {
        Endpoint e;
        e.base = "https://x.example/prom?token=abc";
        const auto code = [&](const http::Response &r) {
            const auto error = refusal(e, r);
            if (error && error->text.find("abc") != std::string::npos)
                return ErrorCode::Internal;
            return error ? error->code : ErrorCode::Cancelled;
        };
        QVERIFY(code(answer(kGood)) == ErrorCode::Cancelled);
        QVERIFY(code(answer("<html>", 200, "text/html")) == ErrorCode::Unauthorized);
        QVERIFY(code(answer("<html>", 200)) == ErrorCode::Unauthorized);
        QVERIFY(code(answer("", 200)) == ErrorCode::Parse);
        QVERIFY(code(answer("<html>", 401, "text/html")) == ErrorCode::Unauthorized);
        QVERIFY(code(answer("no", 403)) == ErrorCode::Forbidden);
        QVERIFY(code(answer("", 429)) == ErrorCode::RateLimited);
        QVERIFY(code(answer("bad gateway", 502)) == ErrorCode::Server);
        const std::string many =
            js("{'status':'error','errorType':'execution','error':'query processing would load too "
               "many samples into memory in query execution'}");
        QVERIFY(code(answer(many, 422)) == ErrorCode::TooMuch);
        QVERIFY(wantsSmaller(*refusal(e, answer(many, 422))));
        QVERIFY(
            code(answer(js("{'status':'error','errorType':'bad_data','error':'exceeded maximum resolution of 11,000 "
                           "points'}"),
                        400))
            == ErrorCode::TooMuch);
        QVERIFY(code(answer(js("{'status':'error','errorType':'timeout','error':'query timed out'}"), 503))
                == ErrorCode::Timeout);
        const auto parse = refusal(
            e, answer(js("{'status':'error','errorType':'bad_data','error':'parse \\u001b[31m\\n\\there'}"), 400));
        QVERIFY(parse && parse->code == ErrorCode::Server && !parse->retryable);
        QVERIFY(parse->text.find('\x1b') == std::string::npos);
        QVERIFY(parse->text.ends_with("parse \xEF\xBF\xBD[31m here"));
    }

    void retriesWhatMayPass()
    {
        int n = 0;
        Setup s([&n](const http::Request &) { return ++n < 3 ? answer("", 503, "text/plain") : answer(kGood); });
        QVERIFY(s.run().has_value());
        QCOMPARE(s.counter.count, 1);
        QCOMPARE(s.pause.waits.size(), std::size_t(2));
        QVERIFY(s.pause.waits[0] >= http::Milliseconds(500) && s.pause.waits[0] <= http::Milliseconds(1000));
        QVERIFY(s.pause.waits[1] >= http::Milliseconds(1000) && s.pause.waits[1] <= http::Milliseconds(2000));
    }

    void asksOnceMoreByGetWhenPostIsRefused()
    {
        std::vector<std::string> methods;
        Setup s([&](const http::Request &r) {
            methods.push_back(r.method);
            return r.method == "POST" ? answer("", 405, "text/plain") : answer(kGood);
        });
        QVERIFY(s.run(3).has_value());
        QCOMPARE(s.counter.count, 3);
        QCOMPARE(methods.back(), std::string("GET"));
        Setup always([](const http::Request &) { return answer("", 403, "text/plain"); });
        QVERIFY(!always.run());
        QCOMPARE(always.client.requests.load(), 2);
    }

    void readsARenewedCredentialOnce()
    {
        Setup s([](const http::Request &r) {
            return r.credentials && r.credentials->bearer.reveal() == "new" ? answer(kGood) : answer("", 401);
        });
        s.connection.renew = [] {
            auto c = std::make_shared<http::Credentials>();
            c->bearer = base::Secret("new");
            return base::Result<std::shared_ptr<const http::Credentials>>(c);
        };
        QVERIFY(s.run(6).has_value());
        QCOMPARE(s.counter.count, 6);
        Setup stale([](const http::Request &) { return answer("", 401); });
        stale.connection.renew = s.connection.renew;
        const auto failed = stale.run();
        QVERIFY(!failed && failed.error().code == ErrorCode::Unauthorized);
        QCOMPARE(stale.client.requests.load(), 2);
    }

    void keepsRetryAfterAndItsCap()
    {
        http::RetryPolicy policy(
            {10, http::Milliseconds(1000), http::Milliseconds(300000), http::Milliseconds(1'000'000'000)}, 1);
        base::Error error = base::Error::make(ErrorCode::RateLimited, "x");
        error.retryable = true;
        QVERIFY(policy.delay(1, error, base::Seconds(7), {}) == http::Milliseconds(7000));
        QVERIFY(policy.delay(1, error, base::Seconds(90000), {}) == http::Milliseconds(3600'000));
        QVERIFY(*policy.delay(9, error, std::nullopt, {}) <= http::Milliseconds(300'000));
        QVERIFY(!policy.delay(10, error, std::nullopt, {}));
        error.retryable = false;
        QVERIFY(!policy.delay(1, error, std::nullopt, {}));
    }

    // A sync every five minutes for ten minutes against a server that always fails sends few requests.
    void asksSeldomInAStorm()
    {
        Setup s([](const http::Request &) { return answer("", 500, "text/plain"); });
        const auto begin = s.pause.steadyNow();
        while (s.pause.steadyNow() - begin < http::Milliseconds(600'000)) {
            QVERIFY(!fetchBody(s.connection, {"status/buildinfo", {}, false}, {}));
            s.pause.pass(http::Milliseconds(300'000));
        }
        QVERIFY2(s.client.requests <= 20, std::to_string(s.client.requests.load()).c_str());
        QVERIFY(s.client.requests > 1);
        Setup middle([](const http::Request &) { return answer("", 500, "text/plain"); });
        QVERIFY(!middle.run(40));
        QVERIFY2(middle.client.requests <= 8, std::to_string(middle.client.requests.load()).c_str());
    }

    void cutsChunksOnOneGrid()
    {
        const base::UtcTime day = base::fromUnix(1700006400); // midnight
        ChunkPlanner whole({day + base::Seconds(3600), day + 3 * base::kDay}, 100);
        QCOMPARE(whole.bucketsPerChunk(), std::int64_t(7 * 288));
        ChunkPlanner parts({day + base::Seconds(600), day + base::kDay}, 10'000);
        QCOMPARE(parts.bucketsPerChunk(), std::int64_t(24));
        base::UtcTime at = day + base::Seconds(600);
        while (const auto piece = parts.next()) {
            QCOMPARE(piece->start, at);
            QVERIFY(piece->length() <= 24 * base::kBucket);
            at = piece->end;
            QVERIFY(at == day + base::kDay || (at - day) % (24 * base::kBucket) == base::Seconds(0));
        }
        QCOMPARE(at, day + base::kDay);
        ChunkPlanner year({day, day + 400 * base::kDay}, 1);
        while (const auto piece = year.next())
            QVERIFY(piece->length() / base::kBucket <= kMaxSteps);
    }

    void halvesUntilOneBucket()
    {
        const base::UtcTime day = base::fromUnix(1700006400);
        ChunkPlanner planner({day, day + base::kDay}, 1000);
        auto piece = planner.next();
        int halvings = 0;
        while (planner.halve(*piece)) {
            piece = planner.next();
            QCOMPARE(piece->start, day);
            ++halvings;
        }
        QCOMPARE(piece->length(), base::kBucket);
        base::UtcTime at = piece->end;
        while ((piece = planner.next())) {
            QCOMPARE(piece->start, at);
            at = piece->end;
        }
        QCOMPARE(at, day + base::kDay);
        QVERIFY(halvings >= 8);
    }

    void presenceEndsBySampleCounts()
    {
        const base::TimeRange all = minutes(0, 60);
        Presence p{kBegin / 300, {0, 2, 5, 5, 3, 0, 0, 0, 0, 0, 0, 0}};
        auto spans = spansOf(p, 5, std::nullopt, all);
        QCOMPARE(spans.size(), std::size_t(1));
        QCOMPARE(spans[0], minutes(8, 23));
        p.counts = {5, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1}; // two outages of kube-state-metrics
        spans = spansOf(p, 5, std::nullopt, all);
        QCOMPARE(spans.size(), std::size_t(1));
        QCOMPARE(spans[0], minutes(0, 56));
        p.counts = {0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        QCOMPARE(spansOf(p, 5, std::nullopt, all).at(0), minutes(5, 7));
        QCOMPARE(spansOf(p, 5, base::fromUnix(kBegin + 7 * 60), all).at(0), minutes(7, 9));
        p.counts.assign(40, 0);
        p.counts[1] = p.counts[30] = 5;
        QCOMPARE(spansOf(p, 5, std::nullopt, minutes(0, 200)).size(), std::size_t(2));
        QVERIFY(spansOf({kBegin / 300, {0, 0}}, 5, std::nullopt, all).empty());
    }

    void tellsHoldersFromStateMetrics()
    {
        const std::set<std::string> names{"kube_pod_container_resource_requests",
                                          "kube_pod_status_phase",
                                          "kube_pod_labels",
                                          "kube_pod_annotations",
                                          "kube_pod_owner",
                                          "kube_pod_start_time",
                                          "kube_pod_completion_time",
                                          "kube_replicaset_owner",
                                          "kube_pod_info",
                                          "kube_node_info",
                                          "kube_node_labels",
                                          "kube_node_status_capacity"};
        const Mappings mappings = *loadMappings({});
        KubeAssembler kube(minutes(0, 60), base::fromUnix(kBegin + 3600), mappings.kube, {"", "", "prod"}, names);
        const std::vector<Query> queries = kube.queries();
        const auto value = [](double v) { return std::vector<format::Sample>{{kBegin + 3600.0, v}}; };
        const auto counts = [](std::initializer_list<int> n) {
            std::vector<format::Sample> out;
            double t = kBegin;
            for (const int c : n)
                out.push_back({t += 300, static_cast<double>(c)});
            return out;
        };
        // Scraped with honor_labels false; two pods with the same name.
        for (const char *uid : {"u1", "u2"}) {
            const LabelSet request{{"exported_namespace", "ml"},
                                   {"namespace", "mon"},
                                   {"exported_pod", "nb-0"},
                                   {"pod", "ksm-1"},
                                   {"uid", uid},
                                   {"node", "n1"},
                                   {"resource", "nvidia_com_gpu"},
                                   {"exported_container", "main"}};
            feed(queries, "max_over_time(kube_pod_container_resource_requests{resource", request, value(2));
            const LabelSet phase{
                {"exported_namespace", "ml"}, {"exported_pod", "nb-0"}, {"pod", "ksm-1"}, {"uid", uid}};
            feed(queries, "sum_over_time(kube_pod_status_phase", phase,
                 uid[1] == '1' ? counts({5, 5, 2}) : counts({0, 0, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5}));
        }
        const LabelSet owner{{"exported_namespace", "ml"}, {"exported_pod", "nb-0"}, {"uid", "u1"},
                             {"owner_kind", "ReplicaSet"}, {"owner_name", "rs"},     {"owner_is_controller", "true"}};
        feed(queries, "kube_pod_owner", owner, value(60));
        const LabelSet pod{
            {"exported_namespace", "ml"}, {"exported_pod", "nb-0"}, {"uid", "u1"}, {"label_team", "vision"}};
        feed(queries, "kube_pod_labels", pod, value(60));
        const LabelSet notes{{"exported_namespace", "ml"},
                             {"exported_pod", "nb-0"},
                             {"uid", "u1"},
                             {"annotation_gpu_ledger_io_deadline", "48h"},
                             {"annotation_other", "x"}};
        feed(queries, "kube_pod_annotations", notes, value(60));
        const LabelSet node{{"node", "n1"}, {"provider_id", "gce://p/z/n1"}, {"internal_ip", "10.1.1.1"}};
        feed(queries, "kube_node_info", node, counts({5, 5, 5, 0, 0, 5, 5, 5, 5, 5, 5, 5}));
        const LabelSet labels{{"node", "n1"}, {"label_nvidia_com_gpu_replicas", "4"}};
        feed(queries, "kube_node_labels", labels, value(60));
        const LabelSet capacity{{"node", "n1"}, {"resource", "nvidia_com_gpu"}};
        feed(queries, "kube_node_status_capacity", capacity, value(8));
        const std::vector<Query> more = kube.followUps({{"prod", "mon", "exporter-1"}, {"prod", "ml", "nb-0"}}, {});
        const LabelSet replicaSet{
            {"exported_namespace", "ml"}, {"replicaset", "rs"}, {"owner_kind", "Deployment"}, {"owner_name", "web"}};
        feed(kube.ownerQueries(), "kube_replicaset_owner{replicaset=~\"rs\"}", replicaSet, value(60));
        const LabelSet exporter{{"namespace", "mon"}, {"pod", "exporter-1"}, {"node", "n1"}};
        feed(more, "kube_pod_info{pod=~\"exporter-1\"}", exporter, value(60));
        QVERIFY(kube.verdict({"prod", "ml", "nb-0"}) == PodVerdict::Holder);
        QVERIFY(kube.verdict({"prod", "mon", "exporter-1"}) == PodVerdict::Other);
        QVERIFY(kube.verdict({"prod", "ml", "else"}) == PodVerdict::Unknown);
        QCOMPARE(kube.nodeAt("prod", "10.1.1.1"), std::string("n1"));
        ports::FactBatch batch;
        kube.addGpuNodes(batch);
        kube.finish(batch);
        QCOMPARE(batch.nodes.size(), std::size_t(1));
        QVERIFY(batch.nodes[0].sharedGpus);
        QCOMPARE(batch.nodes[0].cloud, std::string("gcp"));
        QCOMPARE(batch.nodes[0].gpuCapacity, std::int64_t(8));
        QCOMPARE(batch.nodeSpans.size(), std::size_t(1)); // a short outage of kube-state-metrics is bridged
        QCOMPARE(batch.holders.size(), std::size_t(2));
        QCOMPARE(batch.holders[0].ownerKind, std::string("Deployment"));
        QCOMPARE(batch.holders[0].labels,
                 (model::Labels{{"team", "vision"}, {"gpu_ledger_io_deadline", "48h"}})); // and no other annotation
        QCOMPARE(batch.holders[0].gpuRequests.at("nvidia_com_gpu"), std::int64_t(2));
        QCOMPARE(batch.holderSpans.size(), std::size_t(2));
        QCOMPARE(batch.holderSpans[0].range.end, base::fromUnix(kBegin + 12 * 60));
        QCOMPARE(batch.holderSpans[1].range.start, base::fromUnix(kBegin + 12 * 60));
    }

    // As the scheduler counts: sidecars together with the containers, other init containers one by one before them.
    void countsInitContainersAndSidecars()
    {
        const std::set<std::string> names{"kube_pod_container_resource_requests", "kube_pod_status_phase",
                                          "kube_pod_init_container_resource_requests", "kube_pod_init_container_info",
                                          "kube_node_info"};
        const Mappings mappings = *loadMappings({});
        KubeAssembler kube(minutes(0, 60), base::fromUnix(kBegin + 3600), mappings.kube, {"", "", "prod"}, names);
        const std::vector<Query> queries = kube.queries();
        const auto request = [&](const char *pod, const char *container, bool init, double count) {
            const LabelSet labels{
                {"namespace", "ml"},     {"pod", pod}, {"uid", pod}, {"node", "n1"}, {"resource", "nvidia_com_gpu"},
                {"container", container}};
            feed(queries,
                 init ? "max_over_time(kube_pod_init_container_resource_requests{resource"
                      : "max_over_time(kube_pod_container_resource_requests{resource",
                 labels, {{kBegin + 3600.0, count}});
            const LabelSet phase{{"namespace", "ml"}, {"pod", pod}, {"uid", pod}};
            feed(queries, "sum_over_time(kube_pod_status_phase", phase, {{kBegin + 300.0, 5}, {kBegin + 600.0, 5}});
        };
        request("only-init", "warm-up", true, 1);
        request("both", "warm-up", true, 4);
        request("both", "check", true, 1);
        request("both", "main", false, 2);
        request("sidecar", "proxy", true, 1);
        request("sidecar", "main", false, 2);
        const LabelSet always{{"namespace", "ml"},
                              {"pod", "sidecar"},
                              {"uid", "sidecar"},
                              {"container", "proxy"},
                              {"restart_policy", "Always"}};
        feed(queries, "kube_pod_init_container_info", always, {{kBegin + 3600.0, 60}});
        for (const Query &query : queries) { // every query about holders also covers init containers
            const std::string &text = query.call.parameters[0].second;
            if (text.find(" and on(") != std::string::npos)
                QVERIFY2(text.find("kube_pod_init_container_resource_requests") != std::string::npos, text.c_str());
        }
        QVERIFY(kube.verdict({"prod", "ml", "only-init"}) == PodVerdict::Holder);
        ports::FactBatch batch;
        kube.finish(batch);
        std::map<std::string, std::int64_t> counts;
        for (const model::Holder &holder : batch.holders)
            counts[holder.name] = holder.gpuRequests.at("nvidia_com_gpu");
        QCOMPARE(counts, (std::map<std::string, std::int64_t>{{"both", 4}, {"only-init", 1}, {"sidecar", 3}}));
    }

    void findsHoldersByClaimThroughTheirNames()
    {
        const std::set<std::string> names{"kube_pod_container_resource_requests",
                                          "kube_pod_status_phase",
                                          "kube_pod_info",
                                          "kube_pod_labels",
                                          "kube_pod_owner",
                                          "kube_replicaset_owner"};
        const Mappings mappings = *loadMappings({});
        KubeAssembler kube(minutes(0, 60), base::fromUnix(kBegin + 3600), mappings.kube, {"", "", "prod"}, names);
        QVERIFY(!kube.queries().empty());
        const PodName claimant{"prod", "ml", "infer-1"};
        const std::vector<Query> more = kube.followUps({claimant}, {claimant});
        const LabelSet info{{"namespace", "ml"}, {"pod", "infer-1"}, {"uid", "u"}, {"node", "n1"}};
        feed(more, "kube_pod_info{pod=~\"infer-1\"}", info, {{kBegin + 3600.0, 60}}); // known to kube-state-metrics
        for (const char *space : {"ml", "other"}) { // the same name in another namespace holds nothing
            const LabelSet labels{{"namespace", space}, {"pod", "infer-1"}, {"uid", space}, {"label_team", "chat"}};
            feed(more, "kube_pod_labels{pod=~\"infer-1\"}", labels, {{kBegin + 3600.0, 60}});
            const LabelSet owner{{"namespace", space},
                                 {"pod", "infer-1"},
                                 {"uid", space},
                                 {"owner_kind", "ReplicaSet"},
                                 {"owner_name", "infer-rs"}};
            feed(more, "kube_pod_owner{pod=~\"infer-1\"}", owner, {{kBegin + 3600.0, 60}});
            const LabelSet phase{{"namespace", space}, {"pod", "infer-1"}, {"uid", space}};
            feed(more, "kube_pod_status_phase{phase=\"Running\",pod=~\"infer-1\"}", phase,
                 {{kBegin + 300.0, 5}, {kBegin + 600.0, 5}});
        }
        const LabelSet set{
            {"namespace", "ml"}, {"replicaset", "infer-rs"}, {"owner_kind", "Deployment"}, {"owner_name", "infer"}};
        feed(kube.ownerQueries(), "kube_replicaset_owner", set, {{kBegin + 3600.0, 60}});
        QVERIFY(kube.verdict(claimant) == PodVerdict::Holder);
        QVERIFY(kube.verdict({"prod", "other", "infer-1"}) != PodVerdict::Holder);
        ports::FactBatch batch;
        kube.finish(batch);
        QCOMPARE(batch.holders.size(), std::size_t(1));
        QCOMPARE(batch.holders[0].labels.at("team"), std::string("chat"));
        QCOMPARE(batch.holders[0].ownerName, std::string("infer"));
        QCOMPARE(batch.holderSpans.at(0).range, minutes(0, 10));
    }

    void readsWhyPodsEnded()
    {
        const std::string reasons = "kube_pod_status_reason", disruptions = "kube_pod_status_disruption_reason";
        const Mappings mappings = *loadMappings({});
        const std::set<std::string> names{"kube_pod_container_resource_requests", "kube_pod_status_phase", reasons,
                                          disruptions};
        KubeAssembler kube(minutes(0, 60), base::fromUnix(kBegin + 3600), mappings.kube, {"", "", "prod"}, names);
        const std::vector<Query> queries = kube.queries();
        const auto who = [](const std::string &pod, const std::string &reason) {
            return LabelSet{
                {"namespace", "ml"}, {"pod", pod}, {"uid", pod}, {"reason", reason}, {"resource", "nvidia_com_gpu"}};
        };
        const std::vector<format::Sample> one{{kBegin + 3600.0, 1}};
        for (const char *pod : {"shut", "evicted", "drained", "odd", "ran"}) {
            feed(queries, "max_over_time(kube_pod_container_resource_requests{resource", who(pod, {}),
                 {{kBegin + 3600.0, 2}});
            feed(queries, "sum_over_time(kube_pod_status_phase", who(pod, {}), {{kBegin + 300.0, 5}});
        }
        const LabelSet claimed = who("claims", "PreemptionByScheduler");
        // Several are stated of a pod; the order of the answers doesn't matter.
        feed(queries, reasons, who("shut", "Shutdown"), one);
        feed(queries, disruptions, who("shut", "TerminationByKubelet"), one);
        feed(queries, disruptions, who("evicted", "TerminationByKubelet"), one);
        feed(queries, reasons, who("evicted", "Evicted"), one);
        feed(queries, disruptions, who("drained", "EvictionByEvictionAPI"), one);
        feed(queries, reasons, who("odd", "Other"), one);
        const PodName claimant{"prod", "ml", "claims"};
        const std::vector<Query> more = kube.followUps({claimant}, {claimant});
        feed(more, disruptions + "{pod=~\"claims\"}", claimed, one);
        feed(more, "kube_pod_status_phase", who("claims", {}), {{kBegin + 300.0, 5}});
        for (const auto *round : {&queries, &more}) {
            for (const Query &query : *round) {
                const std::string &text = query.call.parameters[0].second;
                if (text.find(reasons) != std::string::npos || text.find(disruptions) != std::string::npos)
                    QVERIFY2(text.find(") > 0") != std::string::npos, text.c_str()); // 0: does not apply
            }
        }
        ports::FactBatch batch;
        kube.finish(batch);
        std::map<std::string, std::optional<model::EndReason>> found;
        for (const model::Holder &holder : batch.holders)
            found[holder.name] = holder.endReason;
        const std::map<std::string, std::optional<model::EndReason>> want{{"shut", model::EndReason::NodeShutdown},
                                                                          {"evicted", model::EndReason::Evicted},
                                                                          {"drained", model::EndReason::EvictedByApi},
                                                                          {"odd", std::nullopt},
                                                                          {"ran", std::nullopt},
                                                                          {"claims", model::EndReason::Preempted}};
        QVERIFY(found == want);
        const std::set<std::string> few{"kube_pod_container_resource_requests"};
        KubeAssembler without(minutes(0, 60), base::fromUnix(kBegin + 3600), mappings.kube, {"", "", "prod"}, few);
        for (const Query &query : without.queries())
            QVERIFY(query.call.parameters[0].second.find("reason") == std::string::npos);
    }

    void refusesWrongMappings_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("no json") << QByteArray("{");
        QTest::newRow("no uuid") << QByteArray(js("{'metrics':[]}").c_str());
        QTest::newRow("quantity") << QByteArray(
            js("{'labels':{'uuid':['u']},'metrics':[{'name':'m','quantity':'x'}]}").c_str());
        QTest::newRow("factor") << QByteArray(
            js("{'labels':{'uuid':['u']},'metrics':[{'name':'m','quantity':'power','factor':'much'}]}").c_str());
        QTest::newRow("name") << QByteArray(
            js("{'labels':{'uuid':['u']},'metrics':[{'name':'m{}','quantity':'power'}]}").c_str());
    }
    void refusesWrongMappings()
    {
        QFETCH(QByteArray, json);
        const auto loaded = loadMappings({{"mine", json.toStdString()}});
        QVERIFY(!loaded);
        QVERIFY(loaded.error().code == ErrorCode::InvalidConfig);
        QVERIFY(loaded.error().text.find("mine") != std::string::npos);
    }

    void findsExportersByTheirNames()
    {
        const Mappings all =
            *loadMappings({{"dcgm", js("{'labels':{'uuid':['u']},'metrics':[{'name':'own','quantity':'power'}]}")}});
        auto present =
            presentExporters(all, {"amd_gpu_nodes_total", "amd_gpu_gfx_activity", "own", "DCGM_FI_DEV_GPU_UTIL"});
        QCOMPARE(present.size(), std::size_t(2));
        for (const auto &exporter : present)
            QCOMPARE(exporter.metrics.at(0).name, std::string(exporter.name == "amd" ? "amd_gpu_gfx_activity" : "own"));
        QVERIFY(presentExporters(all, {"up"}).empty());
        // Two clusters behind one server, each with its own prefix.
        present = presentExporters(
            all, {"a_gpu_nodes_total", "a_gpu_gfx_activity", "b_gpu_nodes_total", "b_gpu_gfx_activity", "x"});
        QCOMPARE(present.size(), std::size_t(1));
        QCOMPARE(present[0].metrics.size(), std::size_t(2));
        QCOMPARE(present[0].metrics[0].ordinal + present[0].metrics[1].ordinal, 1);
    }

    void addsTheUsersMappingToTheBuiltInOne()
    {
        const Mappings all =
            *loadMappings({{"dcgm",
                            js("{'labels':{'uuid':['device_id'],'pod':['k8s_pod']},'metrics':[{'name':"
                               "'DCGM_FI_DEV_GPU_UTIL','quantity':'gpu_utilization','factor':1}]}")},
                           {"mine",
                            js("{'labels':{'uuid':['u']},'metrics':[{'name':'gpu_gfx_activity','quantity':"
                               "'duty_cycle'}]}")}});
        const auto present = presentExporters(all, {"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "gpu_gfx_activity"});
        QCOMPARE(present.size(), std::size_t(2)); // a metric belongs to one mapping: the user's
        for (const ExporterMapping &exporter : present) {
            if (exporter.name == "mine")
                continue;
            QCOMPARE(exporter.name, std::string("dcgm"));
            QCOMPARE(exporter.metrics.size(), std::size_t(2));
            QCOMPARE(exporter.metrics[0].factor, 1.0);
            QCOMPARE(exporter.uuid.front(), std::string("device_id"));
            QVERIFY(std::find(exporter.uuid.begin(), exporter.uuid.end(), "UUID") != exporter.uuid.end());
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestPromQueries)

} // namespace tst_promqueries

#include "tst_promqueries.moc"

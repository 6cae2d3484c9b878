// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs that wait for GPUs, from answers as kube-state-metrics and Kueue give them through Prometheus.
#include "connectors/prometheus/prometheussource.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <map>

namespace tst_promwaiting {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::WaitingFacts;
using model::WaitingWork;

namespace {

const base::UtcTime kAt = base::fromUnix(1'700'000'100);

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

std::string decoded(const std::string &form)
{
    std::string out;
    for (std::size_t i = 0; i < form.size(); ++i) {
        if (form[i] == '%' && i + 2 < form.size()) {
            out += static_cast<char>(std::stoi(form.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            out += form[i] == '+' ? ' ' : form[i];
        }
    }
    return out;
}

// The expression in a request.
std::string queryOf(const http::Request &request)
{
    const std::size_t at = request.body.find("query=");
    if (at == std::string::npos)
        return {};
    const std::size_t begin = at + 6;
    return decoded(request.body.substr(begin, request.body.find('&', begin) - begin));
}

// A server with some series: the rows for each query that begins with the given text.
class Server {
public:
    // `labels` with ' in place of ".
    void add(const std::string &question, const std::string &labels, const std::string &value = "1")
    {
        m_rows[question].push_back("{'metric':{" + labels + "},'value':[1700000100,'" + value + "']}");
    }
    void drop(const std::string &question) { m_rows.erase(question); }
    base::Result<WaitingFacts> ask(const std::string &clusterLabel = {})
    {
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = "http://127.0.0.1:9";
        settings.clusterLabel = clusterLabel;
        PrometheusSource source(settings, *loadMappings({}), m_secrets, m_clock,
                                std::make_shared<ScriptedClient>([this](const auto &r) { return reply(r); }), {},
                                std::make_shared<SimulatedPause>());
        return source.waitingAt(kAt, {});
    }
    std::vector<std::string> asked;
    std::optional<http::Response> refusal;

private:
    base::Result<http::Response> reply(const http::Request &request)
    {
        if (has(request.url, "buildinfo"))
            return answer(js("{'status':'success','data':{'version':'2.42.0'}}"));
        if (refusal)
            return *refusal;
        const std::string query = queryOf(request);
        asked.push_back(query);
        std::string rows;
        std::size_t longest = 0; // length of the longest matching prefix
        for (const auto &[question, some] : m_rows) {
            if (!query.starts_with(question) || question.size() <= longest)
                continue;
            longest = question.size();
            rows.clear();
            for (const std::string &row : some)
                rows += (rows.empty() ? "" : ",") + row;
        }
        return answer(js("{'status':'success','data':{'resultType':'vector','result':[" + rows + "]}}"));
    }

    std::map<std::string, std::vector<std::string>> m_rows;
    OneSecret m_secrets;
    base::FrozenClock m_clock{kAt};
};

const std::string kGpu = "kube_pod_container_resource_requests{resource=~\"nvidia";
const std::string kPlain = "kube_pod_container_resource_requests{resource=~\"cpu";
const std::string kPhase = "kube_pod_status_phase == 1";
const std::string kAllocatable = "kube_node_status_allocatable{resource=~\"nvidia";
const std::string kAllocatablePlain = "kube_node_status_allocatable{resource=~\"cpu";
const std::string kUsed = "sum by (node";

std::string pod(const std::string &name, const std::string &node, const std::string &more)
{
    return "'namespace':'ml','pod':'" + name + "','uid':'u-" + name + "','container':'main','node':'" + node + "',"
        + more;
}

// One node with eight GPUs; `held` holds four of them, `waits` requests six.
Server usual()
{
    Server server;
    server.add("count(kube_pod_status_phase)", "", "40");
    server.add("count(kube_pod_container_resource_requests)", "", "40");
    server.add(kGpu, pod("held", "n1", "'resource':'nvidia_com_gpu'"), "4");
    server.add(kGpu, pod("waits", "", "'resource':'nvidia_com_gpu'"), "6");
    server.add(kGpu, pod("done", "n1", "'resource':'nvidia_com_gpu'"), "8");
    server.add(kPlain, pod("waits", "", "'resource':'cpu'"), "1.5");
    server.add(kPlain, pod("waits", "", "'resource':'memory'"), "1073741824");
    server.add(kPlain, pod("held", "n1", "'resource':'cpu'"), "8");
    const auto phase = [](const std::string &name, const std::string &value) {
        return "'namespace':'ml','pod':'" + name + "','uid':'u-" + name + "','phase':'" + value + "'";
    };
    server.add(kPhase, phase("held", "Running"));
    server.add(kPhase, phase("waits", "Pending"));
    server.add(kPhase, phase("done", "Succeeded"));
    server.add(kAllocatable, "'node':'n1','resource':'nvidia_com_gpu'", "8");
    server.add(kAllocatablePlain, "'node':'n1','resource':'cpu'", "64");
    server.add(kAllocatablePlain, "'node':'n1','resource':'memory'", "100");
    server.add(kUsed, "'node':'n1','resource':'cpu'", "60.5");
    server.add("kube_pod_created", "'namespace':'ml','pod':'waits','uid':'u-waits'", "1699999000");
    server.add("kube_pod_owner",
               "'namespace':'ml','pod':'waits','uid':'u-waits','owner_kind':'Job','owner_name':'train','owner_is_"
               "controller':'true'");
    server.add("kube_pod_labels", "'namespace':'ml','pod':'waits','uid':'u-waits','label_team':'speech'");
    server.add("kube_pod_tolerations",
               "'namespace':'ml','pod':'waits','uid':'u-waits','key':'nvidia.com/gpu','operator':'Exists'");
    server.add("kube_pod_nodeselectors",
               "'namespace':'ml','pod':'waits','uid':'u-waits','nodeselector_nvidia_com_gpu_product':'H100'");
    server.add("kube_node_labels", "'node':'n1','label_nvidia_com_gpu_product':'H100'");
    server.add("kube_node_spec_taint", "'node':'n1','key':'nvidia.com/gpu','value':'present','effect':'NoSchedule'");
    return server;
}

} // namespace

class TestPromWaiting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatWaitsAndTheRoom()
    {
        Server server = usual();
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QVERIFY(facts->isKnown);
        QCOMPARE(facts->works.size(), std::size_t{1});
        const WaitingWork &work = facts->works.front();
        QCOMPARE(work.cluster, std::string("prod"));
        QCOMPARE(work.name, std::string("waits"));
        QCOMPARE(work.uid, std::string("u-waits"));
        QCOMPARE(work.resource, std::string("nvidia_com_gpu"));
        QCOMPARE(*work.gpus, std::int64_t{6});
        QCOMPARE(*work.cpuMilli, std::int64_t{1500});
        QCOMPARE(*work.memoryBytes, std::int64_t{1} << 30);
        QCOMPARE(base::toUnix(*work.since), std::int64_t{1699999000});
        QCOMPARE(work.ownerName, std::string("train"));
        QCOMPARE(work.labels.at("team"), std::string("speech"));
        QCOMPARE(work.selector->at("nvidia_com_gpu_product"), std::string("H100"));
        QCOMPARE(work.tolerations->front().key, std::string("nvidia.com/gpu"));
        QCOMPARE(facts->nodes.size(), std::size_t{1});
        const model::NodeRoom &node = facts->nodes.front();
        QCOMPARE(node.gpus.at("nvidia_com_gpu"), std::int64_t{8});
        QCOMPARE(node.gpusUsed.at("nvidia_com_gpu"), std::int64_t{4}); // finished pods hold nothing
        QCOMPARE(*node.cpuMilliUsed, std::int64_t{60500});
        QCOMPARE(*node.memoryBytesUsed, std::int64_t{0});
        QCOMPARE(node.taints.front().effect, std::string("NoSchedule"));
        QVERIFY(!node.isCordoned);
        QCOMPARE(facts->holders.size(), std::size_t{1});
        QCOMPARE(facts->holders.front().cpuMilli, std::int64_t{8000});
        QVERIFY(facts->missing.empty());
    }

    void asksForTheMomentOnly()
    {
        Server server = usual();
        QVERIFY(server.ask().has_value());
        QVERIFY(server.asked.size() > 10);
        for (const std::string &query : server.asked)
            QVERIFY2(!has(query, "["), query.c_str());
    }

    void missingMetricsAreNamed_data()
    {
        QTest::addColumn<QByteArray>("question");
        QTest::addColumn<QByteArray>("metric");
        QTest::addColumn<bool>("isKnown");
        const auto row = [](const std::string &question, const char *metric, bool isKnown) {
            QTest::addRow("%s", metric) << QByteArray::fromStdString(question) << QByteArray(metric) << isKnown;
        };
        row("count(kube_pod_status_phase)", "kube_pod_status_phase", false);
        row("count(kube_pod_container_resource_requests)", "kube_pod_container_resource_requests", false);
        row(kAllocatable, "kube_node_status_allocatable", false);
        row("kube_pod_created", "kube_pod_created", true);
        row("kube_pod_tolerations", "kube_pod_tolerations", true);
        row("kube_pod_nodeselectors", "kube_pod_nodeselectors", true);
    }
    void missingMetricsAreNamed()
    {
        QFETCH(QByteArray, question);
        QFETCH(QByteArray, metric);
        QFETCH(bool, isKnown);
        Server server = usual();
        server.drop(question.toStdString());
        if (question.toStdString() == kAllocatable) {
            server.drop(kAllocatablePlain);
            server.drop("kube_node_labels");
            server.drop("kube_node_spec_taint");
        }
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QCOMPARE(facts->isKnown, isKnown);
        QVERIFY(facts->missing == std::vector{metric.toStdString()});
        QCOMPARE(facts->works.empty(), !isKnown);
    }

    void withoutKubeStateMetrics()
    {
        Server server;
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QVERIFY(!facts->isKnown);
        QCOMPARE(facts->missing.size(), std::size_t{3});
    }

    void unknownIsEmpty()
    {
        Server server = usual();
        server.drop("kube_pod_tolerations");
        server.drop("kube_pod_nodeselectors");
        server.drop("kube_pod_created");
        server.drop("kube_node_labels");
        server.drop(kAllocatablePlain);
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        const WaitingWork &work = facts->works.front();
        QVERIFY(!work.tolerations && !work.selector && !work.since);
        QVERIFY(!facts->nodes.front().labels && !facts->nodes.front().cpuMilli);
    }

    void numbersThatAreNone()
    {
        Server server = usual();
        for (const char *value : {"NaN", "+Inf", "-3", "1e300", "-Inf"}) {
            server.add(kGpu, pod("odd", "", "'resource':'nvidia_com_gpu'"), value);
            server.add(kAllocatable, "'node':'n2','resource':'nvidia_com_gpu'", value);
            server.add(kUsed, "'node':'n1','resource':'memory'", value);
            server.add("kube_pod_created", "'namespace':'ml','pod':'odd','uid':'u-odd'", value);
            server.add("max by (cluster_queue,status", "'cluster_queue':'q','status':'active'", value);
        }
        server.add(kPhase, "'namespace':'ml','pod':'odd','uid':'u-odd','phase':'Pending'");
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QCOMPARE(facts->works.size(), std::size_t{1});
        QCOMPARE(facts->nodes.size(), std::size_t{1});
        QCOMPARE(*facts->nodes.front().memoryBytesUsed, std::int64_t{0});
    }

    void hostileNames()
    {
        Server server = usual();
        const std::string name = "x<b>\\u001b[31m%1\\n../..";
        server.add(kGpu, "'namespace':'ml','pod':'" + name + "','uid':'u','container':'c','resource':'nvidia_com_gpu'",
                   "1");
        server.add(kPhase, "'namespace':'ml','pod':'" + name + "','uid':'u','phase':'Pending'");
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QCOMPARE(facts->works.size(), std::size_t{2});
        for (const std::string &query : server.asked)
            QVERIFY(!has(query, "<b>")); // no external name gets into a query
    }

    // Two instances that record the same pod, and init containers.
    void countsAsTheScheduler()
    {
        Server server = usual();
        server.add(kGpu, pod("waits", "", "'resource':'nvidia_com_gpu','instance':'ksm-2'"), "6");
        server.add(kGpu,
                   "'namespace':'ml','pod':'waits','uid':'u-waits','container':'side','resource':'nvidia_com_"
                   "gpu'",
                   "1");
        server.add("kube_pod_init_container_resource_requests{resource=~\"cpu",
                   "'namespace':'ml','pod':'waits','uid':'u-waits','container':'init','resource':'cpu'", "30");
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QCOMPARE(*facts->works.front().gpus, std::int64_t{7});
        QCOMPARE(*facts->works.front().cpuMilli, std::int64_t{30000}); // it runs before the others, alone
    }

    // A scrape that renames labels: its own node is not the pod's.
    void exportedNames()
    {
        Server server = usual();
        const std::string own = "'namespace':'monitoring','pod':'ksm','uid':'u-k','node':'infra',";
        server.drop(kGpu);
        server.drop(kPhase);
        server.add(kGpu,
                   own
                       + "'exported_namespace':'ml','exported_pod':'waits','exported_uid':'u-waits','exported_"
                         "container':'main','resource':'nvidia_com_gpu'",
                   "6");
        server.add(kGpu,
                   own
                       + "'exported_namespace':'ml','exported_pod':'held','exported_uid':'u-held','exported_"
                         "container':'main','exported_node':'n1','resource':'nvidia_com_gpu'",
                   "4");
        for (const auto &[name, phase] : {std::pair("waits", "Pending"), std::pair("held", "Running")})
            server.add(kPhase,
                       own + "'exported_namespace':'ml','exported_pod':'" + name + "','exported_uid':'u-" + name
                           + "','phase':'" + phase + "'");
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QCOMPARE(facts->works.size(), std::size_t{1});
        QCOMPARE(facts->works.front().name, std::string("waits"));
        QCOMPARE(facts->holders.size(), std::size_t{1});
        QCOMPARE(facts->holders.front().node, std::string("n1"));
    }

    void clustersByLabel()
    {
        Server server = usual();
        server.add(kGpu, "'cluster':'east'," + pod("other", "", "'resource':'nvidia_com_gpu'"), "1");
        server.add(kPhase, "'cluster':'east','namespace':'ml','pod':'other','uid':'u-other','phase':'Pending'");
        const auto facts = server.ask("cluster");
        QVERIFY(facts.has_value());
        QVERIFY(std::any_of(facts->works.begin(), facts->works.end(),
                            [](const WaitingWork &work) { return work.cluster == "east"; }));
        QVERIFY(std::any_of(server.asked.begin(), server.asked.end(),
                            [](const std::string &q) { return has(q, "exported_pod,cluster)"); }));
    }

    void queuesOfKueue()
    {
        Server server = usual();
        const std::string pending = "max by (cluster_queue,status";
        server.add(pending, "'cluster_queue':'gpu','status':'active'", "3");
        server.add(pending, "'cluster_queue':'gpu','status':'inadmissible'", "2");
        server.add(pending, "'cluster_queue':'cpu-only','status':'active'", "9");
        server.add(pending, "'cluster_queue':'empty','status':'active'", "0");
        const auto quota = [&](const std::string &metric, const std::string &queue, const std::string &resource,
                               const std::string &value) {
            server.add("max by (cluster_queue,flavor,resource) (kueue_cluster_queue_" + metric,
                       "'cluster_queue':'" + queue + "','flavor':'spot','resource':'" + resource + "'", value);
        };
        quota("nominal_quota", "gpu", "nvidia.com/gpu", "16");
        quota("resource_reservation", "gpu", "nvidia.com/gpu", "16");
        quota("resource_usage", "gpu", "nvidia.com/gpu", "12");
        quota("nominal_quota", "cpu-only", "cpu", "100");
        quota("resource_usage", "cpu-only", "cpu", "1");
        const auto facts = server.ask();
        QVERIFY(facts.has_value());
        QCOMPARE(facts->works.size(), std::size_t{2});
        const WaitingWork &queue = facts->works.back();
        QVERIFY(queue.kind == WaitingWork::Kind::Queue && !queue.gpus);
        QCOMPARE(queue.queue, std::string("gpu"));
        QCOMPARE(queue.count, std::int64_t{5});
        QCOMPARE(facts->quotas.size(), std::size_t{1});
        QCOMPARE(facts->quotas.front().resource, std::string("nvidia_com_gpu"));
        QCOMPARE(facts->quotas.front().used, std::int64_t{16}); // reserved capacity counts as used
    }

    void failuresAreTold_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("code");
        QTest::addRow("forbidden") << 403 << static_cast<int>(ErrorCode::Forbidden);
        QTest::addRow("unauthorized") << 401 << static_cast<int>(ErrorCode::Unauthorized);
        QTest::addRow("broken") << 500 << static_cast<int>(ErrorCode::Server);
    }
    void failuresAreTold()
    {
        QFETCH(int, status);
        QFETCH(int, code);
        Server server = usual();
        server.refusal = answer("no", status, "text/plain");
        const auto facts = server.ask();
        QVERIFY(!facts);
        QCOMPARE(static_cast<int>(facts.error().code), code);
        QCOMPARE(facts.error().source, std::string("prod"));
    }

    void cutAnswers()
    {
        Server server = usual();
        server.refusal = answer(js("{'status':'success','data':{'resultType':'vector','result':[{'met"));
        const auto facts = server.ask();
        QVERIFY(!facts);
        QVERIFY(facts.error().code == ErrorCode::Parse);
    }

    void cancelled()
    {
        Server server = usual();
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = "http://127.0.0.1:9";
        OneSecret secrets;
        const base::FrozenClock clock{kAt};
        PrometheusSource source(settings, *loadMappings({}), secrets, clock,
                                std::make_shared<ScriptedClient>([](const auto &) { return answer("{}"); }), {},
                                std::make_shared<SimulatedPause>());
        std::stop_source stop;
        stop.request_stop();
        const auto facts = source.waitingAt(kAt, stop.get_token());
        QVERIFY(!facts);
        QVERIFY(facts.error().code == ErrorCode::Cancelled);
    }
};

GPULEDGER_PLAIN_SUITE(TestPromWaiting)

} // namespace tst_promwaiting

#include "tst_promwaiting.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubetest.h"

#include "connectors/kubernetes/watchcache.h"
#include "tests/support/suite.h"

#include <QTest>

#include <set>
#include <thread>

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

// Waits a little instead of seconds, and remembers what it was asked for.
class ShortPause final : public http::Pause {
public:
    http::Milliseconds steadyNow() const override { return m_real.steadyNow(); }
    bool wait(http::Milliseconds time, std::stop_token stop) override
    {
        const std::lock_guard lock(m_mutex);
        m_longest = std::max(m_longest, time);
        return m_real.wait(http::Milliseconds{30}, std::move(stop));
    }
    http::Milliseconds longest()
    {
        const std::lock_guard lock(m_mutex);
        return m_longest;
    }

private:
    http::SystemPause m_real;
    std::mutex m_mutex;
    http::Milliseconds m_longest{};
};

std::optional<Json> nameOnly(const Json &pod)
{
    return pod["metadata"]["name"];
}

} // namespace

// A list that follows its server.
class TestKubeWatch : public QObject {
    Q_OBJECT

private:
    // A cache that runs until it is dropped.
    struct Running {
        Running(KubeServer &server, NoSecrets &secrets, const base::Clock &clock)
            : pause(std::make_shared<ShortPause>())
            , api(credentials(server, secrets, clock), server.client, std::make_shared<http::SystemPause>())
            , cache(api, "/api/v1/namespaces/ml/pods", nameOnly, pause)
            , thread([this](const std::stop_token &stop) { cache.run(stop); })
        {
        }
        static std::shared_ptr<auth::KubeCredentials> credentials(KubeServer &server, NoSecrets &secrets,
                                                                  const base::Clock &clock)
        {
            auth::KubeAccess access;
            access.server = server.url();
            return std::make_shared<auth::KubeCredentials>(std::move(access), secrets, clock);
        }
        std::set<std::string> names() const
        {
            std::set<std::string> all;
            for (const Json &one : cache.objects())
                all.insert(one.get<std::string>());
            return all;
        }
        std::shared_ptr<ShortPause> pause;
        kubernetes::KubeApi api;
        kubernetes::WatchCache cache;
        std::jthread thread;
    };

    KubeServer m_server;
    NoSecrets m_secrets;
    base::SystemClock m_clock;
    using Names = std::set<std::string>;

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.steer("reset"); }

    void followsWhatHappens()
    {
        m_server.put(gpuPod("a"));
        const Running running(m_server, m_secrets, m_clock);
        QTRY_VERIFY(running.names() == Names{"a"});
        m_server.put(gpuPod("b"));
        QTRY_VERIFY((running.names() == Names{"a", "b"}));
        m_server.steer("delete", {"", "pods", "ml", "a"});
        QTRY_VERIFY(running.names() == Names{"b"});
        // A bookmark moves the version and changes nothing else.
        m_server.put(object("batch/v1", "Job", "other"));
        m_server.put(gpuPod("c"));
        QTRY_VERIFY((running.names() == Names{"b", "c"}));
        QCOMPARE(running.cache.lists(), std::uint64_t{1});
    }

    // An ERROR event with code 410 inside of a stream that began with 200.
    void listsAnewAfterAnErrorInTheStream()
    {
        m_server.put(gpuPod("a"));
        const Running running(m_server, m_secrets, m_clock);
        QTRY_VERIFY(running.names() == Names{"a"});
        m_server.flag("historyTo", 1000000);
        QTRY_VERIFY(running.cache.lists() >= 2);
        m_server.flag("historyTo", 0);
        m_server.put(gpuPod("b"));
        QTRY_VERIFY((running.names() == Names{"a", "b"}));
    }

    // A cluster that was restored is behind what we know.
    void listsAnewWhenTheServerWentBack()
    {
        m_server.put(gpuPod("a"));
        const Running running(m_server, m_secrets, m_clock);
        QTRY_VERIFY(running.names() == Names{"a"});
        m_server.steer("restore");
        QTRY_VERIFY(running.cache.lists() >= 2);
        m_server.put(gpuPod("b"));
        QTRY_VERIFY((running.names() == Names{"a", "b"}));
    }

    // HTTP 410 where a watch begins.
    void listsAnewWhenAWatchCannotBegin()
    {
        m_server.put(gpuPod("a"));
        m_server.flag("compacted", 1000000);
        const Running running(m_server, m_secrets, m_clock);
        QTRY_VERIFY(running.cache.lists() >= 2);
        m_server.flag("compacted", 0);
        m_server.put(gpuPod("b"));
        QTRY_VERIFY((running.names() == Names{"a", "b"}));
    }

    // HTTP 410 for an old `continue`: a half list is none.
    void doesNotTakeHalfAListForAWhole()
    {
        for (int i = 0; i < 260; ++i)
            m_server.put(gpuPod(("p" + std::to_string(i)).c_str()));
        m_server.flag("compacted", 1000000);
        const Running running(m_server, m_secrets, m_clock);
        QTRY_VERIFY(running.cache.lastError().has_value());
        QVERIFY(!running.cache.isComplete());
        QVERIFY(running.names().empty());
        m_server.flag("compacted", 0);
        QTRY_VERIFY_WITH_TIMEOUT(running.names().size() == 260, 15000);
    }

    void waitsLongerAfterEachFailure()
    {
        m_server.put(gpuPod("a"));
        m_server.flag("faults", {{{"method", "GET"}, {"path", "/pods"}, {"do", 403}, {"times", 12}}});
        const Running running(m_server, m_secrets, m_clock);
        QTRY_VERIFY_WITH_TIMEOUT(running.names() == Names{"a"}, 20000);
        QVERIFY(running.pause->longest() > http::Milliseconds(10000));
        QVERIFY(running.pause->longest() <= http::Milliseconds(30000));
    }
};

GPULEDGER_SUITE(TestKubeWatch)
#include "tst_kubewatch.moc"

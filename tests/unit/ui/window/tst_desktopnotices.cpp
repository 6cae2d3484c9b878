// SPDX-License-Identifier: GPL-3.0-or-later
// Alerts as desktop notifications, on a bus of the test's own with a notification service that the test plays.
#include "tests/support/suite.h"
#include "ui/window/platform/desktopnotices.h"

#include <QDBusMessage>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <memory>
#include <thread>

namespace tst_desktopnotices {

using namespace gpuledger;
using model::NoticeState;
using ports::Delivery;
using ports::DeliveryOutcome;
using ui::DesktopNotices;
using ui::DesktopNoticeTargets;

namespace {

constexpr int kPatience = 20'000; // ms

model::Notice desktopNotice(const std::string &key, NoticeState state = NoticeState::Firing)
{
    model::Notice notice;
    notice.state = state;
    notice.key = key;
    notice.rule = notice.metric = "idle-cost";
    notice.per = "team";
    notice.scope = "team " + key;
    notice.severity = "critical";
    notice.summary = "Idle <b>GPUs</b> & more";
    notice.link = "gpuledger://idle?team=" + key;
    return notice;
}

model::NoticeGroup groupOf(std::vector<model::Notice> notices)
{
    return {"g", std::move(notices), {}};
}

// A dbus-daemon that can't start services.
class PrivateBus {
public:
    bool start()
    {
        QFile file(m_folder.filePath(QStringLiteral("bus.conf")));
        if (!file.open(QIODevice::WriteOnly))
            return false;
        file.write("<busconfig><type>session</type><listen>unix:dir=" + m_folder.path().toUtf8()
                   + "</listen><policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>"
                     "<allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>");
        file.close();
        m_daemon.start(QStringLiteral("dbus-daemon"),
                       {QStringLiteral("--nofork"), QStringLiteral("--print-address"),
                        QStringLiteral("--config-file=") + file.fileName()});
        while (!m_daemon.canReadLine()) {
            if (!m_daemon.waitForReadyRead(kPatience))
                return false;
        }
        m_address = QString::fromUtf8(m_daemon.readLine().trimmed());
        return true;
    }
    ~PrivateBus()
    {
        m_daemon.kill();
        m_daemon.waitForFinished(kPatience);
    }
    QDBusConnection connect(const QString &name) const { return QDBusConnection::connectToBus(m_address, name); }

private:
    QTemporaryDir m_folder;
    QProcess m_daemon;
    QString m_address;
};

class OtherTargets final : public ports::NoticeTargets {
public:
    base::Result<std::unique_ptr<ports::NoticeTarget>> create(const model::AlertTarget &target) override
    {
        return base::fail(base::ErrorCode::InvalidConfig, "other: " + target.kind);
    }
};

} // namespace

// The desktop's service, according to its specification.
class FakeNotifier : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Shown {
        QString title, text;
        uint replaced = 0;
        QStringList actions;
        QVariantMap hints;
    };
    QList<Shown> shown;
    QList<uint> closed;
    QStringList abilities{QStringLiteral("actions"), QStringLiteral("body"), QStringLiteral("body-markup")};

public Q_SLOTS:
    QStringList GetCapabilities() { return abilities; }
    uint Notify(const QString &, uint replaces, const QString &, const QString &title, const QString &text,
                const QStringList &actions, const QVariantMap &hints, int)
    {
        shown.append({title, text, replaces, actions, hints});
        return replaces ? replaces : 40 + static_cast<uint>(shown.size());
    }
    void CloseNotification(uint id) { closed.append(id); }
};

class DesktopNoticesTest : public QObject {
    Q_OBJECT

    const QString m_path = QStringLiteral("/org/freedesktop/Notifications");
    const QString m_name = QStringLiteral("org.freedesktop.Notifications");
    std::unique_ptr<PrivateBus> m_bus;
    std::unique_ptr<FakeNotifier> m_notifier;
    std::unique_ptr<DesktopNotices> m_notices;
    OtherTargets m_others;

    void tell(const QString &signal, const QVariantList &values)
    {
        QDBusMessage message = QDBusMessage::createSignal(m_path, m_name, signal);
        message.setArguments(values);
        QVERIFY(QDBusConnection(QStringLiteral("notifier")).send(message));
    }

    // As the outbox sends: on a thread of its own.
    Delivery send(const model::NoticeGroup &group, std::stop_token stop = {})
    {
        model::AlertTarget target;
        target.kind = "desktop";
        DesktopNoticeTargets targets(*m_notices, m_others);
        const auto made = targets.create(target);
        Delivery delivery;
        std::atomic<bool> isDone = false;
        std::thread worker([&] {
            delivery = (*made)->send(group, stop);
            isDone = true;
        });
        [&] { QTRY_VERIFY_WITH_TIMEOUT(isDone.load(), 2 * kPatience); }();
        worker.join();
        return delivery;
    }

private Q_SLOTS:
    void init()
    {
        m_bus = std::make_unique<PrivateBus>();
        QVERIFY(m_bus->start());
        m_notifier = std::make_unique<FakeNotifier>();
        QDBusConnection bus = m_bus->connect(QStringLiteral("notifier"));
        QVERIFY(bus.registerObject(m_path, m_notifier.get(), QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(m_name));
        m_notices = std::make_unique<DesktopNotices>(m_bus->connect(QStringLiteral("window")));
    }

    void cleanup()
    {
        m_notices.reset();
        QDBusConnection::disconnectFromBus(QStringLiteral("window"));
        QDBusConnection::disconnectFromBus(QStringLiteral("notifier"));
        m_notifier.reset();
        m_bus.reset();
    }

    void aButtonOpensTheLink()
    {
        QSignalSpy shows(m_notices.get(), &DesktopNotices::linkWanted);
        QSignalSpy stops(m_notices.get(), &DesktopNotices::stopWanted);
        QCOMPARE(send(groupOf({desktopNotice("a")})).outcome, DeliveryOutcome::Delivered);
        QCOMPARE(m_notifier->shown.size(), 1);
        const auto &shown = m_notifier->shown[0];
        QCOMPARE(shown.title, QStringLiteral("idle-cost: team a"));
        QCOMPARE(shown.text, QStringLiteral("Idle &lt;b&gt;GPUs&lt;/b&gt; &amp; more"));
        QCOMPARE(shown.replaced, 0U);
        QCOMPARE(shown.actions,
                 (QStringList{QStringLiteral("default"), QStringLiteral("Show"), QStringLiteral("show"),
                              QStringLiteral("Show"), QStringLiteral("stop"), QStringLiteral("Stop…")}));
        QCOMPARE(shown.hints.value(QStringLiteral("urgency")).toUInt(), 2U);
        tell(QStringLiteral("ActionInvoked"), {41U, QStringLiteral("show")});
        QTRY_COMPARE_WITH_TIMEOUT(shows.size(), 1, kPatience);
        QCOMPARE(shows[0][0].toString(), QStringLiteral("gpuledger://idle?team=a"));
        tell(QStringLiteral("ActionInvoked"), {41U, QStringLiteral("stop")});
        QTRY_COMPARE_WITH_TIMEOUT(stops.size(), 1, kPatience);
        QCOMPARE(stops[0][0].toString(), QStringLiteral("gpuledger://idle?team=a"));
        // Other programs have notifications, too.
        tell(QStringLiteral("ActionInvoked"), {77U, QStringLiteral("show")});
        tell(QStringLiteral("ActionInvoked"), {41U, QStringLiteral("default")});
        QTRY_COMPARE_WITH_TIMEOUT(shows.size(), 2, kPatience);
        QCOMPARE(shows[1][0].toString(), QStringLiteral("gpuledger://idle?team=a"));
        // After it was closed, its id may belong to another program.
        tell(QStringLiteral("NotificationClosed"), {41U, 2U});
        tell(QStringLiteral("ActionInvoked"), {41U, QStringLiteral("show")});
        QCOMPARE(send(groupOf({desktopNotice("b")})).outcome, DeliveryOutcome::Delivered);
        tell(QStringLiteral("ActionInvoked"), {42U, QStringLiteral("show")});
        QTRY_COMPARE_WITH_TIMEOUT(shows.size(), 3, kPatience);
        QCOMPARE(shows[2][0].toString(), QStringLiteral("gpuledger://idle?team=b"));
    }

    void stopsOnlyIdleGpusAndOnlyIfSomebodyListens()
    {
        send(groupOf({desktopNotice("a")}));
        QVERIFY(!m_notifier->shown[0].actions.contains(QStringLiteral("stop")));
        QSignalSpy stops(m_notices.get(), &DesktopNotices::stopWanted);
        auto budget = desktopNotice("b");
        budget.metric = "budget";
        send(groupOf({budget}));
        send(groupOf({desktopNotice("c", NoticeState::Test)}));
        send(groupOf({desktopNotice("d")}));
        QVERIFY(!m_notifier->shown[1].actions.contains(QStringLiteral("stop")));
        QVERIFY(!m_notifier->shown[2].actions.contains(QStringLiteral("stop")));
        QCOMPARE(m_notifier->shown[2].title, QStringLiteral("Test: idle-cost: team c"));
        QVERIFY(m_notifier->shown[3].actions.contains(QStringLiteral("stop")));
        auto hostile = desktopNotice("e");
        hostile.link = "file:///etc/passwd";
        send(groupOf({hostile}));
        QVERIFY(m_notifier->shown[4].actions.isEmpty());
    }

    void theSameAlertReplacesItsNotification()
    {
        send(groupOf({desktopNotice("a")}));
        send(groupOf({desktopNotice("a")}));
        QCOMPARE(m_notifier->shown[1].replaced, 41U);
        send(groupOf({desktopNotice("b")}));
        QCOMPARE(m_notifier->shown[2].replaced, 0U);
        tell(QStringLiteral("NotificationClosed"), {41U, 2U});
        tell(QStringLiteral("NotificationClosed"), {99U, 2U});
        QTest::qWait(100); // for the signals
        send(groupOf({desktopNotice("a")}));
        QCOMPARE(m_notifier->shown[3].replaced, 0U);
    }

    void theEndClosesIt()
    {
        send(groupOf({desktopNotice("a"), desktopNotice("b")}));
        QCOMPARE(m_notifier->shown[0].title, QStringLiteral("idle-cost: team a and 1 more"));
        QCOMPARE(send(groupOf({desktopNotice("a", NoticeState::Resolved)})).outcome, DeliveryOutcome::Delivered);
        QCOMPARE(send(groupOf({desktopNotice("x", NoticeState::Resolved)})).outcome, DeliveryOutcome::Delivered);
        send(groupOf({desktopNotice("c")})); // both were handled before it
        QVERIFY(m_notifier->closed.isEmpty());
        QCOMPARE(send(groupOf({desktopNotice("b", NoticeState::Resolved)})).outcome, DeliveryOutcome::Delivered);
        QTRY_COMPARE_WITH_TIMEOUT(m_notifier->closed, QList<uint>{41U}, kPatience);
        QCOMPARE(m_notifier->shown.size(), 2);
    }

    void asksWhatTheServiceCanShow()
    {
        m_notifier->abilities = {QStringLiteral("body")};
        send(groupOf({desktopNotice("a")}));
        QCOMPARE(m_notifier->shown[0].text, QStringLiteral("Idle <b>GPUs</b> & more"));
        QVERIFY(m_notifier->shown[0].actions.isEmpty());
    }

    void nobodyThere()
    {
        QVERIFY(QDBusConnection(QStringLiteral("notifier")).unregisterService(m_name));
        const Delivery refused = send(groupOf({desktopNotice("a")}));
        QCOMPARE(refused.outcome, DeliveryOutcome::Refused);
        QVERIFY(!refused.detail.empty());
        m_notices = std::make_unique<DesktopNotices>(QDBusConnection(QStringLiteral("none")));
        const Delivery without = send(groupOf({desktopNotice("a")}));
        QCOMPARE(without.outcome, DeliveryOutcome::Refused);
        QCOMPARE(without.detail, std::string("there is no desktop session that shows notifications"));
    }

    void endsWhenAsked()
    {
        model::AlertTarget target;
        target.kind = "desktop";
        DesktopNoticeTargets targets(*m_notices, m_others);
        const auto made = targets.create(target);
        std::stop_source stop;
        stop.request_stop();
        // This thread doesn't look at the event loop meanwhile, so there is no answer.
        Delivery delivery;
        std::thread([&] { delivery = (*made)->send(groupOf({desktopNotice("a")}), stop.get_token()); }).join();
        QCOMPARE(delivery.outcome, DeliveryOutcome::Retry);
        QCOMPARE(delivery.detail, std::string("cancelled"));
    }

    void otherKindsAreMadeElsewhere()
    {
        DesktopNoticeTargets targets(*m_notices, m_others);
        model::AlertTarget target;
        target.kind = "slack";
        const auto made = targets.create(target);
        QVERIFY(!made);
        QCOMPARE(made.error().text, std::string("other: slack"));
    }
};

GPULEDGER_SUITE(DesktopNoticesTest)

} // namespace tst_desktopnotices

#include "tst_desktopnotices.moc"

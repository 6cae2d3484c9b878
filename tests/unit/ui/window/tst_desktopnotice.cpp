// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/window/platform/desktopnotice.h"

#include <QDBusServer>
#include <QElapsedTimer>
#include <QTest>

namespace tst_desktopnotice {

using gpuledger::ui::DesktopNotice;

namespace {

constexpr int kPatience = 20'000; // ms

} // namespace

// The desktop's service, according to its specification.
class FakeDesktop : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Shown {
        QString title, text;
        uint replaced = 0;
        QStringList actions;
    };
    QList<Shown> shown;

public Q_SLOTS:
    uint Notify(const QString &, uint replaces, const QString &, const QString &title, const QString &text,
                const QStringList &actions, const QVariantMap &, int)
    {
        shown.append({title, text, replaces, actions});
        return 7;
    }
};

class DesktopNoticeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsTheDesktop()
    {
        QDBusServer server;
        QVERIFY(server.isConnected());
        FakeDesktop desktop;
        connect(&server, &QDBusServer::newConnection, this, [&](QDBusConnection peer) {
            QVERIFY(peer.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &desktop,
                                        QDBusConnection::ExportAllSlots));
        });
        const QString name = QStringLiteral("desktop");
        DesktopNotice notice(QDBusConnection::connectToPeer(server.address(), name));
        notice.show(QStringLiteral("GPU Ledger"), QStringLiteral("Stopped <b>2</b> & more"));
        QTRY_COMPARE_WITH_TIMEOUT(desktop.shown.size(), 1, kPatience);
        QCOMPARE(desktop.shown[0].title, QStringLiteral("GPU Ledger"));
        QCOMPARE(desktop.shown[0].text, QStringLiteral("Stopped &lt;b&gt;2&lt;/b&gt; &amp; more"));
        QCOMPARE(desktop.shown[0].replaced, 0U);
        QVERIFY(desktop.shown[0].actions.isEmpty());
        QTest::qWait(100); // for its answer
        notice.show(QStringLiteral("GPU Ledger"), QStringLiteral("Brought back"));
        QTRY_COMPARE_WITH_TIMEOUT(desktop.shown.size(), 2, kPatience);
        QCOMPARE(desktop.shown[1].replaced, 7U);
        QDBusConnection::disconnectFromPeer(name);
    }

    void nobodyThere()
    {
        QElapsedTimer clock;
        clock.start();
        DesktopNotice without(QDBusConnection(QStringLiteral("none")));
        without.show(QStringLiteral("a"), QStringLiteral("b"));
        QDBusServer silent; // accepts connections but never answers
        const QString name = QStringLiteral("silent");
        DesktopNotice notice(QDBusConnection::connectToPeer(silent.address(), name));
        notice.show(QStringLiteral("a"), QStringLiteral("b"));
        QVERIFY(clock.elapsed() < 1000);
        QDBusConnection::disconnectFromPeer(name);
    }
};

GPULEDGER_SUITE(DesktopNoticeTest)

} // namespace tst_desktopnotice

#include "tst_desktopnotice.moc"

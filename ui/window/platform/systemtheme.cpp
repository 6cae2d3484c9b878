// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/platform/systemtheme.h"

#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QDBusVariant>

namespace gpuledger::ui {

namespace {

// Names of the portal's interface.
const QString kPortalService = QStringLiteral("org.freedesktop.portal.Desktop"); // no-tr: name on the bus
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop"); // no-tr: name on the bus
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings"); // no-tr: name on the bus
const QString kGroup = QStringLiteral("org.freedesktop.appearance"); // no-tr: name on the bus
const QString kKey = QStringLiteral("color-scheme"); // no-tr: name on the bus

constexpr uint kDark = 1, kLight = 2; // 0: no preference

} // namespace

SystemTheme::SystemTheme(const QDBusConnection &bus, QObject *parent)
    : QObject(parent)
    , m_bus(bus)
{
    if (!m_bus.isConnected())
        return;
    // The slot takes the whole message: before its first call, Qt 6.4 refuses to connect a slot with a QDBusVariant.
    m_bus.connect(kPortalService, kPortalPath, kInterface, QStringLiteral("SettingChanged"), this,
                  SLOT(settingChanged(QDBusMessage))); // allowed: the bus has no functor form
    auto *watcher = new QDBusServiceWatcher(kPortalService, m_bus, QDBusServiceWatcher::WatchForRegistration, this);
    connect(watcher, &QDBusServiceWatcher::serviceRegistered, this, &SystemTheme::ask);
    ask();
}

void SystemTheme::ask()
{
    QDBusMessage message =
        QDBusMessage::createMethodCall(kPortalService, kPortalPath, kInterface, QStringLiteral("Read"));
    message << kGroup << kKey;
    message.setAutoStartService(false); // a desktop that has one has already started it
    auto *call = new QDBusPendingCallWatcher(m_bus.asyncCall(message), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, &SystemTheme::answered);
}

void SystemTheme::answered(QDBusPendingCallWatcher *call)
{
    call->deleteLater();
    const QDBusPendingReply<QDBusVariant> reply = *call;
    if (reply.isError())
        return;
    take(kGroup, kKey, reply.value().variant());
}

void SystemTheme::settingChanged(const QDBusMessage &message)
{
    constexpr qsizetype kGroupAt = 0, kKeyAt = 1, kValueAt = 2;
    const QVariantList said = message.arguments();
    if (said.size() > kValueAt)
        take(said[kGroupAt].toString(), said[kKeyAt].toString(), said[kValueAt]);
}

void SystemTheme::take(const QString &group, const QString &key, QVariant value)
{
    if (group != kGroup || key != kKey)
        return;
    // The older version of the portal nests the value in several variants.
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    bool known = false;
    const uint scheme = value.toUInt(&known);
    if (known && (scheme == kDark || scheme == kLight))
        Q_EMIT darkPreferred(scheme == kDark);
}

} // namespace gpuledger::ui

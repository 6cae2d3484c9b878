// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/systemtheme.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>

namespace gpuledger::ui {

namespace {

// Names of the portal's interface.
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop"); // no-tr: name on the bus
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop"); // no-tr: name on the bus
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
    m_bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                  SLOT(take(QString, QString, QDBusVariant))); // allowed: the bus has no functor form
    auto *watcher = new QDBusServiceWatcher(kService, m_bus, QDBusServiceWatcher::WatchForRegistration, this);
    connect(watcher, &QDBusServiceWatcher::serviceRegistered, this, &SystemTheme::ask);
    ask();
}

void SystemTheme::ask()
{
    QDBusMessage message = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    message << kGroup << kKey;
    message.setAutoStartService(false); // a desktop that has one has started it
    auto *call = new QDBusPendingCallWatcher(m_bus.asyncCall(message), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, &SystemTheme::answered);
}

void SystemTheme::answered(QDBusPendingCallWatcher *call)
{
    call->deleteLater();
    const QDBusPendingReply<QDBusVariant> reply = *call;
    if (reply.isError())
        return;
    // The portal's older form has the value inside of another variant.
    QVariant value = reply.value().variant();
    if (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    take(kGroup, kKey, QDBusVariant(value));
}

void SystemTheme::take(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group != kGroup || key != kKey)
        return;
    bool known = false;
    const uint scheme = value.variant().toUInt(&known);
    if (known && (scheme == kDark || scheme == kLight))
        Q_EMIT darkPreferred(scheme == kDark);
}

} // namespace gpuledger::ui

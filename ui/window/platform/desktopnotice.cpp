// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/platform/desktopnotice.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

namespace gpuledger::ui {

namespace {

// Names of the desktop's interface.
const QString kService = QStringLiteral("org.freedesktop.Notifications"); // no-tr: name on the bus
const QString kPath = QStringLiteral("/org/freedesktop/Notifications"); // no-tr: name on the bus

constexpr int kPatience = 3000; // ms
constexpr int kAsTheDesktopLikes = -1; // display time chosen by the desktop

} // namespace

DesktopNotice::DesktopNotice(const QDBusConnection &bus, QObject *parent)
    : QObject(parent)
    , m_bus(bus)
{
}

void DesktopNotice::show(const QString &title, const QString &text)
{
    if (!m_bus.isConnected())
        return;
    QDBusMessage message = QDBusMessage::createMethodCall(kService, kPath, kService, QStringLiteral("Notify"));
    const QString icon = QStringLiteral("gpuledger"); // no-tr: name of an icon
    // Some desktops interpret HTML markup in the text.
    message << title << m_last << icon << title << text.toHtmlEscaped() << QStringList() << QVariantMap()
            << kAsTheDesktopLikes;
    auto *call = new QDBusPendingCallWatcher(m_bus.asyncCall(message, kPatience), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, [this, call] {
        call->deleteLater();
        const QDBusPendingReply<uint> reply = *call;
        if (!reply.isError())
            m_last = reply.value();
    });
}

} // namespace gpuledger::ui

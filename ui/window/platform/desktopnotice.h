// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QObject>

namespace gpuledger::ui {

// Shows a desktop notification (org.freedesktop.Notifications). Never blocks; does nothing without such a service. The
// text is our own, without names or secrets, because it may be shown on a locked screen. GUI thread.
class DesktopNotice : public QObject {
    Q_OBJECT
public:
    explicit DesktopNotice(const QDBusConnection &bus, QObject *parent = nullptr);
    // Replaces the previous notification.
    void show(const QString &title, const QString &text);

private:
    QDBusConnection m_bus;
    uint m_last = 0; // the service's id of the previous one; 0: none
};

} // namespace gpuledger::ui

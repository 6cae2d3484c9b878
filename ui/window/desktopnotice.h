// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QObject>

namespace gpuledger::ui {

// Tells something through the desktop (org.freedesktop.Notifications). Waits for nobody; without such a service it does
// nothing. The text is ours, without names or secrets: it may be shown on a locked screen. GUI thread.
class DesktopNotice : public QObject {
    Q_OBJECT
public:
    explicit DesktopNotice(const QDBusConnection &bus, QObject *parent = nullptr);
    // Takes the place of the one before.
    void show(const QString &title, const QString &text);

private:
    QDBusConnection m_bus;
    uint m_last = 0; // id of the one before, by the service; 0: none
};

} // namespace gpuledger::ui

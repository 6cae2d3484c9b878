// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QVariant>

class QDBusPendingCallWatcher;

namespace gpuledger::ui {

// Tells whether the desktop prefers dark windows, and when it changes its mind: the appearance setting of the desktop
// portal, which Qt 6.4 does not read. Says nothing where there is no portal or no preference. Owned by main(); GUI
// thread; never blocks.
class SystemTheme : public QObject {
    Q_OBJECT
public:
    explicit SystemTheme(const QDBusConnection &bus, QObject *parent = nullptr);

Q_SIGNALS:
    void darkPreferred(bool dark);

private Q_SLOTS:
    // Of the portal.
    void settingChanged(const QDBusMessage &message);

private:
    void take(const QString &group, const QString &key, QVariant value);
    void ask();
    void answered(QDBusPendingCallWatcher *call);

    QDBusConnection m_bus;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QVariant>

class QDBusPendingCallWatcher;

namespace gpuledger::ui {

// Reports whether the desktop prefers dark windows, and changes of that: the appearance setting of the desktop portal,
// which Qt 6.4 does not read. Emits nothing if there is no portal or no preference. Owned by main(); GUI thread; never
// blocks.
class SystemTheme : public QObject {
    Q_OBJECT
public:
    explicit SystemTheme(const QDBusConnection &bus, QObject *parent = nullptr);

Q_SIGNALS:
    void darkPreferred(bool dark);

private Q_SLOTS:
    // A signal of the portal.
    void settingChanged(const QDBusMessage &message);

private:
    void take(const QString &group, const QString &key, QVariant value);
    void ask();
    void answered(QDBusPendingCallWatcher *call);

    QDBusConnection m_bus;
};

} // namespace gpuledger::ui

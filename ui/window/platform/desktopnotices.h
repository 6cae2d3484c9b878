// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/noticetarget.h"

#include <QDBusConnection>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

#include <functional>
#include <memory>

namespace gpuledger::ui {

// Shows alerts as desktop notifications with buttons (org.freedesktop.Notifications 1.2). An alert that fires again
// replaces its notification, and one that is over closes it. Never blocks; GUI thread.
class DesktopNotices : public QObject {
    Q_OBJECT
public:
    using Done = std::function<void(ports::Delivery)>;

    explicit DesktopNotices(const QDBusConnection &bus, QObject *parent = nullptr);
    // `done` is called once, unless this object is destroyed first. Refused without a bus or a service on it.
    void show(const model::NoticeGroup &group, Done done);

Q_SIGNALS:
    void linkWanted(const QString &link); // the notification or its button Show was pressed
    // The button Stop… of an alert about idle GPUs, which exists only if this signal is connected.
    void stopWanted(const QString &link);

private Q_SLOTS:
    void invoke(uint id, const QString &action); // a button; also of other programs
    void forget(uint id, uint reason); // it was closed

private:
    // One notification on the screen.
    struct Shown {
        QString link;
        QSet<QString> keys; // of the alerts that it is about and that are not over
    };

    uint release(const model::NoticeGroup &group);
    void close(uint id);
    void ask(const model::NoticeGroup &group, const Done &done);
    void notify(const model::NoticeGroup &group, const QStringList &abilities, const Done &done);
    QStringList buttonsOf(const model::NoticeGroup &group) const;
    void keep(uint id, const model::NoticeGroup &group);

    QDBusConnection m_bus;
    QHash<uint, Shown> m_shown; // by the service's id
    QHash<QString, uint> m_ids; // by the key of the alert
};

// Makes the targets of kind desktop, and leaves the others to another factory. Both arguments must outlive it and its
// targets, whose send() must not be called on the GUI thread.
class DesktopNoticeTargets final : public ports::NoticeTargets {
public:
    DesktopNoticeTargets(DesktopNotices &desktop, ports::NoticeTargets &others);
    [[nodiscard]] base::Result<std::unique_ptr<ports::NoticeTarget>> create(const model::AlertTarget &target) override;

private:
    DesktopNotices &m_desktop;
    ports::NoticeTargets &m_others;
};

} // namespace gpuledger::ui

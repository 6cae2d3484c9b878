// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/platform/desktopnotices.h"

#include "app/base/text/text.h"

#include <QDBusError>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QMetaMethod>
#include <QVariantMap>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace gpuledger::ui {

namespace {

using ports::Delivery;
using ports::DeliveryOutcome;

// Names of the desktop's interface.
const QString kNotifier = QStringLiteral("org.freedesktop.Notifications"); // no-tr: name on the bus
const QString kNotifierPath = QStringLiteral("/org/freedesktop/Notifications"); // no-tr: name on the bus
const QString kDefaultAction = QStringLiteral("default"); // no-tr: id of the notification itself
const QString kShowAction = QStringLiteral("show"); // no-tr: id
const QString kStopAction = QStringLiteral("stop"); // no-tr: id

constexpr int kBusPatience = 3000; // ms
constexpr std::chrono::seconds kSendPatience{15}; // longer than two calls
constexpr int kDisplayTime = -1; // chosen by the desktop
constexpr std::size_t kNameBytes = 100, kSentenceBytes = 400;

QDBusMessage notifierCall(const QString &method)
{
    return QDBusMessage::createMethodCall(kNotifier, kNotifierPath, kNotifier, method);
}

QString cleaned(const std::string &text, std::size_t most)
{
    return QString::fromStdString(base::printableLine(text, most));
}

QString alertTitle(const model::NoticeGroup &group)
{
    const model::Notice &first = group.notices.front();
    const bool hasScope = !first.scope.empty() && first.per != "all";
    QString title = cleaned(hasScope ? first.rule + ": " + first.scope : first.rule, kNameBytes);
    if (const int more = static_cast<int>(group.notices.size() + group.unlisted) - 1; more > 0)
        title = DesktopNotices::tr("%1 and %n more", nullptr, more).arg(title);
    return first.state == model::NoticeState::Test ? DesktopNotices::tr("Test: %1").arg(title) : title;
}

// The urgency of the interface: 0 low, 1 normal, 2 critical.
uchar urgencyOf(const std::string &severity)
{
    return severity == "critical" ? 2 : severity == "info" ? 0 : 1;
}

QString linkOf(const model::NoticeGroup &group)
{
    const std::string &link = group.notices.front().link;
    return link.starts_with("gpuledger://") ? QString::fromStdString(link) : QString();
}

Delivery refusal(const QDBusError &error)
{
    if (error.type() == QDBusError::ServiceUnknown || error.type() == QDBusError::Disconnected)
        return {DeliveryOutcome::Refused, std::nullopt, "no program of this desktop shows notifications"};
    return {DeliveryOutcome::Retry, std::nullopt,
            "the desktop did not show the notification: "
                + base::printableLine(error.name().toStdString(), kNameBytes)};
}

// The answer to one message, which another thread gives.
struct Reply {
    std::mutex mutex;
    std::condition_variable_any given;
    std::optional<Delivery> delivery; // guarded by mutex
};

class DesktopTarget final : public ports::NoticeTarget {
public:
    explicit DesktopTarget(DesktopNotices &desktop)
        : m_desktop(desktop)
    {
    }

    ports::TargetTraits traits() const override { return {}; }

    Delivery send(const model::NoticeGroup &group, std::stop_token stop) override
    {
        const auto reply = std::make_shared<Reply>();
        QMetaObject::invokeMethod(
            &m_desktop,
            [&desktop = m_desktop, group, reply] {
                desktop.show(group, [reply](Delivery delivery) {
                    const std::lock_guard lock(reply->mutex);
                    reply->delivery = std::move(delivery);
                    reply->given.notify_all();
                });
            },
            Qt::QueuedConnection);
        std::unique_lock lock(reply->mutex);
        reply->given.wait_for(lock, stop, kSendPatience, [&] { return reply->delivery.has_value(); });
        if (reply->delivery)
            return *reply->delivery;
        return {DeliveryOutcome::Retry, std::nullopt,
                stop.stop_requested() ? "cancelled" : "the desktop did not answer in time"};
    }

private:
    DesktopNotices &m_desktop;
};

} // namespace

DesktopNotices::DesktopNotices(const QDBusConnection &bus, QObject *parent)
    : QObject(parent)
    , m_bus(bus)
{
    if (!m_bus.isConnected())
        return;
    m_bus.connect(kNotifier, kNotifierPath, kNotifier, QStringLiteral("ActionInvoked"), this,
                  SLOT(invoke(uint, QString))); // allowed: the bus has no functor form
    m_bus.connect(kNotifier, kNotifierPath, kNotifier, QStringLiteral("NotificationClosed"), this,
                  SLOT(forget(uint, uint))); // allowed: the bus has no functor form
}

void DesktopNotices::show(const model::NoticeGroup &group, Done done)
{
    if (!m_bus.isConnected()) {
        done({DeliveryOutcome::Refused, std::nullopt, "there is no desktop session that shows notifications"});
        return;
    }
    if (group.notices.front().state != model::NoticeState::Resolved) {
        ask(group, done);
        return;
    }
    if (const uint id = release(group))
        close(id);
    done({});
}

// Takes the alerts out of their notifications. Of those that are about nothing else, all but the returned one are
// closed; 0: none.
uint DesktopNotices::release(const model::NoticeGroup &group)
{
    uint last = 0;
    for (const model::Notice &notice : group.notices) {
        const QString key = QString::fromStdString(notice.key);
        const uint id = m_ids.take(key);
        const auto shown = m_shown.find(id);
        if (shown == m_shown.end())
            continue;
        shown->keys.remove(key);
        if (!shown->keys.isEmpty())
            continue;
        m_shown.erase(shown);
        if (last != 0)
            close(last);
        last = id;
    }
    return last;
}

void DesktopNotices::close(uint id)
{
    QDBusMessage message = notifierCall(QStringLiteral("CloseNotification"));
    message << id;
    m_bus.asyncCall(message, kBusPatience);
}

void DesktopNotices::ask(const model::NoticeGroup &group, const Done &done)
{
    const QDBusMessage message = notifierCall(QStringLiteral("GetCapabilities"));
    auto *call = new QDBusPendingCallWatcher(m_bus.asyncCall(message, kBusPatience), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, [this, call, group, done] {
        call->deleteLater();
        const QDBusPendingReply<QStringList> reply = *call;
        if (reply.isError())
            done(refusal(reply.error()));
        else
            notify(group, reply.value(), done);
    });
}

void DesktopNotices::notify(const model::NoticeGroup &group, const QStringList &abilities, const Done &done)
{
    const model::Notice &first = group.notices.front();
    QString text = cleaned(first.summary.empty() ? first.value : first.summary, kSentenceBytes);
    if (!first.consequence.empty())
        text += QLatin1Char('\n') + cleaned(first.consequence, kSentenceBytes);
    const bool hasMarkup = abilities.contains(QStringLiteral("body-markup")); // no-tr: name of an ability
    const bool hasButtons = abilities.contains(QStringLiteral("actions")); // no-tr: name of an ability
    QVariantMap hints;
    hints.insert(QStringLiteral("urgency"), QVariant::fromValue(urgencyOf(first.severity)));
    hints.insert(QStringLiteral("desktop-entry"), QStringLiteral("org.gpuledger.GpuLedger"));
    QDBusMessage message = notifierCall(QStringLiteral("Notify"));
    message << QStringLiteral("GPU Ledger") << release(group) << QStringLiteral("gpuledger") << alertTitle(group)
            << (hasMarkup ? text.toHtmlEscaped() : text) << (hasButtons ? buttonsOf(group) : QStringList()) << hints
            << kDisplayTime;
    auto *call = new QDBusPendingCallWatcher(m_bus.asyncCall(message, kBusPatience), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, [this, call, group, done] {
        call->deleteLater();
        const QDBusPendingReply<uint> reply = *call;
        if (reply.isError()) {
            done(refusal(reply.error()));
            return;
        }
        keep(reply.value(), group);
        done({});
    });
}

// Pairs of id and text.
QStringList DesktopNotices::buttonsOf(const model::NoticeGroup &group) const
{
    if (linkOf(group).isEmpty())
        return {};
    QStringList buttons{kDefaultAction, tr("Show"), kShowAction, tr("Show")};
    const model::Notice &first = group.notices.front();
    const bool isIdle = first.metric == "idle-cost" || first.metric == "idle-hours";
    const bool hasStop = isSignalConnected(QMetaMethod::fromSignal(&DesktopNotices::stopWanted));
    if (isIdle && hasStop && first.state == model::NoticeState::Firing)
        buttons << kStopAction << tr("Stop…");
    return buttons;
}

void DesktopNotices::keep(uint id, const model::NoticeGroup &group)
{
    Shown shown;
    shown.link = linkOf(group);
    for (const model::Notice &notice : group.notices) {
        const QString key = QString::fromStdString(notice.key);
        shown.keys.insert(key);
        m_ids.insert(key, id);
    }
    m_shown.insert(id, shown);
}

void DesktopNotices::invoke(uint id, const QString &action)
{
    const auto shown = m_shown.constFind(id);
    if (shown == m_shown.constEnd())
        return;
    const QString link = shown->link;
    if (action == kStopAction)
        Q_EMIT stopWanted(link);
    else if (action == kShowAction || action == kDefaultAction)
        Q_EMIT linkWanted(link);
}

void DesktopNotices::forget(uint id, uint)
{
    const auto shown = m_shown.constFind(id);
    if (shown == m_shown.constEnd())
        return;
    for (const QString &key : shown->keys)
        m_ids.remove(key);
    m_shown.erase(shown);
}

DesktopNoticeTargets::DesktopNoticeTargets(DesktopNotices &desktop, ports::NoticeTargets &others)
    : m_desktop(desktop)
    , m_others(others)
{
}

base::Result<std::unique_ptr<ports::NoticeTarget>> DesktopNoticeTargets::create(const model::AlertTarget &target)
{
    if (target.kind != "desktop")
        return m_others.create(target);
    return std::unique_ptr<ports::NoticeTarget>(new DesktopTarget(m_desktop));
}

} // namespace gpuledger::ui

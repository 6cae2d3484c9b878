// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/platform/quitsignals.h"

#include <QSocketNotifier>

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

namespace gpuledger::ui {

namespace {

constexpr int kQuitSignals[] = {SIGTERM, SIGINT, SIGHUP};

// What nohup or a shell's background job ignores stays ignored.
bool isIgnored(int signal)
{
    struct sigaction now { };
    return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

std::atomic<int> quitEvent{-1}; // for the handler, which may only call write()
static_assert(std::atomic<int>::is_always_lock_free);

void tellQuitEvent(int)
{
    const int kept = errno;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = write(quitEvent.load(), &one, sizeof one);
    errno = kept;
}

void setQuitAction(void (*handler)(int), int flags)
{
    struct sigaction action { };
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    for (const int signal : kQuitSignals) {
        if (!isIgnored(signal))
            sigaction(signal, &action, nullptr);
    }
}

} // namespace

QuitSignals::QuitSignals(QObject *parent)
    : QObject(parent)
    , m_event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (m_event < 0)
        return;
    quitEvent = m_event;
    auto *notifier = new QSocketNotifier(m_event, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &QuitSignals::read);
    setQuitAction(tellQuitEvent, SA_RESTART);
}

QuitSignals::~QuitSignals()
{
    if (m_event < 0)
        return;
    setQuitAction(SIG_DFL, 0);
    quitEvent = -1;
    close(m_event);
}

void QuitSignals::read()
{
    std::uint64_t count = 0;
    if (::read(m_event, &count, sizeof count) != sizeof count)
        return;
    setQuitAction(SIG_DFL, 0); // a second one must also end a program that hangs
    Q_EMIT asked();
}

} // namespace gpuledger::ui

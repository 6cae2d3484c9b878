// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/taskrunner.h"

#include "app/base/memory.h"

#include <QMetaObject>

namespace gpuledger::ui {

namespace {

constexpr int kWorkers = 2;
constexpr int kTidyAfter = 2000; // ms without an answer

} // namespace

TaskRunner::TaskRunner(QObject *parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(kWorkers);
    m_tidy.setSingleShot(true);
    m_tidy.setInterval(kTidyAfter);
    connect(&m_tidy, &QTimer::timeout, this, [this] { m_pool.start(base::trimMemory); });
}

TaskRunner::~TaskRunner()
{
    m_all.request_stop();
    m_pool.clear();
    m_pool.waitForDone();
}

void TaskRunner::submit(std::stop_source stop, std::function<void()> job)
{
    m_pool.start([this, stop = std::move(stop), job = std::move(job)]() mutable {
        const std::stop_callback forward(m_all.get_token(), [&stop] { stop.request_stop(); });
        job();
    });
}

void TaskRunner::deliver(std::function<void()> call)
{
    QMetaObject::invokeMethod(
        this,
        [this, call = std::move(call)] {
            m_tidy.start();
            call();
        },
        Qt::QueuedConnection);
}

} // namespace gpuledger::ui

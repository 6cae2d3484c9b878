// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace gpuledger::ui {

// Runs blocking engine calls off the GUI thread and delivers the results to it. Lives on the GUI thread; its destructor
// asks all work to stop and waits for it. A result whose context object has been destroyed is dropped.
class TaskRunner : public QObject {
    Q_OBJECT
public:
    explicit TaskRunner(QObject *parent = nullptr);
    ~TaskRunner() override;

    // `work` runs on a worker thread with a token that requests cancellation; `done` runs on the GUI thread if
    // `context` still exists. The returned source stops only this work.
    template <typename T>
    std::stop_source run(QObject *context, std::function<T(std::stop_token)> work, std::function<void(T)> done)
    {
        std::stop_source stop;
        const QPointer<QObject> guard(context);
        submit(stop, [this, stop, guard, work = std::move(work), done = std::move(done)] {
            auto answer = std::make_shared<T>(work(stop.get_token()));
            deliver([guard, done, answer] {
                if (guard)
                    done(std::move(*answer));
            });
        });
        return stop;
    }
    // Queues a call on the GUI thread, to report progress from inside work.
    void deliver(std::function<void()> call);

private:
    void submit(std::stop_source stop, std::function<void()> job);
    QThreadPool m_pool;
    QTimer m_tidy; // returns freed memory to the system when idle
    std::stop_source m_all;
};

} // namespace gpuledger::ui

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

// Runs blocking work of the engine off the GUI thread and brings the answer back to it. Lives on the GUI thread; ends
// (after asking all work to stop and waiting for it) with its destructor. An answer whose context object is gone by
// then is dropped.
class TaskRunner : public QObject {
    Q_OBJECT
public:
    explicit TaskRunner(QObject *parent = nullptr);
    ~TaskRunner() override;

    // `work` runs on a worker thread with a token that tells when to give up; `done` runs on the GUI thread while
    // `context` lives. The returned source stops just this work.
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
    // Runs something on the GUI thread soon, for progress from inside of work.
    void deliver(std::function<void()> call);

private:
    void submit(std::stop_source stop, std::function<void()> job);
    QThreadPool m_pool;
    QTimer m_tidy; // gives freed memory back when nothing is asked any more
    std::stop_source m_all;
};

} // namespace gpuledger::ui

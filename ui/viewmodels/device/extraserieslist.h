// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace gpuledger::ui {

// The PromQL expressions that a person looks at beside a device's own lines, on every device and in every window. They
// are kept in the remembered layout: they are a way of looking, while the configuration is the same for everybody and
// for gpuledger-cli; and no link carries them, so that following one asks no server anything. GUI thread.
class ExtraSeriesList : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const QStringList &expressions() const { return m_expressions; }
    // White space at the ends is cut. False: empty, too long, already there, or the list is full.
    bool add(const QString &expression);
    void remove(const QString &expression);
    // Takes what it can use.
    void set(const QStringList &expressions);
    bool isFull() const { return m_expressions.size() >= kMost; }

    static constexpr int kMost = 8;
    static constexpr int kLongest = 4000; // letters

Q_SIGNALS:
    void changed();

private:
    QStringList m_expressions;
};

} // namespace gpuledger::ui

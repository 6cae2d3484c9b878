// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace gpuledger::ui {

// The PromQL expressions that a user displays beside a device's own lines, on every device and in every window. They
// are stored in the window layout: they are a view preference, while the configuration is shared by all users and
// gpuledger-cli. Links do not carry them, so that following a link never sends a query to a server. GUI thread.
class ExtraSeriesList : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const QStringList &expressions() const { return m_expressions; }
    // Trims white space at the ends. Returns false if the expression is empty, too long or already there, or if the
    // list is full.
    bool add(const QString &expression);
    void remove(const QString &expression);
    // Keeps only the valid ones.
    void set(const QStringList &expressions);
    bool isFull() const { return m_expressions.size() >= kMost; }

    static constexpr int kMost = 8;
    static constexpr int kLongest = 4000; // characters

Q_SIGNALS:
    void changed();

private:
    QStringList m_expressions;
};

} // namespace gpuledger::ui

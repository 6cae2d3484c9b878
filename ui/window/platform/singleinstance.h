// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>

class QLocalSocket;

namespace gpuledger::ui {

// Ensures one process per data folder: the first one listens on a socket that only its user can access, a later one
// passes on its link and ends. GUI thread.
class SingleInstance : public QObject {
    Q_OBJECT
public:
    enum class Role {
        First, // listens
        HandedOver, // another process took the link: exit
        Alone // no socket available; continue without one
    };

    // `folder` is created if missing and must belong to the user alone (0700).
    SingleInstance(const std::filesystem::path &folder, const QString &id, QObject *parent = nullptr);
    ~SingleInstance() override;

    // Call before any window exists. Blocks for at most a few seconds. An empty link asks for a new window.
    Role start(const QString &link);

    // The same for the same data folder, however its path is written.
    static QString idFor(const std::filesystem::path &dataFolder);
    // $XDG_RUNTIME_DIR/gpuledger; without that variable, a folder below the state folder.
    static std::filesystem::path defaultFolder();

    static constexpr int kLongestLink = 16 * 1024; // bytes

Q_SIGNALS:
    void asked(const QString &link); // by a later start; empty: a new window

private:
    bool handOver(const QString &link) const;
    bool listen();
    void greet();
    void read(QLocalSocket *socket);

    std::filesystem::path m_folder;
    QString m_socket, m_lock;
    std::unique_ptr<QLocalServer> m_server;
};

} // namespace gpuledger::ui

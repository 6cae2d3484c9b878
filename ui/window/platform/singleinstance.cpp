// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/platform/singleinstance.h"

#include "app/base/text/log.h"
#include "app/services/environment/folders.h"

#include <QCryptographicHash>
#include <QLocalSocket>
#include <QTimer>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace gpuledger::ui {

namespace {

constexpr int kConnectMs = 1000;
constexpr int kAnswerMs = 3000; // after that, the other process is considered hung
constexpr std::chrono::milliseconds kLockPatience{5000}, kLockPause{10};
constexpr int kSilentMs = 5000; // a silent peer is disconnected
const QByteArray kGreeting("gpuledger 1 ");
const QByteArray kTaken("taken\n");

// A folder that no other user can access; created if missing.
bool isPrivate(const std::filesystem::path &folder)
{
    std::error_code ignored;
    std::filesystem::create_directories(folder.parent_path(), ignored);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return false;
    struct stat info { };
    return lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid()
        && (info.st_mode & 077) == 0;
}

// Held while one start decides its role. Ends with the process; unlike QLockFile it writes nothing, which would wait
// for the disk.
class StartLock {
public:
    explicit StartLock(const QString &file)
        : m_fd(::open(file.toLocal8Bit().constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600))
    {
    }
    StartLock(const StartLock &) = delete;
    StartLock &operator=(const StartLock &) = delete;
    ~StartLock()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }

    bool take() const
    {
        const auto last = std::chrono::steady_clock::now() + kLockPatience;
        while (m_fd >= 0) {
            if (::flock(m_fd, LOCK_EX | LOCK_NB) == 0)
                return true;
            if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() > last)
                return false;
            std::this_thread::sleep_for(kLockPause); // allowed: another process holds the lock
        }
        return false;
    }

private:
    const int m_fd;
};

} // namespace

SingleInstance::SingleInstance(const std::filesystem::path &folder, const QString &id, QObject *parent)
    : QObject(parent)
    , m_folder(folder)
    , m_socket(QString::fromStdString((folder / (id.toStdString() + ".sock")).string()))
    , m_lock(QString::fromStdString((folder / (id.toStdString() + ".lock")).string()))
{
}

SingleInstance::~SingleInstance() = default;

QString SingleInstance::idFor(const std::filesystem::path &dataFolder)
{
    std::error_code error;
    const auto same = std::filesystem::weakly_canonical(std::filesystem::absolute(dataFolder), error);
    std::string name = (error ? dataFolder : same).string();
    while (name.size() > 1 && name.back() == '/')
        name.pop_back();
    return QString::fromLatin1(
        QCryptographicHash::hash(QByteArray::fromStdString(name), QCryptographicHash::Sha256).toHex().left(16));
}

std::filesystem::path SingleInstance::defaultFolder()
{
    const char *value = std::getenv("XDG_RUNTIME_DIR");
    const std::filesystem::path runtime = value ? value : "";
    return runtime.is_absolute() ? runtime / "gpuledger" : services::stateFolder() / "run";
}

SingleInstance::Role SingleInstance::start(const QString &link)
{
    if (!isPrivate(m_folder)) {
        base::log::info("window", "no private folder for a socket: every start is a process of its own");
        return Role::Alone;
    }
    // With two simultaneous starts, one waits for the other.
    const StartLock lock(m_lock);
    if (!lock.take())
        return Role::Alone;
    if (handOver(link))
        return Role::HandedOver;
    return listen() ? Role::First : Role::Alone;
}

bool SingleInstance::handOver(const QString &link) const
{
    QLocalSocket socket;
    socket.connectToServer(m_socket);
    if (!socket.waitForConnected(kConnectMs))
        return false;
    socket.write(kGreeting + link.toUtf8() + '\n');
    QByteArray answer;
    while (!answer.contains('\n') && socket.waitForReadyRead(kAnswerMs))
        answer += socket.readAll();
    return answer == kTaken;
}

bool SingleInstance::listen()
{
    m_server = std::make_unique<QLocalServer>();
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server.get(), &QLocalServer::newConnection, this, &SingleInstance::greet);
    if (m_server->listen(m_socket))
        return true;
    // Removes the socket of a process that died. A process that is alive but did not answer keeps its socket.
    QLocalSocket probe;
    probe.connectToServer(m_socket);
    if (probe.waitForConnected(kConnectMs))
        return false;
    QLocalServer::removeServer(m_socket);
    return m_server->listen(m_socket);
}

void SingleInstance::greet()
{
    while (QLocalSocket *socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(socket); });
        QTimer::singleShot(kSilentMs, socket, [socket] { socket->abort(); });
        read(socket);
    }
}

void SingleInstance::read(QLocalSocket *socket)
{
    if (socket->bytesAvailable() > kLongestLink) {
        socket->abort();
        return;
    }
    if (!socket->canReadLine())
        return;
    const QByteArray line = socket->readLine();
    if (!line.startsWith(kGreeting)) {
        socket->abort();
        return;
    }
    socket->write(kTaken);
    socket->disconnectFromServer();
    Q_EMIT asked(QString::fromUtf8(line.mid(kGreeting.size()).trimmed()));
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/watch/metricsserver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace gpuledger::cli {

using base::Result;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLongestRequest{5000}, kLongestEnd{1000}, kRestAfterFailure{1000};
constexpr std::size_t kMostRequest = 8192, kMostUnread = 65536, kMostClients = 16;
constexpr int kBacklog = 16;
constexpr std::string_view kHeadEnd = "\r\n\r\n", kLineEnd = "\r\n";

std::string httpText(std::string_view status, std::string_view more, std::string_view type, std::string_view body,
                     bool isHead = false)
{
    std::string out = "HTTP/1.1 ";
    out.append(status).append("\r\nContent-Type: ").append(type).append("\r\nContent-Length: ");
    out.append(std::to_string(body.size())).append("\r\nConnection: close\r\n").append(more).append("\r\n");
    if (!isHead)
        out.append(body);
    return out;
}

std::string refusal(std::string_view status, std::string_view more = {})
{
    return httpText(status, more, "text/plain; charset=utf-8", std::string(status.substr(4)) + '\n');
}

bool equalWords(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

struct RequestHost {
    std::size_t count = 0;
    std::string_view value;
};

// std::nullopt: a line is not a field.
std::optional<RequestHost> hostOf(std::string_view fields)
{
    RequestHost host;
    while (!fields.empty()) {
        const std::size_t end = std::min(fields.find(kLineEnd), fields.size());
        const std::string_view line = fields.substr(0, end);
        fields.remove_prefix(std::min(fields.size(), end + kLineEnd.size()));
        if (line.empty())
            break;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0)
            return std::nullopt;
        if (equalWords(line.substr(0, colon), "host")) {
            ++host.count;
            host.value = trimmed(line.substr(colon + 1));
        }
    }
    return host;
}

bool isOurName(std::string_view host)
{
    const std::string_view name = host.substr(0, host.rfind(':'));
    return name == "127.0.0.1" || equalWords(name, "localhost");
}

std::string socketProblem(const std::string &what)
{
    return what + ": " + std::generic_category().message(errno);
}

} // namespace

std::string httpAnswer(std::string_view head, const std::function<std::string()> &metrics)
{
    const std::string_view line = head.substr(0, head.find(kLineEnd));
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last || first == 0)
        return refusal("400 Bad Request");
    const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return refusal(version.starts_with("HTTP/") ? "505 HTTP Version Not Supported" : "400 Bad Request");
    const auto host = hostOf(head.substr(std::min(head.size(), line.size() + kLineEnd.size())));
    if (!host || host->count > 1 || (host->count == 0 && version == "HTTP/1.1"))
        return refusal("400 Bad Request");
    if (host->count == 1 && !isOurName(host->value))
        return refusal("421 Misdirected Request");
    if (target.substr(0, target.find('?')) != "/metrics")
        return refusal("404 Not Found");
    if (method != "GET" && method != "HEAD")
        return refusal("405 Method Not Allowed", "Allow: GET, HEAD\r\n");
    return httpText("200 OK", "Cache-Control: no-store\r\n", "text/plain; version=0.0.4; charset=utf-8", metrics(),
                    method == "HEAD");
}

// The open connections, the oldest first.
class MetricsServer::Clients {
public:
    explicit Clients(const std::function<std::string()> &metrics)
        : m_metrics(metrics)
    {
    }
    Clients(const Clients &) = delete;
    Clients &operator=(const Clients &) = delete;
    ~Clients()
    {
        for (const Client &one : m_all)
            ::close(one.socket);
    }

    void add(int socket)
    {
        if (m_all.size() == kMostClients) {
            ::close(m_all.front().socket);
            m_all.erase(m_all.begin());
        }
        m_all.push_back({socket, {}, {}, 0, 0, Clock::now() + kLongestRequest});
    }
    void addTo(std::vector<pollfd> &watched) const
    {
        for (const Client &one : m_all)
            watched.push_back({one.socket, static_cast<short>(one.isAnswering() ? POLLOUT : POLLIN), 0});
    }
    std::optional<Clock::time_point> next() const
    {
        std::optional<Clock::time_point> out;
        for (const Client &one : m_all)
            out = std::min(out.value_or(one.end), one.end);
        return out;
    }
    // `ready`: as addTo() has added them.
    void step(const pollfd *ready)
    {
        const Clock::time_point now = Clock::now();
        std::vector<Client> left;
        for (Client &one : m_all) {
            const bool isReady = (ready++)->revents != 0;
            if (now < one.end && (!isReady || goesOn(one)))
                left.push_back(std::move(one));
            else
                ::close(one.socket);
        }
        m_all = std::move(left);
    }

private:
    struct Client {
        int socket;
        std::string in, out;
        std::size_t sent, unread; // unread: bytes that came after the answer
        Clock::time_point end;
        bool isAnswering() const { return sent < out.size(); }
    };

    // False: it is done with.
    bool goesOn(Client &one)
    {
        if (one.isAnswering())
            return sends(one);
        std::array<char, 4096> bytes{};
        const ssize_t got = ::recv(one.socket, bytes.data(), bytes.size(), 0);
        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        if (got == 0)
            return false;
        if (!one.out.empty()) {
            one.unread += static_cast<std::size_t>(got);
            return one.unread <= kMostUnread;
        }
        one.in.append(bytes.data(), static_cast<std::size_t>(got));
        const std::size_t end = one.in.find(kHeadEnd);
        if (end != std::string::npos)
            one.out = httpAnswer(std::string_view(one.in).substr(0, end + kLineEnd.size()), m_metrics);
        else if (one.in.size() > kMostRequest)
            one.out = refusal("431 Request Header Fields Too Large");
        return true;
    }
    // Once all is sent, what the client still says is read for a moment: a socket that is closed before that would
    // take the answer from it.
    static bool sends(Client &one)
    {
        const ssize_t done = ::send(one.socket, one.out.data() + one.sent, one.out.size() - one.sent, MSG_NOSIGNAL);
        if (done < 0)
            return errno == EAGAIN || errno == EINTR;
        one.sent += static_cast<std::size_t>(done);
        if (one.isAnswering())
            return true;
        one.end = Clock::now() + kLongestEnd;
        return ::shutdown(one.socket, SHUT_WR) == 0;
    }

    const std::function<std::string()> &m_metrics;
    std::vector<Client> m_all;
};

Result<std::unique_ptr<MetricsServer>> MetricsServer::listen(std::uint16_t port, std::function<std::string()> metrics)
{
    const std::string what = "the metrics can't be served on port " + std::to_string(port);
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return base::fail(base::ErrorCode::InvalidArgument, socketProblem(what));
    const int yes = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto *const generic = reinterpret_cast<sockaddr *>(&address);
    // A port of a program that has just ended can be used at once.
    const bool isOpen = ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
        && ::bind(listener, generic, length) == 0 && ::listen(listener, kBacklog) == 0
        && ::getsockname(listener, generic, &length) == 0;
    const int wake = isOpen ? ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
    if (wake < 0) {
        auto failed = base::fail(base::ErrorCode::InvalidArgument, socketProblem(what));
        ::close(listener);
        return failed;
    }
    return std::unique_ptr<MetricsServer>(
        new MetricsServer(listener, wake, ntohs(address.sin_port), std::move(metrics)));
}

MetricsServer::MetricsServer(int listener, int wake, std::uint16_t port, std::function<std::string()> metrics)
    : m_listener(listener)
    , m_wake(wake)
    , m_port(port)
    , m_metrics(std::move(metrics))
    , m_thread([this](const std::stop_token &stop) { serve(stop); })
{
}

MetricsServer::~MetricsServer()
{
    m_thread.request_stop();
    ::eventfd_write(m_wake, 1);
    m_thread.join();
    ::close(m_listener);
    ::close(m_wake);
}

void MetricsServer::serve(const std::stop_token &stop)
{
    Clients clients(m_metrics);
    Clock::time_point accepts = Clock::now(); // from then on
    std::vector<pollfd> watched;
    while (!stop.stop_requested()) {
        const bool isResting = Clock::now() < accepts;
        watched.assign({{m_wake, POLLIN, 0}, {isResting ? -1 : m_listener, POLLIN, 0}});
        clients.addTo(watched);
        auto next = clients.next();
        if (isResting)
            next = std::min(next.value_or(accepts), accepts);
        const auto wait = next ? std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count() : -1;
        const auto timeout = next ? static_cast<int>(std::max<long long>(wait, 0)) : -1;
        if (::poll(watched.data(), watched.size(), timeout) < 0 && errno != EINTR)
            return;
        clients.step(watched.data() + 2);
        if (watched[1].revents == 0)
            continue;
        const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client >= 0)
            clients.add(client);
        else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
            accepts = Clock::now() + kRestAfterFailure; // too many open files
    }
}

} // namespace gpuledger::cli

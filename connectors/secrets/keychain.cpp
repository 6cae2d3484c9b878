// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/secrets/keychain.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <libsecret/secret.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace gpuledger::connectors {

namespace {

constexpr std::chrono::seconds kKeychainWait{60};

const SecretSchema &schema()
{
    static const SecretSchema kSchema = [] {
        SecretSchema s{};
        s.name = "org.gpuledger.Credential";
        s.flags = SECRET_SCHEMA_DONT_MATCH_NAME; // entries made with secret-tool carry no schema name
        s.attributes[0] = {"service", SECRET_SCHEMA_ATTRIBUTE_STRING};
        s.attributes[1] = {"name", SECRET_SCHEMA_ATTRIBUTE_STRING};
        return s;
    }();
    return kSchema;
}

// Cancels the call if it takes too long; a locked keychain on a server without a display never answers.
class Deadline {
public:
    Deadline()
        : m_cancel(g_cancellable_new())
        , m_thread([this](std::stop_token stop) {
            std::unique_lock lock(m_mutex);
            if (!m_done.wait_for(lock, stop, kKeychainWait, [&] { return stop.stop_requested(); }))
                g_cancellable_cancel(m_cancel);
        })
    {
    }
    Deadline(const Deadline &) = delete;
    Deadline &operator=(const Deadline &) = delete;
    ~Deadline()
    {
        m_thread.request_stop();
        m_thread.join();
        g_object_unref(m_cancel);
    }
    GCancellable *cancellable() const { return m_cancel; }

private:
    GCancellable *m_cancel;
    std::mutex m_mutex;
    std::condition_variable_any m_done;
    std::jthread m_thread;
};

} // namespace

base::Result<base::Secret> readKeychain(const std::string &name)
{
    const std::string shown = '"' + base::printable(name, 64) + '"';
    if (!base::isUtf8(name) || name.find('\0') != std::string::npos)
        return base::fail(base::ErrorCode::NotFound, "the keychain has no entry " + shown);
    const Deadline deadline;
    GError *error = nullptr;
    const std::unique_ptr<gchar, decltype(&secret_password_free)> found(
        secret_password_lookup_sync(&schema(), deadline.cancellable(), &error, "service", "gpuledger", "name",
                                    name.c_str(), nullptr),
        &secret_password_free);
    const std::unique_ptr<GError, decltype(&g_error_free)> failure(error, &g_error_free);
    if (failure && g_error_matches(failure.get(), G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return base::fail(base::ErrorCode::Timeout, "the keychain did not respond; it may be locked",
                          base::Remedy::UnlockKeychain);
    if (failure)
        return base::fail(base::ErrorCode::Unsupported, "no keychain is available", base::Remedy::LogInToDesktop);
    if (!found)
        return base::fail(base::ErrorCode::NotFound, "the keychain has no entry " + shown,
                          base::Remedy::AddKeychainEntry);
    return base::Secret(found.get());
}

} // namespace gpuledger::connectors

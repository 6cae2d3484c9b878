// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/mailsend.h"

#include "connectors/http/curlglobal.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>

namespace gpuledger::http {

namespace {

constexpr std::size_t kMostReplies = 2000;
constexpr std::size_t kLongestReply = 500; // bytes that are kept
constexpr std::chrono::seconds kGoodbye{2}; // how long the server may take to answer QUIT
constexpr int kSendIt = 354; // the reply to DATA
constexpr int kClosing = 221; // the reply to QUIT
constexpr int kFirstFailure = 400, kFirstPermanent = 500;

struct MailReply {
    int code = 0;
    std::string text;
};

// The last line of a reply: three digits and a blank. Lines with a dash are continued.
std::optional<MailReply> replyOf(std::string_view line)
{
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.remove_suffix(1);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (line.size() < 3 || !std::all_of(line.begin(), line.begin() + 3, isDigit) || (line.size() > 3 && line[3] != ' '))
        return std::nullopt;
    return MailReply{(line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0'),
                     std::string(line.substr(0, kLongestReply))};
}

MailFailure mailFailure(CURLcode code)
{
    switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
        return MailFailure::Timeout;
    case CURLE_USE_SSL_FAILED:
        return MailFailure::NoEncryption;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
        return MailFailure::Certificate;
    case CURLE_LOGIN_DENIED:
        return MailFailure::Login;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_FUNCTION_ARGUMENT:
        return MailFailure::Request;
    default:
        return MailFailure::Network;
    }
}

// The handles of one transfer and what the server has said.
class MailTransfer {
public:
    MailTransfer(const MailRequest &request, const std::stop_token &stop)
        : m_request(request)
        , m_stop(stop)
    {
        initCurl();
        m_easy.reset(curl_easy_init());
        m_multi.reset(curl_multi_init());
    }

    MailAnswer send()
    {
        if (!m_easy || !m_multi)
            return {false, MailFailure::Network, {}, 0, "libcurl could not be initialized"};
        if (!m_request.user.empty() && !m_request.mustEncrypt)
            return {false, MailFailure::NoEncryption, {}, 0, {}};
        setUpMail();
        setUpLimits();
        setUpTls();
        return conclude(run());
    }

private:
    struct FreeEasy {
        void operator()(CURL *easy) const { curl_easy_cleanup(easy); }
    };
    struct FreeMulti {
        void operator()(CURLM *multi) const { curl_multi_cleanup(multi); }
    };
    struct FreeList {
        void operator()(curl_slist *list) const { curl_slist_free_all(list); }
    };

    template <typename Value> void set(CURLoption option, Value value)
    {
        curl_easy_setopt(m_easy.get(), option, value);
    }

    void setUpMail()
    {
        set(CURLOPT_URL, m_request.url.c_str());
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
        set(CURLOPT_MAIL_FROM, ('<' + m_request.from + '>').c_str());
        for (const std::string &one : m_request.to) {
            curl_slist *const more = curl_slist_append(m_recipients.get(), ('<' + one + '>').c_str());
            if (!m_recipients)
                m_recipients.reset(more);
        }
        set(CURLOPT_MAIL_RCPT, m_recipients.get());
        // One wrong address doesn't keep the message from the others.
#if LIBCURL_VERSION_NUM >= 0x080200
        set(CURLOPT_MAIL_RCPT_ALLOWFAILS, 1L);
#else
        set(CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1L);
#endif
        set(CURLOPT_UPLOAD, 1L);
        set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(m_request.message.size()));
        set(CURLOPT_READFUNCTION, &MailTransfer::onRead);
        set(CURLOPT_READDATA, this);
        set(CURLOPT_HEADERFUNCTION, &MailTransfer::onReply);
        set(CURLOPT_HEADERDATA, this);
        if (m_request.user.empty())
            return;
        set(CURLOPT_USERNAME, m_request.user.c_str());
        std::string copy(m_request.password ? m_request.password->reveal() : std::string_view());
        set(CURLOPT_PASSWORD, copy.c_str());
        explicit_bzero(copy.data(), copy.size());
        set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN");
    }

    void setUpLimits()
    {
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
        set(CURLOPT_PROXY, "");
        set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(m_request.connect.count()));
        set(CURLOPT_SERVER_RESPONSE_TIMEOUT, std::max(1L, static_cast<long>(m_request.answer.count() / 1000)));
        set(CURLOPT_TIMEOUT_MS, static_cast<long>(m_request.total.count()));
        set(CURLOPT_ERRORBUFFER, m_message.data());
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &MailTransfer::onProgress);
        set(CURLOPT_XFERINFODATA, this);
        set(CURLOPT_FORBID_REUSE, 1L); // QUIT belongs to this transfer and its limits
    }

    void setUpTls()
    {
        set(CURLOPT_USE_SSL, static_cast<long>(m_request.mustEncrypt ? CURLUSESSL_ALL : CURLUSESSL_NONE));
        set(CURLOPT_SSL_VERIFYPEER, 1L);
        set(CURLOPT_SSL_VERIFYHOST, 2L);
        set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
        if (!m_request.caFile.empty()) {
            set(CURLOPT_CAINFO, m_request.caFile.c_str());
            set(CURLOPT_CAPATH, nullptr); // this authority and no other
        }
    }

    CURLcode run()
    {
        const std::stop_callback wakeUp(m_stop, [this] { curl_multi_wakeup(m_multi.get()); });
        curl_multi_add_handle(m_multi.get(), m_easy.get());
        CURLcode code = CURLE_ABORTED_BY_CALLBACK;
        for (int running = 1; running > 0 && !m_stop.stop_requested();) {
            if (curl_multi_perform(m_multi.get(), &running) != CURLM_OK)
                break;
            if (running > 0)
                curl_multi_poll(m_multi.get(), nullptr, 0, 1000, nullptr);
        }
        int left = 0;
        while (const CURLMsg *message = curl_multi_info_read(m_multi.get(), &left)) {
            if (message->msg == CURLMSG_DONE)
                code = message->data.result;
        }
        set(CURLOPT_QUICK_EXIT, 1L); // don't wait for a name lookup
        curl_multi_remove_handle(m_multi.get(), m_easy.get());
        return code;
    }

    MailAnswer conclude(CURLcode code) const
    {
        MailAnswer answer;
        answer.recipients = recipientReplies();
        answer.isAccepted = m_acceptedAt.has_value();
        if (answer.isAccepted)
            return answer;
        answer.failure = m_stop.stop_requested() ? MailFailure::Cancelled : mailFailure(code);
        answer.text = m_message.data();
        // A server may have several reasons, such as one for each recipient.
        for (auto it = m_replies.rbegin(); it != m_replies.rend() && it->code >= kFirstFailure; ++it) {
            if (answer.code == 0 || (answer.code >= kFirstPermanent && it->code < kFirstPermanent)) {
                answer.code = it->code;
                answer.text = it->text;
            }
        }
        return answer;
    }

    // They are the last ones before the reply to DATA.
    std::vector<int> recipientReplies() const
    {
        const auto sendIt =
            std::find_if(m_replies.begin(), m_replies.end(), [](const MailReply &one) { return one.code == kSendIt; });
        std::vector<int> codes;
        if (sendIt == m_replies.end() || static_cast<std::size_t>(sendIt - m_replies.begin()) < m_request.to.size())
            return codes;
        for (auto it = sendIt - static_cast<std::ptrdiff_t>(m_request.to.size()); it != sendIt; ++it)
            codes.push_back(it->code);
        return codes;
    }

    static std::size_t onRead(char *data, std::size_t size, std::size_t count, void *self)
    {
        auto &t = *static_cast<MailTransfer *>(self);
        const std::string_view rest = t.m_request.message.substr(t.m_sent);
        const std::size_t bytes = std::min(size * count, rest.size());
        std::memcpy(data, rest.data(), bytes);
        t.m_sent += bytes;
        return bytes;
    }

    static std::size_t onReply(char *data, std::size_t size, std::size_t count, void *self)
    {
        auto &t = *static_cast<MailTransfer *>(self);
        auto reply = replyOf({data, size * count});
        if (!reply || reply->code == kClosing || t.m_isDecided)
            return size * count;
        if (t.m_replies.size() >= kMostReplies)
            return 0;
        // The reply after that to DATA is the verdict on the message.
        t.m_isDecided = !t.m_replies.empty() && t.m_replies.back().code == kSendIt;
        if (t.m_isDecided && reply->code < kSendIt)
            t.m_acceptedAt = std::chrono::steady_clock::now();
        t.m_replies.push_back(std::move(*reply));
        return size * count;
    }

    static int onProgress(void *self, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
    {
        const auto &t = *static_cast<const MailTransfer *>(self);
        const bool isOver = t.m_acceptedAt && std::chrono::steady_clock::now() - *t.m_acceptedAt > kGoodbye;
        return isOver || t.m_stop.stop_requested() ? 1 : 0;
    }

    const MailRequest &m_request;
    const std::stop_token m_stop;
    std::size_t m_sent = 0;
    std::vector<MailReply> m_replies;
    bool m_isDecided = false;
    std::optional<std::chrono::steady_clock::time_point> m_acceptedAt;
    std::array<char, CURL_ERROR_SIZE> m_message{};
    std::unique_ptr<curl_slist, FreeList> m_recipients;
    std::unique_ptr<CURLM, FreeMulti> m_multi;
    std::unique_ptr<CURL, FreeEasy> m_easy;
};

} // namespace

MailAnswer sendMail(const MailRequest &request, const std::stop_token &stop)
{
    return MailTransfer(request, stop).send();
}

} // namespace gpuledger::http

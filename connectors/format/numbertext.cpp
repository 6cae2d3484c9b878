// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/numbertext.h"

#include "connectors/format/json.h"

#include <string>
#include <vector>

namespace gpuledger::format {

using Json = nlohmann::json;

namespace {

class TextTree final : public nlohmann::json_sax<Json> {
public:
    Json root;

    bool null() override { return put(Json()); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return put(std::to_string(value)); }
    bool number_float(number_float_t, const string_t &text) override { return put(text); }
    bool string(string_t &text) override { return put(std::move(text)); }
    bool binary(binary_t &) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t &name) override
    {
        m_key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
    Json *place(Json value)
    {
        if (m_open.empty()) {
            root = std::move(value);
            return &root;
        }
        Json &to = *m_open.back();
        if (to.is_array()) {
            to.push_back(std::move(value));
            return &to.back();
        }
        return &(to[m_key] = std::move(value));
    }
    bool put(Json value)
    {
        place(std::move(value));
        return true;
    }
    bool open(Json value)
    {
        if (m_open.size() >= static_cast<std::size_t>(kMaxJsonDepth))
            return false;
        m_open.push_back(place(std::move(value))); // stays where it is: its parent grows only after it was closed
        return true;
    }
    bool close()
    {
        m_open.pop_back();
        return true;
    }

    std::vector<Json *> m_open;
    std::string m_key;
};

} // namespace

base::Result<Json> parseWithNumbersAsText(std::string_view text)
{
    TextTree tree;
    if (!Json::sax_parse(text.begin(), text.end(), &tree))
        return base::fail(base::ErrorCode::Parse, "the answer is no valid JSON");
    return std::move(tree.root);
}

} // namespace gpuledger::format

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/actions/kubectl.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace gpuledger::ui {

namespace {

using Json = nlohmann::json;
using model::StopVerb;

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kAnnotations = "metadata.annotations.";

bool hasLettersAnd(std::string_view text, std::string_view more)
{
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return kLetters.find(c) != std::string_view::npos || more.find(c) != std::string_view::npos;
    });
}

// Names of Kubernetes are DNS names; some kinds allow more, but never a slash, a space or a control character.
bool isObjectName(std::string_view text)
{
    return !text.empty() && text.front() != '-' && text.find_first_of("/ ") == std::string_view::npos
        && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

bool isPrintable(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string shellQuoted(std::string_view argument)
{
    if (!argument.empty() && hasLettersAnd(argument, "-_./=:,@+"))
        return std::string(argument);
    std::string out = "'";
    for (const char c : argument)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

// "deployment/web", "notebook.kubeflow.org/eval"; empty: not valid.
std::string objectOf(const model::TargetRef &ref)
{
    const std::size_t slash = ref.apiVersion.find('/');
    const std::string group = slash == std::string::npos ? std::string() : ref.apiVersion.substr(0, slash);
    if (ref.apiVersion.empty() || ref.kind.empty() || !hasLettersAnd(ref.kind, "") || !hasLettersAnd(group, ".-")
        || !isObjectName(ref.name))
        return {};
    std::string kind = ref.kind;
    std::transform(kind.begin(), kind.end(), kind.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const bool isCommon = group.empty() || group == "apps" || group == "batch";
    return kind + (isCommon ? std::string() : '.' + group) + '/' + ref.name;
}

// Sets the value at a path such as "spec.suspend"; false if it is not one.
bool putAt(Json &object, std::string_view path, char separator, const Json &value)
{
    Json *at = &object;
    while (true) {
        const std::size_t end = path.find(separator);
        const std::string key(path.substr(0, end));
        if (!hasLettersAnd(key, "") || key.empty() || (!at->is_null() && !at->is_object()))
            return false;
        at = &(*at)[key];
        if (end == std::string_view::npos)
            break;
        path.remove_prefix(end + 1);
    }
    *at = value;
    return true;
}

// A merge patch that sets the field, or several of them; null: it can't be written.
Json mergePatchOf(const model::TargetState &target, const Json &stopped)
{
    Json patch;
    if (!stopped.is_object())
        return stopped.is_primitive() && putAt(patch, target.field, '.', stopped) ? patch : Json();
    for (const auto &[pointer, value] : stopped.items()) {
        if (pointer.empty() || pointer.front() != '/' || !value.is_primitive()
            || !putAt(patch, std::string_view(pointer).substr(1), '/', value))
            return {};
    }
    return patch;
}

std::string evictionOf(const model::TargetRef &pod)
{
    if (!hasLettersAnd(pod.name, ".-") || !hasLettersAnd(pod.nameSpace, "-") || !isPrintable(pod.uid))
        return {};
    const Json eviction{{"apiVersion", "policy/v1"},
                        {"kind", "Eviction"},
                        {"metadata", {{"name", pod.name}, {"namespace", pod.nameSpace}}},
                        {"deleteOptions", {{"preconditions", {{"uid", pod.uid}}}}}};
    return "printf '%s' " + shellQuoted(eviction.dump()) + " | kubectl create --raw /api/v1/namespaces/" + pod.nameSpace
        + "/pods/" + pod.name + "/eviction -f -";
}

} // namespace

std::string kubectlOf(const model::TargetState &target)
{
    const std::string object = objectOf(target.ref);
    if (object.empty() || !isObjectName(target.ref.nameSpace) || target.obstacle || !isPrintable(target.stoppedValue))
        return {};
    const std::string kubectl = "kubectl -n " + shellQuoted(target.ref.nameSpace) + ' ';
    const Json stopped = Json::parse(target.stoppedValue, nullptr, false);
    switch (target.verb) {
    case StopVerb::ScaleToZero:
        return stopped == Json(0) ? kubectl + "scale " + shellQuoted(object) + " --replicas=0" : std::string();
    case StopVerb::Suspend:
    case StopVerb::Deactivate: {
        const Json patch = stopped.is_discarded() ? Json() : mergePatchOf(target, stopped);
        return patch.is_null()
            ? std::string()
            : kubectl + "patch " + shellQuoted(object) + " --type=merge -p " + shellQuoted(patch.dump());
    }
    case StopVerb::Annotate: {
        const std::string key =
            target.field.rfind(kAnnotations, 0) == 0 ? target.field.substr(kAnnotations.size()) : "";
        const std::string value = stopped.is_string() ? stopped.get<std::string>() : std::string();
        if (key.empty() || key.front() == '-' || !hasLettersAnd(key, "-_./") || value.empty() || !isPrintable(value))
            return {};
        return kubectl + "annotate --overwrite " + shellQuoted(object) + ' ' + shellQuoted(key + '=' + value);
    }
    case StopVerb::Evict:
        return evictionOf(target.ref);
    case StopVerb::Delete:
        return kubectl + "delete " + shellQuoted(object) + " --wait=false";
    case StopVerb::StopInstance:
    case StopVerb::None:
        break;
    }
    return {};
}

} // namespace gpuledger::ui

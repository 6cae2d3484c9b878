#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages to Slack, Microsoft Teams and PagerDuty, read by what their makers publish: slack_sdk checks each block, the card must be one of
microsoft_teams.cards without a key that it does not know, and the client of PagerDuty must send the same event for the same facts.

Reads {"slack": [...], "teams": [...], "pagerduty": [...]} from its input and prints a JSON list of complaints, or null if Python does not have
these packages, which come from PyPI (./dev deps test installs them into build/python-test).
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, "..", "..", "build", "python-test", "bin", "python")


def complaints(messages):
    """None if there are no models here."""
    for python in (OWN, sys.executable):
        try:
            done = subprocess.run([python, os.path.abspath(__file__)], input=json.dumps(messages), stdout=subprocess.PIPE, text=True, check=False,
                                  timeout=120)
        except OSError:
            continue
        found = json.loads(done.stdout) if done.returncode == 0 else ["the models failed"]
        if found is not None:
            return found
    return None


def of_slack(message):
    for key in message.keys() - {"text", "blocks", "attachments"}:
        yield f"no such key: {key}"
    if not message.get("text"):
        yield "no text for notifications"
    blocks = Block.parse_all(message["blocks"])
    if len(blocks) > 50 or len(blocks) != len(message["blocks"]):
        yield f"{len(blocks)} blocks are read of {len(message['blocks'])}"
    for block, sent in zip(blocks, message["blocks"]):
        try:
            if block.to_dict() != sent:
                yield f"{sent} is read as {block.to_dict()}"
        except SlackObjectFormationError as error:
            yield str(error)


def unknown_keys(value, place, types):
    """Of a card, its elements and actions, each by the model of its type; the models themselves take any key."""
    if isinstance(value, list):
        for i, one in enumerate(value):
            yield from unknown_keys(one, f"{place}[{i}]", types)
    if not isinstance(value, dict):
        return
    model = types.get(value["type"]) if "type" in value else cards.Fact if ".facts[" in place else None
    if model is None:
        yield f"{place} is of no known type"
        return
    model.model_validate(value)
    known = {name for field, info in model.model_fields.items() for name in (field, info.alias, info.serialization_alias, info.validation_alias)}
    known |= {model.model_config["alias_generator"].generate_aliases(field)[2] for field in model.model_fields}
    for key in value.keys() - known - {"$schema"}:
        yield f"{place} has no key {key}"
    for key, one in value.items():
        if isinstance(one, list):
            yield from unknown_keys(one, f"{place}.{key}", types)


def of_teams(message):
    if message["type"] != "message":
        yield "no message"
    for attachment in message["attachments"]:
        if attachment["contentType"] != "application/vnd.microsoft.card.adaptive":
            yield "no card"
        width = attachment["content"].get("msteams")
        if width == {"width": "Full"}:  # as the documentation of Teams writes it; the model has "full"
            width["width"] = "full"
        models = [one for one in vars(cards).values() if isinstance(one, type) and issubclass(one, BaseModel) and "type" in one.model_fields]
        yield from unknown_keys(attachment["content"], "card", {one.model_fields["type"].default: one for one in models})


def of_pagerduty(event):
    sent = {}
    client = EventsApiV2Client(event["routing_key"])
    client.post = lambda _, json: sent.update(json) or EmptyAnswer()
    facts = dict(event.get("payload") or {})
    try:
        if event["event_action"] == "trigger":
            client.trigger(facts.pop("summary"), facts.pop("source"), event["dedup_key"], facts.pop("severity"), facts, facts.pop("custom_details", None),
                           links=event.get("links"))
        else:
            client.resolve(event["dedup_key"])
    except Accepted:
        pass
    ours = {key: value for key, value in event.items() if key not in ("routing_key", "client", "client_url")}
    if sent != ours:
        yield f"{ours} instead of {sent}"
    if event["event_action"] == "trigger":
        payload = event["payload"]
        if payload["severity"] not in ("critical", "error", "warning", "info") or len(payload["summary"]) > 1024:
            yield "severity or summary is refused"


class Accepted(Exception):
    """The client wants an answer, which is not what is looked at."""


class EmptyAnswer:
    def __getattr__(self, _):
        raise Accepted


if __name__ == "__main__":
    try:
        from microsoft_teams import cards
        from pagerduty import EventsApiV2Client
        from pydantic import BaseModel
        from slack_sdk.errors import SlackObjectFormationError
        from slack_sdk.models.blocks import Block
    except ImportError:
        print("null")
        sys.exit(0)
    all_found = []
    for kind, all_sent in json.load(sys.stdin).items():
        read = {"slack": of_slack, "teams": of_teams, "pagerduty": of_pagerduty}[kind]
        for one in all_sent:
            try:
                all_found += [f"{kind}: {complaint}" for complaint in read(one)]
            except (KeyError, TypeError, ValueError) as error:  # a ValidationError is a ValueError
                all_found.append(f"{kind}: {error!r}")
    print(json.dumps(all_found))

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake desktop portal that reports whether dark windows are preferred (org.freedesktop.portal.Settings), on the session bus.

  played_portal.py     reads "dark", "light" or "none" from standard input, one word per line; answers each with "ok"

It has only Read and SettingChanged of the appearance setting, in the older form with a variant inside a variant.
"""
import sys

import gi
gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

NAME = 'org.freedesktop.portal.Desktop'
PATH = '/org/freedesktop/portal/desktop'
INTERFACE = 'org.freedesktop.portal.Settings'
GROUP, KEY = 'org.freedesktop.appearance', 'color-scheme'
SCHEMES = {'none': 0, 'dark': 1, 'light': 2}
XML = '''<node><interface name="%s">
<method name="Read"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="v"/></method>
<signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
</interface></node>''' % INTERFACE


class Portal:
    def __init__(self):
        self.scheme = SCHEMES['none']
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.loop = GLib.MainLoop()
        interface = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
        self.bus.register_object(PATH, interface, self.call, None, None)
        Gio.bus_own_name_on_connection(self.bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: self.say('ready'), None)
        GLib.io_add_watch(GLib.IOChannel.unix_new(sys.stdin.fileno()), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, self.read)

    def say(self, word):
        print(word, flush=True)

    def call(self, _bus, _sender, _path, _interface, _method, arguments, invocation):
        if arguments.unpack() != (GROUP, KEY):
            invocation.return_dbus_error('org.freedesktop.portal.Error.NotFound', 'no such setting')
            return
        invocation.return_value(GLib.Variant('(v)', (GLib.Variant('v', GLib.Variant('u', self.scheme)),)))

    def read(self, *_):
        word = sys.stdin.readline().strip()
        if word not in SCHEMES:
            self.loop.quit()
            return False
        self.scheme = SCHEMES[word]
        self.bus.emit_signal(None, PATH, INTERFACE, 'SettingChanged', GLib.Variant('(ssv)', (GROUP, KEY, GLib.Variant('u', self.scheme))))
        self.bus.flush_sync()
        self.say('ok')
        return True


if __name__ == '__main__':
    Portal().loop.run()

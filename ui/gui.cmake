# SPDX-License-Identifier: GPL-3.0-or-later
# The window. Folders: format (values to text), viewmodels (no widgets), pages, window.

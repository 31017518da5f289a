# SPDX-License-Identifier: Apache-2.0
"""Errors that the user can correct; the command prints them and exits with status 2."""


class UsageError(Exception):
    """An error in the command line or a file, and what to do about it."""

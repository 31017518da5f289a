# SPDX-License-Identifier: Apache-2.0
"""Errors that the caller can put right; the command prints them and ends with 2."""


class UsageError(Exception):
    """An error in the command line or a file, and what to do about it."""

# SPDX-License-Identifier: Apache-2.0
"""How tests of a serve under traffic are started: the options that they share, and what they need of the host."""

import argparse
import sys
import unittest

from veth_pair import MissingError, VethPair

SKIPPED = 77


def options(description):
    """A parser, to which a test may add its own."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve-command", required=True, help="command of the exporter, with {address} where host:port goes")
    parser.add_argument("--helpers", required=True, help="folder of the built netns_pair and udp_blast")
    return parser


def pair_is_missing(arguments):
    """What this host lacks for two namespaces with traffic between them, or None."""
    try:
        with VethPair(arguments.helpers):
            return None
    except MissingError as error:
        return str(error)


def run(parser, *cases, missing=lambda arguments: None):
    """Runs the cases, which find what was typed in `arguments`, unless something is missing. Gives the exit status."""
    arguments, rest = parser.parse_known_args()
    if reason := missing(arguments) or pair_is_missing(arguments):
        print(f"skipped: {reason}")
        return SKIPPED
    for case in cases:
        case.arguments = arguments
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1

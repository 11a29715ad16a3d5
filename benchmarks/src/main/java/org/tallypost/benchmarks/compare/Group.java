// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

/**
 * Figures that stand side by side.
 *
 * @param mode      that is measured.
 * @param length    of a message in bytes.
 * @param producers that send at once.
 */
record Group(Mode mode, int length, int producers)
{
    String title()
    {
        return mode.label() + ", " + length + " bytes" +
            (mode == Mode.RTT ? "" : ", " + producers + (producers == 1 ? " producer" : " producers"));
    }
}

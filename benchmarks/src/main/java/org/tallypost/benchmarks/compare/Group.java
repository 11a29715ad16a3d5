// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

/**
 * Figures that stand side by side.
 *
 * @param mode      that is measured.
 * @param length    of a message in bytes.
 * @param producers that send at once; the ranks of an alltoall.
 */
record Group(Mode mode, int length, int producers)
{
    String title()
    {
        return mode.label() + ", " + length + " bytes" + switch (mode)
        {
            case RTT -> "";
            case RATE -> ", " + producers + (producers == 1 ? " producer" : " producers");
            case ALLTOALL -> ", " + producers + " ranks in as many processes";
        };
    }
}

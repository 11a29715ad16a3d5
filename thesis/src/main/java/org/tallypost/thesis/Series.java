// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.List;

/**
 * One line, or one colour of bars, of a plot.
 *
 * @param label  of it.
 * @param values one for each of the plot's positions; null where there is none.
 */
public record Series(String label, List<Double> values)
{
}

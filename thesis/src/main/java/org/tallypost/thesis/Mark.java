// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.List;

/**
 * What a source states in numbers about what a plot shows. It is drawn into the plot beside what was found.
 *
 * @param label  of it.
 * @param places where it is drawn, all alike.
 */
record Mark(String label, List<Place> places)
{
    /**
     * A place in a plot.
     *
     * @param position along the x axis.
     * @param value    along the y axis; null for all of it: the mark is a line from bottom to top.
     */
    record Place(String position, Double value)
    {
    }
}

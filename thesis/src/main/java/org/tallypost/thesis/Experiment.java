// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.List;

/**
 * Runs that make one or more figures, and how to judge the facts that belong to them.
 */
public interface Experiment
{
    /**
     * What it does again.
     *
     * @return the source of its facts.
     */
    default Source source()
    {
        return Source.PROTOCOL;
    }

    /**
     * The figures that come of it.
     *
     * @return as the command line names them.
     */
    List<String> figures();

    /**
     * The runs that it needs.
     *
     * @param scale of all runs.
     * @return without order; may be empty.
     */
    List<Cell> cells(Scale scale);

    /**
     * Draws the figures and judges the facts.
     *
     * @param scale    of all runs.
     * @param results  of the cells.
     * @param findings to tell about each fact.
     * @return a sheet for each of {@link #figures()}.
     */
    List<Sheet> evaluate(Scale scale, Results results, Findings findings);
}

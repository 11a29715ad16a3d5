// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * One published number or ordering.
 *
 * @param id         unique.
 * @param figure     that it belongs to, as the command line names it.
 * @param claim      in words of our own.
 * @param source     document, section and page.
 * @param expected   what has to be seen for the fact to hold.
 * @param conditions of the published experiment.
 * @param value      published number, or null.
 * @param tolerance  of the number: a share of it with a percent sign, or in its own unit; null without a number.
 * @param atLeast    lower bound, or null.
 * @param atMost     upper bound, or null.
 */
public record Fact(
    String id,
    String figure,
    String claim,
    String source,
    String expected,
    String conditions,
    Double value,
    String tolerance,
    Double atLeast,
    Double atMost)
{
    /**
     * Whether this fact is about a number.
     *
     * @return false for an ordering, which only its experiment can judge.
     */
    public boolean isNumber()
    {
        return value != null || atLeast != null || atMost != null;
    }

    /**
     * Judges a number.
     *
     * @param found by the experiment; not a number if there was none.
     * @return whether it is within the tolerance and the bounds.
     */
    public boolean admits(final double found)
    {
        return Double.isFinite(found) &&
            (value == null || Math.abs(found - value) <= allowance()) &&
            (atLeast == null || found >= atLeast) &&
            (atMost == null || found <= atMost);
    }

    private double allowance()
    {
        return tolerance.endsWith("%") ?
            value * Double.parseDouble(tolerance.substring(0, tolerance.length() - 1)) / 100 : Double.parseDouble(tolerance);
    }
}

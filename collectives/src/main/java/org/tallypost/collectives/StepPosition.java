// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * How far a member has got: the steps of all operations before the present one, and those of the present one. And how much it may
 * do in the present turn.
 */
final class StepPosition
{
    private long first;
    private int written;
    private int consumed;
    /** Bytes that may be moved in this turn. */
    private int left;
    private boolean isInterrupted;
    private long interruptions;

    /** First step of the present operation. */
    long first()
    {
        return first;
    }

    /** Steps of the present operation that this member has shown. */
    int written()
    {
        return written;
    }

    /** Steps of the present operation that this member has consumed. */
    int consumed()
    {
        return consumed;
    }

    /** The step that is shown next. */
    long writing()
    {
        return first + written;
    }

    /** The step that is consumed next: so many were consumed in all. */
    long reading()
    {
        return first + consumed;
    }

    void write()
    {
        written++;
    }

    void consume()
    {
        consumed++;
    }

    /** Goes on behind an operation of so many steps. */
    void pass(final int steps)
    {
        first += steps;
        written = 0;
        consumed = 0;
    }

    /** A turn begins, in which so many bytes may be moved. */
    void begin(final int length)
    {
        left = length;
        isInterrupted = false;
    }

    /** Whether more may be moved in this turn. */
    boolean mayMove()
    {
        return left > 0;
    }

    void move(final int length)
    {
        left -= length;
    }

    /** No more is moved in this turn. */
    void stop()
    {
        left = 0;
    }

    /** The turn ends, and there may be more to do. */
    void interrupt()
    {
        isInterrupted = true;
        interruptions++;
    }

    boolean isInterrupted()
    {
        return isInterrupted;
    }

    /** Grows whenever something was done. */
    long sum()
    {
        return 2 * first + written + consumed + interruptions;
    }
}

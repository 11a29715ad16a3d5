// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Makes one element out of two. {@link Reducers} has the usual ones; a program may have its own. It must be associative, and all
 * members of a team must use the same one.
 */
public interface Reducer
{
    /**
     * Its name, by which members find out that they use different ones.
     *
     * @return the name, always the same and the same in all processes.
     */
    String name();

    /**
     * Whether {@code a o b} equals {@code b o a}. If not, the operands keep the order of the members.
     *
     * @return true unless overridden.
     */
    default boolean isCommutative()
    {
        return true;
    }

    /**
     * Whether there is a meaning for elements of a type.
     *
     * @param type of elements.
     * @return true unless overridden.
     */
    default boolean supports(final ElementType type)
    {
        return true;
    }

    /**
     * Reduces {@code count} elements: each {@code inOut[i]} becomes {@code inOut[i] o in[i]}. Called on the thread that makes
     * progress. It may not keep the buffers, and not write outside the elements. If it throws, the team ends at all members
     * ({@link Team#REDUCER_FAILED}), and the exception goes to the program.
     *
     * @param type        of the elements.
     * @param inOut       left operands, and where the results go.
     * @param inOutOffset of the first one in bytes, not necessarily aligned.
     * @param in          right operands; may not be written.
     * @param inOffset    of the first one in bytes, not necessarily aligned.
     * @param count       number of elements, at least 0.
     */
    void reduce(ElementType type, MutableDirectBuffer inOut, int inOutOffset, DirectBuffer in, int inOffset, int count);
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/** A reduction of a program, as Open MPI has it: of arrays, or of direct buffers. The one that is used has to be overridden. */
public abstract class UserFunction
{
    public UserFunction()
    {
    }

    /** Each item of the second becomes the first's item, reduced with it. Arrays begin with the first item. */
    public void call(final Object in, final Object inOut, final int count, final Datatype type) throws MPIException
    {
        throw new UnsupportedOperationException("the reduction has no function for arrays");
    }

    /** The same for buffers. */
    public void call(final ByteBuffer in, final ByteBuffer inOut, final int count, final Datatype type) throws MPIException
    {
        throw new UnsupportedOperationException("the reduction has no function for buffers");
    }
}

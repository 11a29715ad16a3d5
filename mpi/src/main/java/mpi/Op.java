// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.tallypost.collectives.Reducer;

/** A reduction: one of the library, or one of a program. */
public final class Op implements Freeable
{
    private final String ofWindows;
    private final Reducer reducer;
    private final UserFunction function;
    private final User_function mpiJavaFunction;
    private final boolean isCommutative;
    private boolean isFreed;

    /** One of the library that windows alone take. */
    Op(final String ofWindows)
    {
        this.ofWindows = ofWindows;
        reducer = null;
        function = null;
        mpiJavaFunction = null;
        isCommutative = false;
    }

    /** One of the library. */
    Op(final Reducer reducer)
    {
        ofWindows = null;
        this.reducer = reducer;
        function = null;
        mpiJavaFunction = null;
        isCommutative = true;
    }

    /** A reduction of a program; it is done in the order of the ranks, also if it is commutative. */
    public Op(final UserFunction function, final boolean isCommutative)
    {
        ofWindows = null;
        reducer = null;
        this.function = function;
        mpiJavaFunction = null;
        this.isCommutative = isCommutative;
    }

    /** A reduction of a program in the dialect of mpiJava. */
    public Op(final User_function function, final boolean isCommutative)
    {
        ofWindows = null;
        reducer = null;
        this.function = null;
        mpiJavaFunction = function;
        this.isCommutative = isCommutative;
    }

    Op check() throws MPIException
    {
        if (isNull())
        {
            throw new MPIException(MPI.ERR_OP, isFreed ? "the reduction was freed" : "the reduction is null");
        }
        return this;
    }

    /** As which it takes part in a reduction of several ranks. */
    Op checkNoneOfWindows() throws MPIException
    {
        if (check().ofWindows != null)
        {
            throw new MPIException(MPI.ERR_OP, ofWindows + " is for windows only");
        }
        return this;
    }

    /** Of the library; null if it is a program's. */
    Reducer reducer()
    {
        return reducer;
    }

    /** Calls the program's function: the items of the second become the results. */
    void call(final Object in, final Object inOut, final int count, final Datatype type) throws MPIException
    {
        if (mpiJavaFunction != null)
        {
            mpiJavaFunction.Call(in, 0, inOut, 0, count, type);
        }
        else if (in instanceof java.nio.ByteBuffer)
        {
            function.call((java.nio.ByteBuffer)in, (java.nio.ByteBuffer)inOut, count, type);
        }
        else
        {
            function.call(in, inOut, count, type);
        }
    }

    public boolean isCommutative()
    {
        return isCommutative;
    }

    public boolean isNull()
    {
        return isFreed || ofWindows == null && reducer == null && function == null && mpiJavaFunction == null;
    }

    @Override
    public void free() throws MPIException
    {
        check();
        if (reducer != null || ofWindows != null)
        {
            throw new MPIException(MPI.ERR_OP, "a reduction of the library is not freed");
        }
        isFreed = true;
    }

    public void Free() throws MPIException
    {
        free();
    }

    public boolean Is_null()
    {
        return isNull();
    }
}

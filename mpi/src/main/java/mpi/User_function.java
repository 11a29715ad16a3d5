// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A reduction of a program, as mpiJava has it. */
public abstract class User_function
{
    public User_function()
    {
    }

    /** Each item of the second array becomes the first's item, reduced with it. */
    public abstract void Call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type)
        throws MPIException;
}

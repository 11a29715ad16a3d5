// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.util.Arrays;
import java.util.Objects;
import mpi.MPI;
import mpi.MPIException;

/** What programs of the tests have in common: a check, and the line that rank 0 prints when all ranks have got through. */
public final class Checks
{
    /** Printed by rank 0 at the end. */
    static final String COMPLETE = "PROGRAM COMPLETE";

    private Checks()
    {
    }

    /** A part of a program. */
    public interface Part
    {
        void run() throws Exception;
    }

    public static void equal(final Object expected, final Object found, final String what)
    {
        if (!Objects.equals(expected, found))
        {
            throw new AssertionError(what + ": found=" + found + ", expected=" + expected);
        }
    }

    public static void equal(final int[] expected, final int[] found, final String what)
    {
        equal(Arrays.toString(expected), Arrays.toString(found), what);
    }

    public static void equal(final double[] expected, final double[] found, final String what)
    {
        equal(Arrays.toString(expected), Arrays.toString(found), what);
    }

    /** The part has to fail with an error of this class. */
    public static void fails(final int errorClass, final Part part, final String what) throws Exception
    {
        try
        {
            part.run();
        }
        catch (final MPIException ex)
        {
            equal(errorClass, ex.getErrorClass(), what + ", " + ex.getMessage());
            return;
        }
        throw new AssertionError(what + ": found no error, expected one of class " + errorClass);
    }

    /** To be called by all ranks behind their last check. */
    public static void complete() throws MPIException
    {
        MPI.COMM_WORLD.barrier();
        if (MPI.COMM_WORLD.getRank() == 0)
        {
            System.out.println(COMPLETE);
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

import mpi.MPIException;
import org.tallypost.examples.mpijava.HeatStencil;
import org.tallypost.examples.mpijava.IntegerSort;
import org.tallypost.examples.mpijava.Transfers;

/** All programs in one job, one after the other: each begins with Init and ends with Finalize. Argument: ranks. */
public final class AllPrograms
{
    private AllPrograms()
    {
    }

    public static void main(final String[] arguments) throws MPIException
    {
        // shares of different sizes
        HeatStencil.main(new String[] { "33", "40", "2" });
        IntegerSort.main(new String[] { "10001", "2" });
        org.tallypost.examples.mpijava.ConjugateGradient.main(new String[] { "29", "20", "2" });
        org.tallypost.examples.openmpi.ConjugateGradient.main(new String[] { "29", "20", "2" });
        if (Integer.parseInt(arguments[0]) > 1)
        {
            Transfers.main(new String[] { "pingpong", "100", "20", "2", "20" });
            org.tallypost.examples.openmpi.Transfers.main(new String[] { "stream", "3000", "64", "2", "20" });
        }
    }
}

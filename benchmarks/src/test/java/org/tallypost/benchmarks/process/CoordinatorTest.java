// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.mailbox.ForkedJvm;

/** A run that begins while its process ends. */
class CoordinatorTest
{
    @TempDir
    private Path parent;

    /** A child that begins a run when it is ending already. */
    static final class LateChild implements ProgressListener
    {
        private LateChild()
        {
        }

        /**
         * Ends.
         *
         * @param arguments the parent directory.
         */
        public static void main(final String[] arguments)
        {
            final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 4, 2, 4);
            Runtime.getRuntime().addShutdownHook(new Thread(() ->
            {
                try
                {
                    new Coordinator(plan, new File(arguments[0]), new LateChild(), System.err).run();
                    System.out.println("has run");
                }
                catch (final Exception ex)
                {
                    System.out.println(ex.getClass().getSimpleName());
                }
            }));
        }

        @Override
        public void onStarted(final long[] pids)
        {
            System.out.println("has started");
        }

        @Override
        public void onOpening(final long opened, final long ofRanks)
        {
        }

        @Override
        public void onStep(final Step step)
        {
        }

        @Override
        public void onEnd()
        {
        }
    }

    @Test
    void shouldLeaveNothingWhenItBeginsTooLate()
    {
        try (ForkedJvm child = ForkedJvm.start(LateChild.class, parent))
        {
            assertEquals("IllegalStateException", child.readLine());
            child.waitFor();
            assertArrayEquals(new String[0], parent.toFile().list());
        }
    }
}

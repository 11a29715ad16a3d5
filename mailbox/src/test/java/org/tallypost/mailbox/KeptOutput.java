// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps what tests print, seeds above all, until one of them fails: then it is printed, from the start of the test class on. What
 * tests that pass have printed is forgotten. {@code -Dtallypost.output=all} prints everything at once. Found by the platform
 * itself, for each module that has this class on its class path.
 */
public final class KeptOutput implements TestExecutionListener
{
    private static final int MAX_LENGTH = 1 << 18;

    private final boolean isOff = "all".equals(System.getProperty("tallypost.output"));
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private PrintStream out;
    private PrintStream err;

    /** For the platform. */
    public KeptOutput()
    {
    }

    @Override
    public void testPlanExecutionStarted(final TestPlan plan)
    {
        if (!isOff && out == null)
        {
            out = System.out;
            err = System.err;
            final PrintStream keeping = new PrintStream(new Keeping(), true, StandardCharsets.UTF_8);
            System.setOut(keeping);
            System.setErr(keeping);
        }
    }

    @Override
    public void testPlanExecutionFinished(final TestPlan plan)
    {
        if (out != null)
        {
            System.setOut(out);
            System.setErr(err);
            out = null;
        }
    }

    @Override
    public void executionStarted(final TestIdentifier test)
    {
        if (isClass(test))
        {
            take();
        }
    }

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result)
    {
        if (out != null && result.getStatus() == TestExecutionResult.Status.FAILED)
        {
            out.println("output up to the failure of " + test.getDisplayName() + ":\n" + take());
        }
        else if (isClass(test))
        {
            take();
        }
    }

    private static boolean isClass(final TestIdentifier test)
    {
        return test.isContainer() && test.getSource().isPresent();
    }

    private String take()
    {
        synchronized (kept)
        {
            final String text = kept.toString(StandardCharsets.UTF_8);
            kept.reset();
            return text;
        }
    }

    private void keep(final byte[] bytes, final int offset, final int length)
    {
        synchronized (kept)
        {
            if (kept.size() + length > MAX_LENGTH)
            {
                // what came last tells most
                final byte[] all = kept.toByteArray();
                kept.reset();
                kept.writeBytes(Arrays.copyOfRange(all, all.length / 2, all.length));
            }
            kept.write(bytes, offset, length);
        }
    }

    private final class Keeping extends OutputStream
    {
        @Override
        public void write(final int value)
        {
            keep(new byte[] {(byte)value}, 0, 1);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length)
        {
            keep(bytes, offset, length);
        }
    }
}

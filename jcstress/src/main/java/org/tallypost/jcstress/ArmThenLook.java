// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A consumer that arms its mailbox, looks at the write position and would park, against a sender: docs/design/waiting.md.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "seen, no thread has to be woken")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "parked and woken")
@Outcome(id = "0, 1", expect = Expect.FORBIDDEN, desc = "parked and never woken")
@State
public class ArmThenLook
{
    private final ArmedMailbox mailbox = ArmedMailbox.take();

    /** For the harness. */
    public ArmThenLook()
    {
    }

    /**
     * Sends.
     *
     * @param result whether it wakes the consumer.
     */
    @Actor
    public void sender(final II_Result result)
    {
        result.r1 = mailbox.send();
    }

    /**
     * Arms and looks.
     *
     * @param result whether it parks.
     */
    @Actor
    public void consumer(final II_Result result)
    {
        mailbox.arm();
        result.r2 = mailbox.isWritePositionReached() ? 1 : 0;
    }

    /**
     * Clears up.
     *
     * @param result of the race.
     */
    @Arbiter
    public void after(final II_Result result)
    {
        mailbox.giveBack();
    }
}

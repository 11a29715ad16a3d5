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
 * The same with a consumer that looks at the slot only: a sender that has looked at the armed word before it was set may not have
 * published yet, as far as the consumer can see. So the last outcome is possible, and shows that the harness finds such things.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "seen, no thread has to be woken")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "parked and woken")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "parked and never woken")
@State
public class ArmThenLookAtTheHeader
{
    private final ArmedMailbox mailbox = ArmedMailbox.take();

    /** For the harness. */
    public ArmThenLookAtTheHeader()
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
        result.r2 = mailbox.isHeaderOld() ? 1 : 0;
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

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.tallypost.mailbox.Watchdog;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

/** What the owners of the rules ask of a publisher, for one that is fed by a subscriber at another rank. */
public final class MessagePublisherTck extends FlowPublisherVerification<Long>
{
    private static final long COLLECTED_MS = 100;

    private final List<StreamFixture> streams = new ArrayList<>();
    private int count;

    /** For TestNG. */
    public MessagePublisherTck()
    {
        super(new PatientEnvironment(), COLLECTED_MS);
    }

    private StreamFixture stream()
    {
        final Path directory = FlowTckTest.directory().resolve("publisher-" + count++);
        final StreamFixture stream = new StreamFixture(directory, 8);
        streams.add(stream);
        return stream;
    }

    @Override
    public Flow.Publisher<Long> createFlowPublisher(final long elements)
    {
        final StreamFixture stream = stream();
        StreamFixture.numbers(elements).subscribe(stream.subscriber);
        return stream.start().publisher;
    }

    @Override
    public Flow.Publisher<Long> createFailedFlowPublisher()
    {
        final StreamFixture stream = stream();
        stream.subscriber.onError(new IllegalStateException("planted"));
        return stream.start().publisher;
    }

    /** The suite looks once, after a time. A thread that is busy may let go of its subscriber later, so this looks again. */
    @Override
    @Test
    public void required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber() throws Throwable
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a publisher that forgets its subscriber");
        boolean isForgotten = false;
        while (!isForgotten)
        {
            try
            {
                super.required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber();
                isForgotten = true;
            }
            catch (final AssertionError ex)
            {
                watchdog.check();
                setUp();
            }
        }
    }

    /** Its nodes. */
    @AfterMethod
    public void close()
    {
        streams.forEach(StreamFixture::close);
        streams.clear();
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.annotations.AfterMethod;

/** What the owners of the rules ask of a subscriber, for one that sends to another rank. */
public final class MessageSubscriberTck extends FlowSubscriberBlackboxVerification<Long>
{
    private final List<StreamFixture> streams = new ArrayList<>();
    private int count;

    /** For TestNG. */
    public MessageSubscriberTck()
    {
        super(new PatientEnvironment());
    }

    @Override
    public Flow.Subscriber<Long> createFlowSubscriber()
    {
        final StreamFixture stream = new StreamFixture(FlowTckTest.directory().resolve("subscriber-" + count++), 8);
        streams.add(stream);
        return stream.start().subscriber;
    }

    @Override
    public Long createElement(final int element)
    {
        return (long)element;
    }

    /** Its nodes. */
    @AfterMethod
    public void close()
    {
        streams.forEach(StreamFixture::close);
        streams.clear();
    }
}

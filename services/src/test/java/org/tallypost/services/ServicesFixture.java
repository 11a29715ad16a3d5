// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.node.Node;

/** Services of the ranks of one node, driven by the thread of the test. */
class ServicesFixture extends RanksFixture
{
    static final Consumer<ServicesContext> DEFAULTS = ServicesContext::toString;
    static final long LATER_NS = 3_600_000_000_000L;

    final List<String> heard = new ArrayList<>();
    Services[] ranks;

    /** Writes down what comes of requests. */
    final class Heard implements AnswerListener
    {
        @Override
        public void onAnswer(final long request, final DirectBuffer buffer, final int offset, final int length)
        {
            heard.add(buffer.getStringWithoutLengthAscii(offset, length));
        }

        @Override
        public void onFailed(final long request, final RequestFailure failure)
        {
            heard.add(failure.toString());
        }
    }

    void launch(final int count, final Flow flow, final int slots, final Consumer<ServicesContext> settings)
    {
        node = Node.launch(nodeContext(directory, count, slots).flow(flow));
        endpoints = new Endpoint[count];
        ranks = new Services[count];
        for (int rank = 0; rank < count; rank++)
        {
            open(rank, settings);
        }
    }

    void launch(final int count)
    {
        launch(count, Flow.DYNAMIC, 64, DEFAULTS);
    }

    void open(final int rank, final Consumer<ServicesContext> settings)
    {
        endpoints[rank] = node.open(rank);
        final ServicesContext context = new ServicesContext().endpoint(endpoints[rank]).rankCount(endpoints.length)
            .errorHandler(errors::add);
        settings.accept(context);
        ranks[rank] = Services.launch(context);
    }

    @Override
    Agent[] agents()
    {
        return ranks;
    }

    @Override
    public String toString()
    {
        return "heard=" + heard;
    }

    @Override
    void shut(final int rank)
    {
        ranks[rank].close();
        endpoints[rank].close();
        ranks[rank] = null;
    }

    static UnsafeBuffer text(final String text)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[text.length()]);
        buffer.putStringWithoutLengthAscii(0, text);
        return buffer;
    }

    /** Sends a request as soon as that is possible. */
    void request(final int rank, final Service service, final String text, final long deadlineNs)
    {
        final UnsafeBuffer bytes = text(text);
        drive("a request to " + service, () ->
            ranks[rank].request(service, bytes, 0, bytes.capacity(), deadlineNs, new Heard()) >= 0);
    }
}

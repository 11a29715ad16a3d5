// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.ranks;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;
import org.tallypost.services.AnswerListener;
import org.tallypost.services.KeptRequest;
import org.tallypost.services.RequestFailure;
import org.tallypost.services.ServedRequest;
import org.tallypost.services.Service;
import org.tallypost.services.Services;
import org.tallypost.services.ServicesContext;

/**
 * An order gateway: rank 0 answers orders, rank 1 sends three, each with a deadline. The gateway holds an order of middle size
 * for an approval, which does not come here: so that order ends by its deadline. Arguments: DIRECTORY RANK.
 */
public final class OrderGateway implements MembershipListener
{
    private static final String NAME = "orders";
    private static final int CLIENT = 1;
    private static final int SMALL = 100;
    private static final int MOST = 1_000;

    // an order: its number and its quantity; the answer is text
    private static final int NUMBER_OFFSET = 0;
    private static final int QUANTITY_OFFSET = NUMBER_OFFSET + Integer.BYTES;
    private static final int LENGTH = QUANTITY_OFFSET + Integer.BYTES;

    private final List<KeptRequest> held = new ArrayList<>();
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[100]);
    private boolean isClientGone;

    private OrderGateway()
    {
    }

    /**
     * Runs as one rank.
     *
     * @param arguments directory of the node, and rank.
     */
    public static void main(final String[] arguments)
    {
        final int rank = Integer.parseInt(arguments[1]);
        final NodeContext context = new NodeContext()
            .directory(new File(arguments[0])).groupName("orders").rankCount(2).deleteOnClose(true);
        try (Node node = Node.launch(context);
            Endpoint endpoint = node.open(rank);
            Services services = Services.launch(new ServicesContext().endpoint(endpoint).rankCount(2)))
        {
            final Loop loop = new Loop(endpoint, services::doWork);
            if (rank == CLIENT)
            {
                final Client client = new Client(services, loop);
                client.send(1, 50, TimeUnit.SECONDS.toNanos(200));
                client.send(2, 5_000, TimeUnit.SECONDS.toNanos(200));
                client.send(3, 500, TimeUnit.MILLISECONDS.toNanos(100));
                loop.until("credits for the last messages", () -> !services.hasStored());
            }
            else
            {
                final OrderGateway gateway = new OrderGateway();
                services.serve(NAME, gateway::onOrder);
                endpoint.addMembershipListener(gateway);
                loop.until("the end of the client", () -> gateway.isClientGone);
                System.out.println("the client is gone, orders held: " + gateway.held.size());
            }
        }
    }

    private void onOrder(final ServedRequest order, final DirectBuffer buffer, final int offset, final int length)
    {
        final int quantity = buffer.getInt(offset + QUANTITY_OFFSET);
        final String text = quantity <= SMALL ? "accepted" : quantity > MOST ? "rejected, at most " + MOST : "held";
        System.out.println("order " + buffer.getInt(offset + NUMBER_OFFSET) + " of rank " + order.source() + ": " + text);
        if (quantity > SMALL && quantity <= MOST)
        {
            // Services.answer() takes it when there is a decision
            held.add(order.keep());
        }
        else
        {
            order.answer(answer, 0, answer.putStringWithoutLengthAscii(0, text));
        }
    }

    @Override
    public void onOpen(final int rank, final int incarnation)
    {
    }

    /** The client has closed its endpoint or has died; all of its orders have come before. */
    @Override
    public void onGone(final int rank, final int incarnation)
    {
        isClientGone |= rank == CLIENT;
    }

    /** Sends one order after the other. */
    private static final class Client implements AnswerListener
    {
        private final Services services;
        private final Loop loop;
        private final Service orders;
        private final UnsafeBuffer order = new UnsafeBuffer(new byte[LENGTH]);
        private String end;

        Client(final Services services, final Loop loop)
        {
            this.services = services;
            this.loop = loop;
            orders = services.service(NAME);
        }

        void send(final int number, final int quantity, final long timeNs)
        {
            order.putInt(NUMBER_OFFSET, number);
            order.putInt(QUANTITY_OFFSET, quantity);
            end = null;
            loop.until("a rank that serves " + NAME, () ->
                Loop.isSent(services.request(orders, order, 0, LENGTH, System.nanoTime() + timeNs, this)));
            loop.until("the end of order " + number, () -> end != null);
            System.out.println("order " + number + ": " + end);
        }

        @Override
        public void onAnswer(final long request, final DirectBuffer buffer, final int offset, final int length)
        {
            end = buffer.getStringWithoutLengthAscii(offset, length);
        }

        /** After most failures the order may have been accepted: to send it again needs a number that tells it. */
        @Override
        public void onFailed(final long request, final RequestFailure failure)
        {
            end = "no answer, " + failure;
        }
    }
}

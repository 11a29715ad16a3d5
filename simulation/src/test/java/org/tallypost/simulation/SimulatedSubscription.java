// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Stands for Aeron's subscription. */
public final class SimulatedSubscription implements AutoCloseable
{
    final SimulatedConnection connection;
    final int stream;
    final int to;
    private final Network network;
    private final List<SimulatedImage> images = new ArrayList<>();
    private final SimulatedImageHandlers.Available onCome;
    private final SimulatedImageHandlers.Unavailable onGo;
    private boolean closed;

    SimulatedSubscription(
        final Network network, final SimulatedConnection connection, final int stream, final int to,
        final SimulatedImageHandlers.Available onCome, final SimulatedImageHandlers.Unavailable onGo)
    {
        this.onCome = onCome;
        this.onGo = onGo;
        this.network = network;
        this.connection = connection;
        this.stream = stream;
        this.to = to;
    }

    boolean isOf(final SimulatedPublication publication)
    {
        return stream == publication.stream && to == publication.to;
    }

    /** Makes an image of a publication if there is none. */
    void join(final SimulatedPublication publication)
    {
        if (image(publication) == null)
        {
            images.add(new SimulatedImage(publication));
        }
    }

    /** The image of a publication; null if there is none. */
    SimulatedImage image(final SimulatedPublication publication)
    {
        for (final SimulatedImage image : images)
        {
            if (image.publication == publication && !image.isClosed())
            {
                return image;
            }
        }
        return null;
    }

    /**
     * Hands messages on.
     *
     * @param handler for them.
     * @param limit   most messages.
     * @return number of messages.
     */
    public int poll(final SimulatedHandler handler, final int limit)
    {
        return controlledPoll((buffer, offset, length, header) ->
        {
            handler.onFragment(buffer, offset, length, header);
            return Action.CONTINUE;
        }, limit);
    }

    /**
     * Hands messages on; one that is not taken comes again.
     *
     * @param handler for them.
     * @param limit   most messages.
     * @return number of messages that were taken.
     */
    public int controlledPoll(final SimulatedControlledHandler handler, final int limit)
    {
        int count = 0;
        network.join(this);
        for (final SimulatedImage image : new ArrayList<>(images))
        {
            if (!image.isTold)
            {
                // by the thread that polls, as Aeron's conductor does when it is invoked
                image.isTold = true;
                onCome.onAvailableImage(image);
            }
            network.tend(image);
            boolean goesOn = true;
            while (goesOn && count < limit && !closed && network.hasArrived(image))
            {
                final SimulatedImage.Batch batch = image.underWay.remove(0);
                final byte[] bytes = batch.bytes();
                goesOn = handler.onFragment(
                    new UnsafeBuffer(bytes), 0, bytes.length, new SimulatedHeader(image.sessionId())) != Action.ABORT;
                if (goesOn)
                {
                    count++;
                }
                else
                {
                    image.underWay.add(0, batch);
                }
            }
        }
        final Iterator<SimulatedImage> each = images.iterator();
        while (each.hasNext())
        {
            final SimulatedImage image = each.next();
            if (image.isClosed())
            {
                each.remove();
                onGo.onUnavailableImage(image);
            }
        }
        return count;
    }

    /**
     * An image by its session.
     *
     * @param session of its publication.
     * @return null if there is none.
     */
    public SimulatedImage imageBySessionId(final int session)
    {
        for (final SimulatedImage image : images)
        {
            if (image.sessionId() == session && !image.isClosed())
            {
                return image;
            }
        }
        return null;
    }

    boolean isClosed()
    {
        return closed;
    }

    void endImages()
    {
        images.forEach(SimulatedImage::close);
    }

    @Override
    public void close()
    {
        closed = true;
        endImages();
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * Hears that a request is done.
 */
@FunctionalInterface
public interface RequestListener
{
    /**
     * A request is done. Called by {@link Messenger#doWork()} and nothing else; it may start requests, also the same one again.
     * What it throws is thrown by {@code doWork}, after the other work was done.
     *
     * @param request that is done.
     */
    void onDone(Request request);
}

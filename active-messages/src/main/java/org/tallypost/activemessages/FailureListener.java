// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

/** Hears of requests that get no answer. Called by the thread of the active messages, from {@link ActiveMessages#doWork()}. */
@FunctionalInterface
public interface FailureListener
{
    /**
     * A request has ended without an answer. Its place in the window is free again. This may not send.
     *
     * @param dest    rank that the request went to.
     * @param handler number of the handler that was asked for; -1 for a part of a store.
     * @param failure why.
     */
    void onFailed(int dest, int handler, RequestFailure failure);
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.DirectBuffer;

/** Hears what comes of requests. Called on the thread that polls, once for each request. */
public interface AnswerListener
{
    /**
     * The answer.
     *
     * @param request as {@link Services#request} returned it.
     * @param buffer  with the answer's bytes; valid until this call returns, not to be written.
     * @param offset  of the bytes.
     * @param length  of them.
     */
    void onAnswer(long request, DirectBuffer buffer, int offset, int length);

    /**
     * There will be no answer.
     *
     * @param request as {@link Services#request} returned it.
     * @param failure why.
     */
    void onFailed(long request, RequestFailure failure);
}

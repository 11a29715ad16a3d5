// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

/**
 * Runs at the receiver of a short request. It computes and may answer by the token, once; it sends nothing else and does not
 * block. What it throws goes to the error handler of the context, and the sender hears {@link RequestFailure#HANDLER_FAILED}.
 */
@FunctionalInterface
public interface RequestHandler
{
    /**
     * A request.
     *
     * @param token by which it is answered; valid until this call returns. A request that the handler leaves without an answer
     *              gets an empty one.
     * @param a     first word of the sender.
     * @param b     second word.
     * @param c     third word.
     * @param d     fourth word.
     * @param e     fifth word.
     */
    void onRequest(RequestToken token, int a, int b, int c, int d, int e);
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.DirectBuffer;

/** Serves requests. Called on the thread that polls. What it throws goes to the error handler, and the client hears FAILED. */
@FunctionalInterface
public interface RequestListener
{
    /**
     * A request. It is answered by {@link ServedRequest#answer} now, or later if it is kept ({@link ServedRequest#keep}). One
     * that is neither answered nor kept is refused as {@link RequestFailure#NO_ANSWER}.
     *
     * @param request valid until this call returns.
     * @param buffer  with the request's bytes; valid until this call returns, not to be written.
     * @param offset  of the bytes.
     * @param length  of them.
     */
    void onRequest(ServedRequest request, DirectBuffer buffer, int offset, int length);
}

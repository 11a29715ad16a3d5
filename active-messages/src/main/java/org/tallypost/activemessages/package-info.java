// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Active messages: requests that name a handler of their receiver, and answers to them, over an endpoint. A request's way:
 * {@link org.tallypost.activemessages.ActiveMessages}, Requester, Window, Wire; at the receiver Arrivals, Responder, the handler,
 * {@link org.tallypost.activemessages.RequestToken}, and StoredReplies if the answer has to wait.
 */
package org.tallypost.activemessages;

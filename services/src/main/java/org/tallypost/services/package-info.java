// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Named services with requests and answers, and topics, over an endpoint. A request's way: {@link
 * org.tallypost.services.Services}, Client, Directory, Outbox; at the server Server, the listener, {@link
 * org.tallypost.services.ServedRequest}, and Outbox again. The way of a topic's message: {@link
 * org.tallypost.services.Publication}, TopicLog; within the node {@link org.tallypost.services.Subscription} with LogReader, to
 * another node LogReader, SubscriberLink, Outbox, and {@link org.tallypost.services.Subscription} there.
 */
package org.tallypost.services;

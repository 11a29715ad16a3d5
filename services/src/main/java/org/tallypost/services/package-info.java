// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Named services with requests and answers over an endpoint. A request's way: {@link org.tallypost.services.Services}, Client,
 * Directory, Outbox; at the server Server, the listener, {@link org.tallypost.services.ServedRequest}, and Outbox again.
 */
package org.tallypost.services;

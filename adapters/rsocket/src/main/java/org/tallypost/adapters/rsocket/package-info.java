// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** A transport of RSocket between ranks. */
package org.tallypost.adapters.rsocket;

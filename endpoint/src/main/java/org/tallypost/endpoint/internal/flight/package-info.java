// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/** What is rare, as events of the JDK's flight recorder. */
package org.tallypost.endpoint.internal.flight;

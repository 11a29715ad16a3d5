// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

/** Stand for Aeron's handlers of images that come and go. */
public final class SimulatedImageHandlers
{
    private SimulatedImageHandlers()
    {
    }

    /** Hears of images that come. */
    @FunctionalInterface
    public interface Available
    {
        /**
         * An image has come.
         *
         * @param image that came.
         */
        void onAvailableImage(SimulatedImage image);
    }

    /** Hears of images that go. */
    @FunctionalInterface
    public interface Unavailable
    {
        /**
         * An image is gone.
         *
         * @param image that is gone.
         */
        void onUnavailableImage(SimulatedImage image);
    }
}

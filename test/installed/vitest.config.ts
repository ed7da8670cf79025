import { defineConfig } from 'vitest/config';

/**
 * `npm run test:installed` tests the Debian package in a root of its own. It is not part of `npm test`, because making a
 * Debian with a desktop takes minutes.
 */
export default defineConfig({
  test: {
    include: ['test/installed/*.test.ts'],
    testTimeout: 120_000,
    // Packages for a single test run need no compression.
    env: { DPKG_DEB_COMPRESSOR_LEVEL: '0' },
    hookTimeout: 60_000,
    // Each test continues with the state that the previous test left.
    bail: 1,
    expect: { poll: { timeout: 60_000, interval: 250 } },
  },
});

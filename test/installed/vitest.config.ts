import { defineConfig } from 'vitest/config';

/** `npm run test:installed`: the Debian package in a root of its own. Not a part of `npm test`: it makes a Debian with a desktop, which takes minutes. */
export default defineConfig({
  test: {
    include: ['test/installed/*.test.ts'],
    testTimeout: 120_000,
    // Packages for one test run need no compression.
    env: { DPKG_DEB_COMPRESSOR_LEVEL: '0' },
    hookTimeout: 60_000,
    // Each test goes on where the one before has ended.
    bail: 1,
    expect: { poll: { timeout: 60_000, interval: 250 } },
  },
});

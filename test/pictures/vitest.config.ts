import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * `npm run pictures` takes a picture of every screen for review, including the pictures for documents. It is not part of `npm
 * test`, because pixels differ between machines.
 */
export default defineConfig({
  test: {
    include: ['test/pictures/*.pictures.ts'],
    globalSetup: fileURLToPath(new URL('../desktop/host/build.ts', import.meta.url)),
    provide: { host: 'browser' },
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

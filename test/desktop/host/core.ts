/**
 * A core that may kill itself, in a process that the app starts. Its file name determines when, in the terms of
 * `deadly-faults.ts`, because the app passes no arguments to a core: `core-never.js`, `core-before-stored.js`,
 * `core-after-stored.js`.
 */
import { basename } from 'node:path';
import { runCoreProcess } from '#core/host-link/index.ts';
import { deadlyFaults } from '#test/servers/deadly-faults.ts';

const death = basename(import.meta.filename, '.js').replace('core-', '');
runCoreProcess({
  overrides: {
    faults: deadlyFaults(death),
    timeouts: { requestMs: death === 'never' ? 500 : 20_000 },
  },
});

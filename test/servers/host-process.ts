import { fileURLToPath } from 'node:url';
/**
 * Runs the browser host in a process of its own, which may kill itself: `host-process.ts <data folder> <death>`, where death
 * is a word of `deadly-faults.ts`. Prints the host's address.
 */
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { startBrowserHost } from '#headless/browser-host/start-browser-host.ts';
import { deadlyFaults } from './deadly-faults.ts';

const [dataFolder = '', death = 'never'] = process.argv.slice(2);
const host = await startBrowserHost({
  dataFolder,
  pages: builtPages(fileURLToPath(new URL('../../out/renderer', import.meta.url))),
  version: '0.1.0',
  faults: deadlyFaults(death),
  timeouts: { requestMs: death === 'never' ? 500 : 20_000 },
});
console.log(host.address());

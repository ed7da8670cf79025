/**
 * The browser host in a process of its own, so that a test can kill it: `host-process.ts <data folder> <when>`.
 * `when` says what happens to the next PUT: `never` nothing, `before` it is held for ever, `after` it is stored and the
 * process kills itself before the answer leaves. Prints its address, and `held` when a PUT is being held.
 */
import { createFaults } from '#core/backend/index.ts';
import { startBrowserHost } from '#headless/browser-host/index.ts';

const [dataFolder = '', when = 'never'] = process.argv.slice(2);
const faults = createFaults();
if (when === 'before') faults.arm({ kind: 'slow', method: 'PUT', ms: 600_000 });
if (when === 'after') {
  faults.arm({ kind: 'meanwhile', method: 'PUT', run: () => void process.kill(process.pid, 'SIGKILL') });
}
const host = await startBrowserHost({
  dataFolder,
  rendererFolder: new URL('../../out/renderer', import.meta.url).pathname,
  version: '0.1.0',
  faults,
  timeouts: { requestMs: when === 'never' ? 500 : 20_000 },
});
console.log(host.address());
if (when === 'before') {
  const watch = setInterval(() => {
    if (faults.armed > 0) return;
    console.log('held');
    clearInterval(watch);
  }, 10);
}

/**
 * `npm start`: builds, then opens. The desktop window is not part of this version, so the browser host opens, on the
 * Demo profile. What follows `--` goes to `countersign open`, for example `npm start -- --no-open`.
 */
import { runAttached } from './lib/run-attached.ts';
import { tools } from './lib/run-tool.ts';

const built = await runAttached(tools.electronVite, ['build', '--logLevel', 'warn', '--ignoreConfigWarning']);
if (built === 0) {
  process.stdout.write('No desktop window in this version: opening in the browser, Demo only.\n');
  process.exitCode = await runAttached('out/main/countersign.js', ['open', ...process.argv.slice(2)]);
} else {
  process.exitCode = built;
}

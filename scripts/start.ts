/**
 * `npm start`: builds, then opens the desktop app. If no desktop window can open, prints the reason in one line and opens the
 * browser host on the Demo profile. Arguments after `--` are passed on, for example `npm start -- --data-folder trial`.
 */
import { buildApp } from './lib/build-app.ts';
import { openApp } from './lib/open-app.ts';

const built = await buildApp();
process.exitCode = built === 0 ? await openApp(process.argv.slice(2)) : built;

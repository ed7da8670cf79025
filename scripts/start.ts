/**
 * `npm start`: builds, then opens the desktop app; where no desktop window can open, one line says why and the browser
 * host opens, on the Demo profile. Arguments after `--` are passed on, for example `npm start -- --data-folder trial`.
 */
import { buildApp } from './lib/build-app.ts';
import { openApp } from './lib/open-app.ts';

const built = await buildApp();
process.exitCode = built === 0 ? await openApp(process.argv.slice(2)) : built;

/** `npm run build`: builds everything that runs, into `out`. */
import { buildApp } from './lib/build-app.ts';

process.exitCode = await buildApp();

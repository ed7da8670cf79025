/**
 * Behaves like the packaged app as far as `npm run try-package` observes it: node fake-app.ts <fault>
 * [--user-data-dir=<folder>] [...]. Its own data folder is where Windows keeps an app's data.
 */
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { changeFile } from '../../servers/stored-rows.ts';

const [fault, ...args] = process.argv.slice(2);
const told = '--user-data-dir=';
const folder = args.find((word) => word.startsWith(told))?.slice(told.length);
const data = join(folder ?? join(process.env['APPDATA'] ?? '', 'Countersign'), 'data');
const log = join(data, 'logs/countersign.log');
const lock = join(data, 'lock.json');
const quit = join(data, 'quit');
const every = (look: () => void): void => void setInterval(() => look(), 10);

if (fault === 'dies without a word') process.exit(9);
if (fault === 'says why and dies') {
  writeSync(2, '[1128:FATAL] Running as root without --no-sandbox is not supported.\n');
  process.exit(133);
}
if (existsSync(lock)) {
  if (!args.includes('--quit-for-update')) {
    if (fault === 'ends for a second start') writeFileSync(quit, '');
    if (fault !== 'keeps a second start') process.exit(0);
  } else {
    writeFileSync(quit, '');
    if (fault === 'refuses to quit') process.exit(1);
    if (fault === 'leaves its lock') process.exit(0);
    every(() => void (existsSync(lock) || process.exit(0)));
  }
  every(() => undefined);
} else if (!args.includes('--quit-for-update')) {
  mkdirSync(join(data, 'logs'), { recursive: true });
  writeFileSync(lock, '');
  rememberPort();
  writeFileSync(join(data, 'logs/desktop.log'), 'The desktop host is up\n');
  if (fault === 'dies early') process.exit(9);
  if (fault !== 'is never ready') appendFileSync(log, 'The core is ready\n');
  every(() => void (existsSync(quit) && end()));
}

function end(): void {
  if (fault !== 'kills its core') appendFileSync(log, 'The core has ended\n');
  rmSync(quit);
  if (fault !== 'leaves its lock') rmSync(lock);
  process.exit(fault === 'crashes at its end' ? 7 : 0);
}

function rememberPort(): void {
  changeFile(
    join(data, 'countersign.sqlite'),
    "CREATE TABLE IF NOT EXISTS setting (key, value); INSERT INTO setting VALUES ('gateway.port', '47123')",
  );
}

// Behaves as the packaged app as far as `npm run try-package` looks: node fake-app.mjs <fault> --user-data-dir=<folder> [...]
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [fault, ...args] = process.argv.slice(2);
const data = join(args[0].slice('--user-data-dir='.length), 'data');
const [log, lock, quit] = ['logs/countersign.log', 'lock.json', 'quit'].map((name) => join(data, name));
const every = (look) => setInterval(look, 10);

if (existsSync(lock)) {
  if (!args.includes('--quit-for-update')) {
    if (fault === 'ends for a second start') writeFileSync(quit, '');
    if (fault !== 'keeps a second start') process.exit(0);
  } else {
    writeFileSync(quit, '');
    if (fault === 'refuses to quit') process.exit(1);
    every(() => existsSync(lock) || process.exit(0));
  }
  every(() => undefined);
} else {
  mkdirSync(join(data, 'logs'), { recursive: true });
  writeFileSync(lock, '');
  rememberPort();
  writeFileSync(join(data, 'logs/desktop.log'), 'The desktop host is up\n');
  if (fault === 'dies early') process.exit(9);
  if (fault !== 'is never ready') appendFileSync(log, 'The core is ready\n');
  every(() => existsSync(quit) && end());
}

function end() {
  if (fault !== 'kills its core') appendFileSync(log, 'The core has ended\n');
  rmSync(quit);
  rmSync(lock);
  if (fault === 'leaves its lock') {
    // The start that asks has to see it gone, as it sees the lock of Electron.
    setTimeout(() => (writeFileSync(lock, ''), process.exit(0)), 100);
  } else process.exit(fault === 'crashes at its end' ? 7 : 0);
}

function rememberPort() {
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const db = new Database(join(data, 'countersign.sqlite'));
  db.exec(
    "CREATE TABLE IF NOT EXISTS setting (key, value); INSERT INTO setting VALUES ('gateway.port', '47123')",
  );
  db.close();
}

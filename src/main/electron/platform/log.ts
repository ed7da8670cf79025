import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '#shared/lib/redact.ts';

/** The desktop host's log of itself. Callers pass codes, counts, states; what looks like a secret is masked all the same. */
export interface DesktopLog {
  info(facts: Record<string, unknown>, message: string): void;
  warn(facts: Record<string, unknown>, message: string): void;
}

/** Appends NDJSON to `logs/desktop.log` below the data folder. A log that cannot be written stops nothing. */
export function openDesktopLog(dataFolder: string): DesktopLog {
  const folder = join(dataFolder, 'logs');
  const file = join(folder, 'desktop.log');
  const write = (level: string, facts: Record<string, unknown>, message: string): void => {
    const line = JSON.stringify(redact({ level, time: new Date().toISOString(), ...facts, msg: message }));
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not take the window down.
    }
  };
  return {
    info: (facts, message) => write('info', facts, message),
    warn: (facts, message) => write('warn', facts, message),
  };
}

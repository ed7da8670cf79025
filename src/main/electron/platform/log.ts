import { join } from 'node:path';
import { redact } from '#shared/lib/redact.ts';
import { type LogFile, openLog } from '#system/log-files.ts';

export interface DesktopLog {
  info(facts: Record<string, unknown>, message: string): void;
  warn(facts: Record<string, unknown>, message: string): void;
}

/** Appends NDJSON to `logs/desktop.log` in the data folder. Failures to open or write the log are ignored. */
export function openDesktopLog(dataFolder: string): DesktopLog {
  const file = openOrNone(join(dataFolder, 'logs', 'desktop.log'));
  const write = (level: string, facts: Record<string, unknown>, message: string): void =>
    file?.write(
      `${JSON.stringify(redact({ level, time: new Date().toISOString(), ...facts, msg: message }))}\n`,
    );
  return {
    info: (facts, message) => write('info', facts, message),
    warn: (facts, message) => write('warn', facts, message),
  };
}

function openOrNone(file: string): LogFile | null {
  try {
    return openLog(file);
  } catch {
    return null;
  }
}

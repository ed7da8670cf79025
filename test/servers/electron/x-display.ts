import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { requireTool } from '../require-tool.ts';

/** An X server without a screen, for the windows of one test file. */
export interface XDisplay {
  /** Environment variables that a program needs to draw on the display. */
  env: { DISPLAY: string; XAUTHORITY: string };
  /** Ends the server and waits until it is gone. */
  close(): Promise<void>;
}

/**
 * The server chooses a free display and reports it on file descriptor 3. It has one screen and no TCP port, and keeps running
 * without clients.
 */
const serverOptions = '-displayfd 3 -screen 0 1920x1200x24 -nolisten tcp -noreset'.split(' ');

/**
 * Starts Xvfb on a free display of 1920 × 1200. Only processes that can read `authorityFile` may connect, through the
 * server's socket.
 */
export async function startXDisplay(authorityFile: string): Promise<XDisplay> {
  writeFileSync(authorityFile, authority(randomBytes(16)), { mode: 0o600 });
  const xvfb = [requireTool('Xvfb', 'xvfb'), ...serverOptions, '-auth', authorityFile];
  // The server ends even if the tests are killed before they can end it.
  const server = spawn(requireTool('setpriv', 'util-linux'), ['--pdeathsig', 'KILL', '--', ...xvfb], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'close');
  const number = server.stdio[3] as Readable;
  const display = await firstLine(number);
  number.destroy();
  if (display === null) throw new Error(`Xvfb ended (${String((await ended)[0])}) without a display`);
  return {
    env: { DISPLAY: `:${display}`, XAUTHORITY: authorityFile },
    async close() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}

async function firstLine(stream: Readable): Promise<string | null> {
  for await (const line of createInterface({ input: stream })) return line;
  return null;
}

/**
 * Makes an Xauthority entry that matches every address and display, because the display number is not known before the server
 * has chosen it. Each field is a length of two bytes and its bytes.
 */
function authority(cookie: Buffer): Buffer {
  const anyAddress = Buffer.from([0xff, 0xff]);
  const fields = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from('MIT-MAGIC-COOKIE-1'), cookie];
  return Buffer.concat([
    anyAddress,
    ...fields.flatMap((field) => [Buffer.from([field.length >> 8, field.length & 0xff]), field]),
  ]);
}

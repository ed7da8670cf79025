import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  openLoopbackListener,
  type LoopbackListener,
  type LoopbackOptions,
} from '#core/platform/loopback/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { PageRole } from '#shared/host-api/index.ts';

/** The ports of the two origins; 0 where none was chosen yet. */
export type Ports = Record<PageRole, number>;

/** What a browser remembers for a page (theme, columns) belongs to its origin, so the ports stay from start to start. */
const fileName = 'browser-host.json';

export function readPorts(folder: string): Ports {
  let found: Partial<Record<PageRole, unknown>>;
  try {
    found = JSON.parse(readFileSync(join(folder, fileName), 'utf8')) as typeof found;
  } catch {
    // The first start, or a file that someone edited: both mean new ports.
    found = {};
  }
  return { app: portOr0(found.app), confirm: portOr0(found.confirm) };
}

export function keepPorts(folder: string, ports: Ports): void {
  writeFileSync(join(folder, fileName), `${JSON.stringify(ports)}\n`, { mode: 0o600 });
}

function portOr0(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536 ? value : 0;
}

/** Opens a listener on its usual port, or on any when that is taken: the address is printed at every start anyway. */
export async function openOnUsualPort(options: LoopbackOptions): Promise<LoopbackListener> {
  try {
    return await openLoopbackListener(options);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'port_taken') throw failure;
    options.logger.warn({ port: options.port }, 'The usual port is taken; another one is chosen');
    return openLoopbackListener({ ...options, port: 0 });
  }
}

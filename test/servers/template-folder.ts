import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TenantId } from '#core/backend/index.ts';
import { makeDemoData } from '#core/backend/demo-data/make-demo-data.ts';
import { createDemoStatistics } from '#core/backend/demo-data/statistics.ts';
import { tenants } from '#core/backend/service.ts';
import { systemClock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { appDatabaseName, openAppStore } from '#core/store/app/index.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import { tempFolder } from './temp-folder.ts';

/** Demo data of an embedded service. Only the day of `nowMs` in UTC matters. */
export interface DemoData {
  tenant?: TenantId;
  /** Number of the buyer's campaigns. */
  campaigns: number;
  nowMs: number;
}

export interface DemoDataWithStatistics extends DemoData {
  /** Number of days of statistics, up to and including the day of `nowMs`. */
  days: number;
}

/**
 * Contents of closed databases that this process made. Caching them saves first starts, which take several times as long as
 * later starts.
 */
const templates = new Map<string, Buffer | Promise<Buffer>>();

/**
 * Returns a new data folder with an app database and an embedded service with demo data, but without keys. It is removed
 * after the test.
 */
export async function copyOfTemplate(data: DemoDataWithStatistics): Promise<string> {
  const folder = tempFolder();
  write(join(folder, appDatabaseName), remember('app', makeAppDatabase));
  await copyServiceWithStatistics(join(folder, 'backend.sqlite'), data);
  return folder;
}

/** Writes the database of an embedded service with demo data, but without statistics. */
export function copyService(file: string, data: DemoData): void {
  write(file, serviceOf(data));
}

async function copyServiceWithStatistics(file: string, data: DemoDataWithStatistics): Promise<void> {
  write(file, await remember(keyOf(data), () => addStatistics(serviceOf(data), data)));
}

function serviceOf({ tenant = 'northwind', campaigns, nowMs }: DemoData): Buffer {
  const data = { tenant, campaigns, nowMs };
  return remember(keyOf(data), () => makeService(data));
}

function keyOf({ nowMs, ...data }: DemoData): string {
  return JSON.stringify({ ...data, day: new Date(nowMs).toISOString().slice(0, 10) });
}

function remember<Content extends Buffer | Promise<Buffer>>(key: string, make: () => Content): Content {
  const content = (templates.get(key) as Content | undefined) ?? make();
  templates.set(key, content);
  return content;
}

function makeAppDatabase(): Buffer {
  const folder = newFolder();
  // The database is closed when `dispose` returns.
  void openAppStore({ folder, clock: systemClock, logger }).dispose();
  return take(join(folder, appDatabaseName));
}

function makeService({ tenant, ...data }: Required<DemoData>): Buffer {
  const file = join(newFolder(), 'backend.sqlite');
  const store = openBackendStore({ file, clock: systemClock, logger });
  makeDemoData(store, { tenant: tenants[tenant], ...data });
  void store.dispose();
  return take(file);
}

async function addStatistics(
  service: Buffer,
  { tenant = 'northwind', nowMs, days }: DemoDataWithStatistics,
): Promise<Buffer> {
  const file = join(newFolder(), 'backend.sqlite');
  write(file, service);
  const clock = { ...systemClock, nowMs: () => nowMs };
  const store = openBackendStore({ file, clock, logger });
  const parts = { store, tenant: tenants[tenant], context: store.read.tenant(), logger };
  await createDemoStatistics({ ...parts, clock, ids: createIds(clock.nowMs) }, { days }).ready();
  await store.dispose();
  return take(file);
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'countersign-template-'));
}

function take(file: string): Buffer {
  const content = readFileSync(file);
  rmSync(dirname(file), { recursive: true });
  return content;
}

function write(file: string, content: Buffer): void {
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
}

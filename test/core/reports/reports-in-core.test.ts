import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { addDays } from '#shared/reports/index.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { inputFor, keyOf, openDesktop, startLive } from '#test/core/connections/live-world.ts';
import { createWorld, type World } from '#test/core/proposals/world.ts';
import { readRows } from '#test/servers/stored-rows.ts';
import { query } from './publisher-service.ts';

type Page = AppOutput<'reports.page'>;
type Change = Partial<AppInput<'reports.page'>['query']>;

function ask({ core }: World, change: Change, read: 'none' | 'missing' = 'none'): Promise<Page> {
  return core.handlers['reports.page']({ query: query(change), expanded: [], offset: 0, limit: 500, read });
}

/** Reads a page, and reads it again after each event until no load is running. */
async function read(world: World, change: Change): Promise<Page> {
  await ask(world, change, 'missing');
  // Demo's first report waits until its statistics are made.
  await expect.poll(async () => (await ask(world, change)).state.state).not.toBe('reading');
  return ask(world, change);
}

/** Counts a profile's slices in the cache file. They must be removed from the disk too. */
function slicesOf({ folder }: World, profile: string): number {
  return readRows(join(folder, 'reports.sqlite'), 'SELECT 1 FROM slice WHERE profile = ?', profile).length;
}

function sumTexts(texts: readonly string[]): bigint {
  return texts.reduce((sum, text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return sum + BigInt(whole + fraction.padEnd(6, '0'));
  }, 0n);
}

describe('Demo', () => {
  test('compares two weeks of Search by country exactly, shows them immediately after a restart, and offers the service’s own file', async () => {
    const world = await createWorld({ campaigns: 3, days: 40 });
    const today = new Date(world.clock.nowMs()).toISOString().slice(0, 10);
    const sources = await world.core.handlers['reports.sources']({});
    expect(sources.publisherKey).toBe(true);
    const [sid = null] = sources.sids;
    const change: Change = {
      source: { kind: 'search', sid },
      levels: ['geo'],
      comparison: 'weekdays',
      sort: { column: 'revenue', descending: true },
    };
    const page = await read(world, change);
    expect(page.state).toMatchObject({ state: 'idle', partial: false, failure: null });

    const [key] = world.service.issueDemoCredentials().accounts.publisher.publisherKeys;
    const rowsOf = async (from: string, to: string) => {
      const address = new URL('/publisher/search-report', world.core.info.serviceUrl);
      address.search = String(
        new URLSearchParams({ token: key?.key ?? '', sid: String(sid), date_from: from, date_to: to }),
      );
      const { data } = (await (await fetch(address)).json()) as {
        data: { geo: string; clicks: string; revenue: string }[];
      };
      return data;
    };
    const now = await rowsOf(addDays(today, -7), addDays(today, -1));
    const before = await rowsOf(addDays(today, -14), addDays(today, -8));
    expect(now.length).toBeGreaterThan(50);
    const at = (id: string): number => page.columns.findIndex((column) => column.id === id);
    for (const { path, values, compared } of page.rows) {
      const of = (rows: typeof now) => rows.filter(({ geo }) => geo === path[0]);
      for (const id of ['clicks', 'revenue'] as const) {
        expect(sumTexts([values[at(id)] ?? '0'])).toBe(sumTexts(of(now).map((row) => row[id])));
        expect(sumTexts([compared?.[at(id)] ?? '0'])).toBe(sumTexts(of(before).map((row) => row[id])));
      }
    }
    expect(page.rows.length).toBe(new Set([...now, ...before].map(({ geo }) => geo)).size);
    const revenues = page.rows.map(({ values }) => sumTexts([values[at('revenue')] ?? '0']));
    expect(revenues).toEqual(revenues.toSorted((left, right) => (left < right ? 1 : left > right ? -1 : 0)));
    expect(sumTexts([page.totals[at('revenue')] ?? ''])).toBe(sumTexts(now.map((row) => row.revenue)));
    expect(sumTexts([page.comparedTotals?.[at('clicks')] ?? ''])).toBe(
      sumTexts(before.map((row) => row.clicks)),
    );
    // The rate is computed from sums, not as a mean of rates.
    const epc =
      Number(sumTexts(now.map((row) => row.revenue))) / Number(sumTexts(now.map((row) => row.clicks)));
    expect(Number(page.totals[at('epc')])).toBeCloseTo(epc, 5);

    const { handlers } = world.core;
    const { id, name } = await handlers['reports.exportStart']({
      source: { kind: 'xml', tid: sources.tids[0] ?? 0 },
      range: { preset: 'last30' },
      grouping: 'geo',
      format: 'csv',
    });
    expect(name).toMatch(/^xml-\d+-by-geo-.*\.csv$/);
    const part = await handlers['reports.exportPart']({ id });
    expect(part.text).toMatch(/^geo,gross_requests,/);
    expect(part.done || !(await handlers['reports.exportPart']({ id })).text.startsWith('geo,')).toBe(true);
    await handlers['reports.exportEnd']({ id });

    // Demo has another key after the restart.
    const shown = await ask(await world.restart(), change);
    expect(shown.totals).toEqual(page.totals);
    expect(shown.state).toMatchObject({ state: 'idle', partial: false, readAtMs: page.state.readAtMs });
  });
});

describe('a live profile', () => {
  let live: RunningBackend;
  beforeAll(async () => {
    live = await startLive();
  });
  afterAll(() => live.dispose());

  const change: Change = { source: { kind: 'search', sid: null }, range: { preset: 'yesterday' } };

  async function withReports(world: World, name: string): Promise<string> {
    const { handlers } = world.core;
    const { id } = await handlers['profiles.add']({ ...inputFor(live), name });
    await handlers['profiles.switch']({ id });
    await handlers['profiles.keepCredential']({ id, name: 'publisherKey', value: keyOf(live) });
    expect((await read(world, change)).rowCount).toBe(1);
    return id;
  }

  test('loses its reports with its key, its sign-out or its removal, and other profiles keep theirs', async () => {
    const world = await openDesktop({ campaigns: 3 });
    const { handlers } = world.core;
    expect(existsSync(join(world.folder, 'reports.sqlite'))).toBe(false);
    const kept = await withReports(world, 'Stays');
    const ends: [string, (id: string) => Promise<unknown>][] = [
      [
        'replaced',
        (id) => {
          const other = live.credentials.accounts.publisher.publisherKeys[2]?.key ?? '';
          return handlers['profiles.keepCredential']({ id, name: 'publisherKey', value: other });
        },
      ],
      ['forgotten', (id) => handlers['profiles.forgetCredential']({ id, name: 'publisherKey' })],
      ['signed out', (id) => handlers['profiles.signOut']({ id })],
      ['removed', (id) => handlers['profiles.remove']({ id })],
    ];
    for (const [name, end] of ends) {
      const id = await withReports(world, name);
      expect(slicesOf(world, id)).toBe(1);
      await end(id);
      await expect.poll(() => slicesOf(world, id), { message: name }).toBe(0);
    }
    expect(slicesOf(world, kept)).toBe(1);
    await handlers['profiles.switch']({ id: kept });
    // Pasting the same key again must not replace anything.
    await handlers['profiles.keepCredential']({ id: kept, name: 'publisherKey', value: keyOf(live) });
    expect((await ask(world, change)).rowCount).toBe(1);
  });
});

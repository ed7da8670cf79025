import { describe, expect, onTestFinished, test } from 'vitest';
import type { DaySumsRequest } from '#core/reports/notes/figures.ts';
import { createMarks, createViews } from '#core/reports/notes/report-notes.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { maxMarks, maxViews, type MarkTarget, type ReportQuery } from '#shared/app-api/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const query: ReportQuery = {
  source: { kind: 'xml', tid: 101 },
  range: { preset: 'last30' },
  comparison: 'previous',
  includeToday: false,
  levels: ['subid'],
  only: [{ dimension: 'geo', value: null }],
  excluded: [[{ dimension: 'subid', value: '\u001B[31mred\u0000' }]],
  search: 'b',
  sort: { column: 'net_revenue', descending: true },
};

const target: MarkTarget = { source: { kind: 'xml', tid: 101 }, dimension: 'subid', value: 'bot-7' };
const week = { from: '2026-11-09', to: '2026-11-15' };

function openNotes(folder = tempFolder()) {
  const clock = createManualClock(Date.parse('2026-11-22T12:00:00Z'));
  const store = openAppStore({ folder, clock, logger });
  onTestFinished(() => store.dispose());
  const asked: DaySumsRequest[] = [];
  const figures: { sums: Record<string, string> } = { sums: { gross_clicks: '12', net_revenue: '0.30' } };
  let profileId = 'demo';
  const parts = { store, clock, serviceClock: clock, ids: createIds(clock.nowMs), onChange: () => {} };
  const marks = createMarks({
    ...parts,
    profile: () => ({ id: profileId, zone: 'America/New_York' }),
    figures: {
      async sumsOf(ask) {
        asked.push(ask);
        const sums = ask.only?.value === 'unread' ? {} : figures.sums;
        return { complete: true, isUpToDate: true, sums };
      },
    },
  });
  const views = createViews({ ...parts, profileId: () => profileId });
  return {
    store,
    clock,
    asked,
    figures,
    marks,
    views,
    folder,
    switchTo: (id: string) => void (profileId = id),
  };
}

describe('a report mark', () => {
  test('keeps the figures from the time of marking and shows those of as many complete days now', async () => {
    const { marks, clock, asked } = openNotes();
    const set = marks['reports.marks.set'];
    const mark = await set({ target, sign: 'bad', note: 'Bot traffic', range: week });
    expect(mark).toMatchObject({
      ...target,
      sign: 'bad',
      note: 'Bot traffic',
      figuresThen: { range: week, sums: { gross_clicks: '12', net_revenue: '0.30' }, complete: true },
    });
    expect(await marks['reports.marks.list']({})).toEqual({ items: [mark] });
    clock.advance(5 * 86_400_000);
    const { items } = await marks['reports.marks.now']({ ids: [mark.id, 'unknown'] });
    expect(items).toMatchObject([
      { id: mark.id, figures: { range: { from: '2026-11-20', to: '2026-11-26' } } },
    ]);
    expect(asked.at(-1)).toMatchObject({ only: { dimension: 'subid', value: 'bot-7' }, profileId: 'demo' });
  });

  test('keeps its figures and time when only its note changes, and takes new figures with another sign', async () => {
    const { marks, clock, figures } = openNotes();
    const set = marks['reports.marks.set'];
    const first = await set({ target, sign: 'watch', note: '', range: week });
    clock.advance(86_400_000);
    figures.sums = { gross_clicks: '99' };
    const range = { from: '2026-11-16', to: '2026-11-22' };
    const noted = await set({ target, sign: 'watch', note: 'Ask the publisher', range });
    expect(noted).toEqual({ ...first, note: 'Ask the publisher' });
    const judged = await set({ target, sign: 'bad', note: noted.note, range });
    expect(judged).toMatchObject({
      markedAtMs: clock.nowMs(),
      figuresThen: { range, sums: { gross_clicks: '99' } },
    });
    expect(await marks['reports.marks.list']({})).toEqual({ items: [judged] });
  });

  test('is unique for each value of a report, including the missing value, and states if nothing had been read', async () => {
    const { marks } = openNotes();
    const set = marks['reports.marks.set'];
    const first = await set({ target, sign: 'watch', note: '', range: week });
    const again = await set({ target, sign: 'good', note: 'Clean now', range: week });
    expect(again.id).toBe(first.id);
    await set({ target: { ...target, value: null }, sign: 'watch', note: '', range: week });
    await set({ target: { ...target, value: null }, sign: 'bad', note: '', range: week });
    await set({ target: { ...target, value: '' }, sign: 'watch', note: '', range: week });
    await set({
      target: { ...target, source: { kind: 'search', sid: null } },
      sign: 'note',
      note: 'x',
      range: week,
    });
    await set({ target: { ...target, value: 'unread' }, sign: 'watch', note: '', range: week });
    const { items } = await marks['reports.marks.list']({});
    expect(items.map(({ value, sign, figuresThen }) => [value, sign, figuresThen === null])).toEqual([
      ['unread', 'watch', true],
      ['bot-7', 'note', false],
      ['', 'watch', false],
      [null, 'bad', false],
      ['bot-7', 'good', false],
    ]);
    await marks['reports.marks.remove']({ ids: items.slice(1).map(({ id }) => id) });
    expect((await marks['reports.marks.list']({})).items).toHaveLength(1);
  });

  test('of the note kind needs a text, and a profile has a limited number of marks', async () => {
    const { marks, store } = openNotes();
    const set = marks['reports.marks.set'];
    await expect(set({ target, sign: 'note', note: '', range: week })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    store.transaction(() => {
      for (let at = 0; at < maxMarks; at += 1) {
        store.reportMarks.put('demo', {
          ...target,
          value: `s${at}`,
          id: `m${at}`,
          sign: 'good',
          note: '',
          markedAtMs: at,
          figuresThen: null,
        });
      }
    });
    await expect(set({ target, sign: 'bad', note: '', range: week })).rejects.toMatchObject({
      code: 'mark_limit',
    });
    await set({ target: { ...target, value: 's3' }, sign: 'bad', note: '', range: week });
  });
});

describe('a saved report view', () => {
  test('survives a restart unchanged, including untrusted text', async () => {
    const first = openNotes();
    const view = await first.views['reports.views.save']({ name: 'Bots by sub-id', query });
    await first.views['reports.views.setStart']({ id: view.id });
    await first.store.dispose();
    const { items } = await openNotes(first.folder).views['reports.views.list']({});
    expect(items).toEqual([{ ...view, start: true }]);
    expect(items[0]?.query).toEqual(query);
  });

  test('has a unique name and can be overwritten, renamed, reordered and deleted', async () => {
    const { views } = openNotes();
    const save = views['reports.views.save'];
    const [one, two, three] = [
      await save({ name: 'Été', query }),
      await save({ name: 'Two', query }),
      await save({ name: 'Three', query }),
    ];
    await expect(save({ name: 'éTÉ', query })).rejects.toMatchObject({ code: 'view_name_taken' });
    await expect(views['reports.views.rename']({ id: two.id, name: 'three' })).rejects.toMatchObject({
      code: 'view_name_taken',
    });
    await views['reports.views.rename']({ id: two.id, name: 'TWO' });
    await views['reports.views.overwrite']({ id: one.id, query: { ...query, search: 'other' } });
    await views['reports.views.reorder']({ ids: [three.id, 'gone', one.id] });
    await views['reports.views.setStart']({ id: one.id });
    await views['reports.views.setStart']({ id: two.id });
    const { items } = await views['reports.views.list']({});
    expect(items.map(({ name, start, query: saved }) => [name, start, saved?.search])).toEqual([
      ['Three', false, 'b'],
      ['Été', false, 'other'],
      ['TWO', true, 'b'],
    ]);
    await views['reports.views.remove']({ id: two.id });
    await expect(views['reports.views.overwrite']({ id: two.id, query })).rejects.toMatchObject({
      code: 'view_unknown',
    });
    await expect(views['reports.views.setStart']({ id: two.id })).rejects.toMatchObject({
      code: 'view_unknown',
    });
  });

  test('belongs to its profile, which has a limited number of views', async () => {
    const { views, switchTo } = openNotes();
    for (let at = 0; at < maxViews; at += 1) await views['reports.views.save']({ name: `View ${at}`, query });
    await expect(views['reports.views.save']({ name: 'More', query })).rejects.toMatchObject({
      code: 'view_limit',
    });
    switchTo('other');
    expect(await views['reports.views.list']({})).toEqual({ items: [] });
    await views['reports.views.save']({ name: 'View 1', query });
  });
});

test('from an earlier version that excludes single values still excludes them', async () => {
  const { views, store } = openNotes();
  const view = await views['reports.views.save']({ name: 'Old', query });
  const old = { ...query, excluded: query.excluded.flat() } as unknown as ReportQuery;
  store.reportViews.overwrite('demo', { id: view.id, savedAtMs: 1, query: old });
  expect((await views['reports.views.list']({})).items[0]?.query).toEqual(query);
});

test('written by another version is listed by its name only', async () => {
  const { views, store } = openNotes();
  const view = await views['reports.views.save']({ name: 'Old', query });
  store.reportViews.overwrite('demo', {
    id: view.id,
    savedAtMs: 1,
    query: JSON.parse('{"levels":[]}') as ReportQuery,
  });
  const { items } = await views['reports.views.list']({});
  expect(items).toMatchObject([{ name: 'Old', query: null }]);
});

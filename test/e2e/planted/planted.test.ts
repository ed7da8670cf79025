import AxeBuilder from '@axe-core/playwright';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateWords } from '#core/proposals/operations/update/words.ts';
import { factsInWords } from '#shared/campaign/index.ts';
import type { Showing } from '#shared/host-api/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { exampleContext } from '#test/fixtures/campaign.ts';
import { harmlessChanges, type PlantedChange, plantedFaults } from '#test/fixtures/planted-changes.ts';
import { exampleShowing } from '#test/fixtures/proposal.ts';
import { servePage, type ServedPage } from '../chart/served-page.ts';
import { launchChromium } from '../driver/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-planted-'));
/** Pictures of every change are kept where this names a folder. */
const picturesFolder = process.env['PLANTED_PICTURES'];
let served: ServedPage;
let browser: Browser;

beforeAll(async () => {
  served = await servePage(import.meta.dirname, folder);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The moment for which the corpus is written. */
const createdAtMs = Date.UTC(2026, 10, 20, 13);

function showingOf({ before, after }: PlantedChange): Showing {
  const { types, settings } = exampleContext();
  const base = JSON.stringify({ campaign: before, campaign_types: types, settings });
  const profile = {
    id: 'live',
    name: 'Northwind Media',
    kind: 'live',
    account: '7',
    zone: 'Europe/Berlin',
  } as const;
  const agent = { kind: 'agent', name: 'Claude Code', sinceMs: createdAtMs - 1e9, agentId: 'a1' } as const;
  const {
    effects: _effects,
    comparable: _comparable,
    facts,
    ...words
  } = updateWords({
    payload: canonicalJson(after),
    base,
    createdAtMs,
    profile,
    proposedBy: agent,
    rebase: null,
  });
  return exampleShowing({
    ...words,
    facts: factsInWords(facts),
    profile,
    proposedBy: agent,
    payload: canonicalJson(after),
    createdAtMs: Date.now(),
    expiresAtMs: Date.now() + 3_600_000,
  });
}

interface Scene {
  theme: 'light' | 'dark';
  /** Zoom of the page in percent. */
  zoom: 100 | 150;
}

async function open(change: PlantedChange, { theme, zoom }: Scene): Promise<Page> {
  const scale = zoom / 100;
  // A page that is zoomed has fewer pixels of its own in the same window.
  const context = await browser.newContext({
    viewport: { width: Math.round(760 / scale), height: Math.round(680 / scale) },
    deviceScaleFactor: scale,
  });
  const page = await context.newPage();
  await page.addInitScript(`window.plantedShowing = ${JSON.stringify(showingOf(change))};`);
  await page.goto(served.url(`theme=${theme}`));
  await page.getByRole('button', { name: 'Deny' }).waitFor();
  if (picturesFolder !== undefined) {
    mkdirSync(picturesFolder, { recursive: true });
    await page.screenshot({ path: join(picturesFolder, `${change.name} ${theme} ${zoom}.png`) });
  }
  return page;
}

/** Texts in view that are not cut, with their size, the largest first. */
function shownTexts(page: Page): Promise<{ text: string; size: number }[]> {
  return page.evaluate(() => {
    const scroller = document.querySelector('main')?.getBoundingClientRect();
    const found: { text: string; size: number }[] = [];
    for (const element of document.querySelectorAll('main dd, main h1, main p, main li, main dt')) {
      const box = element.getBoundingClientRect();
      if (scroller === undefined || box.height === 0 || box.bottom > scroller.bottom) continue;
      const parts = [element, ...element.querySelectorAll('*')];
      const size = Math.max(...parts.map((part) => Number.parseFloat(getComputedStyle(part).fontSize)));
      found.push({ text: (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim(), size });
    }
    return found.toSorted((one, other) => other.size - one.size);
  });
}

const scenes: Scene[] = (['light', 'dark'] as const).flatMap((theme) =>
  ([100, 150] as const).map((zoom) => ({ theme, zoom })),
);

describe.each(scenes)('in a window of 760 × 680, $theme, at $zoom %', (scene) => {
  test.each(plantedFaults)('the fault is the largest thing, without scrolling: $name', async (fault) => {
    const page = await open(fault, scene);
    const [largest] = await shownTexts(page);
    expect(largest?.size).toBe(28);
    for (const part of fault.headline === 'money' ? [] : fault.headline)
      expect(largest?.text).toContain(part);
    await page.context().close();
  });
});

test.each(harmlessChanges)('nothing is red in an ordinary change: $name', async (change) => {
  const page = await open(change, { theme: 'light', zoom: 100 });
  await expect.poll(() => page.getByRole('textbox', { name: /^Type / }).count()).toBe(0);
  const red = await page.evaluate(() => {
    const probe = document.createElement('span');
    probe.style.color = 'var(--red-text-strong)';
    document.body.append(probe);
    const color = getComputedStyle(probe).color;
    probe.remove();
    const large = [...document.querySelectorAll('main dd, main dd *')];
    return large.filter((element) => getComputedStyle(element).color === color).length;
  });
  expect(red).toBe(0);
  await page.context().close();
});

test('assistive technology reads a confirmation without a finding, its danger first', async () => {
  const [fault] = plantedFaults.filter(({ name }) => name === 'look-alike host');
  if (fault === undefined) throw new Error('The corpus has no look-alike host');
  const page = await open(fault, { theme: 'dark', zoom: 100 });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  const order = await page.locator('main').innerText();
  expect(order.indexOf('xn--trck-63d.example')).toBeLessThan(order.indexOf('At risk'.toUpperCase()));
  await page.context().close();
});

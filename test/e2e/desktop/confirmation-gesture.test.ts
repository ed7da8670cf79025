import { expect, test } from 'vitest';
import type { ConfirmPreload, Display } from '#shared/host-api/index.ts';
import { waitingFor } from '../driver/app.ts';
import type { ConfirmationDriver } from '../driver/confirmation.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';
import type { Session } from '../driver/session.ts';

const session = prepareDesktopSessions().sessionForThisFile();

interface Asked extends Pick<Session, 'app' | 'second'> {
  cid: number;
  confirmation: ConfirmationDriver;
  /** Number of decisions that the window has sent since the confirmation was shown. */
  decisions(): number;
}

/** Proposes a new name for the active campaign at this place of the list, and brings its confirmation on screen. */
async function askForAName(place: number): Promise<Asked> {
  const { app, second } = session();
  const cid = (await second.cids({ status: 1, perPage: 10 }))[place] ?? 0;
  await app.open(cid);
  await app.edit(cid, 'Name', 'A name that somebody asks for');
  const reviewed = await app.review(cid);
  await reviewed.close();
  const confirmation = await app.bringUp(await waitingFor(app, cid));
  const before = confirmation.decisions();
  return { app, second, cid, confirmation, decisions: () => confirmation.decisions() - before };
}

/** Expects that the confirmation is still undecided, that the page sent no decision, and that the service got no write. */
async function expectUndecided({ confirmation, second, cid, decisions }: Asked): Promise<void> {
  await confirmation.approve.waitFor();
  expect(decisions()).toBe(0);
  expect(second.count('PUT', `/${cid}`)).toBe(0);
}

/** Holds a key: one press and its repetitions, as the system sends them. */
async function hold({ page }: ConfirmationDriver, key: string, times = 12): Promise<void> {
  for (let left = times; left > 0; left -= 1) await page.keyboard.down(key);
}

test('Deny has the focus, held keys, Enter, early or interrupted clicks and script events decide nothing, and a fresh Space on Approve approves', async () => {
  const asked = await askForAName(0);
  const { second, cid, confirmation } = asked;
  const { page, approve, deny } = confirmation;
  await expect.poll(() => confirmation.focused('Deny').count()).toBe(1);

  // Keys and the pointer are pressed before the buttons arm, and released afterwards.
  for (const key of ['Enter', 'Space']) {
    for (const button of [deny, approve]) {
      await button.focus();
      const arming = await confirmation.holdArming();
      await hold(confirmation, key, 3);
      await arming.release();
      await hold(confirmation, key);
      await page.keyboard.up(key);
      await expectUndecided(asked);
    }
  }
  const early = await confirmation.holdArming();
  await approve.click({ force: true });
  await approve.hover({ force: true });
  await page.mouse.down();
  await early.release();
  await page.mouse.up();
  await expectUndecided(asked);

  // Enter on Approve, fresh and held, with armed buttons.
  await approve.focus();
  await hold(confirmation, 'Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('NumpadEnter');
  await page.keyboard.press('Control+Enter');
  await expectUndecided(asked);

  // A press that begins on Approve and ends elsewhere, and a press that begins elsewhere and ends on Approve.
  await approve.hover();
  await page.mouse.down();
  await page.getByRole('heading', { level: 1 }).hover();
  await page.mouse.up();
  await page.mouse.down();
  await approve.hover();
  await page.mouse.up();
  await approve.click({ button: 'right' });
  await expectUndecided(asked);

  // The window loses and regains the focus between the two halves of a click.
  await approve.hover();
  await page.mouse.down();
  await confirmation.refocus();
  await page.mouse.up();
  await expectUndecided(asked);

  await confirmation.armed();
  for (const button of [approve, deny]) await button.evaluate(pressByScript);
  await expectUndecided(asked);

  await deny.focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => confirmation.focused('Reason for denying (optional)').count()).toBe(1);
  await page.keyboard.press('Tab');
  await expect.poll(() => confirmation.focused('Approve change').count()).toBe(1);
  await page.keyboard.press('Space');
  await confirmation.ends('Verified');
  expect(asked.decisions()).toBe(1);
  expect(second.count('PUT', `/${cid}`)).toBe(1);
  await confirmation.close();
});

test('holding Enter after a denial does not close the outcome', async () => {
  const { cid, second, confirmation } = await askForAName(1);
  const { page, deny } = confirmation;
  await confirmation.armed();
  await deny.focus();
  await hold(confirmation, 'Enter', 1);
  await confirmation.ends('Denied');
  const close = page.getByRole('button', { name: 'Close window' });
  await expect.poll(() => confirmation.focused('Close window').count()).toBe(1);
  // Chromium does not close a tab that no script has opened, so the test observes the press.
  await close.evaluate((button) => button.addEventListener('click', () => (button.textContent = 'Pressed')));
  await hold(confirmation, 'Enter');
  await expect.poll(() => close.count()).toBe(1);
  await page.keyboard.up('Enter');
  expect(second.count('PUT', `/${cid}`)).toBe(0);
  await confirmation.close();
});

/** Tries every way in which a script of the page can press a button. Runs in the page. */
function pressByScript(button: Element): void {
  if (!(button instanceof HTMLButtonElement)) throw new Error('Not a button');
  const bubbling = { bubbles: true, cancelable: true };
  button.click();
  button.focus();
  for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
    button.dispatchEvent(new PointerEvent(kind, { ...bubbling, detail: 1, button: 0, isPrimary: true }));
  }
  for (const key of [' ', 'Enter']) {
    button.dispatchEvent(new KeyboardEvent('keydown', { ...bubbling, key }));
    button.dispatchEvent(new KeyboardEvent('keypress', { ...bubbling, key }));
    button.dispatchEvent(new KeyboardEvent('keyup', { ...bubbling, key }));
  }
}

test('a page that decides by itself approves nothing while its window has no focus', async () => {
  const asked = await askForAName(2);
  const { app, confirmation } = asked;
  // The core's arming delay has passed, so only the host can refuse.
  await confirmation.armed();
  await app.turnTo();
  expect(await confirmation.page.evaluate(approveByScript)).toBe('confirmation_too_early');
  await expectUndecided(asked);
});

/** Sends an approval of the displayed confirmation. Runs in the page. */
async function approveByScript(): Promise<string> {
  const { countersignConfirm: host } = window as unknown as { countersignConfirm: ConfirmPreload };
  const opened = await host.ask('open', {});
  if ('error' in opened) return opened.error.code;
  const { displayId, nonce, fingerprint } = opened.output as Display;
  const what = { displayId, nonce, fingerprint, reason: null, typed: null };
  const answer = await host.ask('decide', { ...what, decision: 'approve' });
  return 'error' in answer ? answer.error.code : 'decided';
}

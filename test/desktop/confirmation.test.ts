import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { armingDelayMs, type Answer, type ConfirmPreload } from '#shared/host-api/index.ts';
import { electronForThisFile } from '#test/servers/electron-runtime.ts';
import { startDesktopScene, type DesktopScene } from './confirmation/scene.ts';

const bed = electronForThisFile();
let scene: DesktopScene;
beforeAll(async () => {
  scene = await startDesktopScene(bed);
});
beforeEach(() => scene.putAway());
afterAll(() => scene?.close());

const shown = { visible: true, focused: true };
const hidden = { visible: false, focused: false };

/** Answers as the confirmation's page would if it belonged to another program, past every button and half second of its own. */
function decideAtOnce(): Promise<string> {
  return scene.confirmPage.evaluate(async () => {
    const { countersignConfirm: host } = window as unknown as { countersignConfirm: ConfirmPreload };
    const opened = await host.open();
    if ('error' in opened) return opened.error.code;
    const { showingId, nonce, fingerprint } = opened.output as Record<string, string>;
    const seen = { showingId: showingId ?? '', nonce: nonce ?? '' };
    await host.seen(seen);
    const decision = {
      ...seen,
      fingerprint: fingerprint ?? '',
      decision: 'approve',
      reason: null,
      typed: null,
    } as const;
    const answer = await host.decide(decision);
    return 'error' in answer ? answer.error.code : 'decided';
  });
}

const armed = (): Promise<void> =>
  scene.confirmPage.locator('button[aria-disabled="false"]', { hasText: /^Deny/ }).waitFor();

const title = (): Promise<string> => scene.confirmPage.getByRole('heading', { level: 1 }).innerText();

test('a question comes up without taking the focus, and approves nothing until a person has turned to it', async () => {
  const { core, confirmPage } = scene;
  const [id = ''] = await scene.propose(1);
  await scene.focus('app');
  core.show(id);
  await expect.poll(() => scene.state('confirm')).toMatchObject({ visible: true, focused: false });
  expect(await scene.state('app')).toEqual(shown);
  await confirmPage.getByRole('button', { name: 'Deny', exact: true }).waitFor();
  // However long it stands there, and whatever its page believes: a driven page believes that it has the focus.
  await new Promise((resolve) => setTimeout(resolve, 2 * armingDelayMs));
  expect(await decideAtOnce()).toBe('confirmation_too_early');
  expect(core.decisions).toEqual([]);

  await scene.focus('confirm');
  expect(await decideAtOnce()).toBe('confirmation_too_early');
  expect(await scene.stateOf(id)).toBe('shown');
  await armed();
  expect(await confirmPage.evaluate(() => document.activeElement?.textContent)).toBe('Deny');
});

test('held keys and Enter approve nothing, a fresh Space on Approve does', async () => {
  const { core, confirmPage } = scene;
  const [id = ''] = await scene.propose(1);
  await scene.review(id);
  await expect.poll(() => scene.state('confirm')).toEqual(shown);
  await armed();
  for (const button of [/^Deny/, /^Approve/]) {
    await confirmPage.getByRole('button', { name: button }).focus();
    for (const key of ['Space', 'Enter']) await scene.press(key, { held: true });
  }
  await scene.press('Enter');
  await scene.press('Enter', { modifiers: ['control'] });
  expect(core.decisions).toEqual([]);
  await scene.press('Space');
  await confirmPage.getByRole('main').getByText('Verified', { exact: true }).waitFor();
  expect(core.decisions).toMatchObject([{ decision: 'approve' }]);
  expect(await scene.stateOf(id)).toBe('verified');
});

test('one question at a time: the next arms after its own delay, and the window closes when nothing waits', async () => {
  const { core, confirmPage } = scene;
  const [first = '', second = '', third = ''] = await scene.propose(3);
  await scene.review(first);
  core.show(second);
  core.show(third);
  await confirmPage.getByText(/^\d+ of \d+$/).waitFor();
  const firstTitle = await title();
  await armed();
  await confirmPage.getByRole('button', { name: 'Deny', exact: true }).click();
  await goOn();
  expect(await title()).not.toBe(firstTitle);
  expect(await decideAtOnce()).toBe('confirmation_too_early');

  // Review in the app's window brings the one that was asked for.
  await scene.focus('app');
  await scene.review(third);
  await expect.poll(() => scene.state('confirm')).toEqual(shown);
  expect(await decideAtOnce()).toBe('confirmation_too_early');
  while (await goesOn()) {
    await armed();
    await confirmPage.getByRole('button', { name: 'Deny', exact: true }).click();
    await goOn();
  }
  await confirmPage.getByRole('button', { name: 'Close window' }).click();
  await expect.poll(() => scene.state('confirm')).toEqual(hidden);
  for (const id of [first, second, third]) expect(await scene.stateOf(id)).toBe('denied');
});

test('the keys of a review go from change to change, each of which arms anew', async () => {
  const { core } = scene;
  const ids = await scene.propose(3);
  await scene.review(ids[0] ?? '');
  await expect.poll(() => scene.state('confirm')).toEqual(shown);
  await armed();
  const titles = [await title()];
  for (const _ of ids.slice(1)) {
    await scene.press((await canGo('Next')) ? 'N' : 'P');
    await expect.poll(title).not.toBe(titles.at(-1));
    expect(await decideAtOnce()).toBe('confirmation_too_early');
    // It looked once more, from which the core counts again: later than the page.
    await scene.confirmPage.waitForTimeout(armingDelayMs);
    await armed();
    titles.push(await title());
  }
  expect(core.decisions.filter(({ decision }) => decision === 'deny')).toEqual([]);
  for (const id of ids) expect(['proposed', 'shown']).toContain(await scene.stateOf(id));
});

/** True if the review has a button of this name that does something. */
async function canGo(name: string): Promise<boolean> {
  return (await scene.confirmPage.getByRole('button', { name, exact: true, disabled: false }).count()) > 0;
}

/** True if a question is on screen, and false at the end of a review. */
async function goesOn(): Promise<boolean> {
  const { confirmPage } = scene;
  const asks = confirmPage.getByRole('button', { name: 'Deny', exact: true });
  await asks.or(confirmPage.getByRole('heading', { name: /^You decided/ })).waitFor();
  return (await asks.count()) > 0;
}

/** Goes on from an outcome; from a summary with changes left, to the first of those. */
async function goOn(): Promise<void> {
  const { confirmPage } = scene;
  await confirmPage.getByRole('button', { name: /^(Next change|Summary)$/ }).click();
  const asks = confirmPage.getByRole('button', { name: 'Deny', exact: true });
  const rest = confirmPage.getByRole('button', { name: /^Review the remaining/ });
  await asks
    .or(confirmPage.getByRole('heading', { name: /^You decided/ }))
    .or(rest)
    .first()
    .waitFor();
  if ((await rest.count()) > 0) await rest.click();
}

test('closing the window decides nothing, and Review brings the question back', async () => {
  const { core } = scene;
  const [first = '', second = ''] = await scene.propose(2);
  await scene.review(first);
  core.show(second);
  await expect.poll(() => scene.state('confirm')).toEqual(shown);
  await armed();
  await scene.command('close');
  await expect.poll(() => scene.state('confirm')).toEqual(hidden);
  expect(await decideAtOnce()).toBe('showing_unknown');
  expect(await scene.stateOf(first)).toBe('shown');
  expect(core.decisions).toEqual([]);

  await scene.review(first);
  await expect.poll(() => scene.state('confirm')).toEqual(shown);
  await armed();
  // The window's own menu closes it too.
  await scene.press('W', { modifiers: ['control'] });
  await expect.poll(() => scene.state('confirm')).toEqual(hidden);
});

test('no page but the confirmation’s own can answer, whatever it sends', async () => {
  const { core, appPage, electron } = scene;
  const [id = ''] = await scene.propose(1);
  await scene.review(id);
  await armed();
  expect(await appPage.evaluate(() => 'countersignConfirm' in window)).toBe(false);
  expect(
    await appPage.evaluate(() =>
      Object.keys((window as unknown as { countersign: { requests: object } }).countersign.requests),
    ),
  ).not.toContain('decide');

  // The right nonce, from everywhere but the right place.
  const sent = [...core.showings].find(([, { proposalId }]) => proposalId === id);
  const [showingId, { nonce }] = sent ?? ['', { nonce: '' }];
  expect(nonce).not.toBe('');
  const answers = await electron.evaluate(
    async ({ BrowserWindow, ipcMain }, decision) => {
      const contentsAt = (name: string) =>
        BrowserWindow.getAllWindows().find(({ webContents }) =>
          webContents.getURL().startsWith(`countersign://${name}/`),
        )?.webContents;
      const [app, confirm] = [contentsAt('app'), contentsAt('confirm')];
      const { _invokeHandlers: handlers } = ipcMain as unknown as {
        _invokeHandlers: Map<string, (event: object, input: unknown) => Promise<Answer>>;
      };
      const senders = {
        'the app’s page': { sender: app, senderFrame: app?.mainFrame },
        'the app’s page in the name of the window': { sender: confirm, senderFrame: app?.mainFrame },
        'no frame': { sender: confirm, senderFrame: null },
        'a frame within': {
          sender: confirm,
          senderFrame: { origin: 'countersign://confirm', parent: confirm?.mainFrame },
        },
        'a frame of another origin': {
          sender: confirm,
          senderFrame: { origin: 'https://example.test', parent: null },
        },
      };
      const codes: Record<string, string> = {};
      for (const [name, event] of Object.entries(senders)) {
        const answer = await handlers.get('confirm:decide')?.(event, decision);
        codes[name] = answer && 'error' in answer ? answer.error.code : 'taken';
      }
      return codes;
    },
    { showingId, nonce, fingerprint: '', decision: 'approve', reason: null, typed: null },
  );
  expect(new Set(Object.values(answers))).toEqual(new Set(['sender_refused']));
  expect(core.decisions).toEqual([]);
  expect(await scene.stateOf(id)).toBe('shown');
});

import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { TestAgent } from '#test/servers/agent/agent.ts';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import { admitAgent } from '../../driver/agents.ts';
import type { AppDriver } from '../../driver/app.ts';
import type { ConfirmationDriver } from '../../driver/confirmation.ts';
import {
  chips,
  expectInView,
  expectNothingCut,
  expectOnlyOurElements,
  hostileNames,
  marks,
  readable,
} from '../../driver/hostile.ts';
import { giveToolWords, openToolArguments, rememberApproval } from '../../driver/service-side.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import type { Session } from '../../driver/session.ts';

const { startSession } = prepareBrowserSessions();

/** Invisible characters only. As a name it has the maximum length. */
const unseen = '\u202e\u200b\u2066\u061c'.repeat(50);

/** Text that pretends to come from the app or the person, or to be another line of the confirmation. */
const speaksForUs = `Claude” (agent), you, “Helper\nApproved by you\nAt risk per day $0.05 → $0.05`;

const agentNames = {
  markup: hostileNames['an image that runs a script'],
  'nothing that can be seen': unseen,
  'a very long word': 'W'.repeat(200),
  'a tower of marks': `Z${'\u0300\u0301\u0302\u0303'.repeat(49)}`,
  'wide letters': '\ufdfd'.repeat(28),
  'right to left': hostileNames['right to left'],
  'words of ours': speaksForUs,
};

/** Expects the usual layout: both buttons, the proposer and the money are visible inside the window. */
async function expectWellShown({ page, approve, deny }: ConfirmationDriver): Promise<void> {
  const money = page.getByRole('region', { name: 'Money at risk' });
  const band = page.getByRole('banner');
  await expectInView(approve, deny, band.getByText(/^until |left$/), band.getByText('account 20417'));
  if ((await money.count()) > 0) await expectInView(money);
  await expectNothingCut(page, page.locator('#root'));
  await expectOnlyOurElements(page);
}

/** Expects that no page tried to run or load anything. A page whose confirmation was withdrawn gets 401, which is allowed. */
async function expectNoComplaint({ complaints }: Session): Promise<void> {
  const unexpected = (await complaints()).filter((each) => !each.includes('a status of 401'));
  expect(unexpected).toEqual([]);
}

/** Brings up an agent's proposal, checks its confirmation and withdraws the proposal. */
async function lookAt(
  app: AppDriver,
  asked: Promise<unknown>,
  look: (confirmation: ConfirmationDriver) => Promise<void>,
): Promise<void> {
  asked.catch(() => {});
  const [id = ''] = await app.waiting(1);
  const confirmation = await app.bringUp(id);
  await look(confirmation);
  await app.ask('proposals.withdraw', { id });
  await app.waiting(0);
}

test('an agent’s name is always shown as a quotation, and the two words stay visible', async () => {
  const session = await startSession({ demoCampaigns: 12 });
  const { app } = session;
  await app.until('first row');
  for (const name of Object.values(agentNames)) {
    const { page: waits, agent } = connectAgent(await app.agentAddress(), { name });
    await waits;
    await lookAt(app, agent, async (confirmation) => {
      const { page } = confirmation;
      const claim = page.getByRole('definition').filter({ hasText: 'This name is not verified.' });
      const shown = claim.locator('bdi');
      await expect.poll(() => shown.textContent()).toBe(readable(quoted(name)));
      expect(await chips(shown)).toBe(marks(name));
      await expectMarksAround(shown);
      await expectInView(page.getByRole('status', { name: 'The two words' }));
      await expectWellShown(confirmation);
    });
  }
  await expectNoComplaint(session);
});

test('notes, arguments and tool names of agents are shown as plain text', async () => {
  const session = await startSession({ demoCampaigns: 60 });
  const memory = {};
  await (await admitAgent(session.app, { name: unseen, memory })).vanish();
  const texts = Object.values(hostileNames);
  const description = `${texts.join('\n')}${'A very long text. '.repeat(6_000)}`;
  const words = { title: texts.join(' '), description };
  // The service lists no tools now, so the pinned definitions are used.
  session.faults.arm({ kind: 'answer', status: 503, path: '/mcp', lasts: true });
  const app = await session.restartCore(() => {
    giveToolWords(session.dataFolder, 'svc_commit', words);
    openToolArguments(session.dataFolder, 'svc_commit');
    rememberApproval(session.dataFolder, 'none');
  });
  const agent = await connectAgent(await app.agentAddress(), { memory }).agent;

  const commitWith = (more: Record<string, unknown>) =>
    agent.call('svc_commit', {
      approvalId: 'none',
      fingerprint: 'none',
      payload: { a: 1 },
      idempotencyKey: 'first',
      ...more,
    });
  const args = Object.fromEntries(texts.map((text) => [text, text]));
  await agent.call('countersign_note', { text: unseen.repeat(5) });
  await lookAt(app, commitWith(args), async (confirmation) => {
    const { page } = confirmation;
    const call = page.getByRole('region', { name: 'The call' });
    const terms = await call.getByRole('term').allTextContents();
    const values = await call.getByRole('definition').allTextContents();
    for (const text of texts) {
      const at = terms.findIndex((term) => [text, `[${readable(quoted(text))}]`].includes(term));
      expect(values[at]).toBe(readable(quoted(text)));
    }
    expect(values[0]).toBe(`svc_commit ${readable(quoted(words.title))}`);
    expect(await chips(page.getByRole('figure').getByRole('blockquote'))).toBe(unseen.length * 5);
    await expectWellShown(confirmation);
  });

  const long = {
    ['W'.repeat(100_000)]: 'ح'.repeat(100_000),
    spaced: 'word '.repeat(20_000),
    unseen: '\u202e'.repeat(100_000),
  };
  await lookAt(app, commitWith({ ...long, idempotencyKey: 'long' }), async (confirmation) => {
    const more = confirmation.page.getByRole('button', { name: 'Show all 100,00' });
    await expect.poll(() => more.count()).toBe(3);
    await expectWellShown(confirmation);
  });

  const many = { payload: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`key${at}`, at])) };
  await lookAt(app, commitWith({ ...many, idempotencyKey: 'many' }), async (confirmation) => {
    await confirmation.says('Show all 5,004 arguments');
    await expectWellShown(confirmation);
  });

  const upload = {
    kind: 'icon',
    fileName: 'W'.repeat(100_000),
    contentType: speaksForUs,
    bytes: 1,
    width: 5,
    height: 5,
    sha256: '',
  };
  await lookAt(app, commitWith({ payload: upload, idempotencyKey: 'upload' }), async (confirmation) => {
    expect(await confirmation.title()).toContain('(the first 300 of 100,000 characters)');
    await expectWellShown(confirmation);
  });

  await app.turnTo();
  await app.goTo('Agents');
  await app.page.getByRole('heading', { name: 'Tools' }).click();
  const tool = app.page
    .getByRole('list', { name: 'Tools' })
    .getByRole('listitem')
    .filter({ has: app.page.getByText('svc_commit', { exact: true }) });
  await tool.getByText('svc_commit').first().click();
  await tool.getByText(readable(quoted(words.title))).waitFor();
  await expectNothingCut(app.page, tool);
  await expectOnlyOurElements(app.page);
  await expectNoComplaint(session);
});

test('a batch, the Proposals page, the Agents page and the Ledger page show agents’ names as quotations', async () => {
  const session = await startSession({ demoCampaigns: 60 });
  const { app, second } = session;
  const agents: TestAgent[] = [];
  for (const name of [unseen, speaksForUs]) agents.push(await admitAgent(app, { name }));
  const texts = Object.values(hostileNames).filter((_, at) => at % 4 === 1);
  const cids = await second.cids({ status: 1, perPage: texts.length });
  const asked: Promise<unknown>[] = [];
  for (const [at, cid] of cids.entries()) {
    await second.change(cid, { name: texts[at] ?? '' });
    const agent = agents[at % 2];
    await agent?.call('countersign_note', { text: texts[at] });
    asked.push(agent?.setStatus([cid], 'paused') ?? Promise.reject(new Error('Nobody')));
    await app.waiting(at + 1);
  }

  await app.turnTo();
  await app.goTo('Proposals');
  const together = app.page.getByRole('button', { name: `Review ${cids.length} together` });
  await together.waitFor();
  await app.page.getByText('Show each change').click();
  await expectInView(
    app.page.getByRole('button', { name: 'Withdraw' }),
    app.page.getByRole('heading', { level: 2 }),
  );
  await expectOnlyOurElements(app.page);
  const confirmation = await app.confirmationFrom(together);
  const members = confirmation.page.getByRole('list', { name: 'Members' }).getByRole('listitem');
  await expectMembers(members, new Map(cids.map((cid, at) => [cid, texts[at] ?? ''])));
  expect(await confirmation.words()).toContain(readable(`${quoted(speaksForUs)} (agent)`));
  await expectWellShown(confirmation);
  const reason = hostileNames['quotation marks that end the sentence early'];
  await confirmation.pressDeny(reason);
  await confirmation.says(/^Denied\./);
  await expectNothingCut(confirmation.page, confirmation.page.locator('#root'));
  await expectOnlyOurElements(confirmation.page);

  await app.turnTo();
  await app.goTo('Agents');
  const known = app.page.getByRole('list', { name: 'Agents with access' });
  for (const name of [unseen, speaksForUs]) await known.getByText(readable(quoted(name))).waitFor();
  await expectNothingCut(app.page, known);
  await expectOnlyOurElements(app.page);
  await known
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click();
  const dialog = app.page.getByRole('dialog');
  // The title isolates the text direction of the name within its quotation.
  await expect.poll(() => dialog.getByRole('heading').locator('[dir=auto]').count()).toBe(1);
  for (const name of ['Keep it', 'Revoke']) {
    const button = dialog.getByRole('button', { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    await expectInView(button);
  }
  await dialog.getByRole('button', { name: 'Keep it' }).click();

  await app.goTo('Ledger');
  const rows = app.page.getByRole('article');
  await rows.first().waitFor();
  await expect.poll(() => rows.first().textContent()).toContain(readable(quoted(reason)));
  await expectNothingCut(app.page, rows.first());
  await expectOnlyOurElements(app.page);
  const all = { afterSeq: 0, untilSeq: null, filter: everyRow };
  const { text } = (await app.ask('ledger.export', all)) as { text: string };
  const actors = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { actor?: string }).actor);
  expect(actors).toEqual(expect.arrayContaining([quoted(unseen), quoted(speaksForUs)]));
  await expectNoComplaint(session);
});

/** Expects that a quotation begins on the left and ends on the right, whatever the direction of its letters. */
async function expectMarksAround(quotation: Locator): Promise<void> {
  const [opens, closes] = await quotation.evaluate((element) => {
    const { firstChild, lastChild } = element;
    return [firstChild, lastChild].map((mark) => {
      const range = document.createRange();
      if (mark !== null) range.selectNodeContents(mark);
      const { left, bottom } = range.getBoundingClientRect();
      return { text: range.toString(), at: bottom * innerWidth + left };
    });
  });
  expect([opens?.text, closes?.text]).toEqual(['“', '”']);
  expect(opens?.at).toBeLessThan(closes?.at ?? 0);
}

async function expectMembers(members: Locator, names: ReadonlyMap<number, string>): Promise<void> {
  await expect.poll(() => members.count()).toBe(names.size);
  for (const [cid, text] of names) {
    const [name, words] = await members
      .filter({ hasText: String(cid) })
      .locator('bdi')
      .evaluateAll((all) => [all.at(0)?.textContent, all.at(-1)?.textContent]);
    expect([name, words]).toEqual([readable(text), readable(quoted(text))]);
  }
}

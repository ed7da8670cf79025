import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppInput, ProposalView } from '#shared/app-api/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import {
  addMember,
  finishInBrowser,
  isOver,
  openDesktop,
  openLive,
  untilSignIn,
} from '#test/core/connections/live-world.ts';
import { checked, draft, draftsOf } from '#test/core/drafts/drafts-of.ts';
import { withStore } from '#test/servers/stores.ts';
import {
  addSecondProfile,
  campaignNow,
  createWorld,
  findCampaign,
  kindsOf,
  type World,
} from '#test/core/proposals/world.ts';

const push = ({ type_name, status }: { type_name: string; status: number }): boolean =>
  type_name === 'Push' && status === 1;

function icon(side: number): Omit<AppInput<'uploads.propose'>, 'cid'> {
  const data = png(side, side).toString('base64');
  return { kind: 'icon', fileName: `icon-${side}.png`, contentType: 'image/png', data };
}

async function proposeIcon(world: World, side = 96): Promise<{ cid: number; proposal: ProposalView }> {
  const { cid } = await findCampaign(world, push);
  await world.core.handlers['campaigns.get']({ cid });
  const proposal = await world.core.handlers['uploads.propose']({ ...icon(side), cid });
  return { cid, proposal };
}

const listOf = (world: World) => world.core.handlers['uploads.list']({});

const iconDraft = async (world: World, cid: number) => (await draftsOf(world, cid))?.fields['icon'];

const calls = (world: World): number =>
  world.service.requestLog().filter(({ path }) => path === '/mcp').length;

describe('the upload of a picture', () => {
  test('shows the picture, its use, size and name before anything is published', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(world);
    expect(proposal.title).toBe('Upload the icon “icon-96.png”');
    expect(proposal.changes.map(({ label, after }) => [label, after])).toEqual([
      ['File', 'icon-96.png'],
      ['Use', 'Icon of a Push campaign'],
      ['Size', expect.stringMatching(/^96 × 96 pixels, PNG, \d+ bytes$/)],
      ['For', expect.stringContaining(`(${cid}). It gets the picture by a second approval.`)],
      ['Result', expect.stringContaining('anyone who knows its address can see it')],
    ]);
    expect(proposal.detail).toMatchObject({ kind: 'tool', effect: 'stated', known: 'upload' });
    expect(proposal.warnings).toEqual([]);
    const [now, picture] = proposal.pictures ?? [];
    const has = (await campaignNow(world, cid))['icon'] as { url: string };
    expect(now).toMatchObject({ field: 'icon', side: 'now', url: has.url, isOwn: true });
    expect(picture).toMatchObject({ field: 'icon', side: 'new', host: 'icon-96.png' });
    const { displayId, nonce } = await world.look(proposal.id);
    const url = picture?.url ?? '';
    expect(await world.core.confirmation.picture({ displayId, nonce, url })).toEqual({
      type: 'image/png',
      width: 96,
      height: 96,
      base64: icon(96).data,
    });
    expect((await listOf(world)).uploads).toEqual([]);
    expect((await listOf(world)).pending).toMatchObject([
      { proposalId: proposal.id, fileName: 'icon-96.png' },
    ]);
  });

  test('becomes a draft of the campaign once approved, and the draft is reviewed as usual', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(world);
    const before = await campaignNow(world, cid);
    await world.approve(await world.look(proposal.id));
    expect((await world.core.handlers['proposals.get']({ id: proposal.id })).state).toBe('done');
    await expect.poll(async () => (await listOf(world)).uploads).toHaveLength(1);
    const [upload] = (await listOf(world)).uploads;
    expect((await fetch(String(upload?.image['url']))).status).toBe(200);
    expect(upload).toMatchObject({ kind: 'icon', fileName: 'icon-96.png', width: 96, usedBy: [] });
    expect(await campaignNow(world, cid)).toEqual(before);

    const { campaigns } = await world.core.handlers['drafts.get']({ cids: [cid] });
    const operations = [{ kind: 'set', value: upload?.image }];
    expect(campaigns[0]?.fields).toEqual({ icon: { from: before['icon'], operations } });
    const { proposed } = await world.core.handlers['drafts.propose']({ cids: [cid] });
    await world.approve(await world.look(proposed[0]?.proposalId ?? ''));
    expect((await campaignNow(world, cid))['icon']).toEqual(upload?.image);
    await world.core.handlers['campaigns.get']({ cid });
    await expect.poll(async () => (await listOf(world)).uploads[0]?.usedBy).toEqual([cid]);
  });

  test('stays as a named, unused upload if the change of the campaign is denied, and is listed even after a hundred others', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(world);
    await world.approve(await world.look(proposal.id));
    await expect.poll(async () => (await listOf(world)).uploads).toHaveLength(1);
    const { proposed } = await world.core.handlers['drafts.propose']({ cids: [cid] });
    await world.deny(await world.look(proposed[0]?.proposalId ?? ''));
    const { uploads } = await listOf(world);
    expect(uploads).toMatchObject([{ fileName: 'icon-96.png', usedBy: [] }]);
    const [upload] = uploads;
    const expectShown = async (): Promise<void> => {
      const url = String(upload?.image['url']);
      expect(await world.core.handlers['pictures.load']({ cid, url })).toMatchObject({ width: 96 });
      const { base64 } = await world.core.handlers['uploads.load']({ sha256: upload?.sha256 ?? '' });
      expect(base64).toBe(icon(96).data);
    };
    await expectShown();
    withStore(world.folder, ({ uploads, transaction }) => {
      const [stored] = uploads.ofProfile('demo');
      if (stored?.image == null) throw new Error('It was uploaded');
      const { bytes: _bytes, image, ...first } = stored;
      transaction(() => {
        for (let at = 0; at < 100; at += 1) {
          const later = { ...first, sha256: at.toString(16).padStart(64, '0'), atMs: first.atMs + 1 };
          uploads.put({ ...later, proposalId: null, content: Buffer.of(1) });
          uploads.done(later, image, later.atMs);
        }
      });
    });
    expect((await listOf(world)).uploads).toHaveLength(100);
    await expectShown();
  });

  test('is refused before anything is sent if it is too small, too large, has a wrong shape or type, or is no picture', async () => {
    const world = await createWorld({ campaigns: 60 });
    const before = calls(world);
    const bytes = (content: Buffer) => ({ ...icon(96), data: content.toString('base64') });
    for (const [file, message] of [
      [icon(95), 'The picture is 95 × 95.'],
      [bytes(png(120, 96)), 'The picture is 120 × 96.'],
      [{ ...icon(96), fileName: 'icon.webp' }, 'A file of image/png ends in .png.'],
      [bytes(Buffer.from('<svg/>')), 'The bytes are not those'],
      [bytes(Buffer.alloc(256 * 1024 + 1)), 'larger than 256 KiB'],
    ] as const) {
      await expect(world.core.handlers['uploads.propose']({ ...file, cid: null })).rejects.toMatchObject({
        code: 'validation_failed',
        fields: [{ message: expect.stringContaining(message) as string }],
      });
    }
    expect(calls(world)).toBe(before);
    expect(await listOf(world)).toMatchObject({ access: 'ready', missing: [], uploads: [], pending: [] });
  });
});

test('at a live service needs a sign-in with upload permission, and otherwise sends nothing and names what is missing', async () => {
  const world = await openDesktop();
  const live = await openLive();
  const { id: profileId } = await addMember(world, live);
  const propose = () => world.core.handlers['uploads.propose']({ ...icon(96), cid: null });

  async function refused(reported: object, code: string): Promise<void> {
    expect(await listOf(world)).toMatchObject({ ...reported, pending: [] });
    const before = live.backend.requestLog().length;
    await expect(propose()).rejects.toMatchObject({ code });
    expect(live.backend.requestLog()).toHaveLength(before);
  }
  async function signIn(...scopes: ('svc:write' | 'svc:upload')[]): Promise<void> {
    await world.core.handlers['signIn.start']({ profileId, scopes });
    await finishInBrowser(await untilSignIn(world, ({ state }) => state === 'waiting'), live);
    expect((await untilSignIn(world, isOver)).state).toBe('done');
  }

  await refused({ access: 'signed-out' }, 'sign_in_needed');
  await signIn();
  await refused({ missing: ['svc:write', 'svc:upload'] }, 'scope_needed');
  await signIn('svc:write');
  await refused({ missing: ['svc:upload'] }, 'scope_needed');
  await signIn('svc:write', 'svc:upload');
  expect(await listOf(world)).toMatchObject({ access: 'ready', missing: [] });
  expect(await propose()).toMatchObject({ state: 'proposed', profile: { kind: 'live' } });
});

describe('a picture that is replaced meanwhile', () => {
  /** A second member sets the icon of a second campaign, and the core reads the change. */
  async function replaceIcon(world: World, cid: number): Promise<JsonValue> {
    const other = await findCampaign(world, (row) => push(row) && row.cid !== cid);
    const { icon: theirs = null } = await campaignNow(world, other.cid);
    const { edit } = await world.other.get(cid);
    await world.other.update(cid, JSON.stringify({ ...edit.campaign, icon: theirs }));
    await world.core.handlers['campaigns.get']({ cid });
    return theirs;
  }

  test('while its upload waits over a restart makes a conflict of the draft', async () => {
    const before = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(before);
    const world = await before.restart();
    const { icon: seen } = await campaignNow(world, cid);
    const theirs = await replaceIcon(world, cid);
    expect(theirs).not.toEqual(seen);
    await world.approve(await world.look(proposal.id));
    await expect.poll(() => iconDraft(world, cid)).toBeDefined();
    expect((await checked(world, cid)).fields).toMatchObject([
      { field: 'icon', state: 'conflict', original: seen, theirs },
    ]);
  });

  test('by its own address at another port makes no conflict', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(world);
    const { port } = new URL(world.core.info.serviceUrl);
    await world.core.dispose();
    const squatter = createServer().listen(Number(port), '127.0.0.1');
    onTestFinished(() => void squatter.close());
    const again = await world.restart();
    expect(new URL(again.core.info.serviceUrl).port).not.toBe(port);
    await again.approve(await again.look(proposal.id));
    await expect.poll(() => iconDraft(again, cid)).toBeDefined();
    const { icon } = await campaignNow(again, cid);
    expect((await checked(again, cid)).fields).toMatchObject([{ state: 'changed', original: icon }]);
  });

  test('keeps the conflict of the draft when another upload changes the draft', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid } = await findCampaign(world, push);
    const { icon: seen } = await campaignNow(world, cid);
    await draft(world, cid, { icon: { url: 'https://img.example/mine.png' } });
    const theirs = await replaceIcon(world, cid);
    const { proposal } = await proposeIcon(world);
    await world.approve(await world.look(proposal.id));
    await expect.poll(async () => (await listOf(world)).uploads[0]?.draftWaitsFor).toBeNull();
    expect((await checked(world, cid)).fields).toMatchObject([
      { field: 'icon', state: 'conflict', original: seen, theirs },
    ]);
  });
});

describe('an upload whose draft cannot be made yet', () => {
  const waitsFor = async (world: World) => (await listOf(world)).uploads.map((one) => one.draftWaitsFor);

  /** Adds another draft of the upload's campaign that is under review. */
  async function underReview(world: World, cid: number): Promise<string> {
    const { name } = await campaignNow(world, cid);
    const draft = { from: name ?? null, operations: [{ kind: 'set' as const, value: 'Renamed' }] };
    await world.core.handlers['drafts.change']({ title: 'Name', changes: [{ cid, field: 'name', draft }] });
    const { proposed } = await world.core.handlers['drafts.propose']({ cids: [cid] });
    return proposed[0]?.proposalId ?? '';
  }

  test('says so while drafts are under review, and becomes a draft when they are approved after a restart', async () => {
    const before = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(before);
    const review = await underReview(before, cid);
    await before.approve(await before.look(proposal.id));
    await expect.poll(() => waitsFor(before)).toEqual([cid]);
    expect(await iconDraft(before, cid)).toBeUndefined();
    const world = await before.restart();
    await world.approve(await world.look(review));
    await expect.poll(() => iconDraft(world, cid)).toBeDefined();
    await expect.poll(() => waitsFor(world)).toEqual([null]);
    const { history } = await world.core.handlers['drafts.get']({ cids: null });
    expect(history.undo).toBe('Replace icon with icon-96.png');
    await world.core.handlers['drafts.undo']({});
    expect(await iconDraft(world, cid)).toBeUndefined();
  });

  test('waits while another profile is active', async () => {
    const world = await createWorld({ campaigns: 60, host: 'desktop' });
    const { cid, proposal } = await proposeIcon(world);
    const display = await world.look(proposal.id);
    const id = await addSecondProfile(world);
    await world.core.handlers['profiles.switch']({ id });
    await world.approve(display);
    expect(await iconDraft(world, cid)).toBeUndefined();
    await world.core.handlers['profiles.switch']({ id: 'demo' });
    await expect.poll(() => iconDraft(world, cid)).toBeDefined();
  });
});

describe('an upload that is interrupted', () => {
  test('by a lost answer is found in the service’s record of the operation, is sent once, and becomes a draft', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(world);
    const display = await world.look(proposal.id);
    // The state changes twice: when the proposal is approved, and when it is about to be sent.
    let moves = 0;
    world.core.subscribe(({ kind }) => {
      if (kind !== 'proposals.changed') return;
      moves += 1;
      if (moves === 2) world.service.faults.arm({ kind: 'cut-after-write', method: 'POST', path: '/mcp' });
    });
    const { proposal: unknown } = await world.approve(display);
    expect(unknown.state).toBe('unknown');
    expect(await iconDraft(world, cid)).toBeUndefined();

    await expect
      .poll(async () => {
        world.clock.advance(1_000);
        return (await listOf(world)).uploads;
      })
      .toHaveLength(1);
    const [upload] = (await listOf(world)).uploads;
    expect(upload).toMatchObject({ fileName: 'icon-96.png', usedBy: [] });
    expect((await fetch(String(upload?.image['url']))).status).toBe(200);
    expect((await kindsOf(world, proposal.id)).filter((kind) => kind === 'write.intent')).toHaveLength(1);
    expect((await iconDraft(world, cid))?.operations).toEqual([{ kind: 'set', value: upload?.image }]);
  });

  test('by the end of the app after its approval becomes a draft at the next start', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(world);
    await world.approve(await world.look(proposal.id));
    const again = await world.restart();
    await expect.poll(async () => (await listOf(again)).uploads).toHaveLength(1);
    await expect.poll(() => iconDraft(again, cid)).toBeDefined();

    const { proposed } = await again.core.handlers['drafts.propose']({ cids: [cid] });
    const { proposal: change } = await again.approve(await again.look(proposed[0]?.proposalId ?? ''));
    expect(change.state).toBe('verified');
    const [upload] = (await listOf(again)).uploads;
    expect((await campaignNow(again, cid))['icon']).toEqual(upload?.image);
  });

  test('by the end of the app before its approval waits at the next start with its picture', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, proposal } = await proposeIcon(world);
    const again = await world.restart();
    expect((await listOf(again)).pending).toMatchObject([{ proposalId: proposal.id, cid }]);
    const display = await again.look(proposal.id);
    const url = display.proposal.pictures?.find(({ side }) => side === 'new')?.url ?? '';
    const { displayId, nonce } = display;
    expect(await again.core.confirmation.picture({ displayId, nonce, url })).toMatchObject({ width: 96 });
    expect((await again.approve(display)).proposal.state).toBe('done');
    await expect.poll(() => iconDraft(again, cid)).toBeDefined();
  });
});

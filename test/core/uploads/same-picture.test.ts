import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { commitRequest } from '#core/backend/faults/faults.ts';
import type { AppInput, ProposalView } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { draft, draftsOf } from '#test/core/drafts/drafts-of.ts';
import { createWorld, findCampaign, usualRequestMs, type World } from '#test/core/proposals/world.ts';
import { runs } from '#test/setup/property-runs.ts';

async function openWorld(): Promise<{ world: World; a: number; b: number }> {
  const world = await createWorld({ campaigns: 60 });
  const isPush = ({ type_name, status }: CampaignRow): boolean => type_name === 'Push' && status === 1;
  const { cid: a } = await findCampaign(world, isPush);
  const { cid: b } = await findCampaign(world, (row) => isPush(row) && row.cid !== a);
  for (const cid of [a, b]) await world.core.handlers['campaigns.get']({ cid });
  return { world, a, b };
}

function icon(side: number): Omit<AppInput<'uploads.propose'>, 'cid'> {
  const data = png(side, side).toString('base64');
  return { kind: 'icon', fileName: `icon-${side}.png`, contentType: 'image/png', data };
}

const hashOf = ({ data }: { data: string }): string =>
  createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex');

const codeOf = (proposed: Promise<ProposalView>): Promise<string | null> =>
  proposed.then(
    () => null,
    ({ code }: AppError) => code,
  );

const approvalMs = 60 * 60_000;

const steps = ['a', 'b', 'both', 'a fails', 'b fails', 'approve', 'deny', 'restart'] as const;

test('however proposals with the same picture end, the files that each needs exist, and published pictures stay', async () => {
  let { world, a, b } = await openWorld();
  let side = 95;

  /** Runs the steps with a new picture, and compares the files after each step. */
  async function check(taken: readonly (typeof steps)[number][]): Promise<void> {
    const picture = icon((side += 1));
    const sha256 = hashOf(picture);
    let open: { id: string; cid: number } | null = null;
    let isPublished = false;
    const drafted = new Set<number>();
    const propose = (cid: number) => world.core.handlers['uploads.propose']({ ...picture, cid });

    /** The proposal is refused while another is undecided. */
    async function proposeFor(...cids: number[]): Promise<void> {
      const waits = open !== null;
      const results = await Promise.allSettled(cids.map(propose));
      results.forEach((result, at) => {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'upload_unfinished' });
        else open = { id: result.value.id, cid: cids[at] ?? 0 };
      });
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(waits ? 0 : 1);
    }

    async function failFor(cid: number): Promise<void> {
      const disarm = world.service.faults.arm({ kind: 'answer', status: 403, path: '/mcp', lasts: true });
      expect(await codeOf(propose(cid))).toBe(open === null ? 'forbidden' : 'upload_unfinished');
      disarm();
    }

    async function decide(how: 'approve' | 'deny'): Promise<void> {
      if (open === null) return;
      const { proposal } = await world[how](await world.look(open.id));
      expect(proposal.state).toBe(how === 'approve' ? 'done' : 'denied');
      if (how === 'approve') {
        isPublished = true;
        drafted.add(open.cid);
      }
      open = null;
    }

    async function take(step: (typeof steps)[number]): Promise<void> {
      if (step === 'a') return proposeFor(a);
      if (step === 'b') return proposeFor(b);
      if (step === 'both') return proposeFor(a, b);
      if (step === 'a fails') return failFor(a);
      if (step === 'b fails') return failFor(b);
      if (step === 'restart') return void (world = await world.restart());
      return decide(step);
    }

    const there = async () => {
      const { uploads, pending } = await world.core.handlers['uploads.list']({});
      const draftsWithIt: number[] = [];
      for (const cid of [a, b]) {
        const draft = JSON.stringify((await draftsOf(world, cid))?.fields['icon'] ?? null);
        if (draft.includes(sha256)) draftsWithIt.push(cid);
      }
      return {
        uploaded: uploads
          .filter((one) => one.sha256 === sha256)
          .map(({ draftWaitsFor }) => ({ draftWaitsFor })),
        pending: pending
          .filter((one) => one.sha256 === sha256)
          .map(({ proposalId: id, cid }) => ({ id, cid })),
        bytes: await world.core.handlers['uploads.load']({ sha256 }).then(
          ({ base64 }) => base64,
          () => null,
        ),
        draftsWithIt,
      };
    };

    for (const step of taken) {
      await take(step);
      await expect.poll(there).toEqual({
        uploaded: isPublished ? [{ draftWaitsFor: null }] : [],
        pending: open === null ? [] : [open],
        bytes: isPublished || open !== null ? picture.data : null,
        draftsWithIt: [a, b].filter((cid) => drafted.has(cid)),
      });
    }
    await decide('deny');
    // The service keeps a limited number of prepared uploads until their approvals expire.
    world.clock.advance(approvalMs);
  }

  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 6 }), check),
    {
      ...runs(12),
      endOnFailure: true,
      examples: [
        [['a', 'b fails', 'approve']],
        [['a', 'b', 'approve']],
        [['a', 'b', 'approve', 'deny', 'b', 'deny']],
        [['both', 'deny', 'both', 'approve']],
        [['a', 'approve', 'b fails', 'b', 'deny', 'restart']],
      ],
    },
  );
});

describe('the same picture again', () => {
  interface Proposed {
    world: World;
    a: number;
    b: number;
    proposal: ProposalView;
  }

  async function proposed(): Promise<Proposed> {
    const opened = await openWorld();
    const proposal = await opened.world.core.handlers['uploads.propose']({ ...icon(96), cid: opened.a });
    return { ...opened, proposal };
  }

  const list = ({ core }: World) => core.handlers['uploads.list']({});
  const again = ({ core }: World, cid: number) => core.handlers['uploads.propose']({ ...icon(96), cid });
  const iconDraft = async (world: World, cid: number) => (await draftsOf(world, cid))?.fields['icon'];

  test('is refused before anything is sent while the first upload or its draft waits, and the draft is made afterwards', async () => {
    const { world, a, b, proposal } = await proposed();
    const requests = world.service.requestLog().length;
    expect(await codeOf(again(world, b))).toBe('upload_unfinished');
    expect(world.service.requestLog()).toHaveLength(requests);
    await draft(world, a, { name: 'Renamed' });
    const review = await world.core.handlers['drafts.propose']({ cids: [a] });
    await world.approve(await world.look(proposal.id));
    await expect.poll(async () => (await list(world)).uploads).toMatchObject([{ draftWaitsFor: a }]);
    expect(await codeOf(again(world, b))).toBe('upload_unfinished');
    await world.deny(await world.look(review.proposed[0]?.proposalId ?? ''));
    await expect.poll(async () => (await list(world)).uploads).toMatchObject([{ draftWaitsFor: null }]);
    expect(await iconDraft(world, a)).toBeDefined();
    const second = await again(world, b);
    expect((await list(world)).pending).toMatchObject([{ proposalId: second.id, cid: b }]);
    await world.approve(await world.look(second.id));
    await expect.poll(() => iconDraft(world, b)).toBeDefined();
  });

  test('is accepted once the outcome of the first upload can never be known', async () => {
    const { world, b, proposal } = await proposed();
    const display = await world.look(proposal.id);
    world.service.faults.arm({ kind: 'answer', status: 500, ...commitRequest });
    expect((await world.approve(display)).proposal.state).toBe('unknown');
    expect(await codeOf(again(world, b))).toBe('upload_unfinished');
    await expect
      .poll(async () => {
        world.clock.advance(usualRequestMs);
        return (await list(world)).pending;
      })
      .toEqual([]);
    expect(await again(world, b)).toMatchObject({ state: 'proposed' });
  });

  /** Approves the upload of `a`, and lets the service refuse to tell its result: always, or once if `during` runs before that. */
  async function unreadable(
    { world, proposal }: Proposed,
    during?: () => Promise<void>,
  ): Promise<() => void> {
    const display = await world.look(proposal.id);
    world.service.faults.arm({ kind: 'cut-after-write', ...commitRequest });
    expect((await world.approve(display)).proposal.state).toBe('unknown');
    // One request reports the upload as done; another asks for the address of the picture.
    let disarm = (): void => {};
    const unsubscribe = world.core.subscribe((event) => {
      if (event.kind !== 'proposals.changed') return;
      unsubscribe();
      const refusal = { kind: 'answer', status: 403, path: '/mcp' } as const;
      disarm = world.service.faults.arm(during === undefined ? { ...refusal, lasts: true } : refusal);
      if (during !== undefined) world.service.faults.arm({ kind: 'meanwhile', path: '/mcp', run: during });
    });
    await expect
      .poll(async () => {
        world.clock.advance(1_000);
        return (await world.core.handlers['proposals.get']({ id: proposal.id })).state;
      })
      .toBe('verified');
    const refused = () => world.service.requestLog().filter(({ status }) => status === 403);
    await expect.poll(() => refused().length).toBeGreaterThan(0);
    return disarm;
  }

  test('is refused while the result of the first upload cannot be read, which is tried again', async () => {
    const opened = await proposed();
    const { world, a, b, proposal } = opened;
    const disarm = await unreadable(opened);
    expect(await list(world)).toMatchObject({ uploads: [], pending: [{ proposalId: proposal.id }] });
    disarm();
    expect(await codeOf(again(world, b))).toBe('upload_unfinished');
    await expect.poll(async () => (await list(world)).uploads).toMatchObject([{ draftWaitsFor: null }]);
    expect(await iconDraft(world, a)).toBeDefined();
    expect(await again(world, b)).toMatchObject({ state: 'proposed' });
  });

  test('requested while the result of the first upload is read does not prevent another attempt after a failed read', async () => {
    const opened = await proposed();
    const { world, a, b } = opened;
    let code: string | null = null;
    await unreadable(opened, async () => void (code = await codeOf(again(world, b))));
    expect(code).toBe('upload_unfinished');
    await expect.poll(async () => (await list(world)).uploads).toMatchObject([{ draftWaitsFor: null }]);
    expect(await iconDraft(world, a)).toBeDefined();
  });
});

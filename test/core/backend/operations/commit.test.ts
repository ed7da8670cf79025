import { describe, expect, test } from 'vitest';
import { openService, quietContext } from './open-service.ts';
import { commitOf, openWorld, type Prepared, type World } from './world.ts';
import { createOperations } from '#core/backend/operations/operations.ts';
import { campaignWrites } from '#core/backend/operations/campaign-writes.ts';
import type { RemotePrincipal } from '#core/backend/remote-call/tool.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const tool = 'svc_prepare_campaign_update';

interface Case {
  world: World;
  who: RemotePrincipal;
  cid: number;
  prepared: Prepared;
}

async function prepareRenaming(name = 'Renamed'): Promise<Case> {
  const world = openWorld({ campaigns: 20 });
  const who = world.principal();
  const cid = world.rows('buyer', 3)[0]?.cid ?? 0;
  return { world, who, cid, prepared: await world.prepare(who, tool, { cid, changes: { name } }) };
}

const nameOf = ({ world, cid }: Case) => world.campaign('buyer', cid)['name'];

describe('a commit', () => {
  type Act = (given: Case) => Promise<unknown>;
  const commit = (given: Case, more: JsonObject = {}, who = given.who) =>
    given.world.call(who, 'svc_commit', commitOf(given.prepared, more));
  const refused: [string, Act, string, number][] = [
    ['with confirmed false', (given) => commit(given, { confirmed: false }), 'confirmation_missing', 403],
    [
      'without confirmed',
      ({ world, who, prepared }) => {
        const { confirmed: _confirmed, ...silent } = commitOf(prepared);
        return world.call(who, 'svc_commit', silent);
      },
      'confirmation_missing',
      403,
    ],
    ['of an unknown approval', (given) => commit(given, { approvalId: 'none' }), 'approval_invalid', 409],
    [
      'of another account',
      (given) => commit(given, {}, given.world.principal({ part: 'neighbour' })),
      'approval_invalid',
      409,
    ],
    [
      'of another client',
      (given) => commit(given, {}, given.world.principal({ clientId: 'other' })),
      'approval_invalid',
      409,
    ],
    [
      'of another grant of the same client',
      (given) => commit(given, {}, given.world.principal({ grantId: 'later' })),
      'approval_invalid',
      409,
    ],
    [
      'after the ten minutes of its approval',
      (given) => {
        given.world.clock.advance(600_000);
        return commit(given);
      },
      'approval_invalid',
      409,
    ],
    [
      'with another fingerprint',
      (given) => commit(given, { fingerprint: '0'.repeat(64) }),
      'approval_mismatch',
      409,
    ],
    [
      'with one value changed',
      (given) => commit(given, { payload: { ...given.prepared.payload, payout: 0.5 } }),
      'approval_mismatch',
      409,
    ],
    [
      'with one key less',
      (given) => {
        const { name: _name, ...payload } = given.prepared.payload;
        return commit(given, { payload });
      },
      'approval_mismatch',
      409,
    ],
    [
      'with a token that lost svc:write',
      (given) => commit(given, {}, given.world.principal({ scopes: ['svc:read'] })),
      'scope_missing',
      403,
    ],
    [
      'after the account lost the module',
      (given) => {
        const { store } = given.world.service;
        store.transaction(() => store.write.setAccess(given.who.member.uid, { modules: ['xml'] }));
        return commit(given);
      },
      'module_denied',
      403,
    ],
    [
      'after remote tools were removed from the menu',
      (given) => {
        const { store } = given.world.service;
        store.transaction(() => store.write.setAccess(given.who.member.uid, { mcpMenu: false }));
        return commit(given);
      },
      'menu_denied',
      403,
    ],
    [
      'after the campaign changed',
      (given) => {
        const { store } = given.world.service;
        store.transaction(() => store.write.setStatus([given.cid], 4));
        return commit(given);
      },
      'state_moved',
      409,
    ],
  ];
  test.each(refused)('%s is refused and writes nothing', async (_name, act, code, status) => {
    const given = await prepareRenaming();
    const before = nameOf(given);
    const refusal = await given.world.refusal(act(given));
    expect([refusal.code, refusal.status]).toEqual([code, status]);
    expect(nameOf(given)).toBe(before);
    const { store } = given.world.service;
    expect(store.operations.operationByKey(given.who.key, `key-${given.prepared.approval.id}`)).toBeNull();
  });

  test('accepts only true as a confirmation', async () => {
    const given = await prepareRenaming();
    for (const confirmed of ['true', 1, null]) {
      await expect(commit(given, { confirmed })).rejects.toThrow('expected boolean');
    }
    expect(nameOf(given)).not.toBe('Renamed');
  });

  test('just before the end of its ten minutes is accepted', async () => {
    const given = await prepareRenaming();
    given.world.clock.advance(599_999);
    expect((await given.world.commit(given.who, given.prepared)).status).toBe('completed');
  });

  test('accepts a payload with its keys in any order', async () => {
    const given = await prepareRenaming();
    const payload = Object.fromEntries(Object.entries(given.prepared.payload).toReversed());
    expect((await given.world.commit(given.who, given.prepared, { payload })).status).toBe('completed');
    expect(given.world.campaign('buyer', given.cid)).toEqual(given.prepared.payload);
  });

  test('that was refused can be corrected and repeated with the same key', async () => {
    const given = await prepareRenaming();
    await given.world.refusal(commit(given, { confirmed: false }));
    expect((await given.world.commit(given.who, given.prepared)).status).toBe('completed');
  });

  test('uses up its approval, so that another key is refused', async () => {
    const given = await prepareRenaming();
    await given.world.commit(given.who, given.prepared);
    const refusal = await given.world.refusal(commit(given, { idempotencyKey: 'another' }));
    expect(refusal.code).toBe('approval_invalid');
  });

  test('makes every other approval of the same state stale', async () => {
    const given = await prepareRenaming();
    const other = await given.world.prepare(given.who, tool, { cid: given.cid, changes: { name: 'Other' } });
    await given.world.commit(given.who, given.prepared);
    expect((await given.world.refusal(given.world.commit(given.who, other))).code).toBe('state_moved');
    expect(nameOf(given)).toBe('Renamed');
  });
});

describe('an idempotency key', () => {
  test('returns identical bytes when repeated, even after the campaign changed and the approval expired', async () => {
    const given = await prepareRenaming();
    const { world, who, prepared, cid } = given;
    const first = await world.text(who, 'svc_commit', commitOf(prepared));
    world.service.store.transaction(() => world.service.store.write.setStatus([cid], 2));
    world.clock.advance(3_600_000);
    expect(await world.text(who, 'svc_commit', commitOf(prepared))).toBe(first);
  });

  test('is valid for one request only', async () => {
    const { world, who, prepared } = await prepareRenaming();
    await world.commit(who, prepared);
    for (const more of [{ confirmed: false }, { fingerprint: 'f' }, { approvalId: 'a' }, { payload: {} }]) {
      const refusal = await world.refusal(world.commit(who, prepared, more));
      expect([refusal.code, refusal.status]).toEqual(['idempotency_conflict', 409]);
    }
  });

  test('of another principal is unknown', async () => {
    const { world, who, prepared } = await prepareRenaming();
    await world.commit(who, prepared);
    const others = [world.principal({ part: 'neighbour' }), world.principal({ clientId: 'other' })];
    for (const other of others) {
      expect((await world.refusal(world.commit(other, prepared))).code).toBe('approval_invalid');
    }
  });

  test('sent twenty times at once makes one write, and the other calls get its answer or learn that it is running', async () => {
    const { world, who, prepared } = await prepareRenaming();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        world.text(who, 'svc_commit', commitOf(prepared)).catch(async (failure: Error) => {
          const { code } = await world.refusal(Promise.reject(failure));
          return code;
        }),
      ),
    );
    const answers = outcomes.filter((text) => text.startsWith('{'));
    expect(new Set(answers).size).toBe(1);
    expect(new Set(outcomes.filter((text) => !text.startsWith('{')))).toEqual(
      new Set(['idempotency_in_flight']),
    );
    expect(await world.text(who, 'svc_commit', commitOf(prepared))).toBe(answers[0]);
  });

  test('and nineteen others at once for one approval make one write', async () => {
    const { world, who, prepared } = await prepareRenaming();
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        world.commit(who, prepared, { idempotencyKey: `key-${at}` }).then(
          ({ status }) => status,
          async (failure: Error) => (await world.refusal(Promise.reject(failure))).code,
        ),
      ),
    );
    expect(codes.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'approval_invalid'), 'completed']);
  });
});

describe('svc_get_operation', () => {
  test('reports by id or key how a commit ended, only to its own principal', async () => {
    const { world, who, prepared } = await prepareRenaming();
    const text = await world.text(who, 'svc_commit', commitOf(prepared));
    const { operationId, idempotencyKey } = JSON.parse(text) as Record<string, string>;
    const [byId, byKey] = [{ operationId: operationId ?? '' }, { idempotencyKey: idempotencyKey ?? '' }];
    for (const args of [byId, byKey]) {
      expect(await world.text(who, 'svc_get_operation', args)).toBe(text);
      for (const other of [world.principal({ part: 'neighbour' }), world.principal({ clientId: 'other' })]) {
        const foreign = await world.refusal(world.call(other, 'svc_get_operation', args));
        const absent = await world.refusal(world.call(other, 'svc_get_operation', { operationId: 'none' }));
        expect(foreign).toEqual(absent);
        expect([foreign.code, foreign.status]).toEqual(['object_not_found', 404]);
      }
    }
  });

  test('reports a commit that is still running', async () => {
    const { world, who, prepared } = await prepareRenaming();
    const committing = world.commit(who, prepared);
    const key = `key-${prepared.approval.id}`;
    expect(await world.call(who, 'svc_get_operation', { idempotencyKey: key })).toMatchObject({
      status: 'in_flight',
    });
    await committing;
  });

  test.each([{}, { operationId: 'one', idempotencyKey: 'two' }])(
    'requires exactly one of its arguments: %j',
    async (args) => {
      const world = openWorld({ campaigns: 2 });
      const refusal = await world.refusal(world.call(world.principal(), 'svc_get_operation', args));
      expect(refusal.code).toBe('arguments_invalid');
    },
  );
});

describe('approvals', () => {
  test('have unique fingerprints', async () => {
    const { world, who, cid, prepared } = await prepareRenaming();
    const again = await world.prepare(who, tool, { cid, changes: { name: 'Renamed' } });
    expect(again.payload).toEqual(prepared.payload);
    expect(again.approval.fingerprint).not.toBe(prepared.approval.fingerprint);
    expect(again.approval.id).not.toBe(prepared.approval.id);
  });

  test('are limited in number until they expire', async () => {
    const { world, who, cid } = await prepareRenaming();
    const prepare = () => world.prepare(who, tool, { cid, changes: { name: 'Again' } });
    // One transaction around all of them, because two hundred syncs to the disk would be slow.
    world.service.store.transaction(() => {
      for (let count = 1; count < 200; count += 1) {
        world.operations.prepare(who, {
          kind: 'campaign_update',
          args: { cid, changes: { name: 'Again' } },
        });
      }
    });
    expect(await world.refusal(prepare())).toMatchObject({ code: 'too_many_waiting', status: 429 });
    await world.prepare(world.principal({ clientId: 'other' }), tool, { cid, changes: { name: 'Again' } });
    world.clock.advance(600_000);
    await prepare();
  });

  test('of a task last as long as it states, and are counted separately', async () => {
    const { world, who, cid } = await prepareRenaming();
    const args = { ids: [cid], status: 'suspended' };
    const day = 86_400_000;
    const prepared = world.operations.prepare(who, { kind: 'campaign_status', args, validForMs: day });
    world.clock.advance(day - 1);
    expect((await world.commit(who, prepared as unknown as Prepared)).status).toBe('completed');
  });

  test('need the scopes and the module of their kind', async () => {
    const world = openWorld({ campaigns: 5 });
    const args = { ids: world.rows('buyer').map(({ cid }) => cid), status: 'suspended' };
    const without = world.principal({ scopes: ['svc:read'] });
    const refusal = await world.refusal(world.call(without, 'svc_prepare_campaign_status', args));
    expect(refusal.code).toBe('scope_missing');
    const publisher = world.principal({ part: 'publisher' });
    expect((await world.refusal(world.call(publisher, 'svc_prepare_campaign_status', args))).code).toBe(
      'module_denied',
    );
  });
});

describe('a restart', () => {
  test('keeps approvals and answers', async () => {
    const { world, who, prepared } = await prepareRenaming();
    const again = openService(world.file, { clock: world.clock, campaigns: 0 });
    const { tools } = createOperations(again, campaignWrites(again));
    const commit = tools.find(({ name }) => name === 'svc_commit');
    const answer = await commit?.run(who, commitOf(prepared), quietContext);
    const committed: unknown = JSON.parse(JSON.stringify(answer?.data));
    expect(committed).toMatchObject({ status: 'completed' });
    await again.store.dispose();
    expect(await world.call(who, 'svc_commit', commitOf(prepared))).toEqual(committed);
  });
});

test('and a disk failure after the write lose nothing: the same key gets its answer later', async () => {
  const given = await prepareRenaming();
  const { service } = given.world;
  const { operations: rows } = service.store;
  let isFull = true;
  const answer = (id: string, text: string): void => {
    if (isFull) throw new AppError('storage_failed');
    rows.answer(id, text);
  };
  const store = { ...service.store, operations: { ...rows, answer } };
  const { tools } = createOperations({ ...service, store }, campaignWrites(service));
  const commit = tools.find(({ name }) => name === 'svc_commit');
  const request = commitOf(given.prepared);
  await expect(commit?.run(given.who, request, quietContext)).rejects.toMatchObject({
    code: 'storage_failed',
  });
  expect(nameOf(given)).toBe('Renamed');
  isFull = false;
  expect(await given.world.call(given.who, 'svc_commit', request)).toMatchObject({ status: 'completed' });
});

import { expect, test } from 'vitest';
import type { AppEvent } from '#shared/app-api/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import { createWorld, proposeBid, type World } from '../world.ts';
import { eventually } from '#test/setup/eventually.ts';

const hoursMs = 8 * 60 * 60 * 1000;

/** The machine sleeps: wall-clock time passes, but timers and the monotonic clock stop. */
function sleep({ core, clock }: World): void {
  core.suspend();
  clock.setForward(hoursMs);
  core.resume();
}

function eventsOf({ core }: World): AppEvent[] {
  const events: AppEvent[] = [];
  core.subscribe((event) => events.push(event));
  return events;
}

test.each<[string, (world: World) => void]>([
  ['when the machine went to sleep', ({ core }) => core.suspend()],
  ['when it woke up without an announced sleep', ({ core }) => core.resume()],
])('every armed display has to be viewed again %s', async (_when, happen) => {
  const world = await createWorld();
  const displays = [];
  for (const factor of [1.1, 1.2]) {
    const { proposal } = await proposeBid(world, factor);
    displays.push(await world.look(proposal.id));
  }
  happen(world);
  world.clock.advance(armingDelayMs * 10);
  for (const display of displays) {
    await expect(world.approve(display)).rejects.toMatchObject({ code: 'confirmation_too_early' });
  }
  expect(world.puts()).toBe(0);
  const [first] = displays;
  world.core.confirmation.seen(first!);
  world.clock.advance(armingDelayMs);
  expect((await world.approve(first!)).proposal.state).toBe('verified');
});

test('a proposal that expired during sleep is expired on waking, and its window is informed', async () => {
  const world = await createWorld();
  await world.core.handlers['proposals.setWaitingTime']({ minutes: 60 });
  const { proposal } = await proposeBid(world);
  const display = await world.look(proposal.id);
  const events = eventsOf(world);
  sleep(world);
  expect(world.hidden).toEqual([display.displayId]);
  expect(events).toContainEqual({ kind: 'proposals.changed', id: proposal.id });
  expect((await world.core.handlers['proposals.get']({ id: proposal.id })).state).toBe('expired');
  await expect(world.approve(display)).rejects.toMatchObject({ code: 'proposal_expired' });
});

test('pages reload after a sleep, and the service is read again', async () => {
  const world = await createWorld();
  await world.core.handlers['session.status']({});
  const asked = world.service.requestLog().length;
  const events = eventsOf(world);
  sleep(world);
  expect(events).toEqual([
    { kind: 'campaigns.changed', cids: [] },
    { kind: 'ledger.changed' },
    { kind: 'status.changed' },
  ]);
  await world.core.handlers['session.status']({});
  expect(world.service.requestLog().length).toBe(asked + 1);
});

test('an unknown outcome is read on waking, and nothing is sent again', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  const display = await world.look(proposal.id);
  const { core, service } = world;
  // The answer to the write is lost, and the read that follows at once fails.
  service.faults.arm({
    kind: 'meanwhile',
    method: 'PUT',
    run: () => service.faults.arm({ kind: 'answer', status: 500, method: 'GET', path: '/login/campaigns' }),
  });
  service.faults.arm({ kind: 'cut-after-write' });
  expect((await world.approve(display)).proposal.state).toBe('unknown');
  await eventually(() => expect(service.faults.armed).toBe(0));
  sleep(world);
  await eventually(async () =>
    expect((await core.handlers['proposals.get']({ id: proposal.id })).state).toBe('verified'),
  );
  expect(world.puts()).toBe(1);
});

test('a read that was running on waking and fails is repeated immediately', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  const display = await world.look(proposal.id);
  const { core, service } = world;
  const reads = { method: 'GET', path: '/login/campaigns' };
  service.faults.arm({
    kind: 'meanwhile',
    method: 'PUT',
    run() {
      service.faults.arm({ kind: 'meanwhile', ...reads, run: () => sleep(world) });
      service.faults.arm({ kind: 'answer', status: 500, ...reads });
    },
  });
  service.faults.arm({ kind: 'cut-after-write' });
  expect((await world.approve(display)).proposal.state).toBe('unknown');
  await eventually(async () =>
    expect((await core.handlers['proposals.get']({ id: proposal.id })).state).toBe('verified'),
  );
  expect(world.puts()).toBe(1);
});

test('a core that has ended ignores sleep', async () => {
  const world = await createWorld();
  await proposeBid(world);
  await world.core.dispose();
  expect(() => sleep(world)).not.toThrow();
});

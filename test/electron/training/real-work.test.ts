import { expect, test } from 'vitest';
import { reviewReal, watchRealWork } from '#electron/training/session.ts';
import type { RealWork } from '#shared/host-api/index.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';
import { fakeCore, settled, statusWith, type FakeCore } from '../shell/fake-core.ts';
import { manualTimers } from '../shell/manual-timers.ts';
import { sentence } from '#shared/lib/sentence.ts';

const proposal = exampleProposal();

const waitingList = (...ids: string[]): unknown => ({
  items: ids.map((id) => ({
    ...proposal,
    id,
    targetCount: 1,
    perDay: proposal.risk.perDay,
    worstWarning: null,
    groupKey: null,
    groupTitle: null,
    askedBy: null,
  })),
  total: ids.length,
});

/** Presses the badge while the confirmation shows `current`. Returns the proposals that were brought forward. */
async function pressed(core: FakeCore, current: string | null): Promise<string[]> {
  const brought: string[] = [];
  const confirmation = { current: () => current, bringForward: (id: string) => void brought.push(id) };
  await reviewReal({ core, confirmation });
  return brought;
}

test('the training page is notified of each change of the real work, and can ask for it', async () => {
  const core = fakeCore();
  const timers = manualTimers();
  const heard: RealWork[] = [];
  core.answers['session.status'] = () => statusWith(2);
  const watch = watchRealWork({ core, after: timers.after, onChange: (work) => heard.push(work) });
  expect(watch.now()).toEqual({ waiting: null, frozen: null });
  timers.pass(250);
  await settled();
  expect(watch.now().waiting).toBe(2);
  core.become({
    kind: 'stopped',
    sinceMs: 0,
    failure: { code: 'internal', message: sentence``, next: sentence``, fields: [], data: {} },
  });
  expect(heard.at(-1)?.waiting).toBeNull();
  watch.stop();
  core.become({ kind: 'ready' });
  expect(timers.waiting()).toBe(0);
});

test('a display in the real confirmation is brought to the front without another display', async () => {
  const core = fakeCore();
  expect(await pressed(core, 'p7')).toEqual(['p7']);
  expect(core.asked).toEqual([]);
});

test('otherwise the first waiting change is shown, or the one prepared in its place', async () => {
  const core = fakeCore();
  core.answers['proposals.list'] = () => waitingList('p2');
  core.answers['proposals.review'] = () => ({ address: null });
  expect(await pressed(core, null)).toEqual(['p2']);
  core.answers['proposals.review'] = () => ({ id: 'p3', address: null });
  expect(await pressed(core, null)).toEqual(['p3']);
});

test('nothing opens if nothing waits', async () => {
  const core = fakeCore();
  core.answers['proposals.list'] = () => waitingList();
  expect(await pressed(core, null)).toEqual([]);
  expect(core.asked).toEqual(['proposals.list']);
});

import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createLogger } from '#core/platform/logger.ts';
import { appApi } from '#shared/app-api/index.ts';
import { catalogue } from '#shared/errors/index.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';
import { linkCore, type Linked } from './linked.ts';
import { approval, approve, see, showBid, stateOf } from './scenario.ts';
import { eventually } from '#test/setup/eventually.ts';

/** Reports that the window shows the confirmation, and waits until its buttons are armed. */
async function arm(linked: Linked, display: Display): Promise<void> {
  await see(linked, display);
  linked.clock.advance(armingDelayMs);
}

describe('a start', () => {
  test('is answered when the core is ready, and names the databases that were moved aside', async () => {
    const folder = tempFolder();
    await writeFile(`${folder}/backend.sqlite`, 'This is no database, whatever its name says.'.repeat(50));
    const linked = linkCore({ folder });
    expect(linked.said).toEqual([]);
    await linked.ready();
    expect(linked.said[0]).toEqual({
      kind: 'ready',
      setAside: [expect.stringContaining('backend.sqlite.corrupt-')],
    });
    expect(await linked.output('app', 'session.get', {})).toMatchObject({
      version: '1.2.3',
      host: 'desktop',
    });
  });

  test('on a folder that another core uses fails and names that core, and the core ends', async () => {
    const folder = tempFolder();
    const first = linkCore({ folder });
    await first.ready();
    const second = linkCore({ folder });
    second.start();
    expect(await second.link.ended).toBe(1);
    expect(second.said).toMatchObject([
      { kind: 'failed', error: { code: 'data_folder_locked', data: { pid: process.pid, host: 'desktop' } } },
    ]);
    expect(await second.ask('app', 'session.get', {})).toMatchObject({ error: { code: 'core_unreachable' } });
  });

  test.each([
    [
      'a folder in the place of its database',
      (f: string) => mkdir(`${f}/countersign.sqlite`),
      'path_occupied',
    ],
    ['a folder in the place of its anchor', (f: string) => mkdir(`${f}/ledger.anchor.json`), 'path_occupied'],
    ['a damaged lock', (f: string) => writeFile(`${f}/lock.sqlite`, 'noise '.repeat(500)), 'lock_damaged'],
  ] as const)('on a folder with %s fails with the reason and a remedy', async (_what, damage, code) => {
    const folder = tempFolder();
    await damage(folder);
    const linked = linkCore({ folder });
    linked.start();
    expect(await linked.link.ended).toBe(1);
    const { next } = catalogue[code];
    expect(linked.said).toMatchObject([{ kind: 'failed', error: { code, next } }]);
  });

  test('that fails by a bug gives no details, which are logged', async () => {
    let log = '';
    const logger = createLogger({ to: { write: (line) => void (log += line) }, level: 'info' });
    const onDemoService = (): never => {
      throw new Error('the words of a bug');
    };
    const linked = linkCore({ overrides: { logger, onDemoService } });
    linked.start();
    expect(await linked.link.ended).toBe(1);
    expect(linked.said).toMatchObject([{ kind: 'failed', error: { code: 'internal' } }]);
    expect(JSON.stringify(linked.said)).not.toContain('the words of a bug');
    expect(log).toContain('the words of a bug');
  });

  test('counts once, and a second start changes nothing', async () => {
    const linked = linkCore();
    await linked.ready();
    linked.start({ version: '9.9.9' });
    expect(await linked.output('app', 'session.get', {})).toMatchObject({ version: '1.2.3' });
    expect(linked.all('ready')).toHaveLength(1);
  });
});

describe('a request to the core', () => {
  test('is refused with the core’s reason, and every invalid field is named', async () => {
    const linked = linkCore();
    await linked.ready();
    expect(await linked.ask('app', 'proposals.get', { id: 'nobody' })).toMatchObject({
      error: { code: 'proposal_not_found' },
    });
    const badly = { title: 'A change', changes: [{ cid: 1, field: '', draft: null }] };
    expect(await linked.ask('app', 'drafts.change', badly)).toMatchObject({
      error: { code: 'bad_input', fields: [{ field: 'changes[0].field' }] },
    });
    expect(await linked.ask('confirmation', 'decide', { displayId: 'x', decision: 'yes' })).toMatchObject({
      error: {
        code: 'bad_input',
        fields: expect.arrayContaining([expect.objectContaining({ field: 'decision' })]) as unknown,
      },
    });
  });

  test('before the core is ready is refused immediately', async () => {
    const linked = linkCore();
    expect(await linked.ask('app', 'session.get', {})).toMatchObject({ error: { code: 'core_unreachable' } });
  });

  test.each(['nothing', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
    'for “%s” is unknown to both the app and the confirmation',
    async (name) => {
      const linked = linkCore();
      await linked.ready();
      for (const surface of ['app', 'confirmation'] as const) {
        expect(await linked.ask(surface, name, {})).toMatchObject({ error: { code: 'not_found' } });
      }
    },
  );
});

describe('a change that is shown', () => {
  test('is approved in the window, sent and verified, and the pages are notified', async () => {
    const linked = linkCore();
    await linked.ready();
    const display = await showBid(linked);
    const { displayId, nonce } = display;
    expect(await linked.output('confirmation', 'look', { displayId, nonce })).toMatchObject({ displayId });
    expect(await linked.ask('confirmation', 'decide', approval(display))).toMatchObject({
      error: { code: 'confirmation_too_early' },
    });
    await arm(linked, display);
    const { proposal, again } = await approve(linked, display);
    expect({ state: proposal.state, again }).toEqual({ state: 'verified', again: null });
    expect(linked.all('hide')).toEqual([{ kind: 'hide', displayId }]);
    const events = linked.all('event').map(({ event }) => event);
    expect(events).toContainEqual({ kind: 'proposals.changed', id: proposal.id });
    expect(events).toContainEqual({ kind: 'campaigns.changed', cids: [proposal.targets[0]?.cid] });
  });

  test('cannot be decided by a page of the app, whatever it requests', async () => {
    const linked = linkCore();
    await linked.ready();
    const display = await showBid(linked);
    await arm(linked, display);
    for (const name of ['decide', 'look', 'seen', 'confirmation.decide', 'proposals.decide']) {
      expect(await linked.ask('app', name, approval(display))).toMatchObject({
        error: { code: 'not_found' },
      });
    }
    expect(await stateOf(linked, display.proposal.id)).toBe('shown');
  });

  test('is decided in its window only, which can request nothing else', async () => {
    const linked = linkCore();
    await linked.ready();
    for (const name of Object.keys(appApi)) {
      expect(await linked.ask('confirmation', name, {})).toMatchObject({ error: { code: 'not_found' } });
    }
  });
});

test('sleep disarms every confirmation, and waking makes the pages reload', async () => {
  const linked = linkCore();
  linked.say({ kind: 'suspend' });
  linked.say({ kind: 'resume' });
  await linked.ready();
  const display = await showBid(linked);
  await arm(linked, display);
  linked.say({ kind: 'suspend' });
  expect(await linked.ask('confirmation', 'decide', approval(display))).toMatchObject({
    error: { code: 'confirmation_too_early' },
  });
  linked.say({ kind: 'resume' });
  expect(linked.all('event').map(({ event }) => event)).toContainEqual({
    kind: 'campaigns.changed',
    cids: [],
  });
});

test('a message of unknown shape is logged by its invalid fields alone, and has no effect', async () => {
  let log = '';
  const logger = createLogger({ to: { write: (line) => void (log += line) }, level: 'info' });
  const linked = linkCore({ overrides: { logger } });
  await linked.ready();
  const garbage = [
    undefined,
    null,
    7,
    'quit',
    [],
    {},
    { kind: 'decide' },
    { kind: 'ask', id: 'x', surface: 'app', name: 'session.get' },
    { kind: 'ask', id: 1, surface: 'host', name: 'decide', input: 'pl4nted' },
    { kind: 'start', start: { dataFolder: 7, dataKey: 'pl4nted!' } },
  ];
  garbage.forEach((message) => linked.say(message));
  expect(log.split('was not understood')).toHaveLength(garbage.length + 1);
  expect(log).toContain('start.dataKey');
  expect(log).not.toContain('pl4nted');
  // Events that the core sends meanwhile are not answers to these requests.
  expect(linked.said.filter(({ kind }) => kind !== 'event')).toHaveLength(1);
  expect(await linked.output('app', 'session.get', {})).toMatchObject({ host: 'desktop' });
});

describe.each(['quit', 'the end of the host'])('%s', (how) => {
  const endOf = (linked: Linked): void => (how === 'quit' ? linked.say({ kind: 'quit' }) : linked.close());

  test('waits for the current write, answers it, and refuses later requests', async () => {
    const folder = tempFolder();
    const linked = linkCore({ folder });
    await linked.ready();
    const display = await showBid(linked);
    await arm(linked, display);
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    linked.faults.arm({
      kind: 'meanwhile',
      method: 'PUT',
      run: () => {
        begin();
        return letGo;
      },
    });
    const deciding = approve(linked, display);
    await begun;
    let code: number | null = null;
    void linked.link.ended.then((ended) => (code = ended));
    endOf(linked);
    endOf(linked);
    expect(await linked.ask('app', 'session.get', {})).toMatchObject({ error: { code: 'core_unreachable' } });
    expect(code).toBeNull();
    release();
    expect(await linked.link.ended).toBe(0);
    expect((await deciding).proposal.state).toBe('verified');

    const next = linkCore({ folder });
    await next.ready();
    expect(await stateOf(next, display.proposal.id)).toBe('verified');
  });

  test('ends a core that was never started, and a core that is starting', async () => {
    const idle = linkCore();
    endOf(idle);
    expect(await idle.link.ended).toBe(0);
    const folder = tempFolder();
    const starting = linkCore({ folder });
    starting.start();
    endOf(starting);
    expect(await starting.link.ended).toBe(0);
    await linkCore({ folder }).ready();
  });
});

test('an unanswered request to a closing core is refused and not lost', async () => {
  const linked = linkCore();
  await linked.ready();
  const { promise: never } = Promise.withResolvers<void>();
  linked.faults.arm({ kind: 'meanwhile', method: 'GET', path: '/login/campaigns', run: () => never });
  const reading = linked.ask('app', 'campaigns.types', {});
  await eventually(() => expect(linked.faults.armed).toBe(0));
  linked.say({ kind: 'quit' });
  expect(await linked.link.ended).toBe(0);
  expect(await reading).toMatchObject({ kind: 'refusal' });
});

test('a browser host and a desktop host never share a data folder', async () => {
  const folder = tempFolder();
  const linked = linkCore({ folder });
  await linked.ready();
  const second = composeUnattended({ dataFolder: folder, host: 'browser' });
  await expect(second).rejects.toMatchObject({ code: 'data_folder_locked' });
});

import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createQuota } from '#core/backend/mcp/admission.ts';
import { defineTool, type RemotePrincipal } from '#core/backend/remote-call/tool.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { openSurface, type OpenSurface } from './open-surface.ts';

const prepare = defineTool({
  name: 'test_prepare',
  title: 'Prepare',
  description: 'Does nothing.',
  kind: 'prepare',
  scopes: ['svc:write'],
  modules: [],
  input: z.strictObject({}),
  output: z.string(),
  run: () => ({ data: 'done' }),
});

describe('the call quota of a principal', () => {
  let open: OpenSurface;
  afterEach(() => open.dispose());
  const clock = createManualClock();

  /** Returns how many calls pass before a call is refused with 429; stops at `most` calls. */
  const passed = (who: RemotePrincipal, name: string, most = 50): number => {
    for (let count = 0; count < most; count += 1) {
      try {
        open.surface.admit(who, { method: 'tools/call', params: { name } });
      } catch (failure) {
        expect(failure).toMatchObject({ code: 'quota_exceeded' });
        return count;
      }
    }
    return most;
  };

  test('is counted separately for each principal, and separately for prepares and commits', async () => {
    open = await openSurface({
      tools: [prepare],
      clock,
      campaigns: 1,
      quotas: { callsPerMinute: 20, operationsPerMinute: 5 },
    });
    const who = open.principal();
    expect(passed(who, 'test_prepare')).toBe(5);
    expect(passed(who, 'svc_whoami')).toBe(14);
    expect(passed(open.principal({ clientId: 'another' }), 'svc_whoami')).toBe(20);
    expect(() => open.surface.admit(who, { method: 'notifications/cancelled', params: {} })).not.toThrow();
    clock.advance(30_000);
    expect(passed(who, 'svc_whoami')).toBe(10);
  });

  test('is not counted if it is switched off', async () => {
    open = await openSurface({ tools: [prepare], campaigns: 1 });
    expect(passed(open.principal(), 'test_prepare', 2_000)).toBe(2_000);
  });
});

describe('a quota', () => {
  test('states how many seconds to wait, and admits the caller after them', () => {
    const clock = createManualClock();
    const quota = createQuota({ perMinute: 4, clock });
    for (let count = 0; count < 4; count += 1) quota.take('a');
    expect(() => quota.take('a')).toThrow(expect.objectContaining({ data: { retryAfterSeconds: 15 } }));
    clock.advance(14_000);
    expect(() => quota.take('a')).toThrow(expect.objectContaining({ data: { retryAfterSeconds: 1 } }));
    clock.advance(1_000);
    quota.take('a');
    expect(() => quota.take('a')).toThrow(expect.objectContaining({ code: 'quota_exceeded' }));
  });

  test('does not change when the time of day is set', () => {
    const clock = createManualClock();
    const quota = createQuota({ perMinute: 1, clock });
    quota.take('a');
    clock.setForward(3_600_000);
    expect(() => quota.take('a')).toThrow(expect.objectContaining({ code: 'quota_exceeded' }));
  });

  test('never exceeds the calls of one minute', () => {
    const clock = createManualClock();
    const quota = createQuota({ perMinute: 2, clock });
    quota.take('a');
    clock.advance(3_600_000);
    quota.take('a');
    quota.take('a');
    expect(() => quota.take('a')).toThrow(expect.objectContaining({ code: 'quota_exceeded' }));
  });
});

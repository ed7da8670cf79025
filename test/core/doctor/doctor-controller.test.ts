import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Connections } from '#core/connections/index.ts';
import { createDoctorController, type DoctorController, type DiagnosticTarget } from '#core/doctor/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { startBrokenService } from '#test/servers/broken-service.ts';
import { wholePatient } from './target.ts';

let service: RunningBackend;
beforeAll(async () => {
  service = await startBackend({ campaigns: 3, days: 1 });
});
afterAll(() => service.dispose());

/** A desk before these profiles, whose services are these. */
function openDesk(patients: Record<string, DiagnosticTarget>): { desk: DoctorController; changes(): number } {
  let count = 0;
  const connections: Pick<Connections, 'credentialsOf'> = {
    credentialsOf(profileId) {
      const target = patients[profileId];
      if (target === undefined) throw new AppError('profile_unknown');
      const { subject, addresses, remoteAccess, ...opens } = target;
      const profile = { id: profileId, name: subject, kind: 'live', account: '', zone: 'UTC' } as const;
      return { ...opens, profile: { ...profile, addresses, remoteAccess } };
    },
  };
  const desk = createDoctorController({
    connections,
    disagreementsOf: () => [],
    timeoutMs: 10_000,
    clock: systemClock,
    logger: silentLogger,
    onChange: () => (count += 1),
  });
  onTestFinished(() => desk.dispose());
  return { desk, changes: () => count };
}

async function silent(): Promise<DiagnosticTarget> {
  const { addresses } = await startBrokenService(service.port, { instead: () => 'silence' });
  return wholePatient(service, { addresses, subject: 'Silent' });
}

const ended = (desk: DoctorController) => (): boolean => desk.get()?.endedAtMs != null;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

describe('the controller of the doctor', () => {
  test('begins at once, reports every change, and keeps the last report', async () => {
    const { desk, changes } = openDesk({ whole: await wholePatient(service) });
    expect(desk.get()).toBeNull();
    expect(desk.start('whole')).toMatchObject({
      subject: 'Meridian',
      profileId: 'whole',
      endedAtMs: null,
      text: '',
    });
    await until(ended(desk));
    expect(changes()).toBeGreaterThan(11);
    expect(desk.get()?.steps.map(({ state }) => state)).not.toContain('failed');
    expect(desk.stop()).toBe(desk.get());
  });

  test('asked twice for one profile, goes on with the one examination', async () => {
    const { desk } = openDesk({ silent: await silent() });
    const first = desk.start('silent');
    expect(desk.start('silent')).toBe(first);
  });

  test('another profile ends the examination under way', async () => {
    const { desk } = openDesk({ silent: await silent(), whole: await wholePatient(service) });
    desk.start('silent');
    expect(desk.start('whole').subject).toBe('Meridian');
    await until(ended(desk));
    expect(desk.get()?.subject).toBe('Meridian');
  });

  test('stopped, it skips the rest and can begin again', async () => {
    const { desk } = openDesk({ silent: await silent() });
    const first = desk.start('silent');
    desk.stop();
    await until(ended(desk));
    expect(desk.get()?.steps.every(({ state }) => state === 'skipped')).toBe(true);
    expect(desk.get()?.text).toContain('11 skipped');
    expect(desk.start('silent').startedAtMs).toBeGreaterThanOrEqual(first.startedAtMs);
    expect(desk.get()?.endedAtMs).toBeNull();
  });

  test('disposed, it waits for the end of what was under way', async () => {
    const { desk } = openDesk({ silent: await silent() });
    desk.start('silent');
    await desk.dispose();
    expect(desk.get()?.endedAtMs).not.toBeNull();
  });

  test('a profile that is not there is an error, and ends nothing', async () => {
    const { desk } = openDesk({ silent: await silent() });
    desk.start('silent');
    expect(() => desk.start('gone')).toThrow(AppError);
    expect(desk.get()).toMatchObject({ profileId: 'silent', endedAtMs: null });
  });
});

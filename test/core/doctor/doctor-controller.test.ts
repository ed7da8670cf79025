import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Connections } from '#core/connections/index.ts';
import { createDoctorController, type DoctorController, type DiagnosticTarget } from '#core/doctor/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { startBrokenService } from '#test/servers/broken-service.ts';
import { untilFound } from '#test/setup/eventually.ts';
import { healthyTarget } from './target.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

let service: RunningBackend;
beforeAll(async () => {
  service = await startBackend({ campaigns: 3, days: 1 });
});
afterAll(() => service.dispose());

function openController(targets: Record<string, DiagnosticTarget>): {
  controller: DoctorController;
  changes(): number;
} {
  let count = 0;
  const connections: Pick<Connections, 'credentialsOf'> = {
    credentialsOf(profileId) {
      const target = targets[profileId];
      if (target === undefined) throw new AppError('profile_unknown');
      const { subject, addresses, remoteAccess, ...opens } = target;
      const profile = { id: profileId, name: subject, kind: 'live', account: '', zone: 'UTC' } as const;
      return { ...opens, profile: { ...profile, addresses, remoteAccess } };
    },
  };
  const controller = createDoctorController({
    connections,
    timeoutMs: 10_000,
    clock: systemClock,
    logger: silentLogger,
    onChange: () => (count += 1),
    formats: () => defaultFormats,
  });
  onTestFinished(() => controller.dispose());
  return { controller, changes: () => count };
}

async function silent(): Promise<DiagnosticTarget> {
  const { addresses } = await startBrokenService(service.port, { instead: () => 'silence' });
  return healthyTarget(service, { addresses, subject: 'Silent' });
}

const ended = (controller: DoctorController) => (): boolean => controller.get()?.endedAtMs != null;

describe('the controller of the doctor', () => {
  test('starts immediately, reports every change, and keeps the latest report', async () => {
    const { controller, changes } = openController({ whole: await healthyTarget(service) });
    expect(controller.get()).toBeNull();
    expect(controller.start('whole')).toMatchObject({
      subject: 'Meridian',
      profileId: 'whole',
      endedAtMs: null,
      text: '',
    });
    await untilFound(ended(controller));
    expect(changes()).toBeGreaterThan(11);
    expect(controller.get()?.steps.map(({ state }) => state)).not.toContain('failed');
    expect(controller.stop()).toBe(controller.get());
  });

  test('continues the running examination if it is started again for the same profile', async () => {
    const { controller } = openController({ silent: await silent() });
    const first = controller.start('silent');
    expect(controller.start('silent')).toBe(first);
  });

  test('ends the running examination when another profile is examined', async () => {
    const { controller } = openController({ silent: await silent(), whole: await healthyTarget(service) });
    controller.start('silent');
    expect(controller.start('whole').subject).toBe('Meridian');
    await untilFound(ended(controller));
    expect(controller.get()?.subject).toBe('Meridian');
  });

  test('skips the remaining steps when stopped, and can start again', async () => {
    const { controller } = openController({ silent: await silent() });
    const first = controller.start('silent');
    controller.stop();
    await untilFound(ended(controller));
    expect(controller.get()?.steps.every(({ state }) => state === 'skipped')).toBe(true);
    expect(controller.get()?.text).toContain('11 skipped');
    expect(controller.start('silent').startedAtMs).toBeGreaterThanOrEqual(first.startedAtMs);
    expect(controller.get()?.endedAtMs).toBeNull();
  });

  test('waits for the running examination when disposed', async () => {
    const { controller } = openController({ silent: await silent() });
    controller.start('silent');
    await controller.dispose();
    expect(controller.get()?.endedAtMs).not.toBeNull();
  });

  test('refuses an unknown profile and ends nothing', async () => {
    const { controller } = openController({ silent: await silent() });
    controller.start('silent');
    expect(() => controller.start('gone')).toThrow(AppError);
    expect(controller.get()).toMatchObject({ profileId: 'silent', endedAtMs: null });
  });
});

import { expect, test } from 'vitest';
import { openLoopbackListener, openOnStablePort } from '#core/platform/loopback/listener.ts';
import { silentLogger } from '#core/platform/logger.ts';

const handler = (): void => {};
const open = (port: number) => openLoopbackListener({ port, handler, logger: silentLogger });

test('a lasting port is below the ports that systems assign or reserve', async () => {
  const listener = await openOnStablePort(open);
  expect(listener.port).toBeGreaterThanOrEqual(20_000);
  expect(listener.port).toBeLessThan(32_768);
  await listener.dispose();
});

test('a port in use is skipped', async () => {
  const first = await openOnStablePort(open);
  const free = first.port === 32_767 ? 20_000 : first.port + 1;
  const choices = [first.port, first.port, free];
  const second = await openOnStablePort(open, () => choices.shift() ?? free);
  expect(second.port).not.toBe(first.port);
  expect(choices).toEqual([]);
  await Promise.all([first.dispose(), second.dispose()]);
});

test('if every candidate is in use the system chooses a port, and any other failure is reported', async () => {
  const first = await openOnStablePort(open);
  const second = await openOnStablePort(open, () => first.port);
  expect(second.port).not.toBe(first.port);
  await Promise.all([first.dispose(), second.dispose()]);
  const failing = openOnStablePort(() => Promise.reject(new Error('No sockets')));
  await expect(failing).rejects.toThrow('No sockets');
});

import { expect, test } from 'vitest';
import type { DoctorReport } from '#shared/app-api/index.ts';
import { publicName, startSecureService, startTunnelProxy } from '#test/servers/company-network.ts';
import { linkCore } from './linked.ts';
import { eventually } from '#test/setup/eventually.ts';

test('a core asks its host for the proxies of a live service, and the doctor names a proxy that refuses', async () => {
  const service = await startSecureService();
  const proxy = await startTunnelProxy();
  proxy.refuseWith(407);
  const linked = linkCore();
  await linked.ready();
  const { id: profileId } = await linked.output<{ id: string }>('app', 'profiles.add', {
    name: 'Company',
    zone: 'Europe/Berlin',
    remoteAccess: 'oauth',
    baseUrl: `${service.origin}/api/v1`,
    apiUrl: service.origin,
    mcpUrl: service.origin,
  });
  await linked.output('app', 'doctor.start', { profileId });
  await eventually(() => expect(linked.all('findProxy')).not.toEqual([]));
  const [{ id, origin } = { id: 0, origin: '' }] = linked.all('findProxy');
  expect(origin).toBe(service.origin);
  linked.say({ kind: 'proxyFound', id, proxies: proxy.rule });

  const report = await eventually(async () => {
    const found = await linked.output<DoctorReport>('app', 'doctor.get', {});
    expect(found.endedAtMs).not.toBe(null);
    return found;
  });
  expect(report.steps.find(({ state }) => state === 'failed')).toMatchObject({
    answer: expect.stringContaining('the proxy asks for a sign-in (407)') as string,
  });
  expect(proxy.asked[0]).toBe(`${publicName}:${service.port}`);
  expect(service.received).toEqual([]);
  // The host is asked only once per origin.
  expect(linked.all('findProxy')).toHaveLength(1);
});

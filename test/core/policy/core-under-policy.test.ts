import { describe, expect, test } from 'vitest';
import type { ProfileInput } from '#shared/app-api/index.ts';
import { createWorld, type World } from '#test/core/proposals/world.ts';
import { has } from '#test/servers/abilities.ts';
import { openPolicyPlace } from '#test/servers/policy-place.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const desktop = { host: 'desktop', campaigns: 3 } as const;

/** A live profile at the address of the embedded service: the service answers, and the app treats it as remote. */
function liveAt({ core }: World): ProfileInput {
  const { origin } = new URL(core.info.serviceUrl);
  return {
    name: 'Meridian',
    baseUrl: core.info.serviceUrl,
    apiUrl: origin,
    mcpUrl: origin,
    zone: 'UTC',
    remoteAccess: 'direct-jwt',
  };
}

describe.runIf(has.modes)('a core under an administrator’s policy', () => {
  test('adds only allowed services, whatever its data folder is', async () => {
    const place = openPolicyPlace();
    place.write({ liveServices: ['https://api.example.com'] });
    for (const folder of [tempFolder(), tempFolder()]) {
      const world = await createWorld({ ...desktop, folder, policyPlace: place });
      await expect(world.core.handlers['profiles.add'](liveAt(world))).rejects.toMatchObject({
        code: 'service_not_allowed',
      });
    }
  });

  test('stops live profiles and agents while the policy is unusable, gives the reason, and continues by itself', async () => {
    const place = openPolicyPlace();
    const world = await createWorld({ ...desktop, policyPlace: place });
    const { handlers, subscribe } = world.core;
    const { id } = await handlers['profiles.add'](liveAt(world));
    await handlers['profiles.switch']({ id });
    const events: string[] = [];
    subscribe(({ kind }) => events.push(kind));

    place.write('{"updates":"of"}');
    const { policy } = await handlers['session.status']({});
    expect(policy?.message).toContain('“updates”: ');
    expect((await handlers['session.get']({})).profile.id).toBe('demo');
    expect(events).toEqual(expect.arrayContaining(['policy.changed', 'profiles.changed', 'agents.changed']));
    const { items } = await handlers['profiles.list']({});
    expect(items.map(({ stopped }) => stopped?.message ?? null)).toEqual([
      null,
      expect.stringContaining(place.file),
    ]);
    const stopped = { code: 'policy_unusable' };
    const value = 'a'.repeat(40);
    await expect(handlers['profiles.switch']({ id })).rejects.toMatchObject(stopped);
    await expect(
      handlers['profiles.keepCredential']({ id, name: 'memberToken', value }),
    ).rejects.toMatchObject(stopped);
    await expect(handlers['signIn.start']({ profileId: id, scopes: [] })).rejects.toMatchObject(stopped);
    await expect(handlers['doctor.start']({ profileId: id })).rejects.toMatchObject(stopped);
    await expect(handlers['agents.tools']({ profileId: id })).resolves.toMatchObject({ tools: [] });
    await expect(handlers['campaigns.types']({})).resolves.toBeDefined();

    place.write({});
    expect((await handlers['session.status']({})).policy).toBeNull();
    expect((await handlers['session.get']({})).profile.id).toBe(id);
  });

  test('shows the administrator’s settings', async () => {
    const place = openPolicyPlace();
    place.write({ guardrails: { maxCampaigns: 5 }, updates: 'off' });
    const { core } = await createWorld({ ...desktop, policyPlace: place });
    expect(await core.handlers['policy.get']({})).toMatchObject({
      file: place.file,
      problem: null,
      guardrails: { maxCampaigns: 5, maxBidFactor: null },
      liveServices: null,
      updatesOff: true,
    });
  });
});

import { onTestFinished } from 'vitest';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createProfiles, demoProfile, type Profiles } from '#core/profiles/index.ts';
import { openAppStore, type AppStore } from '#core/store/app/index.ts';
import type { ProfileInput } from '#shared/app-api/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { noPolicy } from '#test/servers/no-policy.ts';

const origin = 'http://127.0.0.1:1';
const demoAddresses = { baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin };

/** The profile of a live service as a person might enter it. */
export const meridian: ProfileInput = {
  name: 'Meridian',
  baseUrl: 'https://ads.example.com/api/v1',
  apiUrl: 'https://api.example.com',
  mcpUrl: 'https://mcp.example.com',
  zone: 'Europe/Berlin',
  remoteAccess: 'oauth',
};

/** The profiles of a new data folder, and the ids of profiles whose cached reads were forgotten. */
export interface OpenProfiles {
  profiles: Profiles;
  store: AppStore;
  forgotten: string[];
  /** Opens the same folder for another kind of host. */
  on(host: { liveAllowed: boolean }): Profiles;
}

export function openProfiles(): OpenProfiles {
  const clock = createManualClock();
  const store = openAppStore({ folder: tempFolder(), clock, logger });
  onTestFinished(() => store.dispose());
  const forgotten: string[] = [];
  const on = ({ liveAllowed }: { liveAllowed: boolean }): Profiles =>
    createProfiles({
      store,
      demo: demoProfile({ account: 7001, addresses: demoAddresses }),
      liveAllowed,
      policy: noPolicy,
      forgetReads: (id) => void forgotten.push(id),
      clock,
      ids: createIds(clock.nowMs),
    });
  return { profiles: on({ liveAllowed: true }), store, forgotten, on };
}

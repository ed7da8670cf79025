import type { Clock } from '#core/platform/clock.ts';
import type { RemoteAccess } from '#core/service-client/index.ts';

/** A token is replaced this much before its end, in milliseconds: longer than any request takes. */
const marginMs = 60_000;

/** Access to the embedded service, whose owner hands out a grant whenever one is needed; no person is asked. */
export function createDemoAccess(
  issue: () => Promise<{ accessToken: string; expiresInSeconds: number }>,
  clock: Clock,
): RemoteAccess {
  let held: { token: Promise<string>; endsAtMs: number } | null = null;

  function issued(): Promise<string> {
    const token = issue().then(({ accessToken, expiresInSeconds }) => {
      if (held?.token === token) held.endsAtMs = clock.monotonicMs() + expiresInSeconds * 1000 - marginMs;
      return accessToken;
    });
    const next = { token, endsAtMs: Infinity };
    held = next;
    token.catch(() => {
      if (held === next) held = null;
    });
    return token;
  }

  const current = (): Promise<string> =>
    held !== null && clock.monotonicMs() < held.endsAtMs ? held.token : issued();

  return {
    token: current,
    // Whoever comes with an older token gets the one that replaced it.
    renew: async (refused) => {
      const now = await current();
      return now === refused ? issued() : now;
    },
  };
}

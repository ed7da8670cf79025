import { onTestFinished } from 'vitest';
import type { BackendOptions } from '#core/backend/index.ts';
import type { ProfileDetail, ProfileInput, SignInView } from '#shared/app-api/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { createWorld, type World, type WorldOptions } from '#test/core/proposals/world.ts';
import { answerRequest, type Answering } from '#test/servers/person.ts';

/**
 * Starts the live service of these tests: the other tenant with its own sign-in pages, reachable over HTTP only. The caller
 * disposes it.
 */
export function startLive(options: Partial<BackendOptions> = {}): Promise<RunningBackend> {
  return startBackend({ tenant: 'meridian', campaigns: 12, days: 3, ...options });
}

/** Starts a live service for a single test. */
export async function openLive(options: Partial<BackendOptions> = {}): Promise<RunningBackend> {
  const live = await startLive(options);
  onTestFinished(() => live.dispose());
  return live;
}

/** Opens the desktop app on the embedded service. */
export function openDesktop(options: WorldOptions = {}): Promise<World> {
  return createWorld({ host: 'desktop', campaigns: 12, ...options });
}

export function inputFor(
  { baseUrl, port }: RunningBackend,
  change: Partial<ProfileInput> = {},
): ProfileInput {
  const origin = `http://127.0.0.1:${port}`;
  return {
    name: 'Meridian',
    baseUrl,
    apiUrl: origin,
    mcpUrl: origin,
    zone: 'UTC',
    remoteAccess: 'oauth',
    ...change,
  };
}

/** Adds a profile of the live service with a member token of this account, and makes it active. */
export async function addMember(
  { core: { handlers } }: World,
  live: RunningBackend,
  account: 'buyer' | 'neighbour' = 'buyer',
): Promise<ProfileDetail> {
  const { id } = await handlers['profiles.add'](inputFor(live));
  await handlers['profiles.switch']({ id });
  return handlers['profiles.keepCredential']({ id, name: 'memberToken', value: tokenOf(live, account) });
}

export function tokenOf(
  { credentials }: RunningBackend,
  account: 'buyer' | 'neighbour' | 'publisher',
): string {
  return credentials.accounts[account].memberToken;
}

export function keyOf({ credentials }: RunningBackend): string {
  return credentials.accounts.publisher.publisherKeys[0]?.key ?? '';
}

/** Resolves when the state of the sign-in fits. */
export async function untilSignIn(world: World, fits: (view: SignInView) => boolean): Promise<SignInView> {
  const { promise, resolve } = Promise.withResolvers<SignInView>();
  const look = async (): Promise<void> => {
    const view = await world.core.handlers['signIn.get']({});
    if (view !== null && fits(view)) resolve(view);
  };
  const stop = world.core.subscribe((event) => {
    if (event.kind === 'signIn.changed') void look();
  });
  await look();
  try {
    return await promise;
  } finally {
    stop();
  }
}

export const isOver = ({ state }: SignInView): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/** Acts as the person in the browser, from the first address to the page that confirms the end of the sign-in. */
export async function finishInBrowser(
  view: SignInView,
  live: RunningBackend,
  answer: Partial<Answering> = {},
): Promise<Response> {
  const { accounts, password } = live.credentials;
  const left = await answerRequest(view.address ?? '', { login: accounts.buyer.login, password, ...answer });
  return fetch(left);
}

/** Signs the buyer, or another account, in to the profile through the browser, with these scopes in addition to reading. */
export async function signInTo(
  world: World,
  live: RunningBackend,
  profileId: string,
  scopes: Parameters<World['core']['handlers']['signIn.start']>[0]['scopes'] = [],
  account: 'buyer' | 'neighbour' = 'buyer',
): Promise<SignInView> {
  await world.core.handlers['signIn.start']({ profileId, scopes });
  const waiting = await untilSignIn(world, ({ state }) => state === 'waiting');
  const { login } = live.credentials.accounts[account];
  await finishInBrowser(waiting, live, { login });
  return untilSignIn(world, isOver);
}

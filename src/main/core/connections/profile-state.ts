import type { Clock } from '#core/platform/clock.ts';
import type { CallOutcome, MemberClient, GrantStore } from '#core/service-client/index.ts';
import type { StatusView, ProfileDetail } from '#shared/app-api/index.ts';
import { type Credentials, type Held, type Profile, type Profiles, viewOf } from '#core/profiles/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { tokenExpiry } from './pasted-credential.ts';
import type { Formats } from '#shared/lib/formats.ts';

const staleAfterMs = 10_000;

/** Maximum age of the state of an unreachable service. It is short so that the recovery of the service is noticed soon. */
const awayStaleAfterMs = 4_000;

/** Maximum age of the state of a service that refuses the member token. It is long because only a new token helps. */
const refusedStaleAfterMs = 60_000;

const lookLimitMs = 1_000;

type ServiceView = StatusView['service'];

const limitsMs: Partial<Record<ServiceView['state'], number>> = {
  unreachable: awayStaleAfterMs,
  'signed-out': refusedStaleAfterMs,
};

export interface ServiceStateOptions {
  clock: Clock;
  onChange(): void;
  onReturn(): void;
}

export interface ServiceState {
  observe(outcome: CallOutcome): void;
  /** Reports until when a read waits for another attempt. Returns a function that ends the report. */
  waits(wait: { retryAtMs: number }): () => void;
  /** The current state. Asks the service for one row if the last call is too old. Never fails. */
  look(client: Pick<MemberClient, 'list'>): Promise<ServiceView>;
  answeredAtMs(): number | null;
  isAway(): boolean;
  invalidate(): void;
}

interface SeenService {
  ready: boolean | null;
  signedIn: boolean;
  latencyMs: number | null;
  checkedAtMs: number | null;
}

export function createServiceState({ clock, onChange, onReturn }: ServiceStateOptions): ServiceState {
  const nextTry = createNextTry(clock);
  let seen: SeenService = { ready: null, signedIn: true, latencyMs: null, checkedAtMs: null };
  let answeredAtMs: number | null = null;
  /** By the monotonic clock: if the system clock is set back, an old answer must not look recent. */
  let observedAtMs: number | null = null;
  let asking: Promise<void> | null = null;

  function change(make: () => void): void {
    const before = { state: stateOf(seen), retryAtMs: nextTry.atMs() };
    make();
    const state = stateOf(seen);
    if (state !== before.state || nextTry.atMs() !== before.retryAtMs) onChange();
    if (state === 'ready' && (before.state === 'unreachable' || before.state === 'signed-out')) onReturn();
  }

  function isStale(): boolean {
    if (observedAtMs === null) return true;
    return clock.monotonicMs() - observedAtMs > (limitsMs[stateOf(seen)] ?? staleAfterMs);
  }

  return {
    observe({ ready, latencyMs, signedIn = seen.signedIn, retryAfterSeconds = 0 }) {
      change(() => {
        observedAtMs = clock.monotonicMs();
        const checkedAtMs = clock.nowMs();
        if (ready) answeredAtMs = checkedAtMs;
        seen = { ready, signedIn, latencyMs: ready ? latencyMs : null, checkedAtMs };
        nextTry.pauseFor(retryAfterSeconds);
      });
    },
    waits(wait) {
      let over: () => void = () => undefined;
      change(() => (over = nextTry.waits(wait)));
      return () => change(over);
    },
    async look(client) {
      if (isStale() && !nextTry.isPaused()) {
        asking ??= ask(client).finally(() => (asking = null));
        await within(asking, clock);
      }
      const { latencyMs, checkedAtMs } = seen;
      return { state: stateOf(seen), latencyMs, checkedAtMs, retryAtMs: nextTry.atMs() };
    },
    answeredAtMs: () => answeredAtMs,
    isAway: () => stateOf(seen) === 'unreachable',
    invalidate() {
      observedAtMs = null;
      nextTry.pauseFor(0);
    },
  };
}

function stateOf({ ready, signedIn }: SeenService): ServiceView['state'] {
  if (ready === null) return 'unknown';
  if (!ready) return 'unreachable';
  return signedIn ? 'ready' : 'signed-out';
}

async function ask(client: Pick<MemberClient, 'list'>): Promise<void> {
  try {
    await client.list({ page: 1, perPage: 1 });
  } catch {
    // `observe` has already recorded the failure.
  }
}

async function within(work: Promise<void>, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(lookLimitMs, resolve);
  await Promise.race([work, promise]);
  cancel();
}

const maxPauseMs = 10 * 60_000;

function createNextTry(clock: Clock) {
  /** The end of the pause: `untilMs` by the monotonic clock for waiting, `retryAtMs` by the system clock for display. */
  let pause: { untilMs: number; retryAtMs: number } | null = null;
  const waiting = new Set<{ retryAtMs: number }>();

  const isPaused = (): boolean => pause !== null && clock.monotonicMs() < pause.untilMs;

  return {
    pauseFor(seconds: number): void {
      const pauseMs = Math.min(seconds * 1000, maxPauseMs);
      const retryAtMs = clock.nowMs() + pauseMs;
      pause = pauseMs === 0 ? null : { untilMs: clock.monotonicMs() + pauseMs, retryAtMs };
    },
    isPaused,
    waits({ retryAtMs }: { retryAtMs: number }): () => void {
      const wait = { retryAtMs };
      waiting.add(wait);
      return () => void waiting.delete(wait);
    },
    atMs(): number | null {
      const moments = [...waiting].map(({ retryAtMs }) => retryAtMs);
      if (pause !== null && isPaused()) moments.push(pause.retryAtMs);
      return moments.length === 0 ? null : Math.min(...moments);
    },
  };
}

export interface WritingFacts {
  service: StatusView['service']['state'];
  memberToken: Held;
  isDemo: boolean;
  answeredAtMs: number | null;
  nowMs: number;
}

export function writingOf(
  { service, memberToken, isDemo, answeredAtMs, nowMs }: WritingFacts,
  formats: Formats,
): StatusView['writing'] {
  if (memberToken === 'none') {
    return off('This profile has no member token yet.', 'Add one on the Profiles page.');
  }
  if (memberToken === 'other-key') {
    return off(
      'The member token of this profile was kept under the key of another session.',
      'Add it again on the Profiles page.',
    );
  }
  if (service === 'unreachable') {
    const since =
      answeredAtMs === null
        ? 'not answered yet'
        : `not answered since ${formats.shortMoment(answeredAtMs, nowMs)}`;
    return off(`The service has ${since}.`, 'Changes are off until it is back; Countersign keeps asking.');
  }
  if (service === 'signed-out') {
    return off(
      'The service does not take the member token: it is wrong or has expired.',
      isDemo ? 'Countersign keeps asking.' : 'Replace it on the Profiles page.',
    );
  }
  return { off: null };
}

function off(because: string, next: string): StatusView['writing'] {
  return { off: { because, next } };
}

interface DetailOptions {
  profiles: Pick<Profiles, 'stopped'>;
  credentials: Credentials;
  grantsOf(profileId: string): GrantStore;
  clock: Clock;
}

/** A profile with the state of its credentials. Contains no credential. */
export function profileDetail(profile: Profile, options: DetailOptions): ProfileDetail {
  const { addresses, remoteAccess } = profile;
  const failure = options.profiles.stopped(profile);
  const stopped = failure && { message: failure.message, next: failure.next };
  return { ...viewOf(profile), addresses, remoteAccess, stopped, ...credentialState(profile, options) };
}

type CredentialState = Pick<ProfileDetail, 'signIn' | 'memberToken' | 'publisherKey'>;

function credentialState(profile: Profile, options: DetailOptions): CredentialState {
  if (profile.kind === 'demo') return openedByItsOwner;
  const memberToken = memberTokenState(profile, options);
  return {
    signIn:
      profile.remoteAccess === 'oauth' ? grantState(profile, options) : directState(memberToken, options),
    memberToken,
    publisherKey: { state: opened(profile, options, 'publisher-key').state },
  };
}

const openedByItsOwner: CredentialState = {
  signIn: { state: 'held', scopes: [], signedInAtMs: null },
  memberToken: { state: 'held', expiresAtMs: null },
  publisherKey: { state: 'held' },
};

function memberTokenState(profile: Profile, options: DetailOptions): CredentialState['memberToken'] {
  const { state, value } = opened(profile, options, 'member-token');
  return { state, expiresAtMs: value === null ? null : tokenExpiry(value) };
}

function grantState({ id }: Profile, { grantsOf }: DetailOptions): CredentialState['signIn'] {
  const held = grantsOf(id).load();
  if (held.kind !== 'held') return { state: held.kind, scopes: [], signedInAtMs: null };
  const { scopes, signedInAtMs } = held.grant;
  return { state: 'held', scopes: [...scopes], signedInAtMs };
}

/** In direct JWT mode (contract §5.3), the member token gives access until it expires. */
function directState(
  { state, expiresAtMs }: CredentialState['memberToken'],
  { clock }: DetailOptions,
): CredentialState['signIn'] {
  const ended = expiresAtMs !== null && expiresAtMs <= clock.nowMs();
  return { state: ended ? 'ended' : state, scopes: [], signedInAtMs: null };
}

/** The unsealed value. Bytes that cannot be unsealed count as sealed in another session: the person has to paste again. */
export function opened(
  { id }: Profile,
  { credentials }: DetailOptions,
  name: 'member-token' | 'publisher-key',
): { state: Held; value: string | null } {
  try {
    return { state: credentials.held(id, name), value: credentials.read(id, name) };
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'secret_unreadable') throw failure;
    return { state: 'other-key', value: null };
  }
}

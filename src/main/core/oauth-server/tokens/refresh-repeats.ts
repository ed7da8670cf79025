import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import type { AccessGrant } from '../authorization-server.ts';
import { hashId, isExpired } from './grants.ts';

interface RefreshRequest {
  clientId: string;
  refreshToken: string;
  scope: string | null;
}

export type TokenAnswer = Readonly<Record<string, unknown>>;

/**
 * Gives concurrent refreshes of one client the same new tokens (docs/decisions/0029).
 * Answers are only in memory and are overwritten after ten seconds. The creator disposes it.
 */
export interface RefreshRepeats extends AsyncDisposable {
  /** The earlier answer while it may be repeated, otherwise the result of `rotate`. Fails as `rotate` does. */
  answer(asked: RefreshRequest, rotate: () => Promise<TokenAnswer>): Promise<TokenAnswer>;
}

interface RefreshRepeatsOptions {
  rows: Pick<OAuthRows, 'find'>;
  authenticate(accessToken: string): AccessGrant | null;
  onRepeat(grant: AccessGrant): void;
  clock: Clock;
}

const repeatableForMs = 10_000;

/**
 * Delay of a refresh with a token that was just issued, in milliseconds,
 * so that concurrent callers with the old token are answered first.
 */
const successorDelayMs = 250;

interface RepeatableAnswer {
  clientId: string;
  scope: string | null;
  /** The answer as bytes, because bytes can be overwritten. Null until the answer exists. */
  bytes: Buffer | null;
  rotation: Promise<TokenAnswer>;
  successor: string | null;
  atMs: number;
}

export function createRefreshRepeats({
  rows,
  authenticate,
  onRepeat,
  clock,
}: RefreshRepeatsOptions): RefreshRepeats {
  const answers = new Map<string, RepeatableAnswer>();
  const cancels = new Set<() => void>();

  function eraseEntry(key: string, entry: RepeatableAnswer): void {
    entry.bytes?.fill(0);
    entry.bytes = null;
    if (answers.get(key) === entry) answers.delete(key);
  }

  function storeAnswer(key: string, entry: RepeatableAnswer, answer: TokenAnswer): void {
    entry.bytes = Buffer.from(JSON.stringify(answer));
    entry.successor = hashId(String(answer['refresh_token']));
    entry.atMs = clock.monotonicMs();
    const cancel = clock.after(repeatableForMs, () => {
      cancels.delete(cancel);
      eraseEntry(key, entry);
    });
    cancels.add(cancel);
  }

  function startRotation(
    key: string,
    { clientId, scope }: RefreshRequest,
    rotate: () => Promise<TokenAnswer>,
  ): Promise<TokenAnswer> {
    const rotated = rotate();
    const entry: RepeatableAnswer = {
      clientId,
      scope,
      bytes: null,
      rotation: rotated,
      successor: null,
      atMs: Number.NEGATIVE_INFINITY,
    };
    answers.set(key, entry);
    return rotated.then(
      (answer) => {
        storeAnswer(key, entry, answer);
        return answer;
      },
      (failure: unknown) => {
        eraseEntry(key, entry);
        throw failure;
      },
    );
  }

  const isRecentSuccessor = (key: string): boolean =>
    [...answers.values()].some(({ successor }) => successor === key);

  /** Returns answer and grant if the tokens are valid and the refresh token is unused, otherwise null. */
  function findRepeatable({
    bytes,
    successor: idHash,
    atMs,
  }: RepeatableAnswer): { answer: TokenAnswer; grant: AccessGrant } | null {
    if (bytes === null || idHash === null || clock.monotonicMs() - atMs >= repeatableForMs) return null;
    const answer = JSON.parse(bytes.toString()) as Record<string, string>;
    const { access_token: accessToken = '' } = answer;
    const successor = rows.find('RefreshToken', idHash);
    if (successor === null || successor.consumedAtMs !== null || isExpired(successor, clock)) return null;
    const grant = authenticate(accessToken);
    return grant === null ? null : { answer, grant };
  }

  return {
    async answer(asked, rotate) {
      const key = hashId(asked.refreshToken);
      const entry = answers.get(key);
      const isSame = entry?.clientId === asked.clientId && entry.scope === asked.scope;
      if (entry === undefined)
        return startRotation(key, asked, isRecentSuccessor(key) ? () => runDelayed(rotate) : rotate);
      if (!isSame) return rotate();
      await entry.rotation;
      const found = findRepeatable(entry);
      if (found === null) return rotate();
      onRepeat(found.grant);
      return found.answer;
    },
    async dispose() {
      for (const cancel of cancels) cancel();
      for (const [key, entry] of answers) eraseEntry(key, entry);
    },
  };
}

async function runDelayed<T>(work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, successorDelayMs));
  return work();
}

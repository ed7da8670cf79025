import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { commitRequest } from './faults.ts';
import type { Faults, FaultStatus, FaultyRequest } from './faults.ts';

/** One request, for as long as it is handled. */
interface RequestScope {
  run(handle: () => void): void;
  /** True once a commit in it has met a fault that cuts its connection. */
  isCut(): boolean;
}

/**
 * The faults of commits. Only the endpoint of the remote tools knows that a request commits, after it has read the body, and only
 * the layer of faults has the connection: the scope of the request joins them.
 */
export interface CommitFaults {
  scope(): RequestScope;
  /** Applies the armed faults to a commit that was admitted, by its arguments. Fails with the refusal of a fault that answers. */
  strike(args: JsonObject): void;
}

/** The refusal of the remote endpoint for each status (contract §7.3). */
const refusals: Readonly<Record<FaultStatus, ErrorCode>> = {
  400: 'arguments_invalid',
  401: 'token_invalid',
  402: 'insufficient_balance',
  403: 'forbidden',
  404: 'object_not_found',
  409: 'state_moved',
  421: 'host_not_allowed',
  422: 'validation_failed',
  429: 'quota_exceeded',
  500: 'internal',
  503: 'not_ready',
};

const pausing: ReadonlySet<FaultStatus> = new Set([429, 503]);

/** Makes the faults of the commits of one service. */
export function createCommitFaults(faults: Faults): CommitFaults {
  const requests = new AsyncLocalStorage<{ isCut: boolean }>();
  return {
    scope() {
      const request = { isCut: false };
      return { run: (handle) => requests.run(request, handle), isCut: () => request.isCut };
    },
    strike({ payload }) {
      const asked: FaultyRequest = { ...commitRequest, cids: campaignsIn(payload) };
      const answer = faults.take('answer', asked);
      if (answer !== undefined) {
        const data = pausing.has(answer.status) ? { retryAfterSeconds: 1 } : {};
        throw new AppError(refusals[answer.status], { data });
      }
      const request = requests.getStore();
      if (request !== undefined) request.isCut = faults.take('cut-after-write', asked) !== undefined;
    },
  };
}

/** The campaigns that a payload writes: of an update one, of a change of status each. */
function campaignsIn(payload: JsonValue | undefined): number[] {
  if (!isJsonObject(payload)) return [];
  const { cid, ids } = payload;
  return (Array.isArray(ids) ? ids : [cid]).filter((id) => typeof id === 'number');
}

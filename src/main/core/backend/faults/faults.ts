import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

export type RefusedField = Record<'field' | 'code' | 'message', string>;

/** Selects requests; without a filter any matches. A commit of the remote tools counts as a PUT of {@link commitRequest}. */
export interface FaultFilter {
  method?: string;
  /** A part of the path, for example `/update-status`. */
  path?: string;
  /** A commit that writes this campaign; a request of REST does not fit. */
  cid?: number;
  /** Hits every such request until it is disarmed. */
  lasts?: true;
}

export const commitRequest = { method: 'PUT', path: '/mcp/svc_commit' } as const satisfies FaultyRequest;

type FaultStatus = 400 | 401 | 402 | 403 | 404 | 409 | 421 | 422 | 429 | 500 | 503;

/** The parts that `/ready` looks at (contract §4.3). */
export type ServicePart = 'oauth_storage' | 'durable_storage';

type RequestFault = FaultFilter &
  /** `errors` are named in a refusal of the member API (contract §7.1, 422). */
  (
    | { kind: 'answer'; status: FaultStatus; errors?: readonly RefusedField[] }
    /** The request is handled after so long. */
    | { kind: 'slow'; ms: number }
    /** The request is handled, and the connection ends without an answer; PUT unless the filter says otherwise. */
    | { kind: 'cut-after-write' }
    /** Runs, and is awaited, between the answer and its sending: a concurrent change between two reads. */
    | { kind: 'meanwhile'; run: () => unknown }
  );

/** Something that goes wrong. Armed by constructor or in the process, never by an HTTP route. */
export type Fault =
  | RequestFault
  /** `/ready` fails and names this part, until the fault is disarmed. */
  | { kind: 'not-ready'; part: ServicePart };

interface FaultyRequest {
  method: string;
  path: string;
  cids?: readonly number[];
}

export interface Faults {
  /** The returned function disarms; it does nothing for a fault that a request has consumed. */
  arm(fault: Fault): () => void;
  /** Takes the oldest fault of this kind that fits the request; one that lasts stays armed. */
  take<K extends RequestFault['kind']>(
    kind: K,
    request: FaultyRequest,
  ): Extract<RequestFault, { kind: K }> | undefined;
  /** True while this fault, by identity, was neither consumed nor disarmed. */
  has(fault: Fault): boolean;
  /** True if any fault of this kind is armed, whatever it fits. */
  isArmed(kind: Fault['kind']): boolean;
  isFailing(part: ServicePart): boolean;
  /** Number of faults that were neither consumed nor disarmed. */
  readonly armed: number;
}

export function createFaults(initial: readonly Fault[] = []): Faults {
  const armed: Fault[] = [...initial];
  return {
    arm(fault) {
      armed.push(fault);
      return () => {
        const at = armed.indexOf(fault);
        if (at >= 0) armed.splice(at, 1);
      };
    },
    take(kind, request) {
      if (armed.length === 0) return undefined;
      const at = armed.findIndex((fault) => fault.kind === kind && fits(fault, request));
      const taken = armed[at];
      if (taken !== undefined && !('lasts' in taken)) armed.splice(at, 1);
      return taken as Extract<RequestFault, { kind: typeof kind }> | undefined;
    },
    has: (fault) => armed.includes(fault),
    isArmed: (kind) => armed.some((fault) => fault.kind === kind),
    isFailing: (part) => armed.some((fault) => fault.kind === 'not-ready' && fault.part === part),
    get armed() {
      return armed.length;
    },
  };
}

function fits(fault: Fault, { method, path, cids = [] }: FaultyRequest): boolean {
  if (fault.kind === 'not-ready') return false;
  if (fault.cid !== undefined && !cids.includes(fault.cid)) return false;
  const wanted = fault.method ?? (fault.kind === 'cut-after-write' ? 'PUT' : method);
  return wanted === method && path.includes(fault.path ?? '');
}

interface RequestScope {
  run(handle: () => void): void;
  /** True once a commit in it has met a fault that cuts its connection. */
  isCut(): boolean;
}

/**
 * Only the remote endpoint knows that a request commits, and only the layer of faults has the connection: a scope joins
 * them.
 */
export interface CommitFaults {
  scope(): RequestScope;
  /** Applies the armed faults to a commit that was admitted, by its arguments. Fails with the refusal of a fault that answers. */
  strike(args: JsonObject): void;
}

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

function campaignsIn(payload: JsonValue | undefined): number[] {
  if (!isJsonObject(payload)) return [];
  const { cid, ids } = payload;
  return (Array.isArray(ids) ? ids : [cid]).filter((id) => typeof id === 'number');
}

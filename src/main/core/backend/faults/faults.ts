/** A field error with the service's own message. */
export type RefusedField = Record<'field' | 'code' | 'message', string>;

/**
 * Selects the requests of a fault; without a filter any request matches. A commit of the remote tools counts as a PUT of
 * {@link commitRequest}, so that one filter fits every write.
 */
export interface FaultFilter {
  method?: string;
  /** A part of the path, for example `/update-status`. */
  path?: string;
  /** A commit that writes this campaign; a request of REST does not fit. */
  cid?: number;
  /** Hits every such request until it is disarmed. */
  lasts?: true;
}

/** A commit of the remote tools, as a fault sees it. */
export const commitRequest = { method: 'PUT', path: '/mcp/svc_commit' } as const satisfies FaultyRequest;

/** Statuses with which a fault answers. */
export type FaultStatus = 400 | 401 | 402 | 403 | 404 | 409 | 421 | 422 | 429 | 500 | 503;

/** The parts that `/ready` looks at (contract §4.3). */
export type ServicePart = 'oauth_storage' | 'durable_storage';

/** Something that goes wrong with one request, the first that fits and arrives after the fault was armed, or with each of them. */
type RequestFault = FaultFilter &
  /** `errors` are named in a refusal of the member API (contract §7.1, 422). */
  (
    | { kind: 'answer'; status: FaultStatus; errors?: readonly RefusedField[] }
    /** The request is handled after so long. */
    | { kind: 'slow'; ms: number }
    /** The request is handled, and the connection ends without an answer; PUT unless the filter says otherwise. */
    | { kind: 'cut-after-write' }
    /**
     * Runs, and is awaited, after the answer was made and before it is sent: a concurrent change between two reads.
     */
    | { kind: 'meanwhile'; run: () => unknown }
  );

/** Something that goes wrong. Armed by constructor or in the process, never by an HTTP route. */
export type Fault =
  | RequestFault
  /** `/ready` fails and names this part, until the fault is disarmed. */
  | { kind: 'not-ready'; part: ServicePart };

/** A request, as far as a fault looks at it. */
export interface FaultyRequest {
  method: string;
  path: string;
  /** Campaigns that a commit writes. */
  cids?: readonly number[];
}

/** The faults that are armed. */
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
  /** True if `/ready` shall fail for this part. */
  isFailing(part: ServicePart): boolean;
  /** Number of faults that were neither consumed nor disarmed. */
  readonly armed: number;
}

/** Makes a set of faults. */
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

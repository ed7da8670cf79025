/** Which requests a fault waits for; without a filter any will do. */
export interface FaultFilter {
  method?: string;
  /** A part of the path, for example `/update-status`. */
  path?: string;
}

/** Something that goes wrong once. Armed by constructor or in the process, never by an HTTP route. */
export type Fault = FaultFilter &
  (
    | { kind: 'answer'; status: 400 | 401 | 402 | 403 | 404 | 409 | 422 | 429 | 500 | 503 }
    /** The request is handled after so long. */
    | { kind: 'slow'; ms: number }
    /** The request is handled, and the connection ends without an answer; PUT unless the filter says otherwise. */
    | { kind: 'cut-after-write' }
    /** Runs after the answer was made and before it is sent: what somebody else does between two reads. */
    | { kind: 'meanwhile'; run: () => void | Promise<void> }
  );

/** The faults that are armed, each consumed by the first request that fits. */
export interface Faults {
  arm(fault: Fault): void;
  /** Takes the oldest fault of this kind that fits the request. */
  take<K extends Fault['kind']>(
    kind: K,
    request: { method: string; path: string },
  ): Extract<Fault, { kind: K }> | undefined;
  /** How many have not been consumed. */
  readonly armed: number;
}

/** Makes a set of faults. */
export function createFaults(initial: readonly Fault[] = []): Faults {
  const armed: Fault[] = [...initial];
  return {
    arm: (fault) => void armed.push(fault),
    take(kind, request) {
      if (armed.length === 0) return undefined;
      const at = armed.findIndex((fault) => fault.kind === kind && fits(fault, request));
      const [taken] = at < 0 ? [] : armed.splice(at, 1);
      return taken as Extract<Fault, { kind: typeof kind }> | undefined;
    },
    get armed() {
      return armed.length;
    },
  };
}

function fits(fault: Fault, { method, path }: { method: string; path: string }): boolean {
  const wanted = fault.method ?? (fault.kind === 'cut-after-write' ? 'PUT' : method);
  return wanted === method && path.includes(fault.path ?? '');
}

import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore, ToolTreatment } from '#core/store/app/index.ts';
import type { ToolView } from '#shared/app-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** A tool as agents are shown it, and how its calls are treated. */
export interface PinnedTool {
  name: string;
  hash: string;
  /** Whole, as the service gave it when it was pinned. */
  definition: JsonObject;
  treatAs: ToolTreatment;
  /** The service offers another definition now: calls are refused until a person has looked. */
  isHeld: boolean;
}

/** The tools of each profile's service as they were pinned (docs/architecture.md, "Pinned tools"). */
export interface ToolPins {
  /** What the service lists now. The first list of a profile is pinned as it is; later differences are held. True when something changed. */
  compare(profileId: string, definitions: readonly JsonObject[]): boolean;
  /** What agents are shown, in the service's order. A tool that is new and unseen is not among them. */
  offered(profileId: string): readonly PinnedTool[];
  find(profileId: string, name: string): PinnedTool | null;
  views(profileId: string): { tools: ToolView[]; readAtMs: number | null };
  /** Fails with `tool_moved`. */
  accept(profileId: string, name: string, hash: string): void;
  /** Fails with `tool_not_readable`. */
  treat(profileId: string, name: string, treatAs: 'read' | 'write'): void;
  forget(profileId: string): void;
}

export interface ToolPinOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  onChange(profileId: string): void;
}

export function createToolPins(_options: ToolPinOptions): ToolPins {
  return {
    compare: () => false,
    offered: () => [],
    find: () => null,
    views: () => ({ tools: [], readAtMs: null }),
    accept() {},
    treat() {},
    forget() {},
  };
}

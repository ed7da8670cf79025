import type { AppStore } from '#core/store/app/index.ts';
import type { AppInput, NetChange, ProposalView } from '#shared/app-api/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Gate } from './gate.ts';

/** What verified changes of agents come to since a moment, folded per field of each campaign of the profile in front. */
export interface NetEffect {
  of(query: AppInput<'ledger.netEffect'>): NetChange[];
  /** One batch that brings back the earlier values; what others have changed since is skipped and listed. Fails with `nothing_to_reverse`. */
  reverse(query: AppInput<'ledger.reverse'>): Promise<ProposalView>;
}

export interface NetEffectOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeSeveral'>;
}

export function createNetEffect(_options: NetEffectOptions): NetEffect {
  return {
    of: () => [],
    reverse: () => {
      throw new Error('not yet');
    },
  };
}

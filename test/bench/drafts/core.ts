import { composeCore, type Core } from '#core/compose/compose.ts';

/** Opens a core whose confirmations are never answered. `demoCampaigns` is the number of campaigns that a first start makes. */
export function openCore(folder: string, dataKey: Buffer, demoCampaigns?: number): Promise<Core> {
  return composeCore({
    dataFolder: folder,
    host: 'terminal',
    version: '0.0.0',
    dataKey,
    confirmer: { via: 'terminal', show: async () => ({ address: null }), hide: () => {} },
    ...(demoCampaigns !== undefined && { demoCampaigns }),
  });
}

import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, CampaignPage, FoundPage } from '#shared/app-api/index.ts';
import { needsAccount } from '#shared/find/index.ts';

/** Reads a page of the campaigns: from the service, or by a search of the core for what the service's own list cannot answer. */
export function readList(
  bridge: AppBridge,
  { conditions, again, ...wanted }: AppInput<'campaigns.find'>,
): Promise<CampaignPage | FoundPage> {
  if (conditions.length === 0 && !needsAccount(wanted.filter)) return bridge.call('campaigns.page', wanted);
  return bridge.call('campaigns.find', { ...wanted, conditions, again });
}

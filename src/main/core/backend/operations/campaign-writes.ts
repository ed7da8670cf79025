import type { BackendService } from '../service.ts';
import { campaignStatus } from './campaigns/status-write.ts';
import { campaignUpdate } from './campaigns/update-write.ts';
import type { WriteKind } from './write-kind.ts';

/** The writes on campaigns: `campaign_update` and `campaign_status`. */
export function campaignWrites(service: BackendService): readonly WriteKind[] {
  return [campaignUpdate(service), campaignStatus(service)];
}

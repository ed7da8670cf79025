import type { BackendService } from '../service.ts';
import type { WriteKind } from './write-kind.ts';

/** The writes on campaigns: `campaign_update` and `campaign_status`. */
export function campaignWrites(service: BackendService): readonly WriteKind[] {
  void service;
  return [];
}

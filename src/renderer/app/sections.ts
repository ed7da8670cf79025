import type { Route } from '#renderer/stores/ui/route.ts';
import type { IconName } from '#renderer/ui/index.ts';

export const sections = [
  { name: 'campaigns', label: 'Campaigns', icon: 'campaigns', route: { page: 'campaigns', cid: null } },
  { name: 'drafts', label: 'Drafts', icon: 'drafts', route: { page: 'drafts' } },
  { name: 'proposals', label: 'Proposals', icon: 'proposals', route: { page: 'proposals', id: null } },
  { name: 'reports', label: 'Reports', icon: 'reports', route: { page: 'reports', parameters: '' } },
  { name: 'schedules', label: 'Schedules', icon: 'schedules', route: { page: 'schedules', id: null } },
  { name: 'ledger', label: 'Ledger', icon: 'ledger', route: { page: 'ledger' } },
  { name: 'agents', label: 'Agents', icon: 'agents', route: { page: 'agents' } },
] as const satisfies readonly { name: string; label: string; icon: IconName; route: Route }[];

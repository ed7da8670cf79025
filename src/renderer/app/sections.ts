import type { Route } from '#renderer/stores/ui/route.ts';
import type { IconName } from '#renderer/ui/index.ts';
import type { UiState } from '#renderer/stores/ui/ui-store.ts';
import type { MenuCommand } from '#shared/host-api/index.ts';

export const sections = [
  { name: 'campaigns', label: 'Campaigns', icon: 'campaigns', route: { page: 'campaigns', cid: null } },
  { name: 'drafts', label: 'Drafts', icon: 'drafts', route: { page: 'drafts' } },
  { name: 'proposals', label: 'Proposals', icon: 'proposals', route: { page: 'proposals', id: null } },
  { name: 'reports', label: 'Reports', icon: 'reports', route: { page: 'reports', parameters: '' } },
  { name: 'schedules', label: 'Schedules', icon: 'schedules', route: { page: 'schedules', id: null } },
  { name: 'ledger', label: 'Ledger', icon: 'ledger', route: { page: 'ledger' } },
  { name: 'agents', label: 'Agents', icon: 'agents', route: { page: 'agents' } },
] as const satisfies readonly { name: string; label: string; icon: IconName; route: Route }[];

type Ui = Pick<UiState, 'show' | 'navigate' | 'requestFocus'>;

const pages: Partial<Record<MenuCommand, Route>> = {
  'go.campaigns': { page: 'campaigns', cid: null },
  search: { page: 'campaigns', cid: null },
  'go.drafts': { page: 'drafts' },
  'go.proposals': { page: 'proposals', id: null },
  'go.reports': { page: 'reports', parameters: '' },
  'go.alerts': { page: 'reports', parameters: 'part=alerts' },
  'go.schedules': { page: 'schedules', id: null },
  'go.ledger': { page: 'ledger' },
  'go.agents': { page: 'agents' },
  'go.guide': { page: 'guide', place: null },
  'go.settings': { page: 'settings' },
};

type DialogCommand = Exclude<MenuCommand, `go.${string}` | 'search'>;

/** Each command sets a state instead of toggling it, so that a command that arrives twice acts once. */
export function doMenuCommand(command: MenuCommand, { show, navigate, requestFocus }: Ui): void {
  const route = pages[command];
  if (route === undefined) return show(command as DialogCommand);
  show(null);
  navigate(route);
  if (command === 'search') requestFocus('search');
}

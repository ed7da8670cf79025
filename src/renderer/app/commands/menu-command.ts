import type { UiState } from '#renderer/stores/ui/ui-store.ts';
import type { MenuCommand } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';

type Ui = Pick<UiState, 'show' | 'navigate' | 'requestFocus'>;

/** Does what a menu item asks. Each command names a state, so that one that arrives twice does no more than once. */
export function doMenuCommand(command: MenuCommand, { show, navigate, requestFocus }: Ui): void {
  switch (command) {
    case 'palette':
    case 'shortcuts':
    case 'first-start':
    case 'updates':
    case 'about':
      return show(command);
    case 'search':
      show(null);
      navigate({ page: 'campaigns', cid: null });
      return requestFocus('search');
    case 'go.campaigns':
      show(null);
      return navigate({ page: 'campaigns', cid: null });
    case 'go.drafts':
      show(null);
      return navigate({ page: 'drafts' });
    case 'go.proposals':
      show(null);
      return navigate({ page: 'proposals', id: null });
    case 'go.reports':
      show(null);
      return navigate({ page: 'reports', parameters: '' });
    case 'go.schedules':
      show(null);
      return navigate({ page: 'schedules', id: null });
    case 'go.ledger':
      show(null);
      return navigate({ page: 'ledger' });
    case 'go.agents':
      show(null);
      return navigate({ page: 'agents' });
    case 'go.guide':
      show(null);
      return navigate({ page: 'guide', place: null });
    case 'go.settings':
      show(null);
      return navigate({ page: 'settings' });
    case 'go.alerts':
      show(null);
      return navigate({ page: 'reports', parameters: 'part=alerts' });
    default:
      return assertNever(command);
  }
}

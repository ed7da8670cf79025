import { campaignColumns, changeSelection, proposeForSelection } from '#renderer/features/campaigns/index.ts';
import { isTraining } from '#renderer/api/place.ts';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { rowAt } from '#renderer/stores/campaigns/paged-list.ts';
import { shownPart } from '#renderer/stores/campaigns/selection.ts';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { trainingWindowStore } from '#renderer/stores/training-window-store.ts';
import { newProfile } from '#renderer/stores/ui/route.ts';
import type { Theme } from '#renderer/stores/ui/preferences.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { type IconName, keysOf } from '#renderer/ui/index.ts';
import { type StatusCode, statusCodes, statusNames } from '#shared/contract/index.ts';
import { emergencyStop, stopWords } from '../freeze.tsx';
import { sections } from '../sections.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { quoted } from '#shared/lib/inert-text.ts';

/** One thing the palette can do. */
export interface Command {
  id: string;
  group: string;
  label: string;
  /** Words to be found by, where the label holds foreign text. */
  find?: string;
  icon: IconName;
  keys?: string[];
  run: () => void;
}

const themes: { theme: Theme; label: string; icon: IconName }[] = [
  { theme: 'light', label: 'Light theme', icon: 'sun' },
  { theme: 'dark', label: 'Dark theme', icon: 'moon' },
  { theme: 'system', label: 'Use system theme', icon: 'monitor' },
];

const bulk: { status: StatusCode; label: string; icon: IconName }[] = [
  { status: 3, label: 'Pause', icon: 'pause' },
  { status: 1, label: 'Activate', icon: 'play' },
  { status: 4, label: 'Set to Scheduled', icon: 'clock' },
  { status: 2, label: 'Remove', icon: 'minus' },
];

/** Every action that the page offers now. */
export function commands(formats: Formats): Command[] {
  return [...goTo(), ...agents(), ...selected(formats), ...profiles(), ...list(), ...look(), ...desktop()];
}

function goTo(): Command[] {
  const { navigate, requestFocus, show } = uiStore.getState();
  const group = 'Go to';
  return [
    ...sections.map(({ name, label, icon, route }) => ({
      id: `go-${name}`,
      group,
      label,
      icon,
      keys: keysOf(name),
      run: () => navigate(route),
    })),
    {
      id: 'go-alerts',
      group,
      label: 'Report alerts',
      icon: 'reports',
      run: () => navigate({ page: 'reports', parameters: 'part=alerts' }),
    },
    {
      id: 'go-decisions',
      group,
      label: 'Your decisions',
      icon: 'check-circle',
      run: () => navigate({ page: 'decisions' }),
    },
    ...(isTraining() ? [] : beyondWorkspaces(group)),
    {
      id: 'go-bulk',
      group,
      label: 'Open a CSV file of campaigns',
      icon: 'file',
      run: () => navigate({ page: 'bulk' }),
    },
    {
      id: 'go-search',
      group,
      label: 'Search campaigns',
      icon: 'search',
      keys: keysOf('search'),
      run: () => {
        navigate({ page: 'campaigns', cid: null });
        requestFocus('search');
      },
    },
    {
      id: 'go-guide',
      group,
      label: 'Guide',
      find: 'Go to guide, help, manual, documentation',
      icon: 'help',
      run: () => navigate({ page: 'guide', place: null }),
    },
    {
      id: 'go-about',
      group,
      label: 'About Countersign',
      find: 'Version, licences, third-party notices',
      icon: 'info',
      run: () => show('about'),
    },
    {
      id: 'go-shortcuts',
      group,
      label: 'Keyboard shortcuts',
      icon: 'keyboard',
      keys: keysOf('shortcutList'),
      run: () => show('shortcuts'),
    },
  ];
}

function beyondWorkspaces(group: string): Command[] {
  const { navigate, show } = uiStore.getState();
  return [
    {
      id: 'go-profiles',
      group,
      label: 'Profiles',
      icon: 'profiles',
      run: () => navigate({ page: 'profiles', id: null }),
    },
    {
      id: 'go-settings',
      group,
      label: 'Settings',
      find: 'Settings, preferences, backup, restore, delete my data, support bundle, retention, notifications',
      icon: 'settings',
      run: () => navigate({ page: 'settings' }),
    },
    {
      id: 'go-training',
      group,
      label: 'Training',
      find: 'Go to training, missions, lessons, free practice',
      icon: 'training',
      run: () => void trainingWindowStore.getState().open(),
    },
    {
      id: 'go-first-start',
      group,
      label: 'Getting started',
      find: 'Getting started, welcome, first start, help',
      icon: 'start',
      run: () => show('first-start'),
    },
  ];
}

function agents(): Command[] {
  const { view, ask } = agentsStore.getState();
  const group = 'Agents';
  const stop: Command = {
    id: 'agents-stop',
    group,
    label: stopWords(),
    find: 'Emergency stop: freeze agents and pause campaigns, stop real agents',
    icon: 'emergency-stop',
    keys: keysOf('emergencyStop'),
    run: emergencyStop,
  };
  if (view?.frozenSinceMs == null) return [stop];
  const thaw = (): void => ask({ kind: 'thaw' });
  return [stop, { id: 'agents-thaw', group, label: 'Let agents work again…', icon: 'play', run: thaw }];
}

function selected(formats: Formats): Command[] {
  const { selection, found, list, cursor, clearSelection } = campaignsStore.getState();
  const { navigate, requestFocus } = uiStore.getState();
  const count = shownPart(selection, found).cids.size;
  const row = list ? rowAt(list, cursor) : undefined;
  const edit: Command[] = row
    ? [
        {
          id: 'edit',
          group: 'Campaign under the cursor',
          label: `Edit ${quoted(row.name)}`,
          find: 'Edit campaign',
          icon: 'panel',
          keys: keysOf('editRow'),
          run: () => {
            navigate({ page: 'campaigns', cid: row.cid });
            requestFocus('editor');
          },
        },
      ]
    : [];
  if (count === 0) return edit;
  const group = formats.counted(count, 'selected campaign');
  const moves = bulk.map(({ status, label, icon }) => ({
    id: `bulk-${status}`,
    group,
    label: `${label}…`,
    icon,
    run: () => void proposeForSelection(status),
  }));
  return [
    ...edit,
    { id: 'bulk-change', group, label: 'Change…', icon: 'edit', run: () => void changeSelection() },
    ...moves,
    { id: 'bulk-clear', group, label: 'Clear selection', icon: 'close', run: clearSelection },
  ];
}

function profiles(): Command[] {
  const { list, switchTo } = profilesStore.getState();
  const { navigate } = uiStore.getState();
  const group = 'Profiles';
  const others = (list?.items ?? []).filter(({ id }) => id !== list?.currentId);
  const switches = others.map(({ id, kind, name }): Command => ({
    id: `switch-${id}`,
    group,
    label: `Switch to ${kind === 'live' ? 'LIVE' : 'Demo'} · ${name}`,
    icon: 'profiles',
    run: () => void switchTo(id),
  }));
  if (!list || isTraining()) return [];
  switches.push({
    id: 'doctor',
    group,
    label: 'Examine the service',
    find: 'Run the doctor, examine the service',
    icon: 'doctor',
    run: () => navigate({ page: 'doctor', profileId: list.currentId }),
  });
  if (!list.liveAllowed) return switches;
  return [
    ...switches,
    {
      id: 'add-profile',
      group,
      label: 'Add a profile…',
      icon: 'plus',
      run: () => navigate({ page: 'profiles', id: newProfile }),
    },
  ];
}

function list(): Command[] {
  const { setFilter, clearFilter, reload, selectLoaded } = campaignsStore.getState();
  const group = 'List';
  const toList = (act: () => void) => () => {
    uiStore.getState().navigate({ page: 'campaigns', cid: null });
    act();
  };
  return [
    ...statusCodes.map((status): Command => ({
      id: `filter-${status}`,
      group,
      label: `Show only ${statusNames[status]}`,
      icon: 'filter',
      run: toList(() => setFilter({ status })),
    })),
    { id: 'filter-clear', group, label: 'Clear filters', icon: 'reset', run: toList(clearFilter) },
    {
      id: 'select-loaded',
      group,
      label: 'Select all loaded campaigns',
      icon: 'check',
      run: toList(selectLoaded),
    },
    { id: 'reload', group, label: 'Refresh the list', icon: 'refresh', run: toList(reload) },
  ];
}

function look(): Command[] {
  const { setTheme, setDensity, density, hiddenColumns, toggleColumn } = uiStore.getState();
  const group = 'Appearance';
  return [
    ...themes.map(({ theme, label, icon }) => ({
      id: `theme-${theme}`,
      group,
      label,
      icon,
      run: () => setTheme(theme),
    })),
    {
      id: 'density',
      group,
      label: density === 'compact' ? 'Normal rows' : 'Compact rows',
      icon: 'rows',
      run: () => setDensity(density === 'compact' ? 'normal' : 'compact'),
    },
    ...campaignColumns
      .filter(({ key }) => key !== 'name')
      .map(({ key, title }): Command => ({
        id: `column-${key}`,
        group: 'Columns',
        label: `${hiddenColumns.includes(key) ? 'Show' : 'Hide'} column ${title}`,
        icon: 'columns',
        run: () => toggleColumn(key),
      })),
  ];
}

function desktop(): Command[] {
  const { present, openDataFolder, copyDiagnostics } = desktopStore.getState();
  if (!present) return [];
  const group = 'Countersign';
  return [
    {
      id: 'data-folder',
      group,
      label: 'Open data folder',
      icon: 'external',
      run: () => void openDataFolder(),
    },
    ...(isTraining()
      ? []
      : [
          {
            id: 'updates',
            group,
            label: 'Updates',
            icon: 'download' as const,
            run: () => uiStore.getState().show('updates'),
          },
        ]),
    { id: 'diagnostics', group, label: 'Copy diagnostics', icon: 'copy', run: () => void copyDiagnostics() },
  ];
}

import {
  askPauseUntil,
  campaignColumns,
  changeSelection,
  proposeForSelection,
} from '#renderer/features/campaigns/index.ts';
import { isTraining } from '#renderer/api/bridge.ts';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { rowAt } from '#renderer/stores/campaigns/paged-list.ts';
import { shownPart } from '#renderer/stores/campaigns/selection.ts';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { trainingWindowStore } from '#renderer/stores/training-stores.ts';
import { newProfile, type Route } from '#renderer/stores/ui/route.ts';
import type { Overlay, Theme } from '#renderer/stores/ui/ui-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { type IconName, keysOf } from '#renderer/ui/index.ts';
import { type StatusCode, statusCodes, statusNames } from '#shared/contract/index.ts';
import { emergencyStop, stopWords } from '../freeze.tsx';
import { sections } from '../sections.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { quoted } from '#shared/lib/inert-text.ts';

export interface Command {
  id: string;
  group: string;
  label: string;
  /** Search words, if the label contains untrusted text. */
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

type Ungrouped = Omit<Command, 'group'>;
type Words = Omit<Ungrouped, 'id' | 'run'>;

const inGroup = (group: string, commands: readonly Ungrouped[]): Command[] =>
  commands.map((command) => ({ group, ...command }));

const leads = (id: string, route: Route, words: Words): Ungrouped => ({
  id,
  ...words,
  run: () => uiStore.getState().navigate(route),
});

const opens = (id: string, overlay: Overlay, words: Words): Ungrouped => ({
  id,
  ...words,
  run: () => uiStore.getState().show(overlay),
});

export function commands(formats: Formats): Command[] {
  return [...goTo(), ...agents(), ...selected(formats), ...profiles(), ...list(), ...look(), ...desktop()];
}

function goTo(): Command[] {
  return inGroup('Go to', [
    ...sections.map(({ name, route, ...words }) =>
      leads(`go-${name}`, route, { ...words, keys: keysOf(name) }),
    ),
    leads(
      'go-alerts',
      { page: 'reports', parameters: 'part=alerts' },
      { label: 'Report alerts', icon: 'reports' },
    ),
    leads('go-decisions', { page: 'decisions' }, { label: 'Your decisions', icon: 'check-circle' }),
    ...(isTraining() ? [] : beyondWorkspaces()),
    leads('go-bulk', { page: 'bulk' }, { label: 'Open a CSV file of campaigns', icon: 'file' }),
    {
      id: 'go-search',
      label: 'Search campaigns',
      icon: 'search',
      keys: keysOf('search'),
      run: () => {
        const { navigate, requestFocus } = uiStore.getState();
        navigate({ page: 'campaigns', cid: null });
        requestFocus('search');
      },
    },
    leads(
      'go-guide',
      { page: 'guide', place: null },
      { label: 'Guide', find: 'Go to guide, help, manual, documentation', icon: 'help' },
    ),
    opens('go-about', 'about', {
      label: 'About Countersign',
      find: 'Version, licences, third-party notices',
      icon: 'info',
    }),
    opens('go-shortcuts', 'shortcuts', {
      label: 'Keyboard shortcuts',
      icon: 'keyboard',
      keys: keysOf('shortcutList'),
    }),
  ]);
}

function beyondWorkspaces(): Ungrouped[] {
  return [
    leads('go-profiles', { page: 'profiles', id: null }, { label: 'Profiles', icon: 'profiles' }),
    leads(
      'go-settings',
      { page: 'settings' },
      {
        label: 'Settings',
        find: 'Settings, preferences, backup, restore, delete my data, support bundle, retention, notifications',
        icon: 'settings',
      },
    ),
    {
      id: 'go-training',
      label: 'Training',
      find: 'Go to training, missions, lessons, free practice',
      icon: 'training',
      run: () => void trainingWindowStore.getState().open(),
    },
    opens('go-first-start', 'first-start', {
      label: 'Getting started',
      find: 'Getting started, welcome, first start, help',
      icon: 'start',
    }),
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
  const edit = row && {
    id: 'edit',
    group: 'Campaign under the cursor',
    label: `Edit ${quoted(row.name)}`,
    find: 'Edit campaign',
    icon: 'panel' as const,
    keys: keysOf('editRow'),
    run: () => {
      navigate({ page: 'campaigns', cid: row.cid });
      requestFocus('editor');
    },
  };
  const ofSelection: Ungrouped[] = [
    { id: 'bulk-change', label: 'Change…', icon: 'edit', run: () => void changeSelection() },
    {
      id: 'bulk-until',
      label: 'Pause until…',
      find: 'Pause until a time, for the weekend, and return',
      icon: 'schedules',
      run: askPauseUntil,
    },
    ...bulk.map(({ status, label, icon }) => ({
      id: `bulk-${status}`,
      label: `${label}…`,
      icon,
      run: () => void proposeForSelection(status),
    })),
    { id: 'bulk-clear', label: 'Clear selection', icon: 'close', run: clearSelection },
  ];
  return [
    ...(edit ? [edit] : []),
    ...(count === 0 ? [] : inGroup(formats.counted(count, 'selected campaign'), ofSelection)),
  ];
}

function profiles(): Command[] {
  const { list, switchTo } = profilesStore.getState();
  if (!list || isTraining()) return [];
  const others = list.items.filter(({ id }) => id !== list.currentId);
  const add = leads(
    'add-profile',
    { page: 'profiles', id: newProfile },
    { label: 'Add a profile…', icon: 'plus' },
  );
  return inGroup('Profiles', [
    ...others.map(({ id, kind, name }): Ungrouped => ({
      id: `switch-${id}`,
      label: `Switch to ${kind === 'live' ? 'LIVE' : 'Demo'} · ${name}`,
      icon: 'profiles',
      run: () => void switchTo(id),
    })),
    leads(
      'doctor',
      { page: 'doctor', profileId: list.currentId },
      { label: 'Examine the service', find: 'Run the doctor, examine the service', icon: 'doctor' },
    ),
    ...(list.liveAllowed ? [add] : []),
  ]);
}

function list(): Command[] {
  const { setFilter, clearFilter, reload, selectLoaded } = campaignsStore.getState();
  const toList = (act: () => void) => () => {
    uiStore.getState().navigate({ page: 'campaigns', cid: null });
    act();
  };
  return inGroup('List', [
    ...statusCodes.map((status): Ungrouped => ({
      id: `filter-${status}`,
      label: `Show only ${statusNames[status]}`,
      icon: 'filter',
      run: toList(() => setFilter({ status })),
    })),
    { id: 'filter-clear', label: 'Clear filters', icon: 'reset', run: toList(clearFilter) },
    { id: 'select-loaded', label: 'Select all loaded campaigns', icon: 'check', run: toList(selectLoaded) },
    { id: 'reload', label: 'Refresh the list', icon: 'refresh', run: toList(reload) },
  ]);
}

function look(): Command[] {
  const { setTheme, setDensity, density, hiddenColumns, toggleColumn } = uiStore.getState();
  const columns = campaignColumns.filter(({ key }) => key !== 'name');
  return [
    ...inGroup('Appearance', [
      ...themes.map(({ theme, label, icon }) => ({
        id: `theme-${theme}`,
        label,
        icon,
        run: () => setTheme(theme),
      })),
      {
        id: 'density',
        label: density === 'compact' ? 'Normal rows' : 'Compact rows',
        icon: 'rows',
        run: () => setDensity(density === 'compact' ? 'normal' : 'compact'),
      },
    ]),
    ...inGroup(
      'Columns',
      columns.map(({ key, title }) => ({
        id: `column-${key}`,
        label: `${hiddenColumns.includes(key) ? 'Show' : 'Hide'} column ${title}`,
        icon: 'columns',
        run: () => toggleColumn(key),
      })),
    ),
  ];
}

function desktop(): Command[] {
  const { present, openDataFolder, copyDiagnostics } = desktopStore.getState();
  if (!present) return [];
  const updates = opens('updates', 'updates', { label: 'Updates', icon: 'download' });
  return inGroup('Countersign', [
    { id: 'data-folder', label: 'Open data folder', icon: 'external', run: () => void openDataFolder() },
    ...(isTraining() ? [] : [updates]),
    { id: 'diagnostics', label: 'Copy diagnostics', icon: 'copy', run: () => void copyDiagnostics() },
  ]);
}

import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '#shared/host-api/index.ts';
import { type ShortcutName, shortcutKeys } from '#shared/lib/shortcuts.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

export interface MenuActions {
  /** Sends a command to the app's page. `byKey` is true for an accelerator, which may have been pressed in another window. */
  command(command: MenuCommand, byKey: boolean): void;
  reload(): void;
  toggleDevTools(): void;
  openDataFolder(): void;
  copyDiagnostics(): void;
  emergencyStop(): void;
  thawAgents(): void;
  openTraining(): void;
}

export interface MenuPlace {
  platform: NodeJS.Platform;
  packaged: boolean;
  frozen: boolean;
}

type Items = MenuItemConstructorOptions[];

const line = { type: 'separator' } as const;

/** The application's menu. No item approves or denies, and Enter, Space and single letters are not accelerators. */
export function menuTemplate(place: MenuPlace, actions: MenuActions): Items {
  const mac = place.platform === 'darwin';
  return [
    ...(mac ? [macMenu(actions)] : []),
    fileMenu(mac, actions),
    { role: 'editMenu' },
    { label: 'View', submenu: view(place, actions) },
    { label: 'Go', submenu: go(actions) },
    { label: 'Agents', submenu: agents(place, actions) },
    ...(mac ? [{ role: 'windowMenu' } as const] : []),
    { role: 'help', submenu: help(mac, actions) },
  ];
}

function macMenu(actions: MenuActions): MenuItemConstructorOptions {
  const rest: Items = [
    { role: 'services' },
    line,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    line,
    { role: 'quit' },
  ];
  return { role: 'appMenu', submenu: [about(actions), line, settings(actions), line, ...rest] };
}

function fileMenu(mac: boolean, actions: MenuActions): MenuItemConstructorOptions {
  const items: Items = [
    ...(mac ? [] : [settings(actions), line]),
    { label: 'Open Data Folder', click: () => actions.openDataFolder() },
    line,
    { role: 'close' },
    ...(mac ? [] : [{ role: 'quit' } as const]),
  ];
  return { role: 'fileMenu', submenu: items };
}

function view({ packaged }: MenuPlace, actions: MenuActions): Items {
  const always: Items = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    // On many keyboards the plus sign needs Shift, but people press the key without Shift.
    { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut' },
    line,
    { role: 'togglefullscreen' },
  ];
  if (packaged) return always;
  return [
    ...always,
    line,
    { label: 'Reload', accelerator: 'CommandOrControl+R', click: () => actions.reload() },
    {
      label: 'Developer Tools',
      accelerator: 'CommandOrControl+Shift+I',
      click: () => actions.toggleDevTools(),
    },
  ];
}

function go(actions: MenuActions): Items {
  return [
    item('Campaigns', 'menuCampaigns', 'go.campaigns', actions),
    item('Drafts', 'menuDrafts', 'go.drafts', actions),
    item('Proposals', 'menuProposals', 'go.proposals', actions),
    item('Reports', 'menuReports', 'go.reports', actions),
    item('Schedules', 'menuSchedules', 'go.schedules', actions),
    item('Ledger', 'menuLedger', 'go.ledger', actions),
    item('Agents', 'menuAgents', 'go.agents', actions),
    line,
    item('Report Alerts', null, 'go.alerts', actions),
    item('Search Campaigns', 'menuSearch', 'search', actions),
    item('Commands…', 'palette', 'palette', actions),
  ];
}

/** The stop is also available while agents are frozen: then it shows the pause that waits for a decision. */
function agents({ frozen }: MenuPlace, actions: MenuActions): Items {
  const stop = emergencyStopItem(actions.emergencyStop);
  if (!frozen) return [stop];
  return [stop, { label: 'Let Agents Work Again…', click: () => actions.thawAgents() }];
}

function help(mac: boolean, actions: MenuActions): Items {
  return [
    item('Guide', null, 'go.guide', actions),
    item('Getting Started', null, 'first-start', actions),
    item('Keyboard Shortcuts', 'menuShortcutList', 'shortcuts', actions),
    { label: 'Training…', click: () => actions.openTraining() },
    item('Updates…', null, 'updates', actions),
    { label: 'Copy Diagnostics', click: () => actions.copyDiagnostics() },
    ...(mac ? [] : [line, about(actions)]),
  ];
}

const settings = (actions: MenuActions): MenuItemConstructorOptions =>
  item('Settings…', 'menuSettings', 'go.settings', actions);

const about = (actions: MenuActions): MenuItemConstructorOptions =>
  item('About Countersign', null, 'about', actions);

function item(
  label: string,
  shortcut: ShortcutName | null,
  command: MenuCommand,
  actions: MenuActions,
): MenuItemConstructorOptions {
  return {
    label,
    ...(shortcut !== null && { accelerator: acceleratorOf(shortcut) }),
    click: (_item, _window, { triggeredByAccelerator = false }) =>
      actions.command(command, triggeredByAccelerator),
  };
}

export function confirmMenuTemplate(emergencyStop: () => void): Items {
  return [
    { label: 'File', submenu: [{ role: 'close' }] },
    { role: 'editMenu' },
    { label: 'View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] },
    { label: 'Agents', submenu: [emergencyStopItem(emergencyStop)] },
  ];
}

const acceleratorOf = (name: ShortcutName): string =>
  shortcutKeys(name, false).join('+').replace('Ctrl', 'CommandOrControl').replace('⇧', 'Shift');

/** Needs no page and no question; its shortcut works in every window. */
function emergencyStopItem(press: () => void): MenuItemConstructorOptions {
  return { label: 'Emergency Stop', accelerator: acceleratorOf('emergencyStop'), click: () => press() };
}

export interface TrayState {
  waiting: number | null;
  frozen: boolean;
}

function waitingWords(count: number | null): string | null {
  if (count === null || count === 0) return null;
  return `${defaultFormats.counted(count, 'change waits', 'changes wait')} for you`;
}

export function trayTooltip({ waiting, frozen }: TrayState): string {
  const words = [waitingWords(waiting), frozen ? 'agents frozen' : null].filter((word) => word !== null);
  return words.length === 0 ? 'Countersign' : `Countersign: ${words.join(', ')}`;
}

export interface TrayActions {
  open(): void;
  openProposals(): void;
  stop(): void;
  thaw(): void;
  quit(): void;
}

export function trayMenu({ waiting, frozen }: TrayState, actions: TrayActions): MenuItemConstructorOptions[] {
  const words = waitingWords(waiting);
  return [
    { label: 'Open Countersign', click: () => actions.open() },
    ...(words === null ? [] : [{ label: words, click: () => actions.openProposals() }]),
    { type: 'separator' },
    { label: 'Emergency stop', click: () => actions.stop() },
    ...(frozen ? [{ label: 'Let agents work again…', click: () => actions.thaw() }] : []),
    { type: 'separator' },
    { label: 'Quit Countersign', click: () => actions.quit() },
  ];
}

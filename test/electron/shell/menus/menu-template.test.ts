import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import {
  confirmMenuTemplate,
  type MenuActions,
  menuTemplate,
  trayMenu,
  trayTooltip,
} from '#electron/shell/menus/menus.ts';
import { menuCommands } from '#shared/host-api/index.ts';

type Item = MenuItemConstructorOptions;

function pressed(): { actions: MenuActions; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...facts: unknown[]): void =>
      void calls.push([name, ...facts]);
  return {
    calls,
    actions: {
      command: note('command'),
      reload: note('reload'),
      toggleDevTools: note('toggleDevTools'),
      openTraining: note('openTraining'),
      openDataFolder: note('openDataFolder'),
      copyDiagnostics: note('copyDiagnostics'),
      emergencyStop: note('emergencyStop'),
      thawAgents: note('thawAgents'),
    },
  };
}

const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);

function press(item: Item | undefined, triggeredByAccelerator = false): void {
  // The items ignore the menu item and the window.
  const click = item?.click as unknown as (item: null, window: null, event: object) => void;
  click(null, null, { triggeredByAccelerator });
}

describe.each(['darwin', 'linux', 'win32'] as const)('the menu on %s', (platform) => {
  const all = (packaged = true) =>
    flat(menuTemplate({ platform, packaged, frozen: false }, pressed().actions));

  test('has an item for each command of the page, and no shortcut twice', () => {
    const { actions, calls } = pressed();
    const items = flat(menuTemplate({ platform, packaged: true, frozen: false }, actions));
    for (const item of items) if (item.click) press(item, true);
    const commands = calls.filter(([name]) => name === 'command').map(([, command]) => command);
    expect(commands.toSorted()).toEqual([...menuCommands].toSorted());
    const keys = items.flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(
      expect.arrayContaining(
        ['K', 'F', 'Shift+H', '1', '2', '3', '4', '5', '6', '7', '/', ','].map(
          (key) => `CommandOrControl+${key}`,
        ),
      ),
    );
  });

  test('opens the sections in the order of the rail with the keys 1 to 7', () => {
    const places = all().filter(({ accelerator }) => /\+\d$/u.test(accelerator ?? ''));
    expect(places.map(({ label, accelerator }) => [label, accelerator])).toEqual(
      ['Campaigns', 'Drafts', 'Proposals', 'Reports', 'Schedules', 'Ledger', 'Agents'].map((label, at) => [
        label,
        `CommandOrControl+${at + 1}`,
      ]),
    );
  });

  test('has Settings at the usual place of the system', () => {
    const menus = menuTemplate({ platform, packaged: true, frozen: false }, pressed().actions);
    const role = platform === 'darwin' ? 'appMenu' : 'fileMenu';
    const { submenu = [] } = menus.find((menu) => menu.role === role) ?? {};
    const found = Array.isArray(submenu) ? submenu.find(({ label }) => label === 'Settings…') : undefined;
    expect(found?.accelerator).toBe('CommandOrControl+,');
  });

  test('distinguishes a shortcut from a click', () => {
    const { actions, calls } = pressed();
    const items = flat(menuTemplate({ platform, packaged: true, frozen: false }, actions));
    press(
      items.find(({ label }) => label === 'Ledger'),
      true,
    );
    press(
      items.find(({ label }) => label === 'Ledger'),
      false,
    );
    expect(calls).toEqual([
      ['command', 'go.ledger', true],
      ['command', 'go.ledger', false],
    ]);
  });

  test('approves and denies nothing, and no key without a modifier does anything', () => {
    for (const { label = '', accelerator } of all(false)) {
      expect(label).not.toMatch(/approve|deny|confirm|countersign this/i);
      if (accelerator !== undefined) expect(accelerator).toMatch(/^CommandOrControl\+/);
      expect(accelerator ?? '').not.toMatch(/enter|return|space|tab/i);
    }
  });

  test('has a shortcut for the emergency stop even while agents are frozen, and none for letting them work again', () => {
    const { actions, calls } = pressed();
    const of = (frozen: boolean): Item[] => flat(menuTemplate({ platform, packaged: true, frozen }, actions));
    const found = (frozen: boolean, label: string): Item | undefined =>
      of(frozen).find((item) => item.label === label);
    for (const frozen of [false, true]) {
      expect(found(frozen, 'Emergency Stop')?.accelerator).toBe('CommandOrControl+Shift+H');
      press(found(frozen, 'Emergency Stop'), true);
    }
    expect(found(false, 'Let Agents Work Again…')).toBeUndefined();
    expect(found(true, 'Let Agents Work Again…')?.accelerator).toBeUndefined();
    press(found(true, 'Let Agents Work Again…'));
    expect(calls).toEqual([['emergencyStop'], ['emergencyStop'], ['thawAgents']]);
  });

  test('opens training from Help without a shortcut', () => {
    const { actions, calls } = pressed();
    const items = flat(menuTemplate({ platform, packaged: true, frozen: false }, actions));
    const training = items.find(({ label }) => label === 'Training…');
    expect(training?.accelerator).toBeUndefined();
    press(training);
    expect(calls).toEqual([['openTraining']]);
  });

  test('has zoom, full screen, data folder, diagnostics, about and quit', () => {
    const roles = all().map(({ role }) => role);
    expect(roles).toEqual(
      expect.arrayContaining(['zoomIn', 'zoomOut', 'resetZoom', 'togglefullscreen', 'quit', 'close']),
    );
    const labels = all().map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['Open Data Folder', 'Copy Diagnostics', 'About Countersign']),
    );
  });

  test('reloads and opens developer tools in development only', () => {
    const tools = (items: Item[]): unknown[] =>
      items.filter(({ label, role }) => /reload|developer/i.test(`${label} ${role}`));
    expect(tools(all(true))).toEqual([]);
    expect(tools(all(false))).toHaveLength(2);
  });
});

describe('the tray', () => {
  const actions = { open() {}, openProposals() {}, stop() {}, thaw() {}, quit() {} };
  const labels = (waiting: number | null, frozen = false): unknown[] =>
    trayMenu({ waiting, frozen }, actions).map(({ label, type }) => label ?? type);

  test('states how many changes wait', () => {
    expect([null, 0, 1, 12].map((waiting) => trayTooltip({ waiting, frozen: false }))).toEqual([
      'Countersign',
      'Countersign',
      'Countersign: 1 change waits for you',
      'Countersign: 12 changes wait for you',
    ]);
    expect([null, 2].map((waiting) => trayTooltip({ waiting, frozen: true }))).toEqual([
      'Countersign: agents frozen',
      'Countersign: 2 changes wait for you, agents frozen',
    ]);
  });

  test('opens the window and the proposals, stops everything, and quits, but decides nothing', () => {
    expect(labels(null)).toEqual([
      'Open Countersign',
      'separator',
      'Emergency stop',
      'separator',
      'Quit Countersign',
    ]);
    expect(labels(3).slice(0, 2)).toEqual(['Open Countersign', '3 changes wait for you']);
  });

  test('lets frozen agents work again, and still has the emergency stop', () => {
    expect(labels(null, true)).toEqual(expect.arrayContaining(['Emergency stop', 'Let agents work again…']));
  });
});

test('the menu of a confirmation has system items and the emergency stop, and nothing that decides', () => {
  const menu = confirmMenuTemplate(() => {});
  const items = menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const known = items.filter(({ role }) => role !== undefined);
  expect(known.map(({ role }) => role)).toEqual(['close', 'resetZoom', 'zoomIn', 'zoomOut']);
  for (const item of [...menu, ...known]) {
    expect(item.click).toBeUndefined();
    expect(item.accelerator).toBeUndefined();
  }
  expect(items.filter((item) => !known.includes(item))).toMatchObject([
    { label: 'Emergency Stop', accelerator: 'CommandOrControl+Shift+H' },
  ]);
});

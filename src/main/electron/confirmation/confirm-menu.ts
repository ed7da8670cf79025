import type { MenuItemConstructorOptions } from 'electron';

/**
 * The menu of the confirmation's window, where each window has its own: closing, editing text and zoom, and the freeze,
 * whose key holds wherever the keyboard is. Nothing in it, and no key of it, decides anything.
 */
export function confirmMenuTemplate(actions: { freezeAgents(): void }): MenuItemConstructorOptions[] {
  return [
    { label: 'File', submenu: [{ role: 'close' }] },
    { role: 'editMenu' },
    { label: 'View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] },
    {
      label: 'Agents',
      submenu: [
        {
          label: 'Freeze Agents',
          accelerator: 'CommandOrControl+Shift+F',
          click: () => actions.freezeAgents(),
        },
      ],
    },
  ];
}

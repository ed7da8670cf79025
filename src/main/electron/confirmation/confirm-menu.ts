import type { MenuItemConstructorOptions } from 'electron';

/**
 * The menu of the confirmation's window, where each window has its own: closing, editing text and zoom. Nothing in it, and
 * no key of it, decides anything.
 */
export const confirmMenuTemplate: MenuItemConstructorOptions[] = [
  { label: 'File', submenu: [{ role: 'close' }] },
  { role: 'editMenu' },
  { label: 'View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] },
];

import { app } from 'electron';
import type { AppWindow } from './app-window.ts';

/**
 * A second start, a deep link or an opened file brings the window in front, and nothing more: whatever its arguments
 * say is not looked at.
 */
export function setUpSecondStarts(appWindow: Pick<AppWindow, 'focus'>): void {
  const focus = (): void => appWindow.focus();
  app.on('second-instance', focus);
  app.on('activate', focus);
  app.on('open-url', (event) => {
    event.preventDefault();
    focus();
  });
  app.on('open-file', (event) => {
    event.preventDefault();
    focus();
  });
}

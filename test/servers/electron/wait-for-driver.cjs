/**
 * Electron loads this file before the app. The app counts as ready when the driver has attached, which then calls
 * `__playwright_run`, because a window that is made while the driver attaches would block it forever. A start without a
 * driver, which has no `--inspect`, does not wait.
 */
const { app } = require('electron');

if (app.commandLine.hasSwitch('inspect')) {
  const whenReady = app.whenReady.bind(app);
  const driver = new Promise((attached) => {
    globalThis.__playwright_run = () => attached();
  });
  app.whenReady = () => whenReady().then(() => driver);
}

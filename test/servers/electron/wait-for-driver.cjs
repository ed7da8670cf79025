/**
 * Loaded by Electron before the app: the app counts as ready when the driver has attached, which then calls
 * `__playwright_run`. A window that is made while the driver attaches would hold it up for ever. A start without a driver,
 * which comes with `--inspect`, waits for none.
 */
const { app } = require('electron');

if (app.commandLine.hasSwitch('inspect')) {
  const whenReady = app.whenReady.bind(app);
  const driver = new Promise((attached) => {
    globalThis.__playwright_run = () => attached();
  });
  app.whenReady = () => whenReady().then(() => driver);
}

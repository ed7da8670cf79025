import { expect, test } from 'vitest';
import { securePreferences } from '#electron/windows/page-rules.ts';

test.each([true, false])('every capability of a page is switched off by name (packaged: %s)', (packaged) => {
  expect(securePreferences({ preload: '/out/preload/app.cjs', partition: 'persist:app', packaged })).toEqual({
    preload: '/out/preload/app.cjs',
    partition: 'persist:app',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    experimentalFeatures: false,
    plugins: false,
    webgl: false,
    spellcheck: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    devTools: !packaged,
  });
});

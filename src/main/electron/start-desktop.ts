import { app, clipboard, dialog, ipcMain, nativeTheme, safeStorage, session, shell } from 'electron';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { diskFailure, encodeError } from '#shared/errors/index.ts';
import { appId, type FirstScreen } from '#shared/host-api/index.ts';
import { claimFolder } from '#system/claim-folder.ts';
import { readFirstScreen } from '#system/first-screen.ts';
import { createAdministratorPolicy } from '#system/policy/index.ts';
import { setUpConfirmation } from './confirmation/set-up-confirmation.ts';
import { createSupervisor } from './core-link/supervisor.ts';
import type { StartCoreProcess } from './core-link/core-process.ts';
import { systemCore } from './core-link/system-core.ts';
import {
  commonHandlers,
  type DesktopServices,
  setUpAppIpc,
  setUpDesktopIpc,
  workHandlers,
} from './ipc/page-ipc.ts';
import { createSaver } from './ipc/saver.ts';
import { createRegistrar } from './ipc/registrar.ts';
import { clearPages, declareSchemes, servePages } from './pages/serve-pages.ts';
import { after } from '#system/after.ts';
import { refusedSwitch } from './platform/debug-switches.ts';
import { type DesktopLog, openDesktopLog } from './platform/log.ts';
import { openSettings } from './platform/settings.ts';
import { appVersion, chromiumNoticesPath } from './platform/versions.ts';
import {
  askToOpenLink,
  nativeSaveTarget,
  nativeStopDialogs,
  nativeVaultDialogs,
  stagingFolders,
} from './shell/native-dialogs.ts';
import { collectDiagnostics } from './shell/diagnostics.ts';
import { createBehaviour, wasStartedAtLogin } from './shell/start-and-quit/behaviour.ts';
import { createEmergencyStop } from './shell/emergency-stop.ts';
import { resetHost } from './shell/reset-host.ts';
import {
  isForUpdate,
  setUpSecondStarts,
  takeInstanceLock,
  waitForOtherToEnd,
} from './shell/start-and-quit/second-starts.ts';
import { setUpBadge, setUpMenu, setUpTray } from './shell/menus/set-up-menus.ts';
import { setUpNotifications } from './shell/notifications/set-up-notifications.ts';
import { setUpPower, setUpQuit } from './shell/start-and-quit/quitting.ts';
import { watchProfile } from './shell/follow-core.ts';
import { setUpTraining } from './training/session.ts';
import { builtSource } from './updates/update-source.ts';
import { setUpUpdates, type UpdateParts } from './updates/set-up-updates.ts';
import { openVault, vaultLimitMs } from './vault/open-vault.ts';
import { systemVaultCipher, type VaultCipher } from './vault/vault-cipher.ts';
import { createAppWindow } from './windows/app-window.ts';
import { windowTitle } from './windows/title-and-closing.ts';
import { createLinkGuard } from './windows/links.ts';
import { ignoreHints, setUpGuards } from './windows/guards.ts';

export interface DesktopParts {
  startCoreProcess: StartCoreProcess;
  startTrainingProcess: StartCoreProcess;
  vaultCipher: VaultCipher;
  openInBrowser(url: string): Promise<void>;
  updates: UpdateParts;
}

const built = (...path: string[]): string => join(import.meta.dirname, '..', ...path);

export function startDesktop(parts: DesktopParts): void {
  const refused = app.isPackaged ? refusedSwitch(app.commandLine) : null;
  if (refused !== null) {
    process.stderr.write(`Countersign does not start with --${refused}: it would let a program decide.\n`);
    return app.exit(1);
  }
  if (!app.isPackaged) keepDevelopmentApart();
  const forUpdate = isForUpdate();
  if (!takeInstanceLock(forUpdate)) {
    if (!forUpdate) return endWithoutLock();
    return void waitForOtherToEnd().then((isGone) => app.exit(isGone ? 0 : 1));
  }
  if (forUpdate) return app.exit(0);
  try {
    // Runs before a log or a key is written. A link may place the data in another folder, which is claimed too.
    for (const folder of [app.getPath('userData'), dataFolderOf()]) claimFolder(folder);
  } catch (failure) {
    return showEnd(failure);
  }
  // Windows identifies the app in the taskbar and in notifications by this id, which its shortcut has too.
  app.setAppUserModelId(appId);
  declareSchemes();
  ignoreHints();
  app.enableSandbox();
  void run(parts).catch(endWith);
}

/** A development build must not share data and keychain entry with the installed app. */
function keepDevelopmentApart(): void {
  const name = 'Countersign Development';
  app.setName(name);
  if (app.commandLine.hasSwitch('user-data-dir')) return;
  app.setPath('userData', join(app.getPath('appData'), name));
}

const dataFolderOf = (): string => join(app.getPath('userData'), 'data');

function endWithoutLock(): void {
  try {
    accessSync(app.getPath('userData'), constants.W_OK);
  } catch (cause) {
    return endWith(diskFailure(cause, 'data_folder_unusable'));
  }
  app.quit();
}

function endWith(failure: unknown): void {
  const { code } = encodeError(failure);
  const stack = failure instanceof Error ? failure.stack : String(failure);
  openDesktopLog(dataFolderOf()).warn({ code, stack }, 'The start failed');
  showEnd(failure);
}

function showEnd(failure: unknown): void {
  const { message, next } = encodeError(failure);
  dialog.showErrorBox(message, next);
  app.exit(1);
}

async function run(parts: DesktopParts): Promise<void> {
  const { startCoreProcess, startTrainingProcess, vaultCipher, openInBrowser } = parts;
  const dataFolder = dataFolderOf();
  const log = openDesktopLog(dataFolder);
  const settings = openSettings(app.getPath('userData'), log);
  const links = createLinkGuard({ open: openInBrowser, ask: askToOpenLink });
  const findProxy = (origin: string): Promise<string> => session.defaultSession.resolveProxy(origin);
  const behaviour = createBehaviour(settings);

  await app.whenReady();
  log.info({ version: appVersion() }, 'The desktop host is up');
  const opening = openVault({
    cipher: vaultCipher,
    folder: dataFolder,
    settings,
    dialogs: nativeVaultDialogs(),
    log,
    nowMs: () => Date.now(),
    limitMs: vaultLimitMs(process.platform),
  });
  const core = createSupervisor({
    startProcess: startCoreProcess,
    openAuthorization: links.openAuthorization,
    findProxy,
    resetHost: () =>
      resetHost({
        settings,
        behaviour,
        clearPages,
        folders: [...stagingFolders(), updatesFolder()],
        vault: opening,
        log,
      }),
    log,
    nowMs: () => Date.now(),
    after,
  });
  core.preload();
  setUpGuards(links);
  const screen = screenAtStart(dataFolder, log);
  // A core that is ready has the current rows, and a page that it reloaded must not draw those of another profile.
  servePages(built('renderer'), () => (core.state().kind === 'starting' ? screen : null));
  nativeTheme.themeSource = settings.get('theme');
  settings.onSet('theme', (theme) => {
    nativeTheme.themeSource = theme;
  });

  const appWindow = createAppWindow({ place: 'work', settings, preload: built('preload', 'app.cjs') });
  const ipc = createRegistrar(ipcMain, log);
  const confirmation = setUpConfirmation({
    place: 'work',
    core,
    ipc,
    settings,
    appWindow,
    preload: built('preload', 'confirm.cjs'),
  });
  const emergencyStop = createEmergencyStop({
    core,
    bringForward: confirmation.bringForward,
    ...nativeStopDialogs,
  });
  confirmation.onEmergencyStop(() => void emergencyStop.press());
  const diagnostics = collectDiagnostics({ core, vault: opening, dataFolder });
  const copyDiagnostics = async (): Promise<void> => clipboard.writeText(await diagnostics());
  const openDataFolder = async (): Promise<void> => void (await shell.openPath(dataFolder));

  setUpAppIpc({ ipc, place: 'work', core, appWindow, onReview: confirmation.bringForward });
  const desktop: DesktopServices = {
    vault: opening,
    settings,
    copyDiagnostics,
    openDataFolder,
    openChromiumNotices: async () => void (await shell.openPath(chromiumNoticesPath())),
    copyText: (text) => void clipboard.writeText(text),
  };
  const saver = createSaver(nativeSaveTarget(appWindow, 'work'));
  appWindow.onPageEnded(saver.discard);
  const training = setUpTraining({
    desktop,
    ipc,
    startProcess: startTrainingProcess,
    dataFolder,
    version: appVersion(),
    log,
    preload: (role) => built('preload', `${role}.cjs`),
    real: { core, confirmation, emergencyStop },
  });
  const updates = setUpUpdates({
    parts: parts.updates,
    core,
    confirmation,
    appWindow,
    settings,
    log,
    findProxy,
    folder: updatesFolder(),
  });
  setUpDesktopIpc({
    ipc,
    place: 'work',
    appWindow,
    handlers: {
      ...commonHandlers({ desktop, core, saver }),
      ...workHandlers({
        vault: opening,
        openTraining: training.open,
        diagnostics,
        behaviour,
        updates,
        onFirstRows: () => log.info(sinceStart(), 'The first campaigns are painted'),
      }),
    },
  });
  setUpPower([core, training]);
  // Runs before the first window is created, because every window is asked when the session ends.
  setUpQuit({ cores: [core, training], appWindow, settings, installUpdate: updates.installAtEnd });
  // The page loads while the vault is opened, which may ask the person for a password.
  appWindow.open({ isQuiet: wasStartedAtLogin() && behaviour.now().staysInTray });
  setUpSecondStarts({ focus: appWindow.focus, quit: () => app.quit() });
  setUpMenu({ appWindow, core, emergencyStop, training, copyDiagnostics, openDataFolder });
  // A person who closes the window while the vault is opened can reopen it from the tray.
  setUpTray({ core, appWindow, emergencyStop });
  const vault = await opening;
  if (vault === null) return void Promise.all([core.quit(), training.quit()]).then(() => app.quit());
  core.begin({ dataFolder, version: appVersion(), dataKey: vault.dataKey.toString('base64') });

  watchProfile({ core, onChange: (profile) => appWindow.setTitle(windowTitle('work', profile)) });
  setUpNotifications({ core, appWindow, settings, log });
  setUpBadge(core);
}

function screenAtStart(dataFolder: string, log: DesktopLog): FirstScreen | null {
  const screen = readFirstScreen(dataFolder, appVersion());
  if (screen?.profile.kind !== 'live') return screen;
  const policy = createAdministratorPolicy({ logger: { info: log.info, error: log.warn } });
  try {
    policy.assertAllowed(screen.origins);
    return screen;
  } catch {
    return null;
  }
}

const sinceStart = (): { afterMs: number } => ({
  afterMs: Math.round(Date.now() - (process.getCreationTime() ?? Date.now())),
});

export function systemParts(): DesktopParts {
  return {
    startCoreProcess: systemCore(import.meta.dirname, 'core.cjs'),
    startTrainingProcess: systemCore(import.meta.dirname, 'training-core.cjs'),
    vaultCipher: systemVaultCipher(safeStorage, process.platform),
    openInBrowser: (url) => shell.openExternal(url),
    updates: { source: builtSource(), isPackaged: app.isPackaged },
  };
}

const updatesFolder = (): string => join(app.getPath('userData'), 'updates');

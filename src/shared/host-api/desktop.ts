import { z } from 'zod';
import { type AppEvent, type AppRequest, type AskFor, request } from '../app-api/index.ts';
import type { EncodedError } from '../errors/index.ts';
import { type ConfirmRequest, noInput, noOutput } from './confirmation.ts';
import type { PagePlace, PageRole } from './pages.ts';
import { newestFeedSchema, type UpdatesView, updateSteps } from './updates.ts';

/** Identifies the app to the system: the bundle on macOS, shortcuts and notifications on Windows. */
export const appId = 'app.countersign.desktop';

export const desktopOrigins = {
  app: 'countersign://app',
  confirm: 'countersign://confirm',
  training: 'countersign://training',
  trainingConfirm: 'countersign://training-confirm',
} as const;

export type DesktopOrigin = keyof typeof desktopOrigins;

/** The origin of each page, by its name in `desktopOrigins`. */
export const originNames: Record<PagePlace, Record<PageRole, DesktopOrigin>> = {
  work: { app: 'app', confirm: 'confirm' },
  training: { app: 'training', confirm: 'trainingConfirm' },
};

export type CoreState =
  | { kind: 'starting' }
  | { kind: 'ready' }
  /** It ended unexpectedly and is started again. */
  | { kind: 'restarting'; sinceMs: number; attempt: number; nextTryAtMs: number }
  /** It cannot start, or ended too often: a person has to restart it. */
  | { kind: 'stopped'; sinceMs: number; failure: EncodedError };

/** The protection of the secrets at rest. */
export const vaultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sealed') }),
  /** A weak vault that a person agreed to. */
  z.object({ kind: z.literal('consented') }),
  /** Secrets are forgotten at quit: the vault is weak, missing, or could not be opened. */
  z.object({ kind: z.literal('session'), reason: z.enum(['weak', 'missing', 'unreadable']) }),
]);

export type VaultView = z.infer<typeof vaultSchema>;

export const themes = ['light', 'dark', 'system'] as const;

export type ThemeChoice = (typeof themes)[number];

/** Characters or bytes of a file that cross at once; a part of an export is smaller, unless a single row is not. */
const maxPartLength = 64_000_000;

/** A part of a file: text, which is written as UTF-8, or bytes. */
const filePartSchema = z.union([
  z.string().max(maxPartLength),
  z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= maxPartLength),
]);

export type FilePart = z.infer<typeof filePartSchema>;

const fileIdSchema = z.string().max(100);

/** A file that was begun for the page: its id names it to later requests, and its name is the one that the person chose. */
const begunFileSchema = z.object({ id: fileIdSchema, name: z.string() });

export type BegunFile = z.infer<typeof begunFileSchema>;

/** How the desktop behaves around the page, as the person wants it. */
export const behaviourSchema = z.object({
  /** Notifications of waiting changes and crossed alerts. */
  notifications: z.boolean(),
  startAtLogin: z.boolean(),
  /** The app goes on when its window is closed. */
  staysInTray: z.boolean(),
});

export type Behaviour = z.infer<typeof behaviourSchema>;

const versionsSchema = z.object({
  app: z.string(),
  electron: z.string(),
  chromium: z.string(),
  node: z.string(),
  /** The tests that this package was made for; null for a release. */
  test: z.string().nullable(),
});

export type Versions = z.infer<typeof versionsSchema>;

/** Requests of every app's page, the real one and that of training. */
const everyPage = {
  'desktop.get': request(noInput, z.object({ vault: vaultSchema })),
  'desktop.coreState': request(noInput, z.custom<CoreState>()),
  'desktop.retry': request(noInput, noOutput),
  'desktop.openDataFolder': request(noInput, noOutput),
  /** Puts versions, states and the last failures on the clipboard, without secrets. */
  'desktop.copyDiagnostics': request(noInput, noOutput),
  /** Puts a text that the page shows on the clipboard: an authorization address, a report, the rows of a table. */
  'desktop.copyText': request(z.object({ text: z.string().max(maxPartLength) }), noOutput),
  /**
   * Asks the person in a native dialog where a file shall go, and begins it there; `file` is null when none is wanted. Several may be
   * unfinished at once.
   */
  'desktop.beginFile': request(
    z.object({ name: z.string().max(100) }),
    z.object({ file: begunFileSchema.nullable() }),
  ),
  'desktop.addToFile': request(z.object({ id: fileIdSchema, part: filePartSchema }), noOutput),
  /** Puts a file in its place, or leaves nothing of it. */
  'desktop.endFile': request(z.object({ id: fileIdSchema, keep: z.boolean() }), noOutput),
  'desktop.versions': request(noInput, z.object({ versions: versionsSchema })),
  /** Opens the notices of Chromium, which are installed with the program, in the system's browser. */
  'desktop.openChromiumNotices': request(noInput, noOutput),
  /** The windows of the host follow it too. */
  'desktop.setTheme': request(z.object({ theme: z.enum(themes) }), noOutput),
};

/** Requests of the real app's page only. */
const workPage = {
  /** Asks the person in a native dialog whether a weak vault may keep secrets; the answer is recorded. */
  'desktop.keepSecrets': request(noInput, z.object({ vault: vaultSchema })),
  /** The text of `desktop.copyDiagnostics`, to be shown before it is saved. */
  'desktop.diagnostics': request(noInput, z.object({ text: z.string() })),
  'desktop.behaviour': request(noInput, behaviourSchema),
  /** Changes some of it, and returns all of it. */
  'desktop.setBehaviour': request(behaviourSchema.partial(), behaviourSchema),
  'desktop.updates': request(noInput, z.custom<UpdatesView>()),
  /** Does what a person asked for, if it fits the state. Resolves when it has begun. */
  'desktop.stepUpdates': request(z.object({ step: z.enum(updateSteps) }), noOutput),
  'desktop.setDailyUpdates': request(z.object({ daily: z.boolean() }), noOutput),
  /** Notes in the log that the first campaigns are painted, which ends the start. */
  'desktop.firstRows': request(noInput, noOutput),
  /** Opens training, or brings it to the front. */
  'desktop.openTraining': request(noInput, noOutput),
};

/** The real work beside training, for its page. It names nothing of any change. */
export const realWorkSchema = z.object({
  /** Number of real changes that wait for a decision; null while it is unknown. */
  waiting: z.int().nullable(),
  /** All real agents are frozen; null while it is unknown. */
  frozen: z.boolean().nullable(),
});

export type RealWork = z.infer<typeof realWorkSchema>;

/** Requests of the training page only. */
const trainingPage = {
  /** The work that goes on outside training now. */
  'desktop.realWork': request(noInput, realWorkSchema),
  /** Brings the real confirmation to the front, because a person pressed for it. */
  'desktop.reviewReal': request(noInput, noOutput),
  /** Stops the real agents, as the emergency stop of the menu does; the host itself says what there is to know. */
  'desktop.stopRealAgents': request(noInput, noOutput),
};

export const desktopApi = {
  work: { ...everyPage, ...workPage },
  training: { ...everyPage, ...trainingPage },
};

export type DesktopApi = typeof desktopApi;

type AnyDesktopApi = DesktopApi['work'] & DesktopApi['training'];

export type DesktopRequest = keyof AnyDesktopApi;

/** Commands of a menu item or a notification to the page. */
export const menuCommands = [
  'go.campaigns',
  'go.drafts',
  'go.proposals',
  'go.reports',
  'go.schedules',
  'go.ledger',
  'go.agents',
  'go.alerts',
  'go.guide',
  'go.settings',
  'search',
  'palette',
  'shortcuts',
  'first-start',
  'updates',
  'about',
] as const;

export type MenuCommand = (typeof menuCommands)[number];

/** Answer to a call over IPC. */
export type HostAnswer = { output: unknown } | { error: EncodedError };

type Stop = () => void;

/** `window.countersign` in an app's page. The main process looks each name up in the map of that page's requests. */
export interface AppPreload {
  ask(name: AppRequest, input: unknown): Promise<HostAnswer>;
  askHost(name: DesktopRequest, input: unknown): Promise<HostAnswer>;
  onEvent(listener: (event: AppEvent) => void): Stop;
  /** Calls back with the state of now, then with every change. */
  onCoreState(listener: (state: CoreState) => void): Stop;
  onMenuCommand(listener: (command: MenuCommand) => void): Stop;
  /** Calls back whenever it changes; the training page alone hears anything. */
  onRealWork(listener: (work: RealWork) => void): Stop;
  /** Calls back whenever it changes; the real app's page alone hears anything. */
  onUpdates(listener: (updates: UpdatesView) => void): Stop;
}

export type AskDesktop = AskFor<AnyDesktopApi>;

/** `window.countersignConfirm` in the confirmation page. Nothing in its address names a showing. */
export interface ConfirmPreload {
  ask(name: ConfirmRequest, input: unknown): Promise<HostAnswer>;
  /** Called when another showing is current, or none. */
  onReopened(listener: () => void): Stop;
  /** Called with the number of showings behind the current one, with every `open` and whenever it changes. */
  onWaiting(listener: (count: number) => void): Stop;
}

/** Place of a window, in the screen's own points; the size is the one before it was maximised. */
export const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximised: z.boolean(),
});

export type WindowPlace = z.infer<typeof placeSchema>;

/** Everything that the desktop host remembers between two starts. A missing or damaged value is as if never set. */
export const settingsSchema = z.object({
  theme: z.enum(themes).catch('system'),
  notifications: z.boolean().catch(true),
  /** Null for what is usual on this system: on macOS and Windows it goes on, on Linux it quits. */
  staysInTray: z.boolean().nullable().catch(null),
  appPlace: placeSchema.nullable().catch(null),
  confirmPlace: placeSchema.nullable().catch(null),
  trainingPlace: placeSchema.nullable().catch(null),
  trainingConfirmPlace: placeSchema.nullable().catch(null),
  /** A person agreed that a weak vault may keep secrets. */
  weakVaultConsent: z.object({ agreedAtMs: z.number() }).nullable().catch(null),
  /** Looks for an update every day. */
  dailyUpdates: z.boolean().catch(true),
  /** The last look for updates that got an answer. */
  updatesLookedAtMs: z.number().nullable().catch(null),
  newestFeed: newestFeedSchema.nullable().catch(null),
  /** It was said once where the app goes on when its window is closed. */
  hidingExplained: z.boolean().catch(false),
});

export type SettingsValues = z.infer<typeof settingsSchema>;

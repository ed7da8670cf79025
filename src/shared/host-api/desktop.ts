import { z } from 'zod';
import { type AppEvent, type AppRequest, type AskFor, request } from '../app-api/index.ts';
import type { EncodedError } from '../errors/index.ts';
import { type ConfirmRequest, noInput, noOutput } from './confirmation.ts';
import type { PagePlace, PageRole } from './pages.ts';

/** Identifies the app to the operating system: the bundle on macOS, shortcuts and notifications on Windows. */
export const appId = 'app.countersign.desktop';

export const desktopOrigins = {
  app: 'countersign://app',
  confirm: 'countersign://confirm',
  training: 'countersign://training',
  trainingConfirm: 'countersign://training-confirm',
} as const;

export type DesktopOrigin = keyof typeof desktopOrigins;

export const originNames: Record<PagePlace, Record<PageRole, DesktopOrigin>> = {
  work: { app: 'app', confirm: 'confirm' },
  training: { app: 'training', confirm: 'trainingConfirm' },
};

export interface UpdateOffer {
  version: string;
  releasedAtMs: number;
  news: readonly string[];
  bytes: number;
}

/**
 * `administrator`: an administrator installed the app. `policy`: forbidden by the computer's policy, which may change
 * while the app runs.
 */
export type UpdatesOff = 'development' | 'administrator' | 'package-manager' | 'policy';

export type UpdateState =
  | { kind: 'off'; because: UpdatesOff }
  | { kind: 'idle' }
  | { kind: 'looking' }
  | { kind: 'available'; offer: UpdateOffer }
  | { kind: 'downloading'; offer: UpdateOffer; receivedBytes: number }
  | { kind: 'ready'; offer: UpdateOffer }
  | { kind: 'waiting'; offer: UpdateOffer; for: 'decision' | 'sending' | 'check' }
  | { kind: 'installing'; offer: UpdateOffer }
  | { kind: 'refused'; failure: EncodedError };

export interface UpdatesView {
  version: string;
  state: UpdateState;
  lookedAtMs: number | null;
  daily: boolean;
}

export const updateSteps = ['look', 'download', 'cancel', 'install'] as const;

export type UpdateStep = (typeof updateSteps)[number];

/** The newest feed of updates that was ever accepted. An older feed is refused, which prevents a rollback. */
export const newestFeedSchema = z.object({ version: z.string(), releasedAtMs: z.number() });

export type NewestFeed = z.infer<typeof newestFeedSchema>;

/** `stopPending`: an emergency stop was pressed before the core was ready, which executes it before any other request. */
export type CoreState =
  | { kind: 'starting'; stopPending?: true }
  | { kind: 'ready' }
  | { kind: 'restarting'; sinceMs: number; attempt: number; nextTryAtMs: number; stopPending?: true }
  | { kind: 'stopped'; sinceMs: number; failure: EncodedError };

export const vaultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sealed') }),
  z.object({ kind: z.literal('consented') }),
  z.object({ kind: z.literal('session'), reason: z.enum(['weak', 'missing', 'unreadable']) }),
]);

export type VaultView = z.infer<typeof vaultSchema>;

export const themes = ['light', 'dark', 'system'] as const;

export type ThemeChoice = (typeof themes)[number];

/** Max characters or bytes of one file part in a message. Parts of an export are smaller, unless a single row exceeds this. */
const maxPartLength = 64_000_000;

const filePartSchema = z.union([
  z.string().max(maxPartLength),
  z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= maxPartLength),
]);

export type FilePart = z.infer<typeof filePartSchema>;

const fileIdSchema = z.string().max(100);

const begunFileSchema = z.object({ id: fileIdSchema, name: z.string() });

export type BegunFile = z.infer<typeof begunFileSchema>;

export const behaviourSchema = z.object({
  notifications: z.boolean(),
  startAtLogin: z.boolean(),
  staysInTray: z.boolean(),
});

export type Behaviour = z.infer<typeof behaviourSchema>;

const versionsSchema = z.object({
  app: z.string(),
  electron: z.string(),
  chromium: z.string(),
  node: z.string(),
  test: z.string().nullable(),
});

export type Versions = z.infer<typeof versionsSchema>;

const everyPage = {
  'desktop.get': request(noInput, z.object({ vault: vaultSchema })),
  'desktop.coreState': request(noInput, z.custom<CoreState>()),
  'desktop.retry': request(noInput, noOutput),
  'desktop.openDataFolder': request(noInput, noOutput),
  'desktop.copyDiagnostics': request(noInput, noOutput),
  'desktop.copyText': request(z.object({ text: z.string().max(maxPartLength) }), noOutput),
  /** Asks where to save a file and starts it; `null` if the person cancels. Several files may be open at once. */
  'desktop.beginFile': request(
    z.object({ name: z.string().max(100) }),
    z.object({ file: begunFileSchema.nullable() }),
  ),
  'desktop.addToFile': request(z.object({ id: fileIdSchema, part: filePartSchema }), noOutput),
  'desktop.endFile': request(z.object({ id: fileIdSchema, keep: z.boolean() }), noOutput),
  'desktop.versions': request(noInput, z.object({ versions: versionsSchema })),
  'desktop.openChromiumNotices': request(noInput, noOutput),
  'desktop.setTheme': request(z.object({ theme: z.enum(themes) }), noOutput),
};

const workPage = {
  'desktop.keepSecrets': request(noInput, z.object({ vault: vaultSchema })),
  'desktop.diagnostics': request(noInput, z.object({ text: z.string() })),
  'desktop.behaviour': request(noInput, behaviourSchema),
  'desktop.setBehaviour': request(behaviourSchema.partial(), behaviourSchema),
  'desktop.updates': request(noInput, z.custom<UpdatesView>()),
  /**
   * Executes a step of the update that the person chose, but only if the state allows it. Resolves when the step has started.
   */
  'desktop.stepUpdates': request(z.object({ step: z.enum(updateSteps) }), noOutput),
  'desktop.setDailyUpdates': request(z.object({ daily: z.boolean() }), noOutput),
  'desktop.firstRows': request(noInput, noOutput),
  'desktop.openTraining': request(noInput, noOutput),
};

/** State of the real work for the training page. It contains no detail of any change. */
export const realWorkSchema = z.object({
  waiting: z.int().nullable(),
  frozen: z.boolean().nullable(),
});

export type RealWork = z.infer<typeof realWorkSchema>;

const trainingPage = {
  'desktop.realWork': request(noInput, realWorkSchema),
  'desktop.reviewReal': request(noInput, noOutput),
  'desktop.stopRealAgents': request(noInput, noOutput),
};

export const desktopApi = {
  work: { ...everyPage, ...workPage },
  training: { ...everyPage, ...trainingPage },
};

export type DesktopApi = typeof desktopApi;

type AnyDesktopApi = DesktopApi['work'] & DesktopApi['training'];

export type DesktopRequest = keyof AnyDesktopApi;

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

export type HostAnswer = { output: unknown } | { error: EncodedError };

type Stop = () => void;

/** `window.countersign` in an app page. The main process accepts only names from the map of that page's requests. */
export interface AppPreload {
  ask(name: AppRequest, input: unknown): Promise<HostAnswer>;
  askHost(name: DesktopRequest, input: unknown): Promise<HostAnswer>;
  onEvent(listener: (event: AppEvent) => void): Stop;
  /** Calls back with the current state, then with every change. */
  onCoreState(listener: (state: CoreState) => void): Stop;
  onMenuCommand(listener: (command: MenuCommand) => void): Stop;
  onRealWork(listener: (work: RealWork) => void): Stop;
  onUpdates(listener: (updates: UpdatesView) => void): Stop;
}

export type AskDesktop = AskFor<AnyDesktopApi>;

/** `window.countersignConfirm` in the confirmation page. The address of the page does not identify the display. */
export interface ConfirmPreload {
  ask(name: ConfirmRequest, input: unknown): Promise<HostAnswer>;
  onReopened(listener: () => void): Stop;
  onWaiting(listener: (count: number) => void): Stop;
}

/** Bounds of a window in the screen's logical pixels. The size is the one before it was maximised. */
export const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximised: z.boolean(),
});

export type WindowPlace = z.infer<typeof placeSchema>;

/** All settings that the desktop host stores between two starts. A missing or damaged value counts as not set. */
export const settingsSchema = z.object({
  theme: z.enum(themes).catch('system'),
  notifications: z.boolean().catch(true),
  /** Null for the default of the system: on macOS and Windows the app stays in the tray, on Linux it quits. */
  staysInTray: z.boolean().nullable().catch(null),
  appPlace: placeSchema.nullable().catch(null),
  confirmPlace: placeSchema.nullable().catch(null),
  trainingPlace: placeSchema.nullable().catch(null),
  trainingConfirmPlace: placeSchema.nullable().catch(null),
  weakVaultConsent: z.object({ agreedAtMs: z.number() }).nullable().catch(null),
  dailyUpdates: z.boolean().catch(true),
  updatesLookedAtMs: z.number().nullable().catch(null),
  newestFeed: newestFeedSchema.nullable().catch(null),
  hidingExplained: z.boolean().catch(false),
});

export type SettingsValues = z.infer<typeof settingsSchema>;

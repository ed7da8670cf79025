import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppPreload } from '#shared/host-api/index.ts';
import { bootedForThisFile } from './boot/booted-app.ts';

const booted = bootedForThisFile();

/** The registered handlers, as Electron keeps them. */
type Handlers = Map<string, (event: unknown, ...args: unknown[]) => Promise<{ error?: { code: string } }>>;

test('every channel refuses a frame that is gone, a sub-frame, another window, and another origin', async () => {
  const refusals = await booted.application.evaluate(async ({ ipcMain, webContents }) => {
    const handlers = (ipcMain as unknown as { _invokeHandlers: Handlers })._invokeHandlers;
    const all = webContents.getAllWebContents();
    const app = all.find((one) => one.getURL().startsWith('countersign://app/'));
    const confirm = all.find((one) => one.getURL().startsWith('countersign://confirm/'));
    const answers: Record<string, (string | undefined)[]> = {};
    for (const [channel, handler] of handlers) {
      const [own, other] = channel.startsWith('confirm') ? [confirm, app] : [app, confirm];
      const frame = own?.mainFrame;
      const events = [
        { sender: own, senderFrame: null },
        { sender: own, senderFrame: { origin: frame?.origin, parent: frame } },
        { sender: own, senderFrame: { origin: frame?.origin, parent: null } },
        { sender: other, senderFrame: other?.mainFrame },
        { sender: other, senderFrame: frame },
        { sender: { mainFrame: frame }, senderFrame: frame },
      ];
      answers[channel] = [];
      for (const event of events) answers[channel].push((await handler(event, {})).error?.code);
    }
    return answers;
  });
  expect(Object.keys(refusals).length).toBeGreaterThan(25);
  for (const [channel, codes] of Object.entries(refusals)) {
    expect(codes, channel).toEqual(Array.from({ length: 6 }, () => 'sender_refused'));
  }
});

test('the right page is answered, and what it says is parsed', async () => {
  const answers = await booted.page.evaluate(async () => {
    const { requests } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    return [
      await requests['session.get']({}),
      await requests['campaigns.get']({ cid: 'one' }),
      await requests['campaigns.get'](undefined),
    ];
  });
  expect(answers[0]).toMatchObject({ output: { host: 'desktop', profile: { kind: 'demo' } } });
  expect(answers[1]).toMatchObject({ error: { code: 'bad_input', fields: [{ field: 'cid' }] } });
  expect(answers[2]).toMatchObject({ error: { code: 'bad_input' } });
});

test('a part of a file crosses as text or as bytes, and as nothing else', async () => {
  const codes = await booted.page.evaluate(async () => {
    const { desktop } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    const answers = ['text', Uint8Array.of(0x89, 0), 7, [1, 2]].map(async (part) =>
      desktop['desktop.addToFile']?.({ id: 'none', part }),
    );
    return (await Promise.all(answers)).map((answer) => answer && 'error' in answer && answer.error.code);
  });
  // No file was begun: what is understood is refused for that.
  expect(codes).toEqual(['storage_failed', 'storage_failed', 'bad_input', 'bad_input']);
});

test('no channel stands beside the guarded ones, nor after settings were written', async () => {
  await booted.page.evaluate(async () => {
    const { desktop } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    await desktop['desktop.setTheme']?.({ theme: 'dark' });
  });
  await expect.poll(() => existsSync(join(booted.userData, 'settings.json'))).toBe(true);
  const beside = await booted.application.evaluate(({ ipcMain }) =>
    ipcMain.eventNames().filter((name) => name !== 'error' && ipcMain.listenerCount(name) > 0),
  );
  expect(beside).toEqual([]);
});

/** Names and kinds of a bridge, and whether a page can change it. */
const surfaceOf = (target: Page, name: string): Promise<unknown> =>
  target.evaluate((name) => {
    const describe = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, describe(inner)]))
        : typeof value;
    const bridge = (globalThis as unknown as Record<string, Record<string, unknown>>)[name] ?? {};
    const changed = Object.keys(bridge).filter((key) => Reflect.set(bridge, key, () => 'mine'));
    const replaced = Reflect.set(globalThis, name, {}) && Reflect.deleteProperty(globalThis, name);
    return { surface: describe(bridge), changed, replaced };
  }, name);

test('the app’s page is given these functions by name, and cannot change them', async () => {
  expect(await surfaceOf(booted.page, 'countersign')).toMatchInlineSnapshot(`
    {
      "changed": [],
      "replaced": false,
      "surface": {
        "desktop": {
          "desktop.addToFile": "function",
          "desktop.beginFile": "function",
          "desktop.behaviour": "function",
          "desktop.copyDiagnostics": "function",
          "desktop.copyText": "function",
          "desktop.diagnostics": "function",
          "desktop.endFile": "function",
          "desktop.firstRows": "function",
          "desktop.get": "function",
          "desktop.keepSecrets": "function",
          "desktop.openChromiumNotices": "function",
          "desktop.openDataFolder": "function",
          "desktop.openTraining": "function",
          "desktop.retry": "function",
          "desktop.setBehaviour": "function",
          "desktop.setDailyUpdates": "function",
          "desktop.setTheme": "function",
          "desktop.stepUpdates": "function",
          "desktop.updates": "function",
          "desktop.versions": "function",
        },
        "onCoreState": "function",
        "onEvent": "function",
        "onMenuCommand": "function",
        "onRealWork": "function",
        "onUpdates": "function",
        "requests": {
          "agents.acceptTool": "function",
          "agents.freeze": "function",
          "agents.get": "function",
          "agents.openEndpoint": "function",
          "agents.refused": "function",
          "agents.revoke": "function",
          "agents.thaw": "function",
          "agents.tools": "function",
          "agents.treatTool": "function",
          "bulk.addToDrafts": "function",
          "bulk.exportPart": "function",
          "bulk.file": "function",
          "bulk.filePart": "function",
          "bulk.fileRead": "function",
          "bulk.fileStart": "function",
          "bulk.preview": "function",
          "bulk.readAgain": "function",
          "bulk.start": "function",
          "bulk.state": "function",
          "bulk.stopReading": "function",
          "campaigns.assignLabels": "function",
          "campaigns.changes": "function",
          "campaigns.dismissReturn": "function",
          "campaigns.find": "function",
          "campaigns.foundIds": "function",
          "campaigns.fullState": "function",
          "campaigns.get": "function",
          "campaigns.lastChanges": "function",
          "campaigns.loadFull": "function",
          "campaigns.notes": "function",
          "campaigns.page": "function",
          "campaigns.proposeReturn": "function",
          "campaigns.proposeStatus": "function",
          "campaigns.removeLabel": "function",
          "campaigns.removeView": "function",
          "campaigns.renameView": "function",
          "campaigns.returns": "function",
          "campaigns.saveLabel": "function",
          "campaigns.saveView": "function",
          "campaigns.setNote": "function",
          "campaigns.statusGroups": "function",
          "campaigns.stopLoading": "function",
          "campaigns.types": "function",
          "campaigns.values": "function",
          "campaigns.views": "function",
          "campaigns.waiting": "function",
          "copies.days": "function",
          "copies.list": "function",
          "copies.restore": "function",
          "copies.setDays": "function",
          "data.backupEnd": "function",
          "data.backupPart": "function",
          "data.backupStart": "function",
          "data.delete": "function",
          "data.diagnostics": "function",
          "data.get": "function",
          "data.restore": "function",
          "data.restoreCheck": "function",
          "data.restoreDrop": "function",
          "data.restorePart": "function",
          "data.restoreStart": "function",
          "doctor.get": "function",
          "doctor.start": "function",
          "doctor.stop": "function",
          "drafts.change": "function",
          "drafts.check": "function",
          "drafts.checked": "function",
          "drafts.get": "function",
          "drafts.propose": "function",
          "drafts.redo": "function",
          "drafts.settleConflict": "function",
          "drafts.stopChecking": "function",
          "drafts.undo": "function",
          "emergencyStop.get": "function",
          "emergencyStop.resume": "function",
          "emergencyStop.setCampaigns": "function",
          "emergencyStop.start": "function",
          "guardrails.get": "function",
          "guardrails.set": "function",
          "ledger.decisions": "function",
          "ledger.export": "function",
          "ledger.list": "function",
          "ledger.netEffect": "function",
          "ledger.profiles": "function",
          "ledger.report": "function",
          "ledger.retentionDays": "function",
          "ledger.reverse": "function",
          "ledger.setRetentionDays": "function",
          "ledger.verify": "function",
          "pictures.load": "function",
          "pictures.ofCampaign": "function",
          "policy.get": "function",
          "practice.arm": "function",
          "practice.disarm": "function",
          "practice.edit": "function",
          "practice.forward": "function",
          "practice.get": "function",
          "practice.reset": "function",
          "practice.return": "function",
          "practice.save": "function",
          "practice.setBalance": "function",
          "practice.startAgent": "function",
          "practice.stopAgent": "function",
          "profiles.add": "function",
          "profiles.edit": "function",
          "profiles.forgetCredential": "function",
          "profiles.keepCredential": "function",
          "profiles.list": "function",
          "profiles.remove": "function",
          "profiles.signOut": "function",
          "profiles.switch": "function",
          "proposals.get": "function",
          "proposals.list": "function",
          "proposals.prepareAgain": "function",
          "proposals.review": "function",
          "proposals.reviewTogether": "function",
          "proposals.setWaitingTime": "function",
          "proposals.settle": "function",
          "proposals.targets": "function",
          "proposals.undo": "function",
          "proposals.waitingTime": "function",
          "proposals.withdraw": "function",
          "reports.alerts.check": "function",
          "reports.alerts.list": "function",
          "reports.alerts.remove": "function",
          "reports.alerts.save": "function",
          "reports.alerts.seen": "function",
          "reports.alerts.switch": "function",
          "reports.cancel": "function",
          "reports.drill": "function",
          "reports.exportEnd": "function",
          "reports.exportPart": "function",
          "reports.exportStart": "function",
          "reports.marks.list": "function",
          "reports.marks.now": "function",
          "reports.marks.remove": "function",
          "reports.marks.set": "function",
          "reports.page": "function",
          "reports.sources": "function",
          "reports.views.list": "function",
          "reports.views.overwrite": "function",
          "reports.views.remove": "function",
          "reports.views.rename": "function",
          "reports.views.reorder": "function",
          "reports.views.save": "function",
          "reports.views.setStart": "function",
          "sampleAgent.get": "function",
          "sampleAgent.start": "function",
          "sampleAgent.stop": "function",
          "schedules.file": "function",
          "schedules.list": "function",
          "schedules.proposeCancel": "function",
          "schedules.proposeReport": "function",
          "session.get": "function",
          "session.seenFirstStart": "function",
          "session.setFormats": "function",
          "session.status": "function",
          "signIn.cancel": "function",
          "signIn.get": "function",
          "signIn.open": "function",
          "signIn.start": "function",
          "training.attempt": "function",
          "training.begin": "function",
          "training.checkResults": "function",
          "training.discard": "function",
          "training.figure": "function",
          "training.finish": "function",
          "training.home": "function",
          "training.leave": "function",
          "training.lessonDone": "function",
          "training.resultFile": "function",
          "training.resume": "function",
          "training.setName": "function",
          "training.startMission": "function",
          "training.startPractice": "function",
          "training.workspace": "function",
          "uploads.list": "function",
          "uploads.load": "function",
          "uploads.propose": "function",
        },
      },
    }
  `);
});

test('the confirmation’s page is given these functions by name, and cannot change them', async () => {
  expect(await surfaceOf(booted.confirmPage, 'countersignConfirm')).toMatchInlineSnapshot(`
    {
      "changed": [],
      "replaced": false,
      "surface": {
        "close": "function",
        "decide": "function",
        "look": "function",
        "onReopened": "function",
        "onWaiting": "function",
        "open": "function",
        "picture": "function",
        "prepareAgain": "function",
        "seen": "function",
        "targets": "function",
        "turn": "function",
        "undo": "function",
      },
    }
  `);
});

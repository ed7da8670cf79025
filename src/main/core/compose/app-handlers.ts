import { done } from '#core/platform/checked-handlers.ts';
import { type AppHandlers, type AppRequest, handlersBy, trainingApi } from '#shared/app-api/index.ts';
import { isStatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CampaignNotes } from '#core/campaign-notes.ts';
import type { ProfileController } from '../connections/index.ts';
import type { DataRequests } from '../data-folder/index.ts';
import type { DoctorController } from '../doctor/index.ts';
import type { Bulk, Copies, Drafts } from '../drafts/index.ts';
import type { PictureSource } from '../pictures.ts';
import { type ProfileNames, viewOf } from '../profiles/index.ts';
import { changesOf, lastChangesOf, picturesOfCampaign } from '../proposals/index.ts';
import { flightsOf, fullStateOf } from '../reads/index.ts';
import type { ReportNotes, ReportService } from '../reports/index.ts';
import type { Schedules } from '../schedules/index.ts';
import type { Uploads } from '../uploads/index.ts';
import type { AgentSide } from './agents.ts';
import type { CampaignSide } from './campaigns.ts';
import type { ConnectionSide } from './connections.ts';
import type { Foundation } from './foundation.ts';
import type { ComposeOptions } from './options.ts';

const firstStartSeenSetting = 'first-start.seen';

export interface CoreParts {
  options: ComposeOptions;
  foundation: Foundation;
  connectionSide: ConnectionSide;
  agentSide: AgentSide;
  campaignSide: CampaignSide;
  reports: ReportService;
  reportNotes: ReportNotes;
  schedules: Schedules;
  doctor: DoctorController;
  profileController: ProfileController;
  profileNames: ProfileNames;
  dataRequests: DataRequests;
}

type PartRequests = keyof (DataRequests &
  Drafts['requests'] &
  Copies['requests'] &
  Bulk['requests'] &
  Uploads['requests'] &
  ReportNotes['requests'] &
  CampaignNotes['requests']);

type Handlers<Prefix extends string> = Omit<
  Pick<AppHandlers, Extract<AppRequest, `${Prefix}.${string}`>>,
  PartRequests
>;

export function handlersOf(parts: CoreParts): AppHandlers {
  const { drafts, copies, bulk, uploads, campaignNotes } = parts.campaignSide;
  return {
    ...sessionHandlers(parts),
    ...campaignHandlers(parts),
    ...proposalHandlers(parts),
    ...ledgerHandlers(parts),
    ...profileHandlers(parts),
    ...agentHandlers(parts),
    ...pictureHandlers(parts),
    ...reportHandlers(parts),
    ...parts.dataRequests,
    ...drafts.requests,
    ...copies.requests,
    ...bulk.requests,
    ...uploads.requests,
    ...parts.reportNotes.requests,
    ...campaignNotes.requests,
    ...rejectTrainingRequests(),
  };
}

function sessionHandlers(parts: CoreParts): Handlers<'session' | 'policy'> {
  const { version, host, offersFirstStart = false } = parts.options;
  const { ledger, store, policy, serviceClock } = parts.foundation;
  const { connections, profiles, formatSetting } = parts.connectionSide;
  const { freeze, gateway } = parts.agentSide;
  return {
    'session.get': async () => ({
      version,
      host,
      profile: viewOf(profiles.current()),
      formats: formatSetting.shown(),
      ...(serviceClock.aheadMs !== 0 && { serviceAheadMs: serviceClock.aheadMs }),
      ...(offersFirstStart &&
        store.settings.get(firstStartSeenSetting) === null && { isFirstStart: true as const }),
    }),
    'session.seenFirstStart': done(() => store.settings.set(firstStartSeenSetting, 'yes')),
    'session.setFormats': done((wanted) => formatSetting.set(wanted)),
    'session.status': async () => {
      const { service, writing } = await connections.look();
      const { rows, sealedAtMs, state, anchorFailedSinceMs } = ledger.report();
      const { proposals } = store;
      return {
        service,
        writing,
        policy: policy.view().problem,
        waiting: proposals.countWaiting(),
        unknown: proposals.countUnknownCampaigns(),
        agents: { connected: gateway.connected().size, frozenSinceMs: freeze.sinceMs() },
        ledger: { rows, sealedAtMs, state, anchorFailedSinceMs },
      };
    },
    'policy.get': async () => policy.view(),
  };
}

function campaignHandlers(parts: CoreParts): Handlers<'campaigns' | 'money'> {
  const { store, ids, ledger } = parts.foundation;
  const { connections } = parts.connectionSide;
  const { gate, returns } = parts.agentSide;
  const { campaigns, finder, fullCampaigns, moneyLine } = parts.campaignSide;
  return {
    async 'campaigns.page'(input) {
      try {
        return await campaigns.page(input);
      } finally {
        // Begins after the answer is sent.
        setImmediate(ledger.verifyInBackground);
      }
    },
    'campaigns.get': campaigns.get,
    'campaigns.values': async () => campaigns.values(),
    'campaigns.types': campaigns.types,
    'campaigns.waiting': async () => ({
      items: store.proposals.waitingDecisions(connections.current().profile.id),
    }),
    'campaigns.returns': async () => returns.list(),
    'campaigns.proposeReturn': ({ proposalId }) => returns.propose(proposalId),
    'campaigns.dismissReturn': done(({ proposalId }) => returns.dismiss(proposalId)),
    'campaigns.changes': async ({ cid }) => ({
      items: changesOf(store, { profileId: connections.current().profile.id, cid }),
    }),
    'campaigns.statusGroups': ({ cids }) => returns.statusGroups(cids),
    'campaigns.searchState': async () => ({ read: finder.readCount() }),
    'campaigns.find': (input) => finder.find(input),
    'campaigns.foundIds': (input) => finder.ids(input),
    'campaigns.lastChanges': async ({ cids }) => ({
      items: lastChangesOf(store, { profileId: connections.current().profile.id, cids }),
    }),
    'campaigns.flights': ({ cids }) => flightsOf(fullCampaigns, cids),
    'campaigns.loadFull': done(({ cids, again }) => fullCampaigns.load(cids ?? 'all', again ? Infinity : 0)),
    'campaigns.fullState': async () => fullStateOf(fullCampaigns),
    'money.today': moneyLine.today,
    'campaigns.stopLoading': done(() => fullCampaigns.stop()),
    'campaigns.proposeStatus': async ({ cids, status, targeted = 'all', returnAtMs }) => {
      if (!isStatusCode(status)) throw new AppError('bad_input');
      if (returnAtMs === undefined) return gate.proposeStatus({ cids, status, targeted });
      if (status !== 3) throw new AppError('bad_input');
      const plannedReturn = { id: ids.id(), atMs: returnAtMs };
      return gate.proposeStatus({ cids, status, targeted: 'running', returns: plannedReturn });
    },
  };
}

/** Proposals and their reviews. A page cannot decide through these requests. */
function proposalHandlers(parts: CoreParts): Handlers<'proposals'> {
  const { gate } = parts.agentSide;
  return {
    'proposals.list': async (input) => gate.list(input),
    'proposals.get': async ({ id }) => gate.get(id),
    'proposals.targets': async (input) => gate.targets(input),
    'proposals.review': ({ id }) => gate.review(id),
    'proposals.reviewTogether': async ({ ids }) => {
      const { id } = await gate.proposeTogether(ids);
      return { id, ...(await gate.review(id)) };
    },
    'proposals.prepareAgain': async (input) => {
      const { id } = await gate.prepareAgain(input.id);
      return { id, ...(await gate.review(id)) };
    },
    'proposals.undo': async (input) => {
      const { id } = await gate.undo(input.id);
      return { id, ...(await gate.review(id)) };
    },
    'proposals.waitingTime': async () => ({ minutes: gate.waitingTime.minutes() }),
    'proposals.setWaitingTime': async ({ minutes }) => {
      gate.waitingTime.set(minutes);
      return { minutes };
    },
    'proposals.withdraw': async ({ id }) => gate.withdraw(id),
    'proposals.settle': ({ id }) => gate.settle(id),
  };
}

function ledgerHandlers(parts: CoreParts): Handlers<'ledger'> {
  const { profileNames } = parts;
  const { ledger } = parts.foundation;
  const { gate, netEffect, countDecisions, pruning } = parts.agentSide;
  return {
    'ledger.list': async (input) => {
      const { items, total } = ledger.list(input);
      const named = items.map(({ profileId, ...entry }) => ({
        ...entry,
        profile: profileId === null ? null : profileNames.of(profileId, entry.proposalId),
      }));
      return { items: named, total };
    },
    'ledger.profiles': async () => ({ items: profileNames.all() }),
    'ledger.export': async (input) => ledger.exportPart(input),
    'ledger.netEffect': netEffect.of,
    'ledger.reverse': async (input) => {
      const { id } = await netEffect.reverse(input);
      return { id, ...(await gate.review(id)) };
    },
    'ledger.decisions': countDecisions,
    'ledger.retentionDays': async () => ({ days: pruning.retentionDays() }),
    'ledger.setRetentionDays': async ({ days }) => {
      pruning.setRetentionDays(days);
      return { days };
    },
    'ledger.report': async () => ledger.report(),
    'ledger.verify': () => ledger.verify(),
  };
}

function profileHandlers(parts: CoreParts): Handlers<'profiles' | 'signIn' | 'doctor'> {
  const { profileController, doctor } = parts;
  const { signIn } = parts.connectionSide;
  return {
    'profiles.list': async () => profileController.list(),
    'profiles.add': profileController.add,
    'profiles.edit': profileController.edit,
    'profiles.remove': profileController.remove,
    'profiles.switch': async (input) => profileController.switchTo(input),
    'profiles.keepCredential': profileController.keepCredential,
    'profiles.forgetCredential': profileController.forgetCredential,
    'profiles.signOut': profileController.signOut,
    'signIn.start': async (input) => signIn.start(input),
    'signIn.get': async () => signIn.get(),
    'signIn.open': async () => signIn.open(),
    'signIn.cancel': async () => signIn.cancel(),
    'doctor.start': async ({ profileId }) => doctor.start(profileId),
    'doctor.get': async () => doctor.get(),
    'doctor.stop': async () => doctor.stop(),
  };
}

function agentHandlers({
  connectionSide: service,
  agentSide,
}: CoreParts): Handlers<'agents' | 'guardrails' | 'emergencyStop' | 'sampleAgent'> {
  const { agents, freeze, guardrails, refusedAttempts, pins, emergencyStop } = agentSide;
  const { gateway, sampleAgent } = agentSide;
  return {
    'agents.get': async () => ({
      endpoint: gateway.endpoint(),
      frozenSinceMs: freeze.sinceMs(),
      agents: agents.list(gateway.connected(), gateway.repeatedRefreshes()),
    }),
    'agents.openEndpoint': done((input) => gateway.open(input)),
    'agents.revoke': done(({ id }) => agents.end(id, 'revoked')),
    'agents.freeze': done(() => freeze.freeze()),
    'agents.thaw': done(() => freeze.thaw()),
    'agents.tools': async ({ profileId }) => pins.views(profileId),
    'agents.acceptTool': done(({ profileId, name, hash }) => pins.accept(profileId, name, hash)),
    'agents.treatTool': done(({ profileId, name, treatAs }) => pins.treat(profileId, name, treatAs)),
    'agents.refused': async () => ({ attempts: refusedAttempts.list() }),
    'guardrails.get': async ({ profileId }) => guardrails.get(profileId),
    'guardrails.set': async ({ profileId, ...edit }) =>
      guardrails.set(service.connections.of(profileId).profile.id, edit),
    'emergencyStop.get': async () => emergencyStop.get(),
    'emergencyStop.setCampaigns': done((input) => emergencyStop.setCampaigns(input)),
    'emergencyStop.start': emergencyStop.start,
    'emergencyStop.resume': emergencyStop.resume,
    'sampleAgent.start': async () => sampleAgent.start(),
    'sampleAgent.get': async () => sampleAgent.get(),
    'sampleAgent.stop': async () => sampleAgent.stop(),
  };
}

function pictureHandlers({
  connectionSide: service,
  agentSide,
  campaignSide,
}: CoreParts): Handlers<'pictures'> {
  const { profiles } = service;
  const { campaigns, pictures, uploads } = campaignSide;

  async function sourceOf(cid: number): Promise<PictureSource> {
    const profile = viewOf(profiles.current());
    return {
      profile,
      pictures: picturesOfCampaign(await campaigns.latest(cid), profiles.originsOf(profile.id)),
    };
  }

  return {
    'pictures.ofCampaign': async ({ cid }) => ({ pictures: (await sourceOf(cid)).pictures ?? [] }),
    'pictures.load': async ({ url, ...named }) =>
      // A draft may refer to an upload that no campaign has yet.
      'cid' in named
        ? (uploads.loaded(profiles.current().id, url) ?? pictures.load(await sourceOf(named.cid), url))
        : pictures.load(agentSide.gate.get(named.proposalId), url),
  };
}

function reportHandlers({ reports, schedules }: CoreParts): Handlers<'reports' | 'schedules'> {
  return {
    'reports.page': reports.page,
    'reports.drill': reports.drill,
    'reports.cancel': async (input) => reports.cancel(input),
    'reports.sources': reports.sources,
    'reports.exportStart': reports.startFile,
    'reports.exportPart': reports.filePart,
    'reports.exportEnd': async (input) => reports.endFile(input),
    'schedules.list': async (input) => schedules.list(input),
    'schedules.proposeReport': schedules.proposeReport,
    'schedules.proposeCancel': schedules.proposeCancel,
    'schedules.moveReturn': done(schedules.pauseReturns.move),
    'schedules.cancelReturn': done(schedules.pauseReturns.cancel),
    'schedules.returnNow': schedules.pauseReturns.prepareNow,
    'schedules.file': schedules.file,
  };
}

function rejectTrainingRequests(): Pick<AppHandlers, keyof typeof trainingApi> {
  return handlersBy(trainingApi, () => Promise.reject(new AppError('training_only')));
}

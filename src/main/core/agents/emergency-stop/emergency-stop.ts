import type { Connections } from '#core/connections/index.ts';
import { entryBy, type Ledger, type NewEntry } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { oncePerKey } from '#core/platform/work-queues.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppOutput, CampaignsToPause } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { Freeze } from '../freeze.ts';
import {
  createEarlierPauses,
  createFollowUps,
  type FollowUp,
  type SkippedCampaigns,
} from './earlier-pauses.ts';
import { pauseRunning, type PreparedPause, type ReadProgress, returnStatuses } from './pause-and-resume.ts';

type StopView = AppOutput<'emergencyStop.get'>;
type StartOutput = AppOutput<'emergencyStop.start'>;
type ResumeOutput = AppOutput<'emergencyStop.resume'>;

interface EmergencyStopOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'review' | 'withdraw'>;
  freeze: Pick<Freeze, 'freeze' | 'sinceMs'>;
  clock: Pick<Clock, 'after' | 'monotonicMs'>;
  logger: Logger;
  othersWithAgents(profileId: string): string[];
  bringForward(id: string): Promise<unknown>;
  onChange(): void;
  formats(): Formats;
}

interface Unproposed {
  kind: 'preparing' | 'failed';
  sinceMs: number | null;
  progress: ReadProgress | null;
}

const progressEveryMs = 250;

export type EmergencyStop = ReturnType<typeof createEmergencyStop>;

/** Freezes agents, and proposes one pause of a saved set of campaigns. */
export function createEmergencyStop(options: EmergencyStopOptions) {
  const { store, ledger, connections, gate, freeze, clock, logger, onChange, formats } = options;
  const earlier = createEarlierPauses(store);
  const services = { store, connections, gate, earlier };
  const activeProfileId = (): string => connections.current().profile.id;
  const starting = oncePerKey<StartOutput>();
  const resuming = oncePerKey<ResumeOutput>();
  /** Emergency stops without a proposal, by profile. A failed one is valid until the thaw. */
  const unproposed = new Map<string, Unproposed>();
  const resumeProgress = new Map<string, ReadProgress>();
  const followUps = createFollowUps({
    clock,
    activeProfileId,
    skipped,
    notSent: earlier.notSent,
    busyCids: (profileId) => new Set(store.proposals.underWay(profileId).flatMap(({ targets }) => targets)),
    pause: followUp,
  });

  /** Null if the campaigns belong to an earlier freeze: after a thaw, no follow-up is proposed. */
  function skipped(profileId: string): SkippedCampaigns | null {
    const left = earlier.skipped(profileId);
    return left?.sinceMs === freeze.sinceMs() ? left : null;
  }

  function reach(): Reach {
    const { id, name } = connections.current().profile;
    return { profile: name, elsewhere: options.othersWithAgents(id) };
  }

  function throttledProgress(keep: (progress: ReadProgress) => void): (progress: ReadProgress) => void {
    let reportedAtMs = Number.NEGATIVE_INFINITY;
    return (progress) => {
      keep(progress);
      const nowMs = clock.monotonicMs();
      if (nowMs - reportedAtMs < progressEveryMs) return;
      reportedAtMs = nowMs;
      onChange();
    };
  }

  function pendingOf(profileId: string): StopView['pending'] {
    const stop = unproposed.get(profileId);
    if (stop?.kind === 'preparing') return { kind: stop.kind, progress: stop.progress };
    const waiting = earlier.waitingOf(earlier.newest(profileId)?.pause ?? '');
    if (waiting !== null) return { kind: 'waiting', id: waiting.id };
    if (stop !== undefined && stop.sinceMs === freeze.sinceMs()) return { kind: 'failed' };
    const left = skipped(profileId);
    return left?.of === null && left.cids.length > 0 ? { kind: 'locked' } : null;
  }

  async function prepare(profileId: string): Promise<{ id: string | null; say: string | null }> {
    const set = earlier.set(profileId);
    const reached = reach();
    const keep = (kind: Unproposed['kind'], progress: ReadProgress | null): void =>
      void unproposed.set(profileId, { kind, sinceMs: freeze.sinceMs(), progress });
    keep('preparing', null);
    onChange();
    try {
      const pause = await pauseRunning(services, {
        set,
        newest: earlier.newest(profileId),
        withheld: skipped(profileId)?.cids ?? [],
        onProgress: throttledProgress((progress) => keep('preparing', progress)),
      });
      record(profileId, set, pause);
      unproposed.delete(profileId);
      onChange();
      followUps.scheduleCheck();
      return { id: pause.id, say: emergencyStopWords(reached, set, pause, formats()) };
    } catch (failure) {
      keep('failed', null);
      onChange();
      if (!(failure instanceof AppError)) throw failure;
      const summary = 'agents are frozen, the pause of campaigns was not prepared';
      store.transaction(() =>
        ledger.append(startedEntry(summary, { profile: profileId, set, failure: failure.code })),
      );
      throw frozenStill(failure);
    }
  }

  function record(profileId: string, set: CampaignsToPause, pause: PreparedPause): void {
    const { id, isNew, campaigns, locked } = pause;
    store.transaction(() => {
      if (id !== null && isNew) earlier.add(profileId, id);
      const of = id === null ? null : (earlier.newest(profileId)?.pause ?? null);
      const sinceMs = freeze.sinceMs();
      const before = skipped(profileId);
      const ended = before?.of === of ? (before?.ended ?? []) : [];
      if (sinceMs !== null) earlier.setSkipped(profileId, { sinceMs, of, cids: [...locked], ended });
      const summary = `agents are frozen, ${pauseInWords(pause, formats())}`;
      const body = { profile: profileId, set, campaigns, skipped: locked.length };
      ledger.append({ ...startedEntry(summary, body), proposalId: id });
    });
  }

  async function followUp(profileId: string, asked: FollowUp): Promise<boolean> {
    const { of, unlockedCids } = asked;
    try {
      const set: CampaignsToPause = { kind: 'chosen', cids: unlockedCids };
      const pause =
        unlockedCids.length === 0 ? null : await pauseRunning(services, { set, newest: null, withheld: [] });
      const id = pause?.id ?? null;
      store.transaction(() => {
        updateSkipped(profileId, asked, { id, locked: pause?.locked ?? [] });
        if (pause === null || id === null) return;
        earlier.addFollowUp(profileId, of, id);
        const { campaigns } = pause;
        const summary = `a pause of ${formats().counted(campaigns, 'campaign')} waits, whose change was under way before`;
        const entry = startedEntry(summary, { profile: profileId, campaigns });
        ledger.append({ ...entry, proposalId: id, actor: 'Countersign' });
      });
      onChange();
      if (id !== null) void show(id);
      return true;
    } catch (failure) {
      logger.warn(
        { failure, cids: unlockedCids },
        'A pause of what an emergency stop had left out was not prepared',
      );
      return false;
    }
  }

  /** Callers do not await it: a host may resolve only when its window closes, and the next follow-up must not wait. */
  async function show(id: string): Promise<void> {
    try {
      await options.bringForward(id);
    } catch (failure) {
      logger.warn({ failure, proposal: id }, 'A pause of what an emergency stop had left out was not shown');
    }
  }

  function updateSkipped(
    profileId: string,
    { of, ended, cids, unlockedCids }: FollowUp,
    { id, locked }: { id: string | null; locked: readonly number[] },
  ): void {
    const left = skipped(profileId);
    if (left === null || left.of !== of) return;
    const isOver = (cid: number): boolean => unlockedCids.includes(cid) && !locked.includes(cid);
    const still = [...new Set([...left.cids, ...cids])].filter((cid) => !isOver(cid));
    earlier.setSkipped(profileId, { ...left, of: of ?? id, cids: still, ended: [...left.ended, ...ended] });
  }

  async function resume(profileId: string): Promise<ResumeOutput> {
    const onProgress = throttledProgress((progress) => resumeProgress.set(profileId, progress));
    try {
      const id = await returnStatuses(services, onProgress);
      return { id, ...(await gate.review(id)) };
    } finally {
      resumeProgress.delete(profileId);
      onChange();
    }
  }

  followUps.scheduleCheck();
  return {
    neededOf: earlier.neededOf,
    get(): StopView {
      const profileId = activeProfileId();
      const done = earlier.latestResumable(profileId);
      return {
        set: earlier.set(profileId),
        paused: done === null ? null : { atMs: done.atMs, campaigns: done.campaigns.length },
        resuming: resumeProgress.get(profileId) ?? null,
        pending: pendingOf(profileId),
        ...reach(),
      };
    },
    setCampaigns: (set: CampaignsToPause): void => earlier.choose(activeProfileId(), set),
    /** Freezes agents first; they stay frozen on any failure. Fails as the reads and the gate do. */
    async start(): Promise<StartOutput> {
      freeze.freeze();
      const profileId = activeProfileId();
      return starting(profileId, async () => {
        const { id, say } = await prepare(profileId);
        return id === null ? { id, address: null, say } : { id, ...(await gate.review(id)), say };
      });
    },
    /** Agents stay frozen. Fails with `nothing_paused`, or as the reads and the gate do. */
    async resume(): Promise<ResumeOutput> {
      const profileId = activeProfileId();
      return resuming(profileId, () => resume(profileId));
    },
    look: followUps.scheduleCheck,
    dispose: async (): Promise<void> => followUps.dispose(),
  };
}

interface Reach {
  profile: string;
  elsewhere: string[];
}

/** The message shown with the confirmation, or null. */
export function emergencyStopWords(
  { profile, elsewhere }: Reach,
  set: CampaignsToPause,
  { id, locked }: PreparedPause,
  formats: Formats,
): string | null {
  const sentences: string[] = [];
  if (id === null && locked.length === 0) {
    const what = set.kind === 'running' ? 'Nothing' : 'None of the chosen campaigns';
    sentences.push(`${what} runs in ${quoted(profile)}, so there is nothing to pause.`);
  }
  if (locked.length === 1) {
    sentences.push(
      'One campaign has a change in progress: if it runs when that settles, its pause will be proposed.',
    );
  } else if (locked.length > 1) {
    sentences.push(
      `${formats.counted(locked.length, 'campaign')} have a change in progress: a pause of those that run when it settles will be proposed.`,
    );
  }
  if (elsewhere.length > 0) {
    const switches = `switch to ${elsewhere.map(quoted).join(' or ')} to pause there.`;
    sentences.push(
      id === null
        ? `Campaigns of other profiles keep running: ${switches}`
        : `The pause is for ${quoted(profile)}; ${switches}`,
    );
  }
  return sentences.length === 0 ? null : ['Agents are frozen everywhere.', ...sentences].join(' ');
}

function frozenStill(failure: AppError): AppError {
  const { code, message, fields, data } = failure;
  return new AppError(code, {
    message: sentence`All agents are frozen. The pause of campaigns was not prepared: ${ownWords(message)} Press Emergency stop again once that is over, or pause them at the service itself.`,
    fields,
    data,
    cause: failure,
  });
}

function startedEntry(what: string, body: NewEntry['body']): NewEntry {
  const summary = sentence`Emergency stop: ${ownWords(what)}`;
  return entryBy('You', { kind: 'emergency-stop.started', summary, body });
}

function pauseInWords({ id, campaigns, locked }: PreparedPause, formats: Formats): string {
  if (id !== null) return `a pause of ${formats.counted(campaigns, 'campaign')} waits`;
  if (locked.length === 0) return 'nothing was left to pause';
  return `${formats.counted(locked.length, 'campaign')} could not be paused yet: a change is under way`;
}

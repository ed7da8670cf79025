import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, RefusedAttempt } from '#core/store/app/index.ts';
import {
  type RefusedAttemptView,
  refusingRules,
  type RefusingRule,
  type ProfileView,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';

export interface FailedWrite {
  agent: { id: string; name: string; profileId: string };
  asked: { title: string; cids: readonly number[] };
  failure: unknown;
}

interface RefusedAttemptOptions {
  store: Pick<AppStore, 'refusedAttempts' | 'transaction'>;
  profileOf(id: string): ProfileView | null;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

const maxAttemptsPerProfile = 200;
const maxCids = 20;
const maxListed = 500;

export type RefusedAttempts = ReturnType<typeof createRefusedAttempts>;

/** Agents' attempts that a rule refused. They cannot be approved. */
export function createRefusedAttempts(options: RefusedAttemptOptions) {
  const { store, profileOf, clock, logger, onChange } = options;
  const { refusedAttempts: rows } = store;

  function keep(attempt: RefusedAttempt): void {
    try {
      store.transaction(() => rows.add(attempt, maxAttemptsPerProfile));
    } catch (failure) {
      logger.error({ failure }, 'A refused attempt of an agent could not be kept');
    }
    onChange();
  }

  return {
    /** Stores the attempt if a rule refused it. Never fails. */
    record({ agent, asked, failure }: FailedWrite): void {
      const rule = failure instanceof AppError ? ruleOf(failure) : null;
      if (rule === null || !(failure instanceof AppError)) return;
      keep({
        profileId: agent.profileId,
        agentId: agent.id,
        agentName: agent.name,
        atMs: clock.nowMs(),
        title: asked.title,
        cids: asked.cids.slice(0, maxCids),
        campaignCount: asked.cids.length,
        rule,
        reason: failure.message,
      });
    },
    list: (): RefusedAttemptView[] =>
      rows.newest(maxListed).flatMap(({ profileId, rule, cids, ...attempt }) => {
        const profile = profileOf(profileId);
        const known = refusingRules.find((one) => one === rule);
        return profile === null || known === undefined
          ? []
          : [{ ...attempt, cids: [...cids], profile, rule: known }];
      }),
    /** Runs in the caller's transaction. */
    forget: rows.forget,
  };
}

function ruleOf({ code, data }: AppError): RefusingRule | null {
  switch (code) {
    case 'guardrail':
      return refusingRules.find((rule) => rule === data['rule']) ?? 'unreadable';
    case 'policy_unusable':
      return 'policy';
    case 'agents_frozen':
      return 'frozen';
    case 'tool_held':
      return 'toolHeld';
    case 'scope_missing':
      return 'readOnly';
    case 'too_many_waiting':
      return 'places';
    case 'attempts_spent':
      return 'attempts';
    default:
      return null;
  }
}

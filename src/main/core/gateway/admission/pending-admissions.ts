import type { Agents } from '#core/agents/index.ts';
import { type Clock, type Moment, passedSince } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Admission, Gate } from '#core/proposals/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import type { Ids } from '#core/platform/ids.ts';

export interface PendingAdmission {
  admission: Admission;
  proposalId: string;
  askedAt: Moment;
  expiresAtMs: number;
  isShown: boolean;
}

export const fates: Readonly<Record<ProposalState, 'pending' | 'admitted' | 'refused'>> = {
  proposed: 'pending',
  shown: 'pending',
  approved: 'pending',
  intent: 'pending',
  sent: 'pending',
  unknown: 'pending',
  verified: 'admitted',
  done: 'admitted',
  differs: 'refused',
  refused: 'refused',
  denied: 'refused',
  expired: 'refused',
  withdrawn: 'refused',
  stale: 'refused',
};

/** The admission that the user decides on. It omits the address of the interaction, which is a secret. */
export function admissionOf(asked: AuthorizationRequest, ids: Ids): Admission {
  const { clientId, clientName, redirectUri, grantTypes, scopes } = asked;
  return {
    agentId: ids.id(),
    clientId,
    name: clientName === null || clientName.trim() === '' ? 'Unnamed program' : clientName,
    redirectHost: new URL(redirectUri).hostname,
    scopes: [...new Set(scopes)],
    renews: grantTypes.includes('refresh_token'),
    words: twoWords(ids.secret()),
  };
}

/** Time that the browser needs after the decision to reload and to finish. */
const leftForBrowserMs = 60_000;

/** The last moment for a decision, early enough for the browser to deliver the answer. */
export function lastMoment({ expiresAtMs }: Pick<AuthorizationRequest, 'expiresAtMs'>): number {
  return expiresAtMs - leftForBrowserMs;
}

export function isTooLate(asked: AuthorizationRequest, clock: Clock): boolean {
  return lastMoment(asked) <= clock.nowMs();
}

/** One of 65,536 pairs of words, derived from a secret. The user compares the words and never types them. */
function twoWords(secret: string): string {
  const [first = 0, second = 0] = Buffer.from(secret, 'base64url');
  return `${firstWords[first % firstWords.length]} ${secondWords[second % secondWords.length]}`;
}

const firstWords: readonly string[] = `
  able active agile alpine amber ample ancient aqua arctic ashen autumn azure balmy basic beige best big blank bold
  bonny brief bright brisk bronze brown busy candid careful casual central cheery chief classic clean clear clever close
  coastal cobalt common compact cool copper coral cosmic crimson crisp curious curly daily dapper daring deft direct
  distant dotted double dry eager early earnest east easy elder elegant empty equal even exact fair faithful fancy fast
  fertile fine firm first floral fluent fond formal frank free fresh frosty full funny gentle giant gifted gleaming
  global glossy golden good grand gray great green handy happy hardy harvest hazel healthy hearty helpful hidden high
  honest humble icy ideal indigo inner iron jade jolly joyful jumbo just keen known large late lavish lean leafy light
  lilac linen little lively local lofty loyal lucid lucky lunar magic main maple marble marine mellow merry mighty mild
  misty modern modest mossy muted narrow navy neat new nimble noble north oaken ocean odd olive open orange orderly oval
  pale pastel patient peach pearl plain playful pleasant polar polite prime proper pure purple quick quiet rapid rare
  red regal rich ripe rocky rosy royal ruby rural rustic safe sandy scarlet serene shady sharp shiny short silent silver
  simple sleek slim slow small smart snowy snug social soft solar solid spare speedy spicy spring square stable steady
  steep still stone stout strong sturdy sunny super sure sweet swift tall tidy timber tiny topaz trim true trusty urban
  vast velvet vivid warm wary wide wild wise witty woolen young
`
  .trim()
  .split(/\s+/);

const secondWords: readonly string[] = `
  acorn actor album almond anchor anvil apple arch arrow aspen atlas attic badge bagel banjo barley barn basin basket
  bay beacon beaver bell bench berry bicycle birch blanket blossom boat bonnet book boot bowl bramble branch bread brick
  bridge brook brush bucket bugle butter button cabin camel canal candle canoe canyon captain cargo carrot castle cedar
  cello chair chalk cherry cider circle citrus clay cliff clock clover coat cobra coffee comet compass cookie cotton
  cove crane crater creek cricket cup curtain daisy dance delta desert diary donkey door dove dragon drawer drum eagle
  easel echo elbow elm ember engine farm feather fence fern fiddle field finch flag flame flask flower flute forest fox
  galaxy garden gate geyser ginger glacier glove goose grape gravel grove guitar hammer hammock harbor harp hat heron
  hill horizon horse hotel iris island ivy jaguar jasmine jelly jewel jigsaw juniper kayak kite kitten ladder lagoon
  lake lamp lark laurel lemon lettuce library lily lion lobster locket lotus lynx magnet mango market melon mirror
  mitten moon moose mountain museum napkin needle nest noodle nutmeg oasis onion orchard orchid otter owl oyster palace
  panda papaya parade parcel parrot peanut pelican pencil pepper piano pillow pine plum pocket pond poppy porch potato
  prairie quail quartz quilt rabbit radish raft rain reef ribbon river robin rocket roof saddle sail salmon saturn scarf
  shell shore sky sofa sparrow spoon spruce squirrel stream summit swan table tailor teapot temple tiger toast tower
  train tulip tunnel valley vase village violin walnut wagon walrus willow window winter wren yacht zebra
`
  .trim()
  .split(/\s+/);

const maxWaiting = 5;

/**
 * Maximum number of undecided requests within {@link unansweredForMs},
 * so that repeated requests do not bypass {@link maxWaiting}.
 */
const maxUnanswered = 12;
const unansweredForMs = 10 * 60_000;

const answered: ReadonlySet<ProposalState> = new Set([
  'approved',
  'intent',
  'sent',
  'unknown',
  'verified',
  'denied',
]);

interface PendingAdmissionsOptions {
  gate: Pick<Gate, 'takeBackAdmission' | 'get'>;
  agents: Pick<Agents, 'living' | 'end'>;
  clock: Clock;
  logger: Logger;
}

/** Pending admissions by interaction. They are in memory, because interactions end with the process. */
export function createPendingAdmissions({ gate, agents, clock, logger }: PendingAdmissionsOptions) {
  const admissions = new Map<string, PendingAdmission>();
  const stateOf = ({ proposalId }: PendingAdmission): ProposalState => gate.get(proposalId).state;
  const waits = (pending: PendingAdmission): boolean => fates[stateOf(pending)] === 'pending';
  const isUnanswered = (pending: PendingAdmission): boolean =>
    clock.monotonicMs() - pending.askedAt.monotonicMs < unansweredForMs && !answered.has(stateOf(pending));

  return {
    find: (id: string) => admissions.get(id) ?? null,
    add: (id: string, pending: PendingAdmission) => void admissions.set(id, pending),
    forget: (id: string) => void admissions.delete(id),
    /** Forgets admissions whose browser can no longer come back, and ends agents that never claimed their grant. */
    sweep() {
      for (const [id, pending] of admissions) {
        const lifetimeMs = pending.expiresAtMs - pending.askedAt.wallMs;
        if (passedSince(pending.askedAt, clock) < lifetimeMs) continue;
        admissions.delete(id);
        const { agentId } = pending.admission;
        if (agents.living(agentId)?.grantId === null) agents.end(agentId, 'signed-out');
      }
    },
    withdrawEarlier(clientId: string) {
      for (const pending of admissions.values()) {
        if (pending.admission.clientId === clientId && waits(pending))
          gate.takeBackAdmission(pending.proposalId);
      }
    },
    isFull() {
      const all = [...admissions.values()];
      return all.filter(waits).length >= maxWaiting || all.filter(isUnanswered).length >= maxUnanswered;
    },
    close() {
      for (const { proposalId } of admissions.values()) {
        try {
          gate.takeBackAdmission(proposalId);
        } catch (failure) {
          logger.error({ failure }, 'An admission could not be taken back');
        }
      }
      admissions.clear();
    },
  };
}

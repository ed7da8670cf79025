import { expect } from 'vitest';
import { prepareBrowserWith } from '#test/clients/client-browser.ts';
import { waiting } from '#test/core/gateway/admission/admitted-agent.ts';
import { failReads, onceWritten } from '#test/core/gateway/answers/once-written.ts';
import { openEndpointWorld } from '#test/core/gateway/endpoint/endpoint-world.ts';
import { changeElsewhere, findCampaign, type World } from '#test/core/proposals/world.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import { openStubModel, type ModelApi, type Script, type StubModel } from './stub-model.ts';

/** A gateway, an agent that a person has admitted, and a home folder for its program. */
interface AdmittedProgram {
  world: World;
  recorder: Recorder;
  /** The environment of the program. `AGENT_TOKEN` is the token of the agent. */
  env: Record<string, string>;
}

/** Opens the gateway behind a recorder. Everything ends with the test. */
export async function openAdmitted(): Promise<AdmittedProgram> {
  const { world, url, enter } = await openEndpointWorld();
  const { tokens } = await enter();
  const { env } = await prepareBrowserWith(() => Promise.reject(new Error('The program has a token')));
  return { world, recorder: await openRecorder(url), env: { ...env, AGENT_TOKEN: tokens.access_token } };
}

/** The addresses and the environment of a program. */
export interface ProgramSettings {
  /** The address of the gateway. */
  url: string;
  /** The origin of the model. */
  origin: string;
  env: Record<string, string>;
}

/** A program with a model behind it. */
export interface ModelProgram {
  api: ModelApi;
  /** Runs the program for one conversation. */
  converse(settings: ProgramSettings): Promise<unknown>;
}

interface Outcome {
  /** Prepares the service before the change. */
  arrange?(world: World, cid: number): void;
  /** Acts as the person whom Countersign asks. */
  decide(world: World, id: string, model: StubModel): Promise<unknown>;
  /** Parts of the last tool result. */
  reads: string[];
  /** The state of the proposal at the end. */
  state: string;
}

const approve = async (world: World, id: string): Promise<unknown> => world.approve(await world.look(id));

/** The longest time that a call waits for a person, in milliseconds. */
const longestHoldMs = 240_000;

const receipt = 'Not executed: waiting for confirmation by a person.';

/** The outcomes of a change. Each key completes the title of a test. */
export const outcomes: Record<string, Outcome> = {
  'that its change was approved and stored': {
    decide: approve,
    reads: ['a person approved this, and reading it back found what was approved'],
    state: 'verified',
  },
  'that its change was denied, and the reason': {
    decide: async (world, id) => world.deny(await world.look(id), 'Not before Monday'),
    reads: ['A person denied this change. Nothing was sent.', 'Not before Monday'],
    state: 'denied',
  },
  'that its change still waits, and after another call the decision': {
    async decide(world, id, model) {
      world.clock.advance(longestHoldMs);
      await expect.poll(() => model.results[1]).toContain(receipt);
      expect(model.results[1]).toContain('countersign_await');
      await approve(world, id);
    },
    reads: ['a person approved this, and reading it back found what was approved'],
    state: 'verified',
  },
  'that the service stored something else': {
    arrange: (world, cid) =>
      onceWritten(world, cid, () => changeElsewhere(world, cid, { name: 'Somebody else' })),
    decide: approve,
    reads: ['something different from what was approved', 'Other', 'Somebody else'],
    state: 'differs',
  },
  'that nobody knows what the service stored, and not to send the change again': {
    arrange: (world, cid) => onceWritten(world, cid, () => failReads(world)),
    decide: approve,
    reads: ['Do not send this again'],
    state: 'unknown',
  },
};

/** Changes a campaign through a program. Returns the last tool result that its model got, and the state of the proposal. */
export async function changeThrough(
  program: ModelProgram,
  outcome: Outcome,
): Promise<{ read: string; state: string }> {
  const { world, recorder, env } = await openAdmitted();
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const model = await openStubModel(program.api, scriptFor(cid));
  outcome.arrange?.(world, cid);
  const conversation = program.converse({ url: recorder.url, origin: model.origin, env });
  const decision = waiting(world).then(async ({ id }) => {
    await outcome.decide(world, id, model);
    return id;
  });
  const [id] = await Promise.all([decision, conversation]);
  const { state } = await world.core.handlers['proposals.get']({ id });
  return { read: model.results.at(-1) ?? '', state };
}

/** Prepares a new name, commits it, and asks for the decision until there is one. */
function scriptFor(cid: number): Script {
  return ([prepared, ...answers]) => {
    if (prepared === undefined)
      return { name: 'svc_prepare_campaign_update', args: { cid, changes: { name: 'Other' } } };
    const answer = answers.at(-1);
    if (answer === undefined) {
      const [, approvalId = '', fingerprint = ''] =
        /"approval":\{"id":"(.+?)","fingerprint":"(.+?)"/.exec(prepared) ?? [];
      return { name: 'svc_commit', args: { approvalId, fingerprint, idempotencyKey: 'key-1' } };
    }
    if (!answer.includes(receipt)) return null;
    const [, proposalId = ''] = /Proposal (\w+)\./.exec(answer) ?? [];
    return { name: 'countersign_await', args: { proposalId } };
  };
}

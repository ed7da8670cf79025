import type { Hold } from '../hold/index.ts';
import { allowArguments, argumentInvalid, type OwnTool } from './own-tool.ts';

const longestSeconds = 240;

/** `countersign_await`: what became of a call that an agent was told to wait for; read-only, the agent's own only. */
export function createAwaitTool(hold: Pick<Hold, 'wait'>): OwnTool {
  return {
    definition: {
      name: 'countersign_await',
      title: 'Wait for a person’s decision',
      description:
        'Waits until a person has decided on a change of yours, and gives the answer that the call itself would have given. Changes nothing. Ask again while it says that a person is still waited for.',
      inputSchema: {
        type: 'object',
        properties: {
          proposalId: { type: 'string', description: 'As the waiting call named it.' },
          waitSeconds: {
            type: 'integer',
            minimum: 0,
            maximum: longestSeconds,
            description: 'How long to wait at most; 45 without progress, 240 with it.',
          },
        },
        required: ['proposalId'],
        additionalProperties: false,
      },
      annotations: {
        title: 'Wait for a person’s decision',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    call({ agentId }, args, context) {
      allowArguments(args, ['proposalId', 'waitSeconds']);
      const { proposalId, waitSeconds } = args;
      if (typeof proposalId !== 'string' || proposalId === '') {
        throw argumentInvalid('proposalId', 'It must be the id that the waiting call named.');
      }
      const waitMs = waitSeconds === undefined ? null : millisecondsOf(waitSeconds);
      return hold.wait(agentId, { context, proposalId, waitMs });
    },
  };
}

function millisecondsOf(seconds: unknown): number {
  const isWhole = typeof seconds === 'number' && Number.isSafeInteger(seconds);
  if (isWhole && seconds >= 0 && seconds <= longestSeconds) return seconds * 1000;
  throw argumentInvalid('waitSeconds', `It must be a whole number from 0 to ${longestSeconds}.`);
}

import { loadedPictureSchema, targetPageSchema } from '#shared/app-api/index.ts';
import { AppError, decodeError } from '#shared/errors/index.ts';
import {
  decisionResultSchema,
  showingSchema,
  turnedSchema,
  type HostAnswer,
  type ConfirmPreload,
  type Seen,
} from '#shared/host-api/index.ts';
import type { ConfirmBridge } from './confirm-bridge.ts';

declare global {
  interface Window {
    /** In the confirmation window of the desktop host only. */
    readonly countersignConfirm?: ConfirmPreload;
  }
}

async function outputOf(asked: Promise<HostAnswer>): Promise<unknown> {
  let answer: HostAnswer;
  try {
    answer = await asked;
  } catch (cause) {
    throw new AppError('core_unreachable', { cause });
  }
  if ('error' in answer) throw decodeError(answer.error);
  return answer.output;
}

const identity = ({ showingId, nonce }: Seen): Seen => ({
  showingId,
  nonce,
});

/**
 * The confirmation bridge of the desktop host, over what the preload of its window offers. The showing comes by IPC alone:
 * no address, storage or other window ever holds its nonce.
 */
export function createDesktopConfirmBridge(host: ConfirmPreload): ConfirmBridge {
  return {
    async open() {
      return showingSchema.parse(await outputOf(host.open()));
    },
    async look(showing) {
      return showingSchema.parse(await outputOf(host.look(identity(showing))));
    },
    async seen(showing) {
      await outputOf(host.seen(identity(showing)));
    },
    async picture(showing, url) {
      return loadedPictureSchema.parse(await outputOf(host.picture({ ...identity(showing), url })));
    },
    async targets(showing, from) {
      return targetPageSchema.parse(await outputOf(host.targets({ ...identity(showing), from })));
    },
    async prepareAgain(showing) {
      return showingSchema.parse(await outputOf(host.prepareAgain(identity(showing))));
    },
    async undo(showing) {
      return showingSchema.parse(await outputOf(host.undo(identity(showing))));
    },
    async turn(from, to) {
      return turnedSchema.parse(await outputOf(host.turn({ ...identity(from), to })));
    },
    async decide(decision) {
      return decisionResultSchema.parse(await outputOf(host.decide(decision)));
    },
    async close() {
      await outputOf(host.close());
    },
    onReopened: (listener) => host.onReopened(listener),
    onWaiting: (listener) => host.onWaiting(listener),
  };
}

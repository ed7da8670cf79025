import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { SerialQueue } from '#shared/lib/serial-queue.ts';
import { copyWorkspace, type StoredState, type TrainingStore } from '#core/store/training/index.ts';
import type { AppHandlers, PracticeView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Workspace } from '../workspaces.ts';
import type { Practice } from './practice.ts';

type PracticeRequest = Extract<keyof AppHandlers, `practice.${string}`>;

export interface PracticeHandlerOptions {
  /** Free practice and its workspace. Fails with `no_workspace` or `workspace_kind`. */
  current(): { practice: Practice; workspace: Workspace };
  /** The one whose page is still answered. Fails as `current`. */
  shown(): Practice;
  /** Closes the workspace, and opens it with a saved state, or anew. */
  replace(by: StoredState | null): Promise<unknown>;
  store: Pick<TrainingStore, 'states' | 'workspace'>;
  inTurn: SerialQueue;
  /** Where the folders of workspaces and of their states lie. */
  folder: string;
  clock: Clock;
  ids: Ids;
  onChange(): void;
}

/** Maximum number of saved states. */
const maxStates = 10;

/** Answers the requests of free practice, one after the other; each with the panel as it is then. */
export function practiceHandlers(options: PracticeHandlerOptions): Pick<AppHandlers, PracticeRequest> {
  const { current, shown, replace, store, inTurn, folder, clock, ids, onChange } = options;
  const view = (): PracticeView => current().practice.view();

  const acting =
    <Input>(act: (practice: Practice, input: Input) => void | Promise<void>) =>
    (input: Input): Promise<PracticeView> =>
      inTurn(async () => {
        await act(current().practice, input);
        onChange();
        return view();
      });

  function save(name: string): void {
    const { workspace } = current();
    const isOther = store.states.find(name) === null;
    if (isOther && store.states.all().length >= maxStates) throw new AppError('practice_states_full');
    const state = { name, folder: ids.id(), atMs: clock.nowMs(), aheadMs: workspace.serviceClock.aheadMs };
    copyWorkspace(workspace.folder, join(folder, state.folder));
    // The folder of a state that this one replaces is swept later.
    store.states.keep(state);
  }

  function stateOf(name: string): StoredState {
    const state = store.states.find(name);
    const hasCopy = state !== null && existsSync(join(folder, state.folder));
    if (!hasCopy) throw new AppError('practice_state_unknown');
    return state;
  }

  return {
    'practice.get': async () => shown().view(),
    'practice.forward': acting((practice, input) => practice.forward(input)),
    'practice.setBalance': acting((practice, input) => practice.setBalance(input)),
    'practice.arm': acting((practice, input) => practice.arm(input)),
    'practice.disarm': acting((practice, input) => practice.disarm(input)),
    'practice.edit': acting((practice, input) => practice.edit(input)),
    'practice.startAgent': acting((practice, input) => practice.startAgent(input)),
    'practice.stopAgent': acting((practice) => practice.stopAgent()),
    'practice.save': acting((_practice, { name }) => save(name)),
    'practice.return': acting(async (_practice, { name }) => void (await replace(stateOf(name)))),
    'practice.reset': acting(async () => void (await replace(null))),
  };
}

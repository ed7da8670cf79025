import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import type { BulkEdit } from '#shared/drafts/index.ts';
import { createWorld, type World, type WorldOptions } from '#test/core/proposals/world.ts';

/** Starts a bulk change and waits until its campaigns are read. */
export async function startBulk(world: World, cids: number[]): Promise<AppOutput<'bulk.state'>> {
  const { handlers } = world.core;
  const { promise, resolve } = Promise.withResolvers<AppOutput<'bulk.state'>>();
  const unsubscribe = world.core.subscribe(({ kind }) => {
    if (kind !== 'campaigns.loading') return;
    void handlers['bulk.state']({}).then((state) => {
      if (!state.isReading) resolve(state);
    });
  });
  await handlers['bulk.start']({ cids });
  const state = await promise;
  unsubscribe();
  return state;
}

/** Opens a world whose demo campaigns are all in the bulk change. */
export async function bulkWorld(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld(options);
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  await startBulk(
    world,
    data.map(({ cid }) => cid),
  );
  return world;
}

export function preview(
  world: World,
  edit: BulkEdit,
  part: Partial<AppInput<'bulk.preview'>> = {},
): Promise<AppOutput<'bulk.preview'>> {
  return world.core.handlers['bulk.preview']({ edit, show: 'all', offset: 0, limit: 200, ...part });
}

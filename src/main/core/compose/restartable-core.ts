import { type AppEvent, handlersTo } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { portTo } from '#shared/host-api/index.ts';
import { composeCore, type Core } from './compose.ts';
import type { ComposeOptions } from './options.ts';
import { createEventBus } from '../platform/event-bus.ts';
import { silentLogger } from '../platform/logger.ts';
import { createDisplayRelay } from '../platform/display-relay.ts';

/**
 * A core that restarts in this process after a restore or a deletion. Requests during
 * the restart fail with `core_unreachable`. Fails as {@link composeCore} does.
 */
export async function composeRestartable(options: ComposeOptions): Promise<Core> {
  const { version, host, logger = silentLogger } = options;
  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  let relay = createDisplayRelay(options.confirmer);
  let { dataKey } = options;
  let current: Core | null = null;
  let pendingRestart: Promise<void> | null = null;
  let isEnding = false;

  async function compose(): Promise<void> {
    current = await composeCore({
      ...options,
      dataKey,
      resetHost,
      confirmer: relay.confirmer,
      restartCore: beginAgain,
    });
    current.subscribe(emit);
  }

  /** Every later restart must use the data key that a deletion creates. */
  async function resetHost(): Promise<Buffer | null> {
    const newKey = (await options.resetHost?.()) ?? null;
    dataKey = newKey ?? dataKey;
    return newKey;
  }

  function beginAgain(): void {
    pendingRestart ??= renew().finally(() => (pendingRestart = null));
  }

  async function renew(): Promise<void> {
    // Lets the answer to the request leave first.
    await new Promise((resolve) => setImmediate(resolve));
    const previous = requireCore();
    current = null;
    relay.end();
    await previous.dispose();
    if (isEnding) return;
    relay = createDisplayRelay(options.confirmer);
    await compose();
    for (const kind of ['data.replaced', 'profiles.changed', 'agents.changed', 'status.changed'] as const) {
      emit({ kind });
    }
  }

  function requireCore(): Core {
    if (current === null) throw new AppError('core_unreachable');
    return current;
  }

  await compose();
  return {
    handlers: handlersTo(() => requireCore().handlers),
    confirmation: portTo(() => requireCore().confirmation),
    subscribe,
    suspend: () => current?.suspend(),
    resume: () => current?.resume(),
    info: {
      version,
      host,
      profile: () => requireCore().info.profile(),
      shownFormats: () => requireCore().info.shownFormats(),
      get serviceUrl() {
        return requireCore().info.serviceUrl;
      },
      get setAsideFiles() {
        return requireCore().info.setAsideFiles;
      },
    },
    async dispose() {
      isEnding = true;
      await pendingRestart;
      await current?.dispose();
    },
  };
}

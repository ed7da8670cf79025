import type { AppEvent } from '#shared/app-api/index.ts';
import { demoDatabasePath } from './demo-service.ts';
import { recordRestore, completeDeletionOrRestore } from '../data-folder/index.ts';
import { createLedger } from '../ledger/index.ts';
import { systemClock, createMovableClock } from '../platform/clock.ts';
import type { DisposableStack } from '../platform/disposable.ts';
import { createEventBus } from '../platform/event-bus.ts';
import { createIds } from '../platform/ids.ts';
import { createLimitClock, type LimitClockMemory, uptimeOf } from '../platform/limit-clock.ts';
import { type Logger, silentLogger } from '../platform/logger.ts';
import { createSealer, createSecrets } from '../profiles/index.ts';
import { createAdministratorPolicy } from '#system/policy/index.ts';
import { setSystemNetwork } from '../service-client/index.ts';
import { type AppStore, openAppStore, refuseForeignAppSchema } from '../store/app/index.ts';
import { refuseForeignBackendSchema } from '../store/backend/index.ts';
import { lockFolder } from '#core/store/sqlite/folder-lock.ts';
import type { ComposeOptions } from './options.ts';

const defaultRequestTimeoutMs = 15_000;

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Locks and opens the data folder. Fails like `composeCore`; `stack` then contains the parts to close. */
export async function openFoundation(options: ComposeOptions, stack: DisposableStack) {
  const { dataFolder: folder, host } = options;
  const { logger = silentLogger, clock = systemClock } = options;
  const { emit, subscribe } = createEventBus<AppEvent>(logger);

  const lock = stack.use(lockFolder({ folder, host, clock }));
  if (options.network !== undefined) stack.use(setSystemNetwork(options.network));
  const outcome = await completeDeletionOrRestore({ folder, resetHost: options.resetHost, clock, logger });
  // Checks both databases before opening either, so that a newer schema in one leaves both unchanged.
  refuseForeignAppSchema(folder);
  refuseForeignBackendSchema(demoDatabasePath(folder));
  const store = stack.use(openAppStore({ folder, clock, logger, lock }));
  const sealer = createSealer(outcome.newKey ?? options.dataKey);
  const ledgerChanged = (): void => {
    emit({ kind: 'ledger.changed' });
    emit({ kind: 'status.changed' });
  };
  const secrets = createSecrets({ store, sealer });
  const ledger = stack.use(createLedger({ store, keys: secrets, clock, logger, onChange: ledgerChanged }));
  recordRestore(store, { ledger, clock, failure: outcome.failure });
  return {
    stack,
    folder,
    clock,
    limitClock: createLimitClock(clock, options.uptime ?? uptimeOf(clock), limitClockMemory(store, logger)),
    serviceClock: options.serviceClock ?? createMovableClock(clock),
    ids: options.ids ?? createIds(() => clock.nowMs()),
    logger,
    emit,
    subscribe,
    store,
    sealer,
    secrets,
    ledger,
    ledgerChanged,
    policy: createAdministratorPolicy({ place: options.policyPlace, logger, emit }),
    requestTimeoutMs: options.timeouts?.requestMs ?? defaultRequestTimeoutMs,
  };
}

const limitClockSetting = 'clock.limits';

function limitClockMemory({ settings }: AppStore, logger: Logger): LimitClockMemory {
  return {
    read: () => settings.get(limitClockSetting),
    write(text) {
      try {
        settings.set(limitClockSetting, text);
      } catch (failure) {
        logger.error({ failure }, 'The count of the limit clock could not be stored');
      }
    },
  };
}

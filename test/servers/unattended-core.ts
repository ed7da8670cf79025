import { composeCore, type Core } from '#core/compose/compose.ts';
import type { ComposeOptions } from '#core/compose/options.ts';

/** Starts a core without a person who decides. By default it has a terminal as its host and a fixed data key. */
export function composeUnattended(
  options: Partial<ComposeOptions> & Pick<ComposeOptions, 'dataFolder'>,
): Promise<Core> {
  const host = options.host ?? 'terminal';
  return composeCore({
    host,
    version: '0.0.0',
    dataKey: Buffer.alloc(32, 7),
    confirmer: { via: host, show: async () => ({ address: null }), hide() {} },
    ...options,
  });
}

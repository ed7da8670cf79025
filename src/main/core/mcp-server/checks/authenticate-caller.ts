import type { Check } from '../exchange.ts';

/** Who asks, before anything is read of what they send (contract §5.3). */
export const authenticateCaller: Check = async (exchange, { options }) => {
  exchange.principal = await options.authenticate(exchange.request);
};

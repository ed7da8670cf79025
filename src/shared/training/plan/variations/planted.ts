import { plantedCalls } from './planted-calls.ts';
import { plantedMoney } from './planted-money.ts';
import { plantedTraffic } from './planted-traffic.ts';
import type { PlantedVariation } from './variation.ts';

/** Every planted fault of a single change, by the name of its case in the corpus. */
export const plantedVariations: Readonly<Record<string, PlantedVariation>> = {
  ...plantedMoney,
  ...plantedTraffic,
  ...plantedCalls,
};

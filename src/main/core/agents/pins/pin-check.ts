import type { Connections } from '#core/connections/index.ts';
import type { ToolPins } from '../tool-pins.ts';
import { hashedDefinition } from './definition.ts';

export interface PinCheckOptions {
  connections: Pick<Connections, 'of'>;
  pins: Pick<ToolPins, 'compare' | 'find'>;
}

/**
 * Reads the tools of a profile's service and tells whether one of them has the definition that was shown to a person, and that is pinned
 * and not held. What differs is held from then on, as after any other read. A tool that is not listed, or listed with several definitions,
 * is not the one that was shown. Fails as the read does.
 */
export function createPinCheck({ connections, pins }: PinCheckOptions) {
  return async (
    profileId: string,
    { name, definitionHash }: { name: string; definitionHash: string },
  ): Promise<boolean> => {
    const listed = await connections.of(profileId).remote.listTools();
    pins.compare(profileId, listed);
    const pin = pins.find(profileId, name);
    const offered = listed.filter((definition) => definition['name'] === name);
    return (
      pin !== null &&
      !pin.isHeld &&
      pin.hash === definitionHash &&
      offered.length > 0 &&
      offered.every((definition) => hashedDefinition(definition).hash === definitionHash)
    );
  };
}

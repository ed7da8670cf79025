import type { PinnedDefinition, ToolPin, ToolPinRows } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, jsonOrNull } from '#shared/lib/json/json-value.ts';
import { hashedDefinition } from './definition.ts';
import { loosest, treatmentOf, type ToolTreatment, type TreatedPin } from './tool-policy.ts';

/** Sealed values: only this app can write them, with its data key. `read` fails with `secret_unreadable`. */
export interface SealedValues {
  read(place: { profile: string; name: string }): Buffer | null;
  write(place: { profile: string; name: string }, plain: Buffer): void;
  remove(place: { profile: string; name: string }): void;
}

/** The stored pins as far as they can be believed, each with the treatment that policy gives it now. */
export interface AcceptedPins {
  /** In the service's order. */
  of(profileId: string): TreatedPin[];
  find(profileId: string, name: string): TreatedPin | null;
  /** Treats a pin that is about to be stored as a later load will. */
  treated(pin: ToolPin): TreatedPin;
  /** Records, sealed, that a person lets the calls of this definition pass. */
  allow(pin: ToolPin): void;
  /** Forgets that calls of the tool may pass. */
  disallow(pin: Pick<ToolPin, 'profileId' | 'name'>): void;
}

/**
 * Loads pins as what a stranger may have written. A definition that does not fit its hash or its name counts as absent, so that the
 * service's own definition awaits review. The treatment is computed from the definition and the policy. A row can hold a
 * tool's calls; only a sealed record of a person's word lets them pass, for one definition.
 */
export function createAcceptedPins(rows: ToolPinRows, sealed: SealedValues): AcceptedPins {
  function isAllowed(pin: ToolPin): boolean {
    try {
      return sealed.read(placeOf(pin))?.toString() === pin.pinned?.hash;
    } catch (failure) {
      if (failure instanceof AppError) return false;
      throw failure;
    }
  }

  function treatmentNow(pin: ToolPin): ToolTreatment {
    if (pin.pinned === null || pin.isTightened) return 'write';
    const definition = parsed(pin.pinned);
    const usual = treatmentOf(pin.name, definition);
    return usual === 'write' && isAllowed(pin) ? loosest(pin.name, definition) : usual;
  }

  const treated = (pin: ToolPin): TreatedPin => ({ ...pin, treatAs: treatmentNow(pin) });

  function accepted(row: ToolPin): TreatedPin {
    const pinned = fits(row.name, row.pinned) ? row.pinned : null;
    const offered = fits(row.name, row.offered) ? row.offered : null;
    return treated({ ...row, pinned, offered });
  }

  return {
    of: (profileId) => rows.of(profileId).map(accepted),
    find(profileId, name) {
      const row = rows.find(profileId, name);
      return row === null ? null : accepted(row);
    },
    treated,
    allow: (pin) => sealed.write(placeOf(pin), Buffer.from(pin.pinned?.hash ?? '')),
    disallow: (pin) => sealed.remove(placeOf(pin)),
  };
}

function placeOf({ profileId, name }: Pick<ToolPin, 'profileId' | 'name'>): {
  profile: string;
  name: string;
} {
  return { profile: profileId, name: `tool-that-passes ${name}` };
}

/** True for the one text of a definition that has this name and this hash. */
function fits(name: string, stored: PinnedDefinition | null): boolean {
  if (stored === null) return false;
  const definition = jsonOrNull(stored.definition);
  if (!isJsonObject(definition) || definition['name'] !== name) return false;
  try {
    const { hash, text } = hashedDefinition(definition);
    return hash === stored.hash && text === stored.definition;
  } catch {
    // No canonical form: text that was never stored by this app.
    return false;
  }
}

/** The definition of a pin that was accepted. */
export function parsed({ definition }: { definition: string }): JsonObject {
  return JSON.parse(definition) as JsonObject;
}

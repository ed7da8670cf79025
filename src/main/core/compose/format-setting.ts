import { type AppEvent, shownFormatsSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { formatsOf, type ShownFormats, usualShownFormats } from '#shared/lib/shown-formats.ts';
import type { Profiles } from '../profiles/index.ts';
import type { AppStore } from '../store/app/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

/** How numbers and moments are written, as the person set it: for this computer's every profile, window and text. */
export interface FormatSetting {
  /** The setting at this time. */
  shown(): ShownFormats;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
  /** Sets it, from now on. Fails with `formats_elsewhere` in training, which follows the real app. */
  set(formats: ShownFormats): void;
}

export interface FormatSettingOptions {
  store: AppStore;
  profiles: Pick<Profiles, 'current'>;
  /** The setting of the real app, for training, which has none of its own. */
  followed: (() => ShownFormats) | null;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): unknown;
}

const setting = 'shown.formats';

/** Holds what is stored. The active profile gives the zone of the service's days. */
export function createFormatSetting(options: FormatSettingOptions): FormatSetting {
  const { store, profiles, followed, emit, subscribe } = options;
  const shown = followed ?? (() => stored);
  let stored = storedFormats(store);
  let made: { of: ShownFormats; formats: Formats } | null = null;
  subscribe(({ kind }) => {
    if (kind === 'profiles.changed') made = null;
  });
  return {
    shown,
    formats() {
      const now = shown();
      if (made?.of !== now) made = { of: now, formats: formatsOf(now, profiles.current().zone) };
      return made.formats;
    },
    set(formats) {
      if (followed !== null) throw new AppError('formats_elsewhere');
      store.settings.set(setting, JSON.stringify(formats));
      stored = formats;
      emit({ kind: 'formats.changed' });
    },
  };
}

function storedFormats({ settings }: AppStore): ShownFormats {
  const text = settings.get(setting);
  const stored = text === null ? null : shownFormatsSchema.safeParse(jsonOrNull(text));
  return stored?.data ?? usualShownFormats;
}

import { type AppEvent, shownFormatsSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { applyFormats, type ShownFormats, usualFormats } from '#shared/lib/shown-formats.ts';
import type { Profiles } from '../profiles/index.ts';
import type { AppStore } from '../store/app/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

/** How numbers and moments are written, as the person set it: for this computer's every profile, window and text. */
export interface FormatSetting {
  /** Sets it, from now on. Fails with `formats_elsewhere` in training, which follows the real app. */
  set(formats: ShownFormats): void;
}

export interface FormatSettingOptions {
  store: AppStore;
  profiles: Pick<Profiles, 'current'>;
  /** False for a core that writes as its process does: it neither applies nor keeps a setting. */
  isOwn: boolean;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): unknown;
}

const setting = 'shown.formats';

/** Applies what is stored to this process, now and whenever the active profile brings another zone. */
export function createFormatSetting(options: FormatSettingOptions): FormatSetting {
  const { store, profiles, isOwn, emit, subscribe } = options;
  const apply = (): void => applyFormats(storedFormats(store), profiles.current().zone);
  if (isOwn) {
    apply();
    subscribe(({ kind }) => {
      if (kind === 'profiles.changed') apply();
    });
  }
  return {
    set(formats) {
      if (!isOwn) throw new AppError('formats_elsewhere');
      store.settings.set(setting, JSON.stringify(formats));
      apply();
      emit({ kind: 'formats.changed' });
    },
  };
}

function storedFormats({ settings }: AppStore): ShownFormats {
  const text = settings.get(setting);
  const stored = text === null ? null : shownFormatsSchema.safeParse(jsonOrNull(text));
  return stored?.data ?? usualFormats;
}

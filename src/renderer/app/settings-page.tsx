import type { ReactElement } from 'react';
import { KeptCopiesSetting, KeptDetailsSetting } from '#renderer/features/ledger/index.ts';
import { WaitingTimeSetting } from '#renderer/features/proposals/index.ts';
import { SettingsView } from '#renderer/features/settings/index.ts';

/** The page Settings, with the settings that also have a place where they matter. */
export function SettingsPage(): ReactElement {
  return (
    <SettingsView
      waitingTime={<WaitingTimeSetting />}
      retention={
        <>
          <KeptDetailsSetting />
          <KeptCopiesSetting />
        </>
      }
      updates={null}
    />
  );
}

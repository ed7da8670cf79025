import { desktopStore, vaultNotice } from '#renderer/stores/desktop/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { cx, Icon } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import bars from '../shell.module.css';

/** The word in the status bar that secrets are forgotten at quit; pressing it says why. */
export function VaultItem(): ReactElement | null {
  const worthSaying = useStore(desktopStore, (state) => vaultNotice(state) !== null);
  if (!worthSaying) return null;
  return (
    <button
      type="button"
      className={cx(bars.item, bars.pressable, bars.push)}
      aria-haspopup="dialog"
      onClick={() => uiStore.getState().show('vault')}
    >
      <Icon name="lock" size={12} />
      secrets last until you quit
    </button>
  );
}

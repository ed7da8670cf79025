import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { desktopStore, vaultNotice, updatesStore } from '#renderer/stores/desktop-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import type { Overlay } from '#renderer/stores/ui/ui-store.ts';
import { Banner, cx, Icon, type IconName } from '#renderer/ui/index.ts';
import shell from './frame/shell.module.css';

export const safetyStatement =
  'Nothing is sent without your approval; a change in flight is checked by reading it back.';

export function LostBanner(): ReactElement | null {
  const present = useStore(desktopStore, (state) => state.present);
  const lost = useStore(sessionStore, (state) => state.connection.kind === 'lost');
  if (!present || !lost) return null;
  return (
    <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
      It is restarting. {safetyStatement} Changes are off until then.
    </Banner>
  );
}

export function VaultItem(): ReactElement | null {
  const worthSaying = useStore(desktopStore, (state) => vaultNotice(state) !== null);
  return worthSaying ? (
    <StatusButton icon="lock" overlay="vault">
      secrets last until you quit
    </StatusButton>
  ) : null;
}

function StatusButton(props: { icon: IconName; overlay: Overlay; children: string }): ReactElement {
  return (
    <button
      type="button"
      className={cx(shell.item, shell.pressable, shell.push)}
      aria-haspopup="dialog"
      onClick={() => uiStore.getState().show(props.overlay)}
    >
      <Icon name={props.icon} size={12} />
      {props.children}
    </button>
  );
}

export function UpdateItem(): ReactElement | null {
  const state = useStore(updatesStore, ({ view }) => view?.state);
  if (state?.kind !== 'available' && state?.kind !== 'ready') return null;
  return (
    <StatusButton
      icon="download"
      overlay="updates"
    >{`update ${state.offer.version} ${state.kind}`}</StatusButton>
  );
}

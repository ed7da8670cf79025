import { agentsStore } from '#renderer/stores/agents/index.ts';
import { Button, Mono } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';

/** A text to be used elsewhere, with the button that copies it as it stands. `about` names it to who cannot see it. */
export function CopiedText({ text, about }: { text: string; about: string }): ReactElement {
  const copied = useStore(agentsStore, (state) => state.copied === text);
  return (
    <div className={styles.copied}>
      <Mono block>{text}</Mono>
      <Button
        size="small"
        icon={copied ? 'check' : 'copy'}
        aria-label={`${copied ? 'Copied' : 'Copy'} ${about}`}
        onClick={() => void agentsStore.getState().copy(text)}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}

import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { confirmWindowName } from '#renderer/api/host-services.ts';
import { realWorkStore } from '#renderer/stores/training-stores.ts';
import { useFormats, Button, Icon, shortcutWords, Toast, TrainingSign, common } from '#renderer/ui/index.ts';
import { emergencyStop, stopWords } from '../freeze.tsx';
import { TitleBar } from '../frame/title-bar.tsx';
import styles from './training-frame.module.css';

export interface TrainingTitleBarProps {
  detail?: string | undefined;
  hasSearch: boolean;
}

export function TrainingTitleBar({ detail, hasSearch }: TrainingTitleBarProps): ReactElement {
  const isCrowded = useStore(realWorkStore, ({ work }) => work.frozen === true || (work.waiting ?? 0) > 0);
  return (
    <div className={styles.titleBar}>
      <TitleBar
        place={<TrainingSign detail={detail} />}
        stop={<RealWork />}
        hasSearch={hasSearch}
        isCrowded={isCrowded}
      />
      <RealWorkToast />
    </div>
  );
}

function RealWork(): ReactElement {
  const formats = useFormats();
  const { work, stopping, review } = useStore(realWorkStore);
  const waiting = work.waiting ?? 0;
  return (
    <span className={common.row2}>
      {waiting > 0 && (
        <Button
          size="small"
          icon="proposals"
          className={styles.waiting}
          title="Opens the real confirmation, outside training"
          onClick={() => void review()}
        >
          {formats.counted(waiting, 'real change waits', 'real changes wait')}
        </Button>
      )}
      {work.frozen === true && (
        <span className={styles.frozen} role="status" title="Real agents frozen">
          <Icon name="pause" size={14} />
          <span className={styles.word}>Real agents frozen</span>
        </span>
      )}
      <Button
        size="small"
        icon="emergency-stop"
        title={`The emergency stop, outside training: freezes all real agents and prepares a pause (${shortcutWords('emergencyStop')})`}
        onClick={emergencyStop}
      >
        {stopping ? 'Stopping…' : stopWords()}
      </Button>
    </span>
  );
}

function RealWorkToast(): ReactElement | null {
  const { blocked, message, failure, dismiss } = useStore(realWorkStore);
  if (blocked === null && message === null && failure === null) return null;
  return (
    <Toast
      tone={failure === null ? 'info' : 'danger'}
      title={failure?.message ?? message ?? 'Pop-up blocked.'}
      onDismiss={dismiss}
    >
      {failure?.next}
      {blocked !== null && (
        <a href={blocked} target={confirmWindowName('work')} onClick={dismiss}>
          Open the real confirmation
        </a>
      )}
    </Toast>
  );
}

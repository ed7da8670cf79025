import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { Banner, ForeignText, IconButton, Question, Toast, ToastRegion } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** What going to another profile may have to ask, and why it did not work. */
export function Switching(): ReactElement | null {
  const { list, asking, refusal, stay, discardAndSwitch, dismiss } = useStore(profilesStore);
  if (asking !== null) {
    const name = list?.items.find(({ id }) => id === asking)?.name ?? '';
    return (
      <Question
        title="Discard the edits that you have not proposed?"
        stay="Stay here"
        goOn="Discard and switch"
        onStay={stay}
        onGoOn={() => void discardAndSwitch()}
      >
        <p>
          They belong to the active profile, and are lost when the window goes to <ForeignText text={name} />.
          Proposals that wait are kept.
        </p>
      </Question>
    );
  }
  if (refusal?.of.kind !== 'switch') return null;
  return (
    <ToastRegion>
      <Toast>
        <Banner
          tone="danger"
          title={refusal.failure.message}
          actions={<IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />}
        >
          {refusal.failure.next} The active profile is the same as before.
        </Banner>
      </Toast>
    </ToastRegion>
  );
}

import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { confirmWindowName } from '#renderer/api/host-services.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { alertsStore, unseenAlertEvents } from '#renderer/stores/alerts-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { trainingWindowStore } from '#renderer/stores/training-window-store.ts';
import {
  useFormats,
  Banner,
  ForeignText,
  IconButton,
  Question,
  Toast,
  ToastRegion,
} from '#renderer/ui/index.ts';

/** A confirmation that the browser blocked: the link to open it, or why there is none. */
export function ReviewToast(): ReactElement | null {
  const { blocked, failure, dismiss } = useStore(reviewStore);
  if (!blocked && !failure) return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <ToastRegion>
      <Toast>
        {blocked ? (
          <Banner tone="info" icon="external" title="Pop-up blocked." actions={close}>
            <a href={blocked.address} target={confirmWindowName()} onClick={dismiss}>
              Open the confirmation
            </a>
          </Banner>
        ) : (
          <Banner tone="danger" title={failure?.message ?? ''} actions={close}>
            {failure?.next}
          </Banner>
        )}
      </Toast>
    </ToastRegion>
  );
}

/** The window of training that the browser blocked: the link to open it, or why there is none. */
export function TrainingWindowToast(): ReactElement | null {
  const { blocked, failure, dismiss } = useStore(trainingWindowStore);
  if (blocked === null && failure === null) return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <ToastRegion>
      <Toast>
        {blocked === null ? (
          <Banner tone="danger" title={failure?.message ?? ''} actions={close}>
            {failure?.next}
          </Banner>
        ) : (
          <Banner tone="info" icon="external" title="Pop-up blocked." actions={close}>
            <a href={blocked} target="_blank" rel="noreferrer" onClick={dismiss}>
              Open training
            </a>
          </Banner>
        )}
      </Toast>
    </ToastRegion>
  );
}

/** Says that an alert of a report crossed, until it is dismissed or the alerts are opened. Nothing is done from here. */
export function AlertToast(): ReactElement | null {
  const formats = useFormats();
  const { news, view, dismissNews } = useStore(alertsStore);
  if (news === null) return null;
  const count = unseenAlertEvents(view?.events);
  return (
    <ToastRegion>
      <Toast>
        <Banner
          tone="warning"
          icon="alerts"
          title={`${formats.counted(count, 'report alert')} crossed.`}
          actions={<IconButton icon="close" size="small" label="Dismiss" onClick={dismissNews} />}
        >
          <a href="#/reports?part=alerts" onClick={dismissNews}>
            Open alerts
          </a>
        </Banner>
      </Toast>
    </ToastRegion>
  );
}

/** The question before switching profiles, and why a switch failed. */
export function Switching(): ReactElement | null {
  const { list, asking, refusal, stay, discardAndSwitch, dismiss } = useStore(profilesStore);
  if (asking !== null) {
    const name = list?.items.find(({ id }) => id === asking)?.name ?? '';
    return (
      <Question
        title="Discard unfinished input?"
        stay="Stay here"
        goOn="Discard and switch"
        onStay={stay}
        onGoOn={() => void discardAndSwitch()}
      >
        <p>
          What you typed is not a valid value yet, and is lost when you switch to <ForeignText text={name} />.
          Drafts are kept.
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

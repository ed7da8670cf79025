import { reviewStore } from '#renderer/stores/review-store.ts';
import { signInStore } from '#renderer/stores/profiles/sign-in-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { uploadsStore } from '../../stores/uploads-store.ts';
import {
  useFormats,
  ageText,
  Banner,
  Button,
  Buttons,
  cx,
  Disclosure,
  ForeignText,
  Icon,
  LinkButton,
  PictureFigure,
  pictureSource,
  common,
} from '#renderer/ui/index.ts';
import type { UploadsView, UploadView } from '#shared/app-api/index.ts';
import { fieldLabel, type PictureKind, pictureRules, pictureTypes } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type DragEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import styles from '../../fields/edit-fields.module.css';
import type { Formats } from '#shared/lib/formats.ts';
import { missingScopesText } from '#shared/wording/index.ts';

interface PictureFieldProps {
  cid: number;
  kind: PictureKind;
  disabled: boolean;
  onUse: (image: JsonObject) => void;
}

/** Replaces a picture in two steps: an upload that is countersigned, then a draft. An earlier upload needs the draft only. */
export function PictureField({ cid, kind, disabled, onUse }: PictureFieldProps): ReactElement {
  const { view, chosen } = useStore(uploadsStore);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => uploadsStore.getState().start(), []);
  const label = fieldLabel(kind).toLowerCase();
  const pending = view?.pending.find((upload) => upload.cid === cid && upload.kind === kind);
  const isChosen = chosen !== null && chosen.cid === cid && chosen.kind === kind;
  const isWaiting = view?.uploads.some((upload) => upload.draftWaitsFor === cid && upload.kind === kind);
  const mayUpload = view?.access === 'ready' && view.missing.length === 0;
  const choose = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined) void uploadsStore.getState().choose({ cid, kind }, file);
  };
  const onDrag = (event: DragEvent): void => {
    if (!mayUpload || disabled) return;
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') choose(event.dataTransfer.files);
  };
  return (
    <div
      className={cx(common.stack2, styles.field, isOver && styles.over)}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrag}
    >
      {view !== null && !mayUpload && <Missing view={view} />}
      {mayUpload && !isChosen && pending === undefined && (
        <>
          <Buttons>
            <Button size="small" icon="picture" disabled={disabled} onClick={() => input.current?.click()}>
              Replace {label}…
            </Button>
          </Buttons>
          <p className={styles.rule}>
            PNG, JPEG or WebP, {pictureRules[kind].words}. Drop a file here, or choose one.
          </p>
        </>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File of the ${label}`}
        accept={pictureTypes.join(',')}
        onChange={(event) => {
          choose(event.target.files);
          event.target.value = '';
        }}
      />
      {isChosen && <Chosen label={label} />}
      {pending !== undefined && (
        <Banner tone="info" title="Step 1 of 2: the upload awaits your approval.">
          Once it is done, the new {label} becomes a draft of this campaign.{' '}
          <LinkButton onClick={() => void reviewStore.getState().review(pending.proposalId)}>
            Review upload
          </LinkButton>
        </Banner>
      )}
      {isWaiting && (
        <Banner tone="info" title={`The new ${label} is uploaded.`}>
          It becomes a draft of this campaign once you have decided on the change that awaits your approval.
        </Banner>
      )}
      <Earlier uploads={view?.uploads ?? []} kind={kind} disabled={disabled} onUse={onUse} />
    </div>
  );
}

function Missing({ view }: { view: UploadsView }): ReactElement {
  const { access, profileId, granted, missing } = view;
  if (access === 'direct') {
    return (
      <p className={styles.rule}>
        This profile opens the remote tools with its member token. Uploads need a sign-in through the browser.
      </p>
    );
  }
  if (access === 'signed-out') {
    return (
      <p className={styles.rule}>
        Sign in to upload pictures.{' '}
        <a href={routeHref({ page: 'profiles', id: profileId })}>Open the profile</a>
      </p>
    );
  }
  async function request(): Promise<void> {
    uiStore.getState().navigate({ page: 'profiles', id: profileId });
    await signInStore.getState().begin(profileId, [...new Set([...granted, ...missing])]);
  }
  return (
    <>
      <p className={styles.rule}>
        The sign-in does not cover uploads. {missingScopesText(missing)} You sign in once more in the browser;
        each upload still waits for your approval.
      </p>
      <Buttons>
        <Button size="small" onClick={() => void request()}>
          Request access…
        </Button>
      </Buttons>
    </>
  );
}

function Chosen({ label }: { label: string }): ReactElement | null {
  const formats = useFormats();
  const { chosen, doing, refusal, checkSize, rejectUndrawable, cancel, propose } = useStore(uploadsStore);
  if (chosen === null) return null;
  const { fileName, bytes, contentType, data, fault } = chosen;
  const { message, next, fields } = refusal?.failure ?? {};
  const problem = fault ?? fields?.[0]?.message ?? (refusal && `${message} ${next}`);
  const review = async (): Promise<void> => {
    const id = await propose();
    if (id !== null) await reviewStore.getState().review(id);
  };
  return (
    <div role="group" aria-label={`New ${label}`}>
      <PictureFigure
        source={
          data === '' || contentType === null ? null : pictureSource({ type: contentType, base64: data })
        }
        alt={`New ${label}, the file ${fileName}`}
        title={<ForeignText text={fileName} />}
        onLoad={checkSize}
        onError={rejectUndrawable}
      >
        <span>{kilobytes(bytes, formats)}</span>
        {problem !== null && (
          <span className={common.bad} role="alert">
            <Icon name="warning" size={14} /> <ForeignText text={problem} />
          </span>
        )}
        <Buttons>
          <Button
            kind="primary"
            size="small"
            disabled={fault !== null || doing !== null}
            onClick={() => void review()}
          >
            {doing === null ? 'Review upload' : 'Preparing upload…'}
          </Button>
          <Button size="small" onClick={cancel}>
            Cancel
          </Button>
        </Buttons>
      </PictureFigure>
    </div>
  );
}

function Earlier(
  props: Pick<PictureFieldProps, 'kind' | 'disabled' | 'onUse'> & { uploads: readonly UploadView[] },
): ReactElement | null {
  const formats = useFormats();
  const { kind, disabled, onUse } = props;
  const uploads = props.uploads.filter((upload) => upload.kind === kind);
  if (uploads.length === 0) return null;
  const unused = uploads.filter(({ usedBy }) => usedBy.length === 0);
  return (
    <Disclosure
      title="Uploaded pictures"
      aside={unused.length === 0 ? formats.counted(uploads.length, 'picture') : `${unused.length} not used`}
    >
      <ul className={common.stack3}>
        {[...unused, ...uploads.filter((upload) => !unused.includes(upload))].map((upload) => (
          <li key={upload.sha256}>
            <Uploaded upload={upload} disabled={disabled} onUse={() => onUse(upload.image)} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Uploaded(props: { upload: UploadView; disabled: boolean; onUse: () => void }): ReactElement {
  const formats = useFormats();
  const { sha256, fileName, width, height, usedBy, atMs } = props.upload;
  const source = useStore(uploadsStore, (state) => state.thumbnails[sha256]);
  useEffect(() => void uploadsStore.getState().loadThumbnail(sha256), [sha256]);
  return (
    <PictureFigure source={source ?? null} alt="" title={<ForeignText text={fileName} />}>
      <span>
        {width} × {height} · {ageText(atMs, Date.now(), formats)} ·{' '}
        {usedBy.length === 0
          ? 'not used by a campaign'
          : `used by ${formats.counted(usedBy.length, 'campaign')}`}
      </span>
      <Buttons>
        <Button
          size="small"
          disabled={props.disabled}
          aria-label={`Use picture ${fileName}`}
          onClick={props.onUse}
        >
          Use picture
        </Button>
      </Buttons>
    </PictureFigure>
  );
}

function kilobytes(bytes: number, formats: Formats): string {
  return bytes < 1024 ? formats.counted(bytes, 'byte') : `${(bytes / 1024).toFixed(1)} KiB`;
}

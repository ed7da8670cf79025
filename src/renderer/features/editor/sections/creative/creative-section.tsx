import { besideStore, type PictureLoad } from '#renderer/stores/editor/beside-store.ts';
import {
  cx,
  common,
  pages,
  Banner,
  Button,
  ForeignText,
  PictureFigure,
  pictureSource,
} from '#renderer/ui/index.ts';
import { fieldLabel, kindOf, type PictureKind, typeOf } from '#shared/campaign/index.ts';
import { isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { webHost } from '#shared/lib/web-address.ts';
import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { type Editing, isUsed, setField, textOf } from '../../editing.ts';
import { EditText } from '../../fields/edit-fields.tsx';
import { type ConflictValue, FieldBlock, frameOf, WasNote } from '../../fields/field-block.tsx';
import styles from '../../editor.module.css';
import { AdPreviews } from './ad-previews.tsx';
import { PictureField } from './picture-field.tsx';
import creative from '../../fields/edit-fields.module.css';

function urlOf(value: JsonValue | undefined): string | null {
  const url = isJsonObject(value) ? value['url'] : null;
  return typeof url === 'string' && url !== '' ? url : null;
}

export function CreativeSection({ editing }: { editing: Editing }): ReactElement {
  const pictures = useStore(besideStore, (state) => state.pictures);
  const { payload, campaign } = editing;
  const [icon, image] = [urlOf(payload['icon']), urlOf(payload['image'])];
  const [storedIcon, storedImage] = [urlOf(campaign['icon']), urlOf(campaign['image'])];
  useEffect(
    () => void besideStore.getState().loadOwn(editing.cid, [icon, image, storedIcon, storedImage]),
    [editing.cid, icon, image, storedIcon, storedImage],
  );
  const { contextual, push } = kindOf(typeOf(payload, editing.context));
  const sourceOf = (url: string | null): string | null => {
    const load = url === null ? undefined : pictures[url];
    return load?.kind === 'loaded' ? pictureSource(load.loaded) : null;
  };
  const hasValue = ['title', 'description', 'icon', 'image'].some((field) => (payload[field] ?? '') !== '');
  if (!contextual && !push && !hasValue) {
    return (
      <Banner tone="info" title="Campaigns of this type have no creative of their own.">
        Contextual and Push campaigns have a title and a description, Push campaigns also pictures.
      </Banner>
    );
  }
  const fields = (['icon', 'image'] as const).filter(
    (field) => isUsed(editing, field) || urlOf(payload[field]) !== null,
  );
  return (
    <>
      <div className={styles.form}>
        <EditText editing={editing} field="title" wide />
        <EditText editing={editing} field="description" wide />
      </div>
      {fields.length > 0 && (
        <div className={creative.pictures} role="group" aria-label="Pictures">
          {fields.map((field) => (
            <Picture key={field} editing={editing} field={field} />
          ))}
        </div>
      )}
      <AdPreviews
        title={textOf(editing, 'title')}
        description={textOf(editing, 'description')}
        host={webHost(textOf(editing, 'clickurl')) ?? webHost(textOf(editing, 'website')) ?? ''}
        icon={sourceOf(icon)}
        image={sourceOf(image)}
      />
    </>
  );
}

function usePicture(url: string | null): PictureLoad | undefined {
  return useStore(besideStore, ({ pictures }) => (url === null ? undefined : pictures[url]));
}

function Picture({ editing, field }: { editing: Editing; field: PictureKind }): ReactElement {
  const url = urlOf(editing.payload[field]);
  const load = usePicture(url);
  const label = fieldLabel(field);
  const host = url === null ? null : webHost(url);
  const { changed, error } = frameOf(editing, field);
  const action = load?.kind === 'loading' ? 'Loading picture…' : load ? 'Try again' : 'Load picture';
  const was = urlOf(editing.campaign[field]) === null ? 'empty' : 'another picture';
  return (
    <div className={cx(pages.framed, creative.picture)} data-changed={changed || undefined}>
      <FieldBlock editing={editing} fields={[field]} drawn={PictureInConflict}>
        <PictureFigure
          source={load?.kind === 'loaded' ? pictureSource(load.loaded) : null}
          alt={`${label}, stored at ${host ?? ''}`}
          sign={load?.kind === 'failed' ? 'warning' : 'picture'}
          title={
            <>
              <span>{label}</span>
              {changed && (
                <span className={creative.creativeWas}>
                  {' '}
                  <WasNote editing={editing} field={field} was={was} />
                </span>
              )}
            </>
          }
          isLive
        >
          {url === null ? <span>No picture</span> : <ForeignText text={host ?? url} />}
          {load?.kind === 'loaded' && (
            <span>
              {load.loaded.width} × {load.loaded.height} pixels
            </span>
          )}
          {load?.kind === 'failed' && <ForeignText text={`${load.message} ${load.next}`} />}
          {url !== null && load?.kind !== 'loaded' && (
            <Button
              size="small"
              icon="picture"
              disabled={load?.kind === 'loading'}
              aria-label={`${action}: ${label}, ${host ?? url}`}
              onClick={() => void besideStore.getState().loadPicture(editing.cid, url)}
            >
              {action}
            </Button>
          )}
          {error !== undefined && (
            <span className={cx(common.bad, common.small)} role="alert">
              {error}
            </span>
          )}
        </PictureFigure>
        {isUsed(editing, field) && (
          <div className={creative.replace} aria-live="polite">
            <PictureField
              cid={editing.cid}
              kind={field}
              disabled={editing.proposalId !== null}
              onUse={(image) => setField(editing, field, image)}
            />
          </div>
        )}
      </FieldBlock>
    </div>
  );
}

function PictureInConflict({ value, side, field }: ConflictValue): ReactElement {
  const url = urlOf(value);
  const load = usePicture(url);
  if (url === null) return <span>No picture</span>;
  return (
    <PictureFigure
      source={load?.kind === 'loaded' ? pictureSource(load.loaded) : null}
      alt={`${fieldLabel(field)}, ${side}`}
      title={load?.kind === 'loaded' ? `${load.loaded.width} × ${load.loaded.height} pixels` : 'Not loaded'}
    >
      <ForeignText text={webHost(url) ?? url} />
    </PictureFigure>
  );
}

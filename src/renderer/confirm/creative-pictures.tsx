import { createContext, type ReactElement, useCallback, useContext, useEffect, useState } from 'react';
import {
  useFormats,
  Button,
  ForeignText,
  Icon,
  PictureFigure,
  pictureSource,
  common,
} from '#renderer/ui/index.ts';
import type { CreativePicture, LoadedPicture, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import styles from './page.module.css';
import type { Formats } from '#shared/lib/formats.ts';

export const PictureLoader = createContext<(url: string) => Promise<LoadedPicture>>(() =>
  Promise.reject(new AppError('core_unreachable')),
);

type Pictures = Pick<ProposalView, 'pictures'>;

export function ChangedPictures({
  proposal: { pictures = [] },
}: {
  proposal: Pictures;
}): ReactElement | null {
  const changed = pictures.filter(({ side }) => side !== 'same');
  if (changed.length === 0) return null;
  return (
    <section className={common.stack4} aria-label="Pictures before and after">
      {[...Map.groupBy(changed, ({ field }) => field)].map(([field, sides]) => (
        <Pair key={field} field={field} sides={sides} />
      ))}
    </section>
  );
}

function Pair(props: { field: CreativePicture['field']; sides: readonly CreativePicture[] }): ReactElement {
  const { field, sides } = props;
  const earlier = sides.find(({ side }) => isEarlier(side));
  const later = sides.find(({ side }) => !isEarlier(side));
  // An uploaded file that replaces no picture.
  if (later?.side === 'new' && earlier === undefined) return <Side picture={later} field={field} />;
  return (
    <div className={styles.pair} role="group" aria-label={sides[0]?.label}>
      <Side picture={earlier} field={field} />
      <span className={styles.becomes} role="img" aria-label="becomes">
        <Icon name="arrow-right" size={20} />
      </span>
      <Side picture={later} field={field} />
    </div>
  );
}

const isEarlier = (side: CreativePicture['side']): boolean => side === 'before' || side === 'now';

function Side(props: {
  picture: CreativePicture | undefined;
  field: CreativePicture['field'];
}): ReactElement {
  const size = props.field;
  if (props.picture !== undefined) {
    return <Picture key={props.picture.url} picture={props.picture} size={size} />;
  }
  return (
    <PictureFigure source={null} alt="" title="No picture" size={size}>
      None is named
    </PictureFigure>
  );
}

export function UnchangedPictures({
  proposal: { pictures = [] },
}: {
  proposal: Pictures;
}): ReactElement | null {
  const unchanged = pictures.filter(({ side }) => side === 'same');
  if (unchanged.length === 0) return null;
  return (
    <ul className={styles.pictures} aria-label="Creative">
      {unchanged.map((picture) => (
        <li key={picture.field}>
          <Picture picture={picture} size="thumbnail" />
        </li>
      ))}
    </ul>
  );
}

type PictureState =
  | { kind: 'waiting' }
  | { kind: 'loading' }
  | { kind: 'loaded'; loaded: LoadedPicture }
  | { kind: 'failed'; message: string; next: string };

interface PictureProps {
  picture: CreativePicture;
  size: 'thumbnail' | 'icon' | 'image';
}

/**
 * Loads a picture at another origin than the profile's only on request, because loading it tells that origin about the
 * review.
 */
function Picture({ picture, size }: PictureProps): ReactElement {
  const formats = useFormats();
  const { host, isOwn, side } = picture;
  const { state, load, markBroken } = useLoading(picture);
  const title = titleOf(picture);
  const loadWords = `Load picture from ${host}`;
  return (
    <PictureFigure
      source={state.kind === 'loaded' ? pictureSource(state.loaded) : null}
      alt={side === 'new' ? `${title}, the file ${host}` : `${title}, stored at ${host}`}
      sign={state.kind === 'failed' ? 'warning' : state.kind === 'waiting' ? 'picture' : null}
      title={title}
      size={size}
      isLoading={state.kind === 'loading'}
      isLive
      onError={markBroken}
    >
      <span className={styles.host}>
        <ForeignText text={host} />
        {side === 'new' && <span> · a file from this computer</span>}
        {side !== 'new' && isOwn && <span> · this profile’s service</span>}
      </span>
      {state.kind === 'waiting' && (
        <Button size="small" icon="picture" aria-label={`${loadWords}: ${title}`} onClick={load}>
          {loadWords}
        </Button>
      )}
      {state.kind === 'loading' && <span>Loading picture…</span>}
      {state.kind === 'loaded' && <span>{sizeWords(state.loaded, formats)}</span>}
      {state.kind === 'failed' && (
        <>
          <span>
            <ForeignText text={`${state.message} ${state.next}`} />
          </span>
          <Button size="small" aria-label={`Try again: ${title}`} onClick={load}>
            Try again
          </Button>
        </>
      )}
    </PictureFigure>
  );
}

interface Loading {
  state: PictureState;
  load(): void;
  /** Called if the browser could not draw the picture. */
  markBroken(): void;
}

function useLoading({ url, isOwn }: CreativePicture): Loading {
  const loadPicture = useContext(PictureLoader);
  const [state, setState] = useState<PictureState>({ kind: isOwn ? 'loading' : 'waiting' });
  const fetchPicture = useCallback(() => {
    loadPicture(url).then(
      (loaded) => setState({ kind: 'loaded', loaded }),
      (error: unknown) => setState(failed(error instanceof AppError ? error : new AppError('internal'))),
    );
  }, [loadPicture, url]);
  useEffect(() => {
    if (isOwn) fetchPicture();
  }, [isOwn, fetchPicture]);
  return {
    state,
    load() {
      setState({ kind: 'loading' });
      fetchPicture();
    },
    markBroken: () => setState(failed(new AppError('picture_refused'))),
  };
}

const failed = ({ message, next }: AppError): PictureState => ({ kind: 'failed', message, next });

function titleOf({ label, side }: CreativePicture): string {
  switch (side) {
    case 'before':
    case 'after':
      return `${label} ${side} the change`;
    case 'now':
      return `${label} now`;
    case 'new':
      return `New ${label.toLowerCase()}`;
    case 'same':
      return label;
    default:
      return assertNever(side);
  }
}

const typeNames = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' } as const;

function sizeWords({ type, width, height }: LoadedPicture, formats: Formats): string {
  return `${formats.count(width)} × ${formats.count(height)} pixels, ${typeNames[type]}`;
}

import { createContext, type ReactElement, useCallback, useContext, useEffect, useState } from 'react';
import { Button, ForeignText, Icon } from '#renderer/ui/index.ts';
import type { CreativePicture, LoadedPicture, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import styles from './creative-pictures.module.css';

/** Loads a picture of the shown proposal by its address, through the core. Given by the page of the confirmation. */
export const PictureLoader = createContext<(url: string) => Promise<LoadedPicture>>(() =>
  Promise.reject(new AppError('core_unreachable')),
);

/** The pictures of a creative, each with its host. Those at the profile's own origin come at once, others when the user asks. */
export function CreativePictures({
  proposal: { pictures = [] },
}: {
  proposal: Pick<ProposalView, 'pictures'>;
}): ReactElement | null {
  if (pictures.length === 0) return null;
  return (
    <ul className={styles.pictures} aria-label="Creative">
      {pictures.map((picture) => (
        <li key={`${picture.field} ${picture.side} ${picture.url}`}>
          <Picture picture={picture} />
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

function Picture({ picture }: { picture: CreativePicture }): ReactElement {
  const { host, isOwn, side } = picture;
  const { state, load, refuse } = useLoading(picture);
  const title = titleOf(picture);
  const loadWords = `Load picture from ${host}`;
  return (
    <figure className={styles.picture} aria-busy={state.kind === 'loading'}>
      {state.kind === 'loaded' && (
        <img
          className={styles.thumbnail}
          src={`data:${state.loaded.type};base64,${state.loaded.base64}`}
          alt={side === 'new' ? `${title}, the file ${host}` : `${title}, stored at ${host}`}
          onError={refuse}
        />
      )}
      {(state.kind === 'loading' || state.kind === 'failed') && (
        <span className={styles.thumbnail}>
          {state.kind === 'failed' && <Icon name="warning" size={20} />}
        </span>
      )}
      <figcaption className={styles.words} aria-live="polite">
        <span className={styles.title}>{title}</span>
        <span className={styles.host}>
          <ForeignText text={host} />
          {side === 'new' && ' · a file from this computer'}
          {side !== 'new' && isOwn && ' · this profile’s service'}
        </span>
        {state.kind === 'waiting' && (
          <Button size="small" icon="picture" aria-label={`${loadWords}: ${title}`} onClick={load}>
            {loadWords}
          </Button>
        )}
        {state.kind === 'loading' && <span>Loading picture…</span>}
        {state.kind === 'loaded' && <span>{sizeWords(state.loaded)}</span>}
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
      </figcaption>
    </figure>
  );
}

interface Loading {
  state: PictureState;
  load(): void;
  /** The browser could not draw what the core has read. */
  refuse(): void;
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
    refuse: () => setState(failed(new AppError('picture_refused'))),
  };
}

const failed = ({ message, next }: AppError): PictureState => ({ kind: 'failed', message, next });

function titleOf({ label, side }: CreativePicture): string {
  return side === 'same' || side === 'new' ? label : `${label} ${side} the change`;
}

const formats = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' } as const;

function sizeWords({ type, width, height }: LoadedPicture): string {
  return `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')} pixels, ${formats[type]}`;
}

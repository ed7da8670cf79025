import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Icon } from './icon.tsx';
import styles from './picture.module.css';

/** A `data:` address, which draws a picture without a request. */
export function pictureSource({ type, base64 }: { type: string; base64: string }): string {
  return `data:${type};base64,${base64}`;
}

export interface PictureFigureProps {
  source: string | null;
  alt: string;
  /** The icon while no picture is drawn. Null while the picture loads. */
  sign?: 'picture' | 'warning' | null;
  title: ReactNode;
  children: ReactNode;
  /** `icon` and `image` are the large boxes of a change: square, and 3:2. */
  size?: 'thumbnail' | 'icon' | 'image';
  isLoading?: boolean;
  isLive?: boolean;
  onLoad?: (size: { width: number; height: number }) => void;
  onError?: () => void;
}

/** A picture with a caption. The box has a fixed size, so that the layout does not move when the picture arrives. */
export function PictureFigure(props: PictureFigureProps): ReactElement {
  const { source, alt, sign = 'picture', title, children, size = 'thumbnail', onLoad, onError } = props;
  const box = cx(styles.box, size !== 'thumbnail' && styles[size]);
  return (
    <figure className={styles.picture} aria-busy={props.isLoading === true}>
      {source === null ? (
        <span className={cx(box, sign === 'warning' && styles.warning)}>
          {sign !== null && <Icon name={sign} size={20} />}
        </span>
      ) : (
        <img
          className={box}
          src={source}
          alt={alt}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            onLoad?.({ width, height })
          }
          onError={onError}
        />
      )}
      <figcaption className={styles.words} aria-live={props.isLive === true ? 'polite' : undefined}>
        <span className={styles.title}>{title}</span>
        {children}
      </figcaption>
    </figure>
  );
}

import { ForeignText, Icon } from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import { type ReactElement, useState } from 'react';
import styles from './creative.module.css';

export interface AdPreviewsProps {
  title: string;
  description: string;
  /** The host of the destination; empty if it is none. */
  host: string;
  /** Pictures that are loaded, as `data:` addresses. */
  icon: string | null;
  image: string | null;
}

type Device = 'phone' | 'desktop';

/** The ads as Countersign draws them: networks and systems draw them a little differently. */
export function AdPreviews(props: AdPreviewsProps): ReactElement {
  const [device, setDevice] = useState<Device>('phone');
  return (
    <section className={styles.previews} aria-label="Previews">
      <div className={styles.previewHead}>
        <h3 className={styles.previewTitle}>Previews</h3>
        <Segments
          label="Device of the previews"
          value={device}
          options={[
            { id: 'phone', label: 'Phone' },
            { id: 'desktop', label: 'Desktop' },
          ]}
          onChange={setDevice}
        />
      </div>
      <div className={styles.stage} data-device={device}>
        <Push {...props} />
        <InPage {...props} />
        <Contextual {...props} />
      </div>
      <p className={styles.previewNote}>
        Drawn by Countersign from your text and pictures. Devices and sites may cut or place them differently.
      </p>
    </section>
  );
}

function Frame({ name, children }: { name: string; children: ReactElement }): ReactElement {
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.frameName}>{name}</figcaption>
      <div className={styles.screen}>{children}</div>
    </figure>
  );
}

function Shown({ src, className }: { src: string | null; className: string | undefined }): ReactElement {
  if (src !== null) return <img className={className} src={src} alt="" />;
  return (
    <span className={className}>
      <Icon name="picture" size={16} />
    </span>
  );
}

function Words({ title, description }: Pick<AdPreviewsProps, 'title' | 'description'>): ReactElement {
  return (
    <span className={styles.words}>
      <strong className={styles.adTitle}>
        <ForeignText text={title === '' ? 'No title' : title} />
      </strong>
      <span>
        <ForeignText text={description === '' ? 'No description' : description} />
      </span>
    </span>
  );
}

function Push({ title, description, icon, image }: AdPreviewsProps): ReactElement {
  return (
    <Frame name="Push notification">
      <div className={styles.notification}>
        <span className={styles.origin}>Chrome · now</span>
        <span className={styles.line}>
          <Words title={title} description={description} />
          <Shown src={icon} className={styles.icon} />
        </span>
        <Shown src={image} className={styles.image} />
      </div>
    </Frame>
  );
}

function InPage({ title, description, icon }: AdPreviewsProps): ReactElement {
  return (
    <Frame name="In-page push">
      <div className={styles.site}>
        <span className={styles.text} />
        <div className={styles.inPage}>
          <Shown src={icon} className={styles.icon} />
          <Words title={title} description={description} />
          <span className={styles.close} aria-hidden>
            ×
          </span>
        </div>
        <span className={styles.text} />
        <span className={styles.text} />
      </div>
    </Frame>
  );
}

function Contextual({ title, description, host }: AdPreviewsProps): ReactElement {
  return (
    <Frame name="Contextual ad">
      <div className={styles.site}>
        <span className={styles.text} />
        <div className={styles.contextual}>
          <span className={styles.origin}>
            Ad · <ForeignText text={host === '' ? 'no address' : host} />
          </span>
          <Words title={title} description={description} />
        </div>
        <span className={styles.text} />
      </div>
    </Frame>
  );
}

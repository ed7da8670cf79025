import { cx, ForeignText, Icon, common, pages } from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import { type ReactElement, type ReactNode, useState } from 'react';
import styles from './ad-previews.module.css';

interface AdPreviewsProps {
  title: string;
  description: string;
  host: string;
  icon: string | null;
  image: string | null;
}

type Device = 'phone' | 'desktop';

const formats = [
  { name: 'Push notification', on: { phone: PushOnPhone, desktop: PushOnDesktop } },
  { name: 'In-page push', on: { phone: InPageOnPhone, desktop: InPageOnDesktop } },
  { name: 'Contextual ad', on: { phone: ContextualOnPhone, desktop: ContextualOnDesktop } },
] as const;

export function AdPreviews(props: AdPreviewsProps): ReactElement {
  const [device, setDevice] = useState<Device>('phone');
  return (
    <section className={common.stack3} aria-label="Previews">
      <div className={common.spread}>
        <h3 className={pages.smallHeading}>Previews</h3>
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
        {formats.map(({ name, on }) => {
          const Format = on[device];
          return (
            <figure key={name} className={cx(common.stack1, styles.figure)} aria-label={`${name}, ${device}`}>
              <figcaption className={common.quiet}>{name}</figcaption>
              <Format {...props} />
            </figure>
          );
        })}
      </div>
      <p className={styles.note}>
        Drawn by Countersign from your text and pictures. Devices and sites may cut or place them differently.
      </p>
    </section>
  );
}

function Picture({ src, className }: { src: string | null; className: string | undefined }): ReactElement {
  if (src !== null) return <img className={className} src={src} alt="" />;
  return (
    <span className={className}>
      <Icon name="picture" size={16} />
    </span>
  );
}

function Words({ title, description }: Pick<AdPreviewsProps, 'title' | 'description'>): ReactElement {
  return (
    <span className={cx(common.growNarrow, common.small, common.breaks, common.stack)}>
      <strong className={cx(common.subheading, styles.adTitle)}>
        <ForeignText text={title === '' ? 'No title' : title} />
      </strong>
      <span>
        <ForeignText text={description === '' ? 'No description' : description} />
      </span>
    </span>
  );
}

function Ad({ className, children }: { className: string | undefined; children: ReactNode }): ReactElement {
  return (
    <div className={cx(styles.ad, className)} role="group" aria-label="Ad">
      {children}
    </div>
  );
}

function Lines({ count }: { count: number }): ReactElement {
  return (
    <span className={cx(common.stack, styles.lines)} aria-hidden>
      {Array.from({ length: count }, (_, line) => (
        <span key={line} />
      ))}
    </span>
  );
}

function Phone({ isSite, children }: { isSite?: boolean; children: ReactNode }): ReactElement {
  return (
    <div className={cx(styles.phone, isSite === true ? styles.site : styles.wallpaper)}>
      <span className={styles.phoneStatus} aria-hidden>
        <span>9:41</span>
        <span className={styles.battery} />
      </span>
      {isSite === true && <Address />}
      {children}
    </div>
  );
}

function BrowserWindow({ children }: { children: ReactNode }): ReactElement {
  return (
    <div className={cx(styles.desktop, styles.site)}>
      <span className={styles.windowBar} aria-hidden>
        <span className={styles.tab} />
        <span className={styles.windowButtons}>– □ ×</span>
      </span>
      <Address />
      {children}
    </div>
  );
}

function Address(): ReactElement {
  return (
    <span className={cx(common.row1, styles.address)} aria-hidden>
      <Icon name="lock" size={12} /> a site
    </span>
  );
}

function Close(): ReactElement {
  return (
    <span className={styles.close} aria-hidden>
      ×
    </span>
  );
}

function PushOnPhone({ title, description, icon, image }: AdPreviewsProps): ReactElement {
  return (
    <Phone>
      <span className={styles.clock} aria-hidden>
        9:41
      </span>
      <Ad className={styles.pushOnPhone}>
        <span className={styles.origin}>Chrome · a site · now</span>
        <span className={styles.line}>
          <Words title={title} description={description} />
          <Picture src={icon} className={styles.icon} />
        </span>
        <Picture src={image} className={styles.image} />
      </Ad>
    </Phone>
  );
}

function PushOnDesktop({ title, description, icon, image }: AdPreviewsProps): ReactElement {
  return (
    <div className={cx(styles.desktop, styles.wallpaper)}>
      <Ad className={styles.pushOnDesktop}>
        <Picture src={image} className={styles.image} />
        <span className={styles.line}>
          <Picture src={icon} className={styles.icon} />
          <Words title={title} description={description} />
          <Close />
        </span>
        <span className={styles.origin}>Google Chrome · a site</span>
      </Ad>
      <span className={styles.taskBar} aria-hidden>
        <span className={styles.tasks}>
          <span />
          <span />
          <span />
        </span>
        9:41
      </span>
    </div>
  );
}

function InPageOnPhone({ title, description, icon }: AdPreviewsProps): ReactElement {
  return (
    <Phone isSite>
      <div className={cx(common.stack3, styles.page)}>
        <span className={styles.hero} aria-hidden />
        <Lines count={6} />
      </div>
      <Ad className={styles.inPageOnPhone}>
        <Picture src={icon} className={styles.icon} />
        <Words title={title} description={description} />
        <Close />
      </Ad>
    </Phone>
  );
}

function InPageOnDesktop({ title, description, icon }: AdPreviewsProps): ReactElement {
  return (
    <BrowserWindow>
      <div className={styles.covered}>
        <div className={cx(common.stack3, styles.article)}>
          <Lines count={4} />
          <span className={styles.hero} aria-hidden />
          <Lines count={5} />
        </div>
        <Ad className={styles.inPageOnDesktop}>
          <Picture src={icon} className={styles.largeIcon} />
          <Words title={title} description={description} />
          <Close />
        </Ad>
      </div>
    </BrowserWindow>
  );
}

function ContextualAd({ title, description, host }: AdPreviewsProps): ReactElement {
  return (
    <Ad className={styles.contextual}>
      <span className={styles.origin}>
        <strong>Ad</strong> · <ForeignText text={host === '' ? 'no address' : host} />
      </span>
      <Words title={title} description={description} />
    </Ad>
  );
}

function ContextualOnPhone(props: AdPreviewsProps): ReactElement {
  return (
    <Phone isSite>
      <div className={cx(common.stack3, styles.page)}>
        <span className={styles.searchBox} aria-hidden />
        <ContextualAd {...props} />
        <Lines count={3} />
        <Lines count={3} />
      </div>
    </Phone>
  );
}

function ContextualOnDesktop(props: AdPreviewsProps): ReactElement {
  return (
    <BrowserWindow>
      <div className={styles.results}>
        <span className={styles.searchBox} aria-hidden />
        <span />
        <div className={common.stack3}>
          <ContextualAd {...props} />
          <Lines count={2} />
          <Lines count={2} />
        </div>
        <span className={styles.aside} aria-hidden />
      </div>
    </BrowserWindow>
  );
}

import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { ForeignText } from './foreign-text.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './notices.module.css';

export type BannerTone = 'info' | 'warning' | 'danger' | 'good';

const icons: Record<BannerTone, IconName> = {
  info: 'info',
  warning: 'warning',
  danger: 'alert-circle',
  good: 'check-circle',
};

export interface BannerProps {
  tone: BannerTone;
  /** What happened, one sentence. */
  title: string;
  /** What is safe and what to do. */
  children?: ReactNode;
  actions?: ReactNode;
  /** Edge to edge under a header, instead of a framed block. */
  flush?: boolean;
  icon?: IconName;
}

/** What a page has to say before anything else. Warnings and dangers are announced. */
export function Banner({ tone, title, children, actions, flush, icon }: BannerProps): ReactElement {
  const urgent = tone === 'danger' || tone === 'warning';
  return (
    <div
      className={cx(styles.banner, styles[tone], flush && styles.flush)}
      role={urgent ? 'alert' : 'status'}
    >
      <span className={styles.bannerIcon}>
        <Icon name={icon ?? icons[tone]} />
      </span>
      <div className={styles.body}>
        <span className={styles.bannerTitle}>
          <ForeignText text={title} />
        </span>
        {children !== undefined && <> {children}</>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

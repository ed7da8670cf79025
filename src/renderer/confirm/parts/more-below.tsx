import { useEffect, useState, type ReactElement, type RefObject } from 'react';
import { Icon } from '#renderer/ui/index.ts';
import styles from '../foot.module.css';

/** Says that the question goes on under the fold, so that nobody decides on half of it unawares. */
export function MoreBelow({ scroller }: { scroller: RefObject<HTMLElement | null> }): ReactElement | null {
  const [more, setMore] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setMore(element.scrollHeight - element.scrollTop - element.clientHeight > 8);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    for (const child of element.children) watch.observe(child);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  if (!more) return null;
  return (
    <div className={styles.more} aria-hidden>
      <span>
        More below <Icon name="arrow-down" size={12} />
      </span>
    </div>
  );
}

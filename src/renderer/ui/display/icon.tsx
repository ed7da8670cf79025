import * as lucide from 'lucide-react';
import type { ReactElement } from 'react';
import styles from './values.module.css';

const icons = {
  agents: lucide.Bot,
  alerts: lucide.Bell,
  settings: lucide.Settings,
  'alert-circle': lucide.CircleAlert,
  'arrow-down': lucide.ArrowDown,
  'arrow-right': lucide.ArrowRight,
  'arrow-up': lucide.ArrowUp,
  calendar: lucide.CalendarDays,
  bad: lucide.ThumbsDown,
  campaigns: lucide.Megaphone,
  check: lucide.Check,
  'check-circle': lucide.CircleCheck,
  'chevron-down': lucide.ChevronDown,
  'chevron-left': lucide.ChevronLeft,
  'chevron-right': lucide.ChevronRight,
  clock: lucide.Clock,
  close: lucide.X,
  columns: lucide.Columns3,
  copy: lucide.Copy,
  doctor: lucide.Stethoscope,
  drafts: lucide.FilePen,
  download: lucide.Download,
  file: lucide.FileSpreadsheet,
  exclude: lucide.EyeOff,
  edit: lucide.Pencil,
  external: lucide.ExternalLink,
  filter: lucide.Filter,
  flag: lucide.Flag,
  good: lucide.ThumbsUp,
  help: lucide.CircleHelp,
  info: lucide.Info,
  keyboard: lucide.Keyboard,
  label: lucide.Tag,
  ledger: lucide.BookLock,
  lock: lucide.Lock,
  minus: lucide.Minus,
  monitor: lucide.Monitor,
  moon: lucide.Moon,
  more: lucide.Ellipsis,
  note: lucide.StickyNote,
  offline: lucide.Unplug,
  panel: lucide.PanelRight,
  expand: lucide.Maximize2,
  'emergency-stop': lucide.OctagonPause,
  pause: lucide.Pause,
  play: lucide.Play,
  picture: lucide.Image,
  plus: lucide.Plus,
  print: lucide.Printer,
  profiles: lucide.IdCard,
  proposals: lucide.Stamp,
  redo: lucide.Redo2,
  refresh: lucide.RefreshCw,
  reports: lucide.ChartColumn,
  remove: lucide.Trash,
  reset: lucide.RotateCcw,
  rows: lucide.Rows3,
  schedules: lucide.CalendarClock,
  search: lucide.Search,
  'search-none': lucide.SearchX,
  'shield-check': lucide.ShieldCheck,
  sort: lucide.ChevronsUpDown,
  'sort-changes': lucide.ArrowUpDown,
  start: lucide.Star,
  sun: lucide.Sun,
  training: lucide.GraduationCap,
  undo: lucide.Undo2,
  views: lucide.Bookmark,
  warning: lucide.TriangleAlert,
  watch: lucide.Eye,
} as const;

export type IconName = keyof typeof icons;

/** The tone of a pill. It is never the only sign: text is always next to it. */
export type PillTone = 'neutral' | 'good' | 'waiting' | 'bad' | 'busy';

export interface IconProps {
  name: IconName;
  size?: 12 | 14 | 16 | 20 | 28;
  tone?: PillTone;
}

export function Becomes({ size = 12 }: Pick<IconProps, 'size'>): ReactElement {
  return (
    <span className={styles.becomes} role="img" aria-label="becomes">
      <Icon name="arrow-right" size={size} />
    </span>
  );
}

/** Decorative and hidden from assistive technology: text is next to it, or its control has a label. */
export function Icon({ name, size = 16, tone }: IconProps): ReactElement {
  const Glyph = icons[name];
  return (
    <Glyph
      aria-hidden
      className={tone && styles[tone]}
      size={size}
      strokeWidth={1.75}
      absoluteStrokeWidth={size > 16}
    />
  );
}
